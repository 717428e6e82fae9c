/** The parts of docs/causes.md that are made of the table of causes and their examples. */
import { STATUS_CODES } from "node:http";
import { messagesIn } from "../http/pages/i18n/messages.ts";
import { CAUSE_EXAMPLES, type CauseExample, type ExampleAnswer } from "./cause-examples.ts";
import { CAUSE_EVIDENCE, CAUSE_TABLE } from "../protocol/causes.ts";
import { examine } from "../protocol/diagnose.ts";
import { CAUSES, type Cause, type KeptDiagnosis } from "../protocol/diagnosis.ts";
import { finalStatuses, retryStatuses } from "../protocol/edge-page.ts";
import { balanceLow, examineCanary, stalledTask } from "../protocol/examine-canary.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import type { Answer } from "../protocol/observation.ts";

/** 2026-11-20T12:00:00Z. */
const CONTEXT = { nowMs: Date.UTC(2026, 10, 20, 12), redact: (text: string): string => text };

export function diagnoseExample(example: CauseExample): KeptDiagnosis {
  switch (example.type) {
    case "answer":
      return examine(observed(example.answer), CONTEXT).diagnosis;
    case "failure": {
      const { stage, detail } = example;
      const failure = { kind: "models", stage, detail, status: null, headers: {} } as const;
      return examine({ type: "network_failure", ...failure }, CONTEXT).diagnosis;
    }
    case "late":
      return judged(example.answer, { expect: [], ...example });
    case "expecting":
      return judged(example.answer, { latencyMs: 0, slowerThanMs: null, ...example });
    case "balance":
      return judgedBalance(example);
    case "deadline":
      return stalledTask(examine(observed(example.answer), CONTEXT).diagnosis);
  }
}

function observed({ kind, status, headers, body }: ExampleAnswer): Answer {
  return { type: "answer", bodyEnd: "complete", kind, status, headers, body };
}

interface Wishes {
  readonly expect: readonly string[];
  readonly latencyMs: number;
  readonly slowerThanMs: number | null;
}

function judged(answer: ExampleAnswer, wishes: Wishes): KeptDiagnosis {
  const { diagnosis, models } = examine(observed(answer), CONTEXT);
  return judgeExpectations(diagnosis, { modelIds: models?.ids ?? null, ...wishes }).diagnosis;
}

function judgedBalance({
  answer,
  pointer,
  warnBelow,
}: Extract<CauseExample, { type: "balance" }>): KeptDiagnosis {
  const asked = { evidence: "nothing", isStreamed: false, task: null, expect: [] } as const;
  const { diagnosis, told } = examineCanary(
    observed(answer),
    { ...asked, pointers: { balance: pointer } },
    CONTEXT,
  );
  return told.balance === null ? diagnosis : balanceLow(diagnosis, { balance: told.balance, warnBelow });
}

/**
 * The document with its table of all causes and its entries made anew. The text between them is written by hand, and so are the
 * exceptions that it lists; tests hold them to the code.
 */
export function causesDocument(written: string): string {
  const [excepted = ""] = EXCEPTIONS.exec(written) ?? [];
  const entries = CAUSES.map((cause) => `\n${entry(cause, excepted.includes(`(#${cause})`))}\n`);
  return written.replace(TABLE, () => overview()).replace(ENTRIES, () => entries.join(""));
}

const TABLE = /(?<=\n## All of them\n\n)[\s\S]*?(?=\n\n## )/u;
const EXCEPTIONS = /\n## Told otherwise\n[\s\S]*?(?=\n## )/u;
const ENTRIES = /\n## `[\s\S]*$/u;

function overview(): string {
  const rows = CAUSES.map((cause) => {
    const { owner, health } = CAUSE_TABLE[cause];
    return [`[\`${cause}\`](#${cause})`, messagesIn("en").causes[cause], owner, health, retryInBrief(cause)];
  });
  return table(["cause", "says", "whose turn", "health", "retry"], rows);
}

function entry(cause: Cause, isExcepted: boolean): string {
  const { owner, health, rule, advice } = CAUSE_TABLE[cause];
  const example = CAUSE_EXAMPLES[cause];
  return `## \`${cause}\`

**${messagesIn("en").causes[cause]}.** ${CAUSE_EVIDENCE[cause]}

- Whose turn: ${code(owner)}
- Health: ${code(health)}${isExcepted ? ", [sometimes otherwise](#told-otherwise)" : ""}
- Retry: ${retryRule(cause)}
- Rule: ${rule === null ? "none" : `[${rule}](rules.md)`}

What to do: ${advice}

\`\`\`http
${exampleText(example)}
\`\`\`

\`\`\`json
${inBrief(diagnoseExample(example))}
\`\`\``;
}

function retryInBrief(cause: Cause): string {
  if (CAUSE_TABLE[cause].ok) return "not needed";
  const statuses = retryStatuses(cause);
  return statuses.length === 0 ? "never" : `under ${statuses.join(", ")}`;
}

function retryRule(cause: Cause): string {
  const final = finalStatuses(cause);
  if (retryStatuses(cause).length === 0) return retryInBrief(cause);
  const not = final.length === 0 ? "under no other status" : `not under ${final.join(", ")}`;
  return `${retryInBrief(cause)}, if the request is safe to repeat; ${not}. [When](#retrying)`;
}

function exampleText(example: CauseExample): string {
  switch (example.type) {
    case "answer":
      return answerText(example.answer);
    case "failure":
      return `${example.request}\n\n# no answer: ${example.detail}`;
    case "late":
      return `# slowerThan: ${example.slowerThanMs} ms; it took ${example.latencyMs} ms\n${answerText(example.answer)}`;
    case "expecting":
      return `# expect: ${example.expect.join(", ")}\n${answerText(example.answer)}`;
    case "balance":
      return `# warnBelow: ${example.warnBelow}; the balance is at ${example.pointer}\n${answerText(example.answer)}`;
    case "deadline":
      return `# the last answer before the deadline\n${answerText(example.answer)}`;
  }
}

function answerText({ request, status, headers, body }: ExampleAnswer): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `${request}\n\nHTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\n${fields.join("")}\n${body.trimEnd()}`;
}

const FOUND = [
  "layer",
  "httpStatus",
  "errorType",
  "errorCode",
  "businessCode",
  "requestId",
  "taskId",
  "taskState",
  "message",
] as const satisfies readonly (keyof KeptDiagnosis)[];

/** What it tells, a member a line. */
function inBrief(diagnosis: KeptDiagnosis): string {
  const { cause, owner, health, retry, ambiguous } = diagnosis;
  const lines = [
    ...Object.entries({ cause, owner, health }).map(member),
    `  "retry": { "allowed": ${retry.allowed}, "afterSeconds": ${retry.afterSeconds} }`,
    ...FOUND.filter((name) => diagnosis[name] !== null).map((name) => member([name, diagnosis[name]])),
    ...(ambiguous.length === 0 ? [] : [`  "ambiguous": [${ambiguous.map((one) => `"${one}"`).join(", ")}]`]),
  ];
  return `{\n${lines.join(",\n")}\n}`;
}

function member([name, value]: readonly [string, unknown]): string {
  return `  "${name}": ${JSON.stringify(value)}`;
}

function code(word: string): string {
  return `\`${word}\``;
}

/** As wide as its widest cells: so the formatter leaves it alone. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, index) =>
    Math.max(cell.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[], filler: string): string =>
    `| ${widths.map((width, index) => (cells[index] ?? "").padEnd(width, filler)).join(" | ")} |`;
  return [line(head, " "), line([], "-"), ...rows.map((row) => line(row, " "))].join("\n");
}
