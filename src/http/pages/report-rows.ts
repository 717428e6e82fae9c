/**
 * What a problem report tells, as rows and as Markdown: spec 7.5, in its order. Pure.
 */
import { fencedCode, inlineCode } from "../../formats/markdown.ts";
import type { ReportDocument } from "../../history/documents.ts";
import type { Words } from "./words/catalogue.ts";
import { causeWords } from "./words.ts";

type Row = readonly [term: string, value: string | number | null, field: Field];
type Field = (typeof FIELDS)[number];

export function rowsOf(report: ReportDocument, words: Words): readonly Row[] {
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
export function reportMarkdown(report: ReportDocument, subject: string, words: Words): string {
  const rows = rowsOf(report, words).flatMap(([term, value]) =>
    value === null || value === "" ? [] : [`- ${term}: ${inlineCode(String(value))}\n`],
  );
  const { heading, reproduce } = words.report;
  const again = report.reproduce === null ? "" : `\n## ${reproduce}\n\n${fencedCode(report.reproduce, "sh")}`;
  return `# ${heading}${words.colon}${inlineCode(subject)}\n\n${rows.join("")}${again}`;
}
