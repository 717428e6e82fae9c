/** docs/causes.md: every cause, by the tables of the code. Pure. */
import { STATUS_CODES } from "node:http";
import { MINUTE_MS } from "../domain/calendar.ts";
import { refusedInterval } from "../domain/schedule.ts";
import { EN } from "../http/pages/words/en.ts";
import { CAUSE_EVIDENCE } from "../protocol/cause-evidence.ts";
import { CAUSE_EXAMPLES, type CauseExample, type ExampleAnswer } from "../protocol/cause-examples.ts";
import { CAUSE_TABLE } from "../protocol/causes.ts";
import { type Cause, CAUSES, type KeptDiagnosis, type Owner, OWNERS } from "../protocol/diagnosis.ts";
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS, retryDelay } from "../protocol/retry-delay.ts";
import { finalStatuses, retryStatuses } from "../protocol/http-status.ts";
import { causesOfRefusal, causesThatSkip, exceptions } from "./cause-exceptions.ts";
import { diagnoseExample } from "./example-diagnosis.ts";

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

After ${list(causesOfRefusal())} it asks less and less often, every ${refusedInterval(MINUTE_MS, MANY) / MINUTE_MS} minutes at last: only a person can mend them. A changed key
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
