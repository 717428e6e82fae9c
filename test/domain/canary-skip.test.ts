import { expect, test } from "vitest";
import { attemptsOf, type CanarySight, skipOf } from "../../src/domain/canary-rules.ts";
import { CAUSES } from "../../src/protocol/diagnosis.ts";

const HOUR = 3_600_000;
const RULES = { isGeneration: true, sharesKey: true, retry: false, perDay: 2 } as const;
const CLEAR: CanarySight = { listCause: null, isUnlisted: false, askedAtMs: 0, left: 2, nowMs: HOUR };

const OF_THE_GATEWAY =
  "dns_failure connection_failed tls_failure timeout network_error edge_blocked rate_limited upstream_unavailable";
const OF_THE_KEY = "authentication insufficient_balance quota_exceeded";

test("nothing speaks against asking: it is asked", () => {
  expect(skipOf(RULES, CLEAR)).toBeNull();
});

test("causes of the list that fail every canary, and those of the key that fail all with the same one", () => {
  const skipped = (sharesKey: boolean) =>
    CAUSES.filter((listCause) => skipOf({ ...RULES, sharesKey }, { ...CLEAR, listCause }) !== null);
  expect(skipped(false)).toEqual(OF_THE_GATEWAY.split(" "));
  expect(skipped(true).toSorted()).toEqual(`${OF_THE_GATEWAY} ${OF_THE_KEY}`.split(" ").toSorted());
});

test("the gateway's cause comes before a missing model, and that before a cap", () => {
  const all = { ...CLEAR, isUnlisted: true, left: 0 };
  expect(skipOf(RULES, { ...all, listCause: "timeout" })).toEqual({ reason: "gateway", cause: "timeout" });
  expect(skipOf(RULES, all)).toEqual({ reason: "unlisted", cause: null });
  expect(skipOf(RULES, { ...all, isUnlisted: false })).toEqual({ reason: "cap", cause: null });
});

test.each([
  ["never asked", null, null],
  ["asked within a day", 0, "unlisted"],
  ["asked a day ago", -23 * HOUR, null],
])("a model that is not listed: %s", (_, askedAtMs, reason) => {
  expect(skipOf(RULES, { ...CLEAR, isUnlisted: true, askedAtMs })?.reason ?? null).toBe(reason);
});

test("what costs no money is skipped for the gateway's sake, not for the list's", () => {
  const look = { ...RULES, isGeneration: false, perDay: null };
  expect(skipOf(look, { ...CLEAR, isUnlisted: true, left: null })).toBeNull();
  expect(skipOf(look, { ...CLEAR, listCause: "timeout", left: null })?.reason).toBe("gateway");
});

test("without `retry` one request leaves, with it 4 at most, and never more than are left", () => {
  expect([1, 2, 4, 9, null].map((left) => attemptsOf(RULES, left))).toEqual([1, 1, 1, 1, 1]);
  const retrying = { ...RULES, retry: true };
  expect([1, 2, 4, 9, null].map((left) => attemptsOf(retrying, left))).toEqual([1, 2, 4, 4, 4]);
});
