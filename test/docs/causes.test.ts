/** docs/causes.md is written by hand: its entries and the text before them say what the code does. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { skipOf } from "../../src/domain/canary.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../../src/domain/monitor-state.ts";
import { reachOf } from "../../src/domain/probe-outcome.ts";
import { LONGEST_REFUSED_INTERVAL_MS } from "../../src/domain/schedule.ts";
import { EN, EVIDENCE } from "../http/words.ts";
import {
  causeDocs,
  causeRow,
  judgeDifference,
  judgeExpectations,
  rowOf,
  type CauseCircumstance,
} from "../../src/protocol/causes.ts";
import { examine } from "../../src/protocol/diagnose.ts";
import {
  type Cause,
  CAUSES,
  type Health,
  type KeptDiagnosis,
  type Owner,
  OWNERS,
  REFUSALS,
} from "../../src/protocol/diagnosis.ts";
import { retryStatuses } from "../../src/protocol/edge-page.ts";
import {
  balanceLow,
  examineCanary,
  goneTask,
  modelSubstituted,
  ofUnknownFate,
  stalledTask,
} from "../../src/protocol/examine-canary.ts";
import type { Answer, Kind, NetworkStage } from "../../src/protocol/observation.ts";
import { backoffMs, MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS } from "../../src/protocol/retry.ts";
import { readVectors } from "../vectors/read-vectors.ts";

const DOCUMENT = readFileSync(new URL("../../docs/causes.md", import.meta.url), "utf8");

/** An answer, or how none came, with what the diagnosis of it shows. */
interface CauseExample {
  readonly cause: Cause;
  readonly example: string;
  readonly diagnosis: object;
}

const EXAMPLES = readVectors<CauseExample>("cause-examples");

function exampleOf(cause: Cause): CauseExample {
  const found = EXAMPLES.find((example) => example.cause === cause);
  if (found === undefined) throw new Error(`there is no example of ${cause}`);
  return found;
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

/** The answer of an example, as a gateway would give it. */
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
  const { example } = exampleOf(cause);
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
    return balanceLow(found.diagnosis, found.told.balance ?? 0, Number(warnBelow));
  }
  const [, requested = ""] = /requested: (\S+); for the third time/.exec(comment) ?? [];
  if (requested !== "") {
    const asked = { evidence: "text", isStreamed: false, task: null, pointers: {}, expect: [] } as const;
    const found = examineCanary(answer, asked, CONTEXT);
    const named = found.told.served.model ?? "";
    return modelSubstituted(found.diagnosis, { requested, named, inARow: 3 });
  }
  const { diagnosis, models } = examine(answer, CONTEXT);
  const [, p] = /^an audit: .*; p = (\S+)$/.exec(comment) ?? [];
  if (p !== undefined)
    return judgeDifference(diagnosis, { from: "reference", p: Number(p), sinceMs: CONTEXT.nowMs });
  if (comment.includes("deadline")) return stalledTask(diagnosis);
  return judgeExpectations(diagnosis, {
    modelIds: models?.ids ?? null,
    expect: expected === undefined ? [] : [expected],
    latencyMs: Number(latencyMs),
    slowerThanMs: slowerThanMs === "" ? null : Number(slowerThanMs),
  }).diagnosis;
}

/** What an example shows of a diagnosis. */
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

/** What the introduction of a section says; null: each entry says its own. */
const SECTIONS: Readonly<Record<Owner, { readonly heading: string; readonly health: Health | null }>> = {
  caller: { heading: "Your turn", health: "blocked" },
  operator: { heading: "The operator's turn", health: "down" },
  upstream: { heading: "The provider's turn", health: "down" },
  network: { heading: "The network's turn", health: "down" },
  nobody: { heading: "Nobody's turn", health: null },
};

/** The last paragraph of an entry: what differs from the rest of its section. */
function differences(cause: Cause): string {
  const { owner, health } = rowOf(cause);
  const statuses = retryStatuses(cause);
  const told = [
    ...(health === SECTIONS[owner].health ? [] : [`Health: \`${health}\`.`]),
    ...(statuses.length === 0 ? [] : [`Retry: under ${statuses.join(", ")}.`]),
    ...(causesIn(section("Exceptions")).includes(cause) ? ["[Exceptions](#exceptions)."] : []),
  ];
  return told.length === 0 ? "" : `\n\n${told.join(" ")}`;
}

test.each(OWNERS)("the section for the turn of %s introduces it and has all of its causes", (owner) => {
  const { heading, health } = SECTIONS[owner];
  const [introduction, ...entries] = section(heading).split("\n### ");
  expect(introduction).toContain(`\`owner\` is \`${owner}\`: `);
  if (health !== null) expect(introduction).toContain(`Health: \`${health}\`.`);
  const causes = CAUSES.filter((cause) => rowOf(cause).owner === owner);
  expect(entries.map((entry) => entry.split("\n", 1)[0])).toEqual(causes.map((cause) => `\`${cause}\``));
});

test.each(CAUSES)("the entry of %s says what the code does", (cause) => {
  const { owner, advice } = rowOf(cause);
  const entry = section(SECTIONS[owner].heading).split(`\n### \`${cause}\`\n`)[1] ?? "";
  expect(entry.split("\n### ")[0]?.trim()).toBe(
    `**${EN.causes[cause]}.** ${EVIDENCE.en[cause]}\n\n${advice}${differences(cause)}`,
  );
});

test("what may be retried is named", () => {
  const retried = CAUSES.filter((cause) => retryStatuses(cause).length > 0);
  expect(causesIn(section("Retry"))).toEqual(retried);
});

test.each(CAUSES)("the example of %s is diagnosed as it shows", (cause) => {
  const { owner, health, ok, advice } = rowOf(cause);
  expect(diagnosed(cause)).toMatchObject({ cause, owner, health, ok, advice });
  expect(exampleOf(cause).diagnosis).toEqual(shownOf(diagnosed(cause)));
});

test.each(CAUSES)("the address of %s leads to its heading", (cause) => {
  const anchor = causeDocs(cause).split("docs/causes.md#")[1];
  expect(DOCUMENT.split("\n").filter((line) => line === `### \`${anchor}\``)).toHaveLength(1);
});

function section(heading: string): string {
  return DOCUMENT.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

function causesIn(text = ""): Cause[] {
  const named = [...text.matchAll(/`(\w+)`/gu)].map(([, word]) => word);
  return named.flatMap((word) => CAUSES.filter((cause) => cause === word));
}

function byCircumstance(
  circumstance: Partial<KeptDiagnosis> & Partial<Pick<CauseCircumstance, "via">>,
  ofThese?: ReadonlySet<Cause>,
): (diagnosis: KeptDiagnosis) => KeptDiagnosis {
  return (diagnosis) => {
    if (ofThese?.has(diagnosis.cause) === false) return diagnosis;
    const { cause, layer, httpStatus, businessCode, retry, via } = { ...diagnosis, ...circumstance };
    const told = {
      layer,
      httpStatus,
      businessCode,
      retryAllowed: retry.allowed,
      key: null,
      via: via ?? null,
    };
    const { owner, health } = causeRow(cause, told);
    return { ...diagnosis, owner, health };
  };
}

/** In the order of the rows. */
const DECIDING: readonly ((diagnosis: KeptDiagnosis) => KeptDiagnosis)[] = [
  byCircumstance({ httpStatus: 418 }),
  byCircumstance({ businessCode: 5002 }),
  byCircumstance({ via: { provider: null } }, REFUSALS),
  byCircumstance({ via: "proxy" }, new Set<Cause>(["upstream_unavailable"])),
  (diagnosis) => judgeByHistory(diagnosis, 0, 0),
  (diagnosis) => judgeByHistory(diagnosis, 0, 0, "canary"),
  (diagnosis) => judgeByList(diagnosis, true),
  (diagnosis) => (diagnosis.cause === "not_found" ? goneTask(diagnosis) : diagnosis),
  (diagnosis) => (reachOf(diagnosis) === "unreached" ? withoutVerdict(diagnosis) : diagnosis),
  (diagnosis) => (diagnosis.cause === ofUnknownFate().cause ? ofUnknownFate() : diagnosis),
];

test("what changes whose turn it is is listed with the causes that it changes, and how", () => {
  const rows = section("Exceptions").match(/^\| [^w-].*$/gmu) ?? [];
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
  const retrying = section("Retry").replaceAll("\n", " ");
  expect(retrying).toContain(`waits ${waits.slice(0, -1).join(", ")} and ${waits.at(-1)} seconds, plus`);
  expect(retrying).toContain(
    `${MAX_ATTEMPTS} attempts, or when asked to wait longer than ${MAX_RETRY_AFTER_SECONDS} seconds`,
  );
  const [refusals, always, ofKey] = section("What Gatepulse does next").split("\n- ").slice(1);
  expect(causesIn(refusals)).toEqual(CAUSES.filter((cause) => REFUSALS.has(cause)));
  expect(refusals).toContain(`down to every ${LONGEST_REFUSED_INTERVAL_MS / 60_000} minutes`);
  const skips = (sharesKey: boolean) =>
    CAUSES.filter((listCause) => {
      const nothing = { isGeneration: true, isMissing: false, askedAtMs: null, left: null, nowMs: 0 };
      return skipOf({ ...nothing, sharesKey, listCause }) !== null;
    });
  expect(causesIn(always)).toEqual(skips(false));
  expect([...causesIn(always), ...causesIn(ofKey)].toSorted()).toEqual(skips(true).toSorted());
});
