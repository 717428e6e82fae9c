/** docs/causes.md says what the code does: in what is made of it, and in what is written by hand. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { skipOf } from "../../src/domain/canary-rules.ts";
import { judgeByHistory, judgeByList, withoutVerdict } from "../../src/domain/monitor-state.ts";
import { reachOf } from "../../src/domain/probe-outcome.ts";
import { isRefusal, refusedInterval } from "../../src/domain/schedule.ts";
import { causesDocument, diagnoseExample } from "../../src/openapi/causes-document.ts";
import { CAUSE_TABLE, causeDocs, causeRow } from "../../src/protocol/causes.ts";
import { CAUSE_EXAMPLES } from "../../src/openapi/cause-examples.ts";
import { CAUSES, type KeptDiagnosis } from "../../src/protocol/diagnosis.ts";
import { finalStatuses, retryStatuses } from "../../src/protocol/edge-page.ts";
import { goneTask, ofUnknownFate } from "../../src/protocol/examine-canary.ts";
import { MAX_ATTEMPTS, MAX_RETRY_AFTER_SECONDS, retryDelay } from "../../src/protocol/retry.ts";

const DOCUMENT = readFileSync(new URL("../../docs/causes.md", import.meta.url), "utf8");

test("what is written is what the code says", () => {
  expect(DOCUMENT).toBe(causesDocument(DOCUMENT));
});

test.each(CAUSES)("the example of %s is diagnosed as that, as the table says", (cause) => {
  const { owner, health, ok, advice } = CAUSE_TABLE[cause];
  const found = diagnoseExample(CAUSE_EXAMPLES[cause]);
  expect(found).toMatchObject({ cause, owner, health, ok, advice });
});

test.each(CAUSES)("the address of %s leads to its heading", (cause) => {
  const anchor = causeDocs(cause).split("docs/causes.md#")[1];
  expect(DOCUMENT.split("\n").filter((line) => line === `## \`${anchor}\``)).toHaveLength(1);
});

test("two causes may be retried, and under no other statuses than these", () => {
  const retried = CAUSES.map((cause) => [cause, retryStatuses(cause)] as const);
  expect(retried.filter(([, statuses]) => statuses.length > 0)).toEqual([
    ["rate_limited", [429]],
    ["upstream_unavailable", [502, 503, 504]],
  ]);
  expect(finalStatuses("upstream_unavailable")).toEqual([529]);
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
    CAUSES.map((cause) => decide(diagnoseExample(CAUSE_EXAMPLES[cause])))
      .filter(({ cause, owner, health }) => {
        const row = CAUSE_TABLE[cause];
        return owner !== row.owner || health !== row.health;
      })
      .map(({ cause, owner, health }) => `${cause} \`${owner}\` \`${health}\``),
  );
  expect(listed).toEqual(decided);
});

test("the text tells of the waits and the causes by which the code decides", () => {
  const waits = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, attempt) => {
    const delay = retryDelay({ attempt, retryAfter: null, random: 0 });
    return delay.type === "wait" ? delay.waitMs / 1000 : delay.afterSeconds;
  });
  const retrying = section("Retrying").replaceAll("\n", " ");
  expect(retrying).toContain(`waits ${waits.join(", ")} seconds, each time`);
  expect(retrying).toContain(
    `${MAX_ATTEMPTS} attempts, or where more than ${MAX_RETRY_AFTER_SECONDS} seconds`,
  );
  const [refusals, skipping = ""] = section("What the monitor does then").trim().split("\n\n");
  expect(causesIn(refusals)).toEqual(CAUSES.filter(isRefusal));
  expect(refusals).toContain(`every ${refusedInterval(60_000, 100) / 60_000} minutes at last`);
  const skips = (sharesKey: boolean) =>
    CAUSES.filter((listCause) => {
      const rules = { isGeneration: true, sharesKey, retry: false, perDay: null };
      return skipOf(rules, { isUnlisted: false, askedAtMs: null, left: null, nowMs: 0, listCause }) !== null;
    });
  const [always, ofKey] = skipping.split("\nBy ").map((text) => causesIn(text));
  expect(always).toEqual(skips(false));
  expect([...(always ?? []), ...(ofKey ?? [])].toSorted()).toEqual(skips(true).toSorted());
});
