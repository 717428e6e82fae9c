/** A sanitized problem report (spec 7.5), to be handed to the person you ask for help. */
import type { IncidentDocument, ReportDocument, StatusDocument } from "../../history/documents.ts";
import { causeWords } from "./format.ts";
import type { Messages } from "./i18n/messages.ts";
import { titleOf } from "./incident.tsx";
import { renderStatusPage } from "./layout.tsx";
import { Facts, Said, StaleBanner } from "./marks.tsx";
import { reportMarkdown, rowsOf } from "./report-rows.ts";
import { type Reader, causePath, pathTo, viewOf } from "./view.ts";

interface ReportInput {
  readonly report: ReportDocument;
  readonly incident: IncidentDocument;
  readonly status: StatusDocument;
  readonly nowMs: number;
  readonly reader: Reader;
}

export function renderReport({ report, incident, status, nowMs, reader }: ReportInput): string {
  const view = viewOf(status, nowMs, reader);
  const { words } = view;
  const { subject } = titleOf(incident, view);
  const cause = causeWords(report.cause, report.attempts > 0, words);
  const title = [words.report.heading, subject, cause].join(words.colon);
  return renderStatusPage(view, {
    title,
    description: title,
    children: (
      <>
        <h1>
          {`${words.report.heading}${words.colon}`}
          <Said text={subject} words={words} />
        </h1>
        {status.stale && <StaleBanner view={view} />}
        {report.attempts === 0 && <p>{words.report.nothingSent(cause)}</p>}
        <p>
          {words.report.about(
            <a href={pathTo(view, "incidents", incident.id)}>{words.report.thisIncident}</a>,
            <a href={`/api/v1/reports/${report.id}`}>JSON</a>,
          )}
        </p>
        <HiddenAddress report={report} words={words} />
        <Facts
          facts={rowsOf(report, words).map(([term, value, field]) => [
            term,
            value === null ? (
              words.none
            ) : field === "cause" ? (
              <a href={causePath(report.cause, view)}>{value}</a>
            ) : (
              <Said text={String(value)} words={words} />
            ),
          ])}
        />
        {report.reproduce !== null && (
          <>
            <h2>{words.report.reproduce}</h2>
            <pre tabindex={0}>
              <code>{report.reproduce}</code>
            </pre>
          </>
        )}
        <h2>{words.report.copy}</h2>
        <pre tabindex={0}>{reportMarkdown(report, subject, words)}</pre>
      </>
    ),
  });
}

function HiddenAddress({ report, words }: Pick<ReportInput, "report"> & { readonly words: Messages }) {
  if (report.endpoint?.startsWith("$") !== true) return null;
  return <p>{words.report.hiddenAddress(<code>$GATEWAY_BASE_URL</code>, <code>$GATEWAY_API_KEY</code>)}</p>;
}
