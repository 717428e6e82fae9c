/** What a problem report tells, as rows and as Markdown: spec 7.5, in its order. Pure. */
import type { Report } from "../../domain/report.ts";
import { UNKNOWN_CLIENT } from "../../explain/explain.ts";
import { fencedCode, inlineCode } from "../../formats/markup.ts";
import type { ReportDocument } from "../../history/documents.ts";
import { causeWords, regionName } from "./format.ts";
import type { Messages } from "./i18n/messages.ts";

/** Regions are known of what is watched alone. */
type ReportedHere = Report & Partial<Pick<ReportDocument, "regions">>;

type Row = readonly [term: string, value: string | number | null, field: Field];
type Field = keyof Messages["report"]["fields"];

export function rowsOf(report: ReportedHere, words: Messages): readonly Row[] {
  const { fields, yes, no, noAttempt, cause: named } = words.report;
  const sent = report.attempts > 0;
  const told = {
    ...report,
    streaming: report.streaming ? yes : no,
    retried: report.retried ? yes : no,
    attempts: sent ? report.attempts : noAttempt,
    cause: named(causeWords(report.cause, sent, words), report.cause),
    regions: report.regions?.map((region) => regionName(region, words)).join(words.list) ?? null,
  };
  const shown = (Object.keys(fields) as Field[]).filter(
    (field) => field !== "regions" || told.regions !== null,
  );
  return shown.map((field) => [fields[field], told[field], field]);
}

/**
 * To be pasted where a support desk wants Markdown: nothing in it means anything but the headings.
 * @param subject what it is about: the endpoint may be unpublished.
 */
export function reportMarkdown(report: ReportedHere, subject: string, words: Messages): string {
  const title = `${words.report.heading}${words.colon}${inlineCode(subject)}`;
  return markdownOf(title, rowsOf(report, words), report, words);
}

/** Of an answer that somebody pasted. What nobody told of its request is left to them: no zone, no client, no count. */
export function pastedMarkdown(report: ReportedHere, words: Messages): string {
  const hidden = new Set<Field>(["attempts", "retried"]);
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
    value === null || value === "" ? "" : `- ${term}: ${inlineCode(String(value))}\n`,
  );
  const again = reproduce === null ? "" : `\n## ${report.reproduce}\n\n${fencedCode(reproduce, "sh")}`;
  return `# ${title}\n\n${lines.join("")}${again}`;
}
