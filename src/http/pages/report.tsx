/** A sanitized problem report (spec 7.5) for the people who are asked for help: as a page, and as Markdown. Pure. */
import type { Report } from "../../domain/report.ts";
import { UNKNOWN_CLIENT } from "../../explain/explain.ts";
import { fencedCode, inlineCode } from "../../formats/markup.ts";
import { shownNames } from "../../protocol/synonyms.ts";
import type { IncidentDocument, ReportDocument } from "../../history/documents.ts";
import { causeWords, regionName, sentences } from "./format.ts";
import { type Messages, say } from "./i18n/messages.ts";
import { type OfIncident, titleOf, upstreamWords } from "./incident.tsx";
import { renderStatusPage } from "./layout.tsx";
import { CopyButton, Crumbs, Said, StaleBanner } from "./marks.tsx";
import { type View, causePath, pathTo } from "./view.ts";

export function renderReport(report: ReportDocument, incident: IncidentDocument, view: View): string {
  const { words } = view;
  const { subject } = titleOf(incident, view);
  const cause = causeWords(report.cause, report.attempts > 0, words);
  const title = [words.report.heading, subject, cause].join(words.colon);
  return renderStatusPage(view, {
    title,
    description: title,
    children: (
      <>
        <Crumbs incident={incident} view={view} here={words.report.heading} />
        <h1>
          {`${words.report.heading}${words.colon}`}
          <Said text={subject} words={words} />
        </h1>
        {view.status.stale && <StaleBanner view={view} />}
        <About report={report} incident={incident} view={view} />
        <p class="acts">
          <CopyButton report={`#${REPORT}`} words={words} />
        </p>
        <pre id={REPORT} tabindex={0}>
          {reportMarkdown(report, subject, words)}
        </pre>
      </>
    ),
  });
}

const REPORT = "report";

function About({ report, incident, view }: OfIncident & { readonly report: ReportDocument }) {
  const { words } = view;
  const { noneSent, nothingSent, about, thisIncident, hiddenAddress } = words.report;
  const cause = causeWords(report.cause, false, words).toLowerCase();
  const parts = [
    report.attempts === 0 && say(nothingSent, <strong>{noneSent}</strong>, cause),
    say(
      about,
      <a href={pathTo(view, "incidents", incident.id)}>{thisIncident}</a>,
      <a href={`/api/v1/reports/${report.id}`}>JSON</a>,
    ),
    report.endpoint?.startsWith("$") === true &&
      say(hiddenAddress, <code>$GATEWAY_BASE_URL</code>, <code>$GATEWAY_API_KEY</code>),
    say(
      words.causesLinks.more,
      <a href={causePath(report.cause, view)}>
        <code>{report.cause}</code>
      </a>,
    ),
  ];
  return <p>{sentences(parts, words)}</p>;
}

const PLAIN = { quote: (text: string) => text, when: (at: string) => at };

type ReportedHere = Report & Partial<Omit<ReportDocument, keyof Report>>;

type Row = readonly [term: string, value: string | number | null | undefined, field: Field];
type Field = keyof Messages["report"]["fields"];

function rowsOf(report: ReportedHere, words: Messages): readonly Row[] {
  const { fields, yes, no, noAttempt, cause: named } = words.report;
  const sent = report.attempts > 0;
  const told = {
    ...report,
    ...shownNames({ ...report, ambiguous: [] }),
    streaming: report.streaming ? yes : no,
    attempts: sent ? report.attempts : noAttempt,
    cause: say(named, causeWords(report.cause, sent, words), report.cause),
    regions: report.regions?.map((region) => regionName(region, words)).join(words.list),
    upstreams: report.upstreams?.map((of) => upstreamWords(of, words, PLAIN, of.name)).join(words.list),
    incident: report.incidentUrl ?? report.incident,
  };
  return (Object.keys(fields) as Field[]).map((field) => [fields[field], told[field], field]);
}

/** Only the headings are Markdown: all texts are escaped. @param subject named in the title: the endpoint may be secret. */
export function reportMarkdown(report: ReportedHere, subject: string, words: Messages): string {
  const title = `${words.report.heading}${words.colon}${inlineCode(subject)}`;
  return markdownOf(title, rowsOf(report, words), report, words);
}

/** For a pasted answer: without rows about its request, which is unknown. */
export function pastedMarkdown(report: ReportedHere, words: Messages): string {
  const hidden = new Set<Field>(["attempts"]);
  if (report.requestedAt === null) hidden.add("timeZone");
  if (report.client === UNKNOWN_CLIENT) hidden.add("client");
  if (!report.streaming) hidden.add("streaming");
  const rows = rowsOf(report, words).filter(([, , field]) => !hidden.has(field));
  return markdownOf(words.report.heading, rows, report, words);
}

function markdownOf(
  title: string,
  rows: readonly Row[],
  { reproduce }: ReportedHere,
  { report }: Messages,
): string {
  const lines = rows.map(([term, value]) =>
    value === null || value === undefined || value === "" ? "" : `- ${term}: ${inlineCode(String(value))}\n`,
  );
  const again = reproduce === null ? "" : `\n## ${report.reproduce}\n\n${fencedCode(reproduce, "sh")}`;
  return `# ${title}\n\n${lines.join("")}${again}`;
}
