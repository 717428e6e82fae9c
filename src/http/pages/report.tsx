/**
 * A sanitized problem report (spec 7.5), to be handed to whoever is asked for help.
 */
import type { IncidentDocument, ReportDocument, StatusDocument } from "../../history/documents.ts";
import { incidentPath, reportDocumentPath } from "./addresses.ts";
import { Banner } from "./banner.tsx";
import { Footer } from "./footer.tsx";
import { titleOf } from "./incident-words.ts";
import { languageOf } from "./language.ts";
import { Fact, renderPage } from "./layout.tsx";
import { viewOf } from "./view.ts";
import { causeWords } from "./words.ts";

interface ReportInput {
  readonly report: ReportDocument;
  /** To which it belongs. */
  readonly incident: IncidentDocument;
  readonly status: StatusDocument;
  readonly nowMs: number;
}

export function renderReport({ report, incident, status, nowMs }: ReportInput): string {
  const view = viewOf(status, nowMs);
  const { subject } = titleOf(incident, view);
  const cause = causeWords(report.cause, report.attempts > 0);
  return renderPage({
    title: `Problem report: ${subject}: ${cause}`,
    description: `What was seen of ${subject}, without any secret: ${cause}.`,
    site: status.title,
    notice: status.notice,
    footer: <Footer status={status} clock={view.clock} />,
    children: (
      <>
        <h1>
          Problem report: <span lang={languageOf(subject)}>{subject}</span>
        </h1>
        {status.stale && <Banner view={view} />}
        {report.attempts === 0 && (
          <p>
            <strong>Nothing was sent:</strong> {cause.toLowerCase()}.
          </p>
        )}
        <p>
          What happened, without any secret, for whoever is asked for help. It belongs to{" "}
          <a href={incidentPath(incident.id)}>this incident</a>; the same as{" "}
          <a href={reportDocumentPath(report.id)}>JSON</a>.
        </p>
        <HiddenAddress report={report} />
        <dl>
          {rowsOf(report).map(([term, value]) => (
            <Fact term={term}>
              {value === null ? "none" : <bdi lang={languageOf(String(value))}>{String(value)}</bdi>}
            </Fact>
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

function HiddenAddress({ report }: Pick<ReportInput, "report">) {
  if (report.endpoint?.startsWith("$") !== true) return null;
  return (
    <p>
      The address is not published: <code>$GATEWAY_BASE_URL</code> stands for it, and{" "}
      <code>$GATEWAY_API_KEY</code> for the key.
    </p>
  );
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
    ["Attempts", report.attempts === 0 ? "0: nothing was sent" : report.attempts],
    ["Client", report.client],
    ["Cause", `${causeWords(report.cause, report.attempts > 0)} (${report.cause})`],
    ["Message", report.message],
    ["Report id", report.id],
  ];
}
