/**
 * What a problem report tells, as rows and as Markdown: spec 7.5, in its order. Pure.
 */
import type { Report } from "../../domain/report.ts";
import { UNKNOWN_CLIENT } from "../../explain/explain.ts";
import { fencedCode, inlineCode } from "../../formats/markdown.ts";
import type { Words } from "./words/catalogue.ts";
import { causeWords } from "./words.ts";

type Row = readonly [term: string, value: string | number | null, field: Field];

export function rowsOf(report: Report, words: Words): readonly Row[] {
  const { fields, yes, no, noAttempt, cause: named } = words.report;
  const sent = report.attempts > 0;
  const told = {
    ...report,
    streaming: report.streaming ? yes : no,
    retried: report.retried ? yes : no,
    attempts: sent ? report.attempts : noAttempt,
    cause: named(causeWords(report.cause, sent, words), report.cause),
  };
  return FIELDS.map((field) => [fields[field], told[field], field]);
}

const FIELDS = [
  "endpoint",
  "modelId",
  "requestedAt",
  "timeZone",
  "httpStatus",
  "errorType",
  "errorCode",
  "businessCode",
  "requestId",
  "taskId",
  "streaming",
  "retried",
  "attempts",
  "client",
  "cause",
  "message",
  "id",
] as const;

/**
 * To be pasted where a support desk wants Markdown: nothing in it means anything but the headings.
 * @param subject what it is about: the endpoint may be unpublished.
 */
export function reportMarkdown(report: Report, subject: string, words: Words): string {
  const { heading, reproduce } = words.report;
  const rows = listed(rowsOf(report, words));
  const again = report.reproduce === null ? "" : `\n## ${reproduce}\n\n${fencedCode(report.reproduce, "sh")}`;
  return `# ${heading}${words.colon}${inlineCode(subject)}\n\n${rows}${again}`;
}

/** Of an answer that somebody pasted. What nobody told of its request is left to them: no zone, no count of attempts. */
export function pastedMarkdown(report: Report, words: Words): string {
  const untold = new Set<string>(["attempts", "retried"] satisfies Field[]);
  if (report.requestedAt === null) untold.add("timeZone" satisfies Field);
  if (!report.streaming) untold.add("streaming" satisfies Field);
  if (report.client === UNKNOWN_CLIENT) untold.add("client" satisfies Field);
  const rows = rowsOf(report, words).filter((_, index) => !untold.has(FIELDS[index] ?? ""));
  return `# ${words.report.heading}\n\n${listed(rows)}`;
}

function listed(rows: readonly Row[]): string {
  const lines = rows.map(([term, value]) =>
    value === null || value === "" ? "" : `- ${term}: ${inlineCode(String(value))}\n`,
  );
  return lines.join("");
}
