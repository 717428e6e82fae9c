/** Makes docs/causes.md of the table of causes and their examples. */
import { STATUS_CODES } from "node:http";
import { MINUTE_MS } from "../domain/calendar.ts";
import { skipOf, type CanaryRules } from "../domain/canary-rules.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../domain/monitor-state.ts";
import { reachOf } from "../domain/probe-outcome.ts";
import { isRefusal, refusedInterval } from "../domain/schedule.ts";
import { EN } from "../http/pages/words/en.ts";
import { CAUSE_EXAMPLES, type CauseExample, type ExampleAnswer } from "../protocol/cause-examples.ts";
import { CAUSE_EVIDENCE, CAUSE_TABLE, causeRow } from "../protocol/causes.ts";
import { examine } from "../protocol/diagnose.ts";
import {
  CAUSES,
  OWNERS,
  type Cause,
  type Health,
  type KeptDiagnosis,
  type Owner,
} from "../protocol/diagnosis.ts";
import { finalStatuses, retryStatuses } from "../protocol/edge-page.ts";
import {
  balanceLow,
  examineCanary,
  goneTask,
  ofUnknownFate,
  stalledTask,
} from "../protocol/examine-canary.ts";
import { judgeExpectations } from "../protocol/expectations.ts";
import type { Answer } from "../protocol/observation.ts";
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS, retryDelay } from "../protocol/retry.ts";

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

export interface Exception {
  readonly where: string;
  readonly causes: readonly Cause[];
  readonly owner: Owner;
  readonly health: Health;
}

/** What decides otherwise; where it leaves a diagnosis alone, that is no exception. */
const DECIDING: readonly (readonly [where: string, decide: (diagnosis: KeptDiagnosis) => KeptDiagnosis])[] = [
  ["The HTTP status is a 4xx.", (diagnosis) => byCircumstance(diagnosis, { httpStatus: 418 })],
  [
    "The business code is 5002: the full key was not kept.",
    (diagnosis) => byCircumstance(diagnosis, { businessCode: 5002 }),
  ],
  [
    "The list was `up` within the last 24 hours, at the same address and with the same key: its proxy or route has changed.",
    (diagnosis) => judgeByHistory(diagnosis, NOW_MS, NOW_MS),
  ],
  [
    "The canary was `up` within the last 24 hours, at the same address and with the same key.",
    (diagnosis) => judgeByHistory(diagnosis, NOW_MS, NOW_MS, "canary"),
  ],
  ["A canary’s model is in the gateway’s list.", (diagnosis) => judgeByList(diagnosis, true)],
  [
    "A canary’s task was created, and is gone.",
    (diagnosis) => (diagnosis.cause === "not_found" ? goneTask(diagnosis) : diagnosis),
  ],
  [
    "Not one gateway could be reached in the same round: it is the monitoring’s own network.",
    (diagnosis) => (reachOf(diagnosis) === "unreached" ? withoutVerdict(diagnosis) : diagnosis),
  ],
  [
    "The monitoring broke off while a canary’s request was under way: nobody knows what became of it.",
    (diagnosis) => (diagnosis.cause === ofUnknownFate().cause ? ofUnknownFate() : diagnosis),
  ],
];

const NOW_MS = 0;

function byCircumstance(
  diagnosis: KeptDiagnosis,
  circumstance: Partial<Pick<KeptDiagnosis, "httpStatus" | "businessCode">>,
): KeptDiagnosis {
  const { cause, layer, httpStatus, businessCode, retry } = { ...diagnosis, ...circumstance };
  const told = { layer, httpStatus, businessCode, retryAllowed: retry.allowed, key: null };
  const { owner, health } = causeRow(cause, told);
  return { ...diagnosis, owner, health };
}

/** In the order of what decides. */
export function exceptions(): readonly Exception[] {
  return DECIDING.flatMap(([where, decide]) => {
    const decided = CAUSES.map((cause) => decide(diagnoseExample(CAUSE_EXAMPLES[cause])));
    const others = decided.filter(({ cause, owner, health }) => {
      const row = CAUSE_TABLE[cause];
      return owner !== row.owner || health !== row.health;
    });
    const [first] = others;
    if (first === undefined) return [];
    return [{ where, causes: others.map(({ cause }) => cause), owner: first.owner, health: first.health }];
  });
}

/** While the gateway's list shows one of these, its canaries are not asked. */
function causesThatSkip({ sharesKey }: Pick<CanaryRules, "sharesKey">): readonly Cause[] {
  const rules = { isGeneration: true, sharesKey, retry: false, perDay: null };
  const sight = { isUnlisted: false, askedAtMs: null, left: null, nowMs: NOW_MS };
  return CAUSES.filter((listCause) => skipOf(rules, { ...sight, listCause }) !== null);
}

/** After these a monitor asks less and less often. */
function causesOfRefusal(): readonly Cause[] {
  return CAUSES.filter(isRefusal);
}

export function causesDocument(): string {
  return (
    [INTRODUCTION, owners(), overview(), retrying(), otherwise(), afterwards(), ...CAUSES.map(entry)].join(
      "\n\n",
    ) + "\n"
  );
}

const INTRODUCTION = `<!-- Made by \`npm run generate\` of the tables in src/protocol/: change those. -->

# The causes

Every diagnosis has one \`cause\`. It says what an answer means, and with it whose turn it is, what that means for the health of
the monitor, and whether a request may be repeated. Its \`docs\` leads to an entry here; the pages of a status site lead to its own
\`/causes\`. \`gatepulse explain\` tells the cause of an answer that you have at hand. Causes may be added; none is renamed.`;

function owners(): string {
  const words: Readonly<Record<Owner, string>> = {
    caller: "who sends the request, and owns its key and its address",
    operator: "who runs the gateway",
    upstream: "the provider behind the gateway",
    network: "who looks after the names and routes between the two",
    nobody: "nobody: all is well, or it passes by waiting",
  };
  return `${table(
    ["whose turn", "is"],
    OWNERS.map((owner) => [code(owner), words[owner]]),
  )}

\`blocked\` means that the monitor cannot see, through no fault of the gateway: that is no outage. \`unknown\` is no verdict.`;
}

function retrying(): string {
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, attempt) => {
    const delay = retryDelay({ attempt, retryAfter: null, random: 0 });
    return delay.type === "wait" ? delay.waitMs / 1000 : delay.afterSeconds;
  });
  return `## Retrying

Whether a retry is allowed is decided by the status and the cause alone, and \`retry.allowed\` says it. Whether the request is safe to
repeat is known to its sender alone: a generation whose answer never came may have been accepted, and paid for. Wait as long as
\`Retry-After\` asks (\`retry.afterSeconds\`). Without it Gatepulse waits ${waits.join(", ")} seconds, each time up to half a second longer
by chance; after ${MAX_ATTEMPTS} attempts, or where more than ${MAX_RETRY_AFTER_SECONDS} seconds are asked for, it gives up until later.
\`error.retryable\` of an answer is a hint (\`retry.hint\`) and never decides.`;
}

function overview(): string {
  const rows = CAUSES.map((cause) => {
    const { owner, health } = CAUSE_TABLE[cause];
    return [`[\`${cause}\`](#${cause})`, EN.causes[cause], owner, health, retryInBrief(cause)];
  });
  return `## All of them

${table(["cause", "says", "whose turn", "health", "retry"], rows)}`;
}

function otherwise(): string {
  const rows = exceptions().map(({ where, causes, owner, health }) => [
    where,
    causes.map(linkTo).join(", "),
    code(owner),
    code(health),
  ]);
  return `## Told otherwise

Sometimes more is known than one answer tells. Then the cause stays, and the turn and the health are others:

${table(["where", "of", "whose turn", "health"], rows)}

The command line and the library see one answer alone: of these they know the status and the business code.`;
}

function afterwards(): string {
  const always = causesThatSkip({ sharesKey: false });
  const ofKey = causesThatSkip({ sharesKey: true }).filter((cause) => !always.includes(cause));
  return `## What the monitor does then

After ${list(causesOfRefusal())} it asks less and less often, every ${refusedInterval(MINUTE_MS, MANY) / MINUTE_MS} minutes at last: only a person can fix them. A changed key
ends that at once.

While the list of a gateway fails by ${list(always)}, its canaries are not asked: they would fail too, and might cost money.
By ${list(ofKey)} those are not asked that send the same key.`;
}

/** Refusals in a row. */
const MANY = 100;

function entry(cause: Cause): string {
  const { owner, health, rule, advice } = CAUSE_TABLE[cause];
  const example = CAUSE_EXAMPLES[cause];
  const isExcepted = exceptions().some(({ causes }) => causes.includes(cause));
  return `## \`${cause}\`

**${EN.causes[cause]}.** ${CAUSE_EVIDENCE[cause]}

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

/** What it tells, a member a line. */
function inBrief({ cause, owner, health, retry, ...rest }: KeptDiagnosis): string {
  const { layer, httpStatus, errorType, errorCode, businessCode, requestId, taskId, taskState, message } =
    rest;
  const found = {
    layer,
    httpStatus,
    errorType,
    errorCode,
    businessCode,
    requestId,
    taskId,
    taskState,
    message,
  };
  const told = Object.entries(found).filter(([, value]) => value !== null);
  const { allowed, afterSeconds } = retry;
  const lines = [
    ...Object.entries({ cause, owner, health }).map(member),
    `  "retry": { "allowed": ${allowed}, "afterSeconds": ${afterSeconds} }`,
    ...told.map(member),
    ...(rest.ambiguous.length === 0
      ? []
      : [`  "ambiguous": [${rest.ambiguous.map((one) => `"${one}"`).join(", ")}]`]),
  ];
  return `{\n${lines.join(",\n")}\n}`;
}

function member([name, value]: readonly [string, unknown]): string {
  return `  "${name}": ${JSON.stringify(value)}`;
}

function linkTo(cause: Cause): string {
  return `[${code(cause)}](#${cause})`;
}

function list(causes: readonly Cause[]): string {
  const last = causes.at(-1);
  const before = causes.slice(0, -1).map(linkTo).join(", ");
  return last === undefined ? "" : before === "" ? linkTo(last) : `${before} or ${linkTo(last)}`;
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
