/** `gatepulse explain`: what a saved answer means. */
import { t, translated } from "../config/spoken.ts";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Report } from "../domain/report.ts";
import {
  explain as explainText,
  showsNoAnswer,
  type Explanation,
  type TakenFor,
} from "../explain/explain.ts";
import type { Form, Note } from "../explain/pasted.ts";
import { OPERATORS, type Diagnosis } from "../protocol/diagnosis.ts";
import { KINDS } from "../protocol/observation.ts";
import { nameStrength } from "../protocol/redaction/fields.ts";
import { shownNames } from "../protocol/synonyms.ts";
import { createRedactor } from "../protocol/redaction/redact.ts";
import { Refusal, OPERATOR, command, exitCodeOf, flag, option, oneOf, type Io } from "../cli/command.ts";
import { readAll } from "../cli/node-io.ts";
import { DEFAULT_KEY_ENV, readDevVars } from "../cli/config-file.ts";
import {
  adviceWords,
  diagnosisText,
  filled,
  harmless,
  joined,
  messageWords,
  painterFor,
  table,
  type Paint,
  appendSummary,
  SUMMARY,
} from "../cli/terminal.ts";
import WORDS from "./explain-words.json" with { type: "json" };

/** The most that the monitor itself reads of an answer. */
const MAX_INPUT_BYTES = 8 * 1024 * 1024;

/** `file`: null is standard input; pipes are files too: `gatepulse explain <(curl -i …)`. The problem does not name the file. */
async function readInput(file: string | null, { stdin, stderr, cwd }: Io) {
  if (file === null && stdin.isTTY)
    stderr.write(t`Paste the answer, then press Ctrl-D on a line of its own.\n`);
  const reading =
    file === null
      ? stdin.readAll(MAX_INPUT_BYTES)
      : readAll(createReadStream(resolve(cwd, file)), MAX_INPUT_BYTES);
  const read = await reading.catch(() => undefined);
  if (read === undefined) return { problem: t`cannot be read` };
  if (read === null) return { problem: t`is over 8 MiB: give only the failed answer` };
  const pasted = read.replace(/^\ufeff/, "");
  return pasted.trim() === "" ? { problem: t`is empty: there is nothing to explain` } : { pasted };
}

function sentencesOf({ diagnosis, takenFor }: Explanation): readonly string[] {
  return [
    adviceWords(diagnosis),
    ...retrySentences(diagnosis),
    ...takenFor.notes.map((note) => translated(NOTE_WORDS[note])),
    ...doubtSentences(diagnosis),
  ];
}

function explanationText(found: Explanation, io: Io, isVerbose: boolean): string {
  const { diagnosis, report, takenFor } = found;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const text = diagnosisText(diagnosis, rowsOf(takenFor, diagnosis, isVerbose), sentencesOf(found), paint);
  if (report === null) return text;
  return `${text}\n${paint(t`To send to support:`, "dim")}\n${reportText(report, paint)}`;
}

const FORM_WORDS: Readonly<Record<Form, string>> = WORDS.forms;
const NOTE_WORDS: Readonly<Record<Note, string>> = WORDS.notes;

function rowsOf(
  takenFor: TakenFor,
  diagnosis: Diagnosis,
  isVerbose: boolean,
): readonly (readonly [string, string])[] {
  const { form, detail, kind } = takenFor;
  const names = shownNames(diagnosis);
  return [
    ["taken for", harmless(`${translated(FORM_WORDS[form])}${detail === null ? "" : ` (${detail})`}`)],
    // `console` is the option's word for what people call the account.
    ["kind", kind === "console" ? t`account` : kind],
    ...filled([
      ["status", diagnosis.httpStatus],
      ["error", joined([names.errorType, names.errorCode], " / ")],
      ["code", names.businessCode],
      ["request id", diagnosis.requestId],
      ["task", joined([diagnosis.taskId, diagnosis.taskState], ", ")],
      ["message", messageWords(diagnosis)],
      ["rule", isVerbose ? diagnosis.rule : null],
      ["more", diagnosis.docs],
    ]),
  ];
}

function retrySentences({ ok, retry }: Diagnosis): readonly string[] {
  if (ok) return [];
  const { allowed, afterSeconds } = retry;
  const asked = afterSeconds === null ? null : t`The gateway asks you to wait ${afterSeconds} s.`;
  if (!allowed) return [t`A program must not retry it.`, ...(asked === null ? [] : [asked])];
  const when = afterSeconds === null ? t`with increasing waits` : t`after ${afterSeconds} s`;
  return [t`You can retry it ${when}, if the request is safe to repeat.`];
}

function doubtSentences({ ambiguous }: Diagnosis): readonly string[] {
  return ambiguous.length === 0 ? [] : [t`It could also be ${ambiguous.join(t` or `)}.`];
}

/** Spec 7.5, as lines for a letter. */
function reportText(report: Report, paint: Paint): string {
  const names = shownNames({ ...report, ambiguous: [] });
  const rows = filled([
    ["cause", report.cause],
    ["status", report.httpStatus],
    ["error type", names.errorType],
    ["error code", names.errorCode],
    ["business code", names.businessCode],
    ["request id", report.requestId],
    ["task id", report.taskId],
    ["completion id", report.completionId ?? null],
    ["stream until then", report.streamed ?? null],
    ["message", messageWords(report)],
    ["endpoint", report.endpoint],
    ["model", report.modelId],
    ["requested at", report.requestedAt],
    ["time zone", report.requestedAt === null ? null : report.timeZone],
    ["streaming", report.streaming ? t`yes` : t`no`],
    ["client", report.client],
    ["to see it", report.reproduce],
  ]);
  return table(
    rows.map(([name, value]) => [`  ${translated(name)}`, value] as const),
    paint,
  );
}

/** A shorter value of a variable that nobody named may be a plain word. */
const MIN_LENGTH = 12;

/** `keyName`: the variable that someone named; `directory`: where a `.dev.vars` may lie. */
async function secretsAround(
  keyName: string | null,
  directory: string,
  env: Io["env"],
): Promise<readonly string[]> {
  const written = await readDevVars(directory);
  const named = [DEFAULT_KEY_ENV, ...(keyName === null ? [] : [keyName])];
  const secret = Object.entries(env)
    // Systems set variables of their own, with brackets and other signs in their names.
    .filter(([name]) => /^\w+$/.test(name) && nameStrength(name) !== null)
    .map(([, value]) => value);
  return [
    ...named.flatMap((name) => [env[name], written[name]]),
    ...[...secret, ...Object.values(written)].filter((value = "") => value.length >= MIN_LENGTH),
  ].flatMap((value = "") => (value === "" ? [] : [value]));
}

const OPTIONS = {
  kind: option(
    "KIND",
    t`what you asked for (default: a guess): ${KINDS.join(", ")}. A task is its creation or its record, and a stream an event stream`,
  ),
  ...OPERATOR,
  "key-env": option("NAME", t`one more environment variable that holds a secret`),
  verbose: flag(t`also print which rule decided`),
  json: flag(t`print one JSON object`),
  ...SUMMARY,
};

export const explain = command("explain", OPTIONS, async (line) => {
  const { values, io } = line;
  const file = line.argument || "-";
  const { "key-env": keyName, json = false, verbose = false } = values;
  const kind = oneOf("kind", KINDS, values.kind);
  const operator = oneOf("operator", OPERATORS, values.operator);
  if (keyName !== undefined && (io.env[keyName] ?? "") === "") {
    throw new Refusal(t`--key-env takes the name of an environment variable that is set`);
  }
  const redact = createRedactor(await secretsAround(keyName ?? null, io.cwd, io.env));
  const read = await readInput(file === "-" ? null : file, io);
  if (read.pasted === undefined) {
    const name = file === "-" ? t`standard input` : harmless(redact(file));
    throw new Refusal(`${name} ${read.problem}`);
  }
  const found = explainText(read.pasted, {
    kind,
    operator,
    nowMs: io.clock.now(),
    timeZone: io.timeZone,
    redact,
  });
  if (found === null) throw new Refusal(t`there is nothing to explain`);
  const { diagnosis, report, takenFor } = found;
  const jsonLine = `${JSON.stringify({ diagnosis, report, takenFor })}\n`;
  if (showsNoAnswer(found) && !json) throw new Refusal(translated(NOTE_WORDS.words_only));
  io.stdout.write(json ? jsonLine : explanationText(found, io, verbose));
  await appendSummary(
    values.summary,
    io,
    diagnosis,
    rowsOf(takenFor, diagnosis, verbose),
    sentencesOf(found),
  );
  return exitCodeOf(diagnosis);
});
