/**
 * A sanitized problem report (spec 7.5), to be handed to whoever is asked for help.
 */
import type { ReportDocument, StatusDocument } from "../../history/documents.ts";
import { incidentPath, reportDocumentPath } from "./addresses.ts";
import { Footer } from "./footer.tsx";
import { renderPage } from "./layout.tsx";
import { Fact } from "./monitor-card.tsx";
import { CAUSE_WORDS } from "./words.ts";
import { zoneClock } from "./zone-clock.ts";

export function renderReport(report: ReportDocument, incidentId: string, status: StatusDocument): string {
  const clock = zoneClock(status.timeZone);
  return renderPage({
    title: `Problem report: ${CAUSE_WORDS[report.cause]}`,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={clock} />,
    children: (
      <>
        <h1>Problem report</h1>
        <p>
          What happened, without any secret, for whoever is asked for help. It belongs to{" "}
          <a href={incidentPath(incidentId)}>this incident</a>; the same as{" "}
          <a href={reportDocumentPath(report.id)}>JSON</a>.
        </p>
        <dl>
          {rowsOf(report).map(([term, value]) => (
            <Fact term={term}>{value === null ? "none" : <bdi>{String(value)}</bdi>}</Fact>
          ))}
        </dl>
        {report.reproduce !== null && (
          <>
            <h2>To reproduce</h2>
            <pre tabindex={0}>
              <code>{report.reproduce}</code>
            </pre>
          </>
        )}
      </>
    ),
  });
}

function rowsOf(report: ReportDocument): readonly (readonly [string, string | number | null])[] {
  return [
    ["Endpoint", report.endpoint],
    ["Model", report.modelId],
    ["Requested at", report.requestedAt],
    ["Time zone", report.timeZone],
    ["HTTP status", report.httpStatus],
    ["Error type", report.errorType],
    ["Error code", report.errorCode],
    ["Business code", report.businessCode],
    ["Request id", report.requestId],
    ["Task id", report.taskId],
    ["Streaming", report.streaming ? "yes" : "no"],
    ["Already retried", report.retried ? "yes" : "no"],
    ["Attempts", report.attempts],
    ["Client", report.client],
    ["Cause", `${CAUSE_WORDS[report.cause]} (${report.cause})`],
    ["Message", report.message],
    ["Report id", report.id],
  ];
}
