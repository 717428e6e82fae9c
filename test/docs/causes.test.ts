/** docs/causes.md is written by hand: its table, its entries and the text before them say what the code does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { skipOf } from "../../src/domain/canary.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../../src/domain/monitor-state.ts";
import { reachOf } from "../../src/domain/probe-outcome.ts";
import { LONGEST_REFUSED_INTERVAL_MS } from "../../src/domain/schedule.ts";
import { EN, EVIDENCE } from "../http/words.ts";
import { causeDocs, causeRow, rowOf } from "../../src/protocol/causes.ts";
import { examine } from "../../src/protocol/diagnose.ts";
import { type Cause, CAUSES, type KeptDiagnosis, REFUSALS } from "../../src/protocol/diagnosis.ts";
import { causeOfStatus, isRetryAllowed, retryStatuses } from "../../src/protocol/edge-page.ts";
import {
  balanceLow,
  examineCanary,
  goneTask,
  ofUnknownFate,
  stalledTask,
} from "../../src/protocol/examine-canary.ts";
import { judgeExpectations } from "../../src/protocol/expectations.ts";
import type { Answer, Kind, NetworkStage } from "../../src/protocol/observation.ts";
import { backoffMs, MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS } from "../../src/protocol/retry.ts";

const DOCUMENT = readFileSync(new URL("../../docs/causes.md", import.meta.url), "utf8");

/** What stands below the heading of a cause. */
function entryOf(cause: Cause): string {
  return DOCUMENT.split(`\n## \`${cause}\`\n`)[1]?.split("\n## ")[0] ?? "";
}

function blockOf(cause: Cause, language: string): string {
  return entryOf(cause).split(`\n\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "";
}

/** 2026-11-20T12:00:00Z. */
const CONTEXT = { nowMs: Date.UTC(2026, 10, 20, 12), redact: (text: string): string => text };
const KIND_OF: Readonly<Record<string, Kind>> = {
  "/v1/models": "models",
  "/v1/chat/completions": "chat",
  "/v1/videos/task_7b21": "task",
  "/api/account": "console",
};
const STAGE_OF: Partial<Record<Cause, NetworkStage>> = {
  dns_failure: "dns",
  connection_failed: "connect",
  tls_failure: "tls",
  timeout: "timeout",
};

/** The answer that an entry shows, as a gateway would give it. */
function answerIn(example: string): Answer {
  const [, path = "", status, fields = "", body = ""] =
    /^[A-Z]+ (\S+)\n\nHTTP\/1\.1 (\d+) .*\n([\s\S]*?)\n\n([\s\S]*)$/m.exec(example) ?? [];
  const headers = Object.fromEntries(fields.split("\n").map((field) => field.split(": ")));
  const isStream = fields.includes("text/event-stream");
  const kind = isStream ? "stream" : (KIND_OF[path] ?? "models");
  const text = isStream ? `${body}\n\n` : body;
  return { type: "answer", bodyEnd: "complete", kind, status: Number(status), headers, body: text };
}

function diagnosed(cause: Cause): KeptDiagnosis {
  const example = blockOf(cause, "http");
  const [, comment = ""] = /^# (.*)$/m.exec(example) ?? [];
  const [, detail] = /^no answer: (.*)$/.exec(comment) ?? [];
  if (detail !== undefined) {
    const stage = STAGE_OF[cause] ?? "unknown";
    const failure = { kind: "models", stage, detail, status: null, headers: {} } as const;
    return examine({ type: "network_failure", ...failure }, CONTEXT).diagnosis;
  }
  const answer = answerIn(example);
  const [, slowerThanMs = "", latencyMs = ""] = /slowerThan: (\d+) ms; it took (\d+) ms/.exec(comment) ?? [];
  const [, expected] = /expect: (.*)/.exec(comment) ?? [];
  const [, warnBelow = "", pointer = ""] = /warnBelow: (\d+); the balance is at (\S+)/.exec(comment) ?? [];
  if (pointer !== "") {
    const asked = { evidence: "nothing", isStreamed: false, task: null, expect: [] } as const;
    const found = examineCanary(answer, { ...asked, pointers: { balance: pointer } }, CONTEXT);
    return balanceLow(found.diagnosis, { balance: found.told.balance ?? 0, warnBelow: Number(warnBelow) });
  }
  const { diagnosis, models } = examine(answer, CONTEXT);
  if (comment.includes("deadline")) return stalledTask(diagnosis);
  return judgeExpectations(diagnosis, {
    modelIds: models?.ids ?? null,
    expect: expected === undefined ? [] : [expected],
    latencyMs: Number(latencyMs),
    slowerThanMs: slowerThanMs === "" ? null : Number(slowerThanMs),
  }).diagnosis;
}

/** What an entry shows of a diagnosis. */
function shownOf({ cause, owner, health, retry, ambiguous, ...more }: KeptDiagnosis): object {
  const { layer, httpStatus, errorType, errorCode, businessCode, requestId, taskId, taskState, message } =
    more;
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
  const { allowed, afterSeconds } = retry;
  return {
    cause,
    owner,
    health,
    retry: { allowed, afterSeconds },
    ...Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null)),
    ...(ambiguous.length > 0 && { ambiguous }),
  };
}

function retryInBrief(cause: Cause): string {
  const statuses = retryStatuses(cause);
  if (rowOf(cause).ok) return "not needed";
  return statuses.length === 0 ? "never" : `under ${statuses.join(", ")}`;
}

/** The statuses that by themselves mean this cause, and under which it must not be retried all the same. */
function finalStatuses(cause: Cause): readonly number[] {
  const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
  return statuses.filter((status) => causeOfStatus(status) === cause && !isRetryAllowed(status, cause));
}

function retryRule(cause: Cause): string {
  const final = finalStatuses(cause);
  if (retryStatuses(cause).length === 0) return retryInBrief(cause);
  const not = final.length === 0 ? "under no other status" : `not under ${final.join(", ")}`;
  return `${retryInBrief(cause)}, if the request is safe to repeat; ${not}. [When](#retrying)`;
}

test("the table has a row for each cause, as the code has it", () => {
  const [, , ...rows] = section("All of them").trim().split("\n");
  expect(
    rows.map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  ).toEqual(
    CAUSES.map((cause) => {
      const { owner, health } = rowOf(cause);
      return [`[\`${cause}\`](#${cause})`, EN.causes[cause], owner, health, retryInBrief(cause)];
    }),
  );
});

test.each(CAUSES)("the entry of %s says what its row does", (cause) => {
  const { owner, health, rule, advice } = rowOf(cause);
  const isExcepted = causesIn(section("Told otherwise")).includes(cause);
  expect(entryOf(cause).split("\n```http")[0]?.trim()).toBe(
    `**${EN.causes[cause]}.** ${EVIDENCE.en[cause]}

- Whose turn: \`${owner}\`
- Health: \`${health}\`${isExcepted ? ", [sometimes otherwise](#told-otherwise)" : ""}
- Retry: ${retryRule(cause)}
- Rule: ${rule === null ? "none" : `[${rule}](rules.md)`}

What to do: ${advice}`,
  );
});

test.each(CAUSES)("the example of %s is diagnosed as it shows", (cause) => {
  const { owner, health, ok, advice } = rowOf(cause);
  expect(diagnosed(cause)).toMatchObject({ cause, owner, health, ok, advice });
  expect(JSON.parse(blockOf(cause, "json"))).toEqual(shownOf(diagnosed(cause)));
});

test.each(CAUSES)("the address of %s leads to its heading", (cause) => {
  const anchor = causeDocs(cause).split("docs/causes.md#")[1];
  expect(DOCUMENT.split("\n").filter((line) => line === `## \`${anchor}\``)).toHaveLength(1);
});

function section(heading: string): string {
  return DOCUMENT.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

function causesIn(text = ""): string[] {
  return [...text.matchAll(/\(#(\w+)\)/gu)].map(([, cause = ""]) => cause);
}

function byCircumstance(circumstance: Partial<KeptDiagnosis>): (diagnosis: KeptDiagnosis) => KeptDiagnosis {
  return (diagnosis) => {
    const { cause, layer, httpStatus, businessCode, retry } = { ...diagnosis, ...circumstance };
    const told = { layer, httpStatus, businessCode, retryAllowed: retry.allowed, key: null };
    const { owner, health } = causeRow(cause, told);
    return { ...diagnosis, owner, health };
  };
}

/** In the order of the rows. */
const DECIDING: readonly ((diagnosis: KeptDiagnosis) => KeptDiagnosis)[] = [
  byCircumstance({ httpStatus: 418 }),
  byCircumstance({ businessCode: 5002 }),
  (diagnosis) => judgeByHistory(diagnosis, 0, 0),
  (diagnosis) => judgeByHistory(diagnosis, 0, 0, "canary"),
  (diagnosis) => judgeByList(diagnosis, true),
  (diagnosis) => (diagnosis.cause === "not_found" ? goneTask(diagnosis) : diagnosis),
  (diagnosis) => (reachOf(diagnosis) === "unreached" ? withoutVerdict(diagnosis) : diagnosis),
  (diagnosis) => (diagnosis.cause === ofUnknownFate().cause ? ofUnknownFate() : diagnosis),
];

test("what changes whose turn it is is listed with the causes that it changes, and how", () => {
  const rows = section("Told otherwise").match(/^\| [^w-].*$/gmu) ?? [];
  const listed = rows.map((row) => {
    const [, , of, owner, health] = row.split("|").map((cell) => cell.trim());
    return causesIn(of).map((cause) => [cause, owner, health].join(" "));
  });
  const decided = DECIDING.map((decide) =>
    CAUSES.map((cause) => decide(diagnosed(cause)))
      .filter(({ cause, owner, health }) => {
        const row = rowOf(cause);
        return owner !== row.owner || health !== row.health;
      })
      .map(({ cause, owner, health }) => `${cause} \`${owner}\` \`${health}\``),
  );
  expect(listed).toEqual(decided);
});

test("the text tells of the waits and the causes by which the code decides", () => {
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, attempt) => backoffMs(attempt, 0) / 1000);
  const retrying = section("Retrying").replaceAll("\n", " ");
  expect(retrying).toContain(`waits ${waits.join(", ")} seconds, each time`);
  expect(retrying).toContain(
    `${MAX_ATTEMPTS} attempts, or where more than ${MAX_RETRY_AFTER_SECONDS} seconds`,
  );
  const [refusals, skipping = ""] = section("What the monitor does then").trim().split("\n\n");
  expect(causesIn(refusals)).toEqual(CAUSES.filter((cause) => REFUSALS.has(cause)));
  expect(refusals).toContain(`down to every ${LONGEST_REFUSED_INTERVAL_MS / 60_000} minutes`);
  const skips = (sharesKey: boolean) =>
    CAUSES.filter((listCause) => {
      const nothing = { isGeneration: true, isUnlisted: false, askedAtMs: null, left: null, nowMs: 0 };
      return skipOf({ ...nothing, sharesKey, listCause }) !== null;
    });
  const [always, ofKey] = skipping.split("\nBy ").map((text) => causesIn(text));
  expect(always).toEqual(skips(false));
  expect([...(always ?? []), ...(ofKey ?? [])].toSorted()).toEqual(skips(true).toSorted());
});
