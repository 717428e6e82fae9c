/** The result of `gatepulse explain`, for programs and for people. Pure; everything in it was redacted before. */
import type { Report } from "../domain/report.ts";
import type { Explanation, TakenFor } from "../explain/explain.ts";
import type { Form, Note } from "../explain/pasted.ts";
import type { Diagnosis } from "../protocol/diagnosis.ts";
import type { Output } from "./io.ts";
import { harmless, type Paint, painterFor, table, verdictLine, wrap } from "./terminal.ts";

/** One object on one line. */
export function explanationJson({ diagnosis, report, takenFor }: Explanation): string {
  return `${JSON.stringify({ diagnosis, report, takenFor })}\n`;
}

export function explanationText(
  { diagnosis, report, takenFor }: Explanation,
  { isTTY, columns }: Output,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const paint = painterFor(isTTY, env);
  const sentences = [
    diagnosis.advice,
    ...retrySentences(diagnosis),
    ...takenFor.notes.map((note) => NOTE_WORDS[note]),
    ...doubtSentences(diagnosis),
  ].map((sentence) => (isTTY ? wrap(harmless(sentence), columns, "") : harmless(sentence)));
  return [
    `${verdictLine(diagnosis, paint)}\n\n`,
    table(rowsOf(takenFor, diagnosis), paint),
    `\n${sentences.join("\n")}\n`,
    report === null ? "" : `\n${paint("To send to support:", "dim")}\n${reportText(report, paint)}`,
  ].join("");
}

const FORM_WORDS: Readonly<Record<Form, string>> = {
  http: "an HTTP answer",
  answer: "an answer saved as JSON",
  har: "an exchange of a HAR file",
  sdk_error: "an error that a client printed",
  event_stream: "the transcript of an event stream",
  task: "the record of a task",
  json: "a JSON body alone",
  text: "a page or words alone",
};

const NOTE_WORDS: Readonly<Record<Note, string>> = {
  status_unknown: "The text tells no HTTP status, so it was judged without one.",
  kind_guessed: "What was asked of the gateway is guessed: say it with --kind.",
  last_response: "Of several responses the last one was judged.",
  one_of_entries: "Of several exchanges one was judged.",
  body_missing: "The body is not in the text: what it said is not known.",
  body_cut: "The body is not whole.",
  words_only: "These words show no answer of a gateway: paste what came, with its status and headers.",
};

function rowsOf(takenFor: TakenFor, diagnosis: Diagnosis): readonly (readonly [string, string])[] {
  const { form, detail, kind } = takenFor;
  return [
    ["taken for", harmless(`${FORM_WORDS[form]}${detail === null ? "" : ` (${detail})`}`)],
    ["kind", kind],
    ...filled([
      ["status", diagnosis.httpStatus],
      [
        "error",
        [diagnosis.errorType, diagnosis.errorCode].filter((word) => word !== null).join(" / ") || null,
      ],
      ["code", diagnosis.businessCode],
      ["request id", diagnosis.requestId],
      ["task", [diagnosis.taskId, diagnosis.taskState].filter((word) => word !== null).join(", ") || null],
      ["message", diagnosis.message],
      ["rule", diagnosis.rule],
      ["more", diagnosis.docs],
    ]),
  ];
}

function filled(
  rows: readonly (readonly [string, string | number | null])[],
): readonly (readonly [string, string])[] {
  return rows.flatMap(([name, value]): [string, string][] =>
    value === null || value === "" ? [] : [[name, harmless(String(value))]],
  );
}

/** Whether a program may send it again, and when. */
function retrySentences({ ok, retry }: Diagnosis): readonly string[] {
  if (ok) return [];
  const { allowed, afterSeconds } = retry;
  const asked = afterSeconds === null ? null : `The answer asks to wait ${afterSeconds} s.`;
  if (!allowed) return ["A program must not send it again by itself.", ...(asked === null ? [] : [asked])];
  const when = afterSeconds === null ? "after a wait that grows each time" : `after ${afterSeconds} s`;
  return [`It may be sent again ${when}, where the request is safe to repeat.`];
}

function doubtSentences({ ambiguous }: Diagnosis): readonly string[] {
  return ambiguous.length === 0 ? [] : [`It cannot be excluded that it is ${ambiguous.join(" or ")}.`];
}

/** Spec 7.5, as lines for a letter. */
function reportText(report: Report, paint: Paint): string {
  const rows = filled([
    ["cause", report.cause],
    ["status", report.httpStatus],
    ["error type", report.errorType],
    ["error code", report.errorCode],
    ["business code", report.businessCode],
    ["request id", report.requestId],
    ["task id", report.taskId],
    ["message", report.message],
    ["endpoint", report.endpoint],
    ["model", report.modelId],
    ["requested at", report.requestedAt],
    ["time zone", report.requestedAt === null ? null : report.timeZone],
    ["streaming", report.streaming ? "yes" : "no"],
    ["client", report.client],
    ["to see it", report.reproduce],
  ]);
  return table(
    rows.map(([name, value]) => [`  ${name}`, value] as const),
    paint,
  );
}
