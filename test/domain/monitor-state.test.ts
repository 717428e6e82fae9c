import { expect, test } from "vitest";
import {
  applyOutcome,
  judgeByHistory,
  type MonitorState,
  newMonitor,
  withNewIdentity,
} from "../../src/domain/monitor-state.ts";
import type { Cause, Health } from "../../src/protocol/diagnosis.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";

const HOUR = 3_600_000;

function probed(
  state: MonitorState,
  [cause, health]: [Cause, Health],
  minute: number,
  over: { everyMs?: number; heldUntilMs?: number; inMaintenance?: boolean } = {},
) {
  const { everyMs = 60_000, heldUntilMs = 0, inMaintenance = false } = over;
  const seen = outcome({ startedAtMs: minute * 60_000, diagnosis: diagnosis(cause, health) });
  const rhythm = { monitorId: "acme/models", everyMs, tickMs: 60_000 };
  return applyOutcome(state, seen, rhythm, { tickMs: minute * 60_000, inMaintenance, heldUntilMs });
}

function after(...verdicts: readonly [Cause, Health][]) {
  return verdicts.reduce((state, verdict, n) => probed(state, verdict, n + 1), newMonitor(0));
}

test.each<[title: string, before: [Cause, Health], verdict: [Cause, Health], counters: object]>([
  ["a failure ends the failures in a row", ["timeout", "down"], ["timeout", "down"], { failedInARow: 0 }],
  ["and the good ones", ["ok", "up"], ["timeout", "down"], { failedInARow: 0, goodInARow: 0 }],
  ["a good probe counts", ["ok", "up"], ["ok", "up"], { goodInARow: 2 }],
  ["and ends the failures", ["timeout", "down"], ["ok", "up"], { failedInARow: 0, goodInARow: 1 }],
])("in maintenance %s", (_, before, verdict, counters) => {
  const state = probed(after(before), verdict, 2, { inMaintenance: true });
  expect(state).toMatchObject({ ...counters, failingSinceMs: null, health: verdict[1] });
});

test("a good probe ends the failures in a row, and a bad one the good ones", () => {
  expect(after(["timeout", "down"], ["timeout", "down"]).failedInARow).toBe(2);
  expect(after(["timeout", "down"], ["ok", "up"])).toMatchObject({ failedInARow: 0, goodInARow: 1 });
  expect(after(["ok", "up"], ["rate_limited", "degraded"])).toMatchObject({ failedInARow: 1, goodInARow: 0 });
});

/** The minutes at which it fails (`?`: without a verdict), and since when it is said to fail then, in minutes. */
function failingSince(
  probes: readonly (number | "?")[],
  over: { everyMs?: number; heldUntilMs?: number; cause?: Cause } = {},
) {
  const { cause = "timeout", ...rules } = over;
  let minute = 0;
  let state = newMonitor(0);
  for (const probe of probes) {
    minute = probe === "?" ? minute + 1 : probe;
    state = probed(state, probe === "?" ? ["task_pending", "unknown"] : [cause, "down"], minute, rules);
  }
  return { inARow: state.failedInARow, since: (state.failingSinceMs ?? 0) / 60_000 };
}

test.each<[title: string, probes: (number | "?")[], over: object, expected: object]>([
  ["two missed checks are no gap", [2, 5], {}, { inARow: 2, since: 2 }],
  ["three are: of the time between nobody knows", [2, 6], {}, { inARow: 2, since: 6 }],
  ["nine hours are, and the row goes on", [2, 3, 540, 541], {}, { inARow: 4, since: 540 }],
  ["nor did anybody see it without a verdict", [2, "?", "?", "?", "?", "?", 8], {}, { inARow: 2, since: 8 }],
  ["a few such are no gap", [2, "?", "?", 5], {}, { inARow: 2, since: 2 }],
  ["an interval of a day is none", [2, 1442], { everyMs: 86_400_000 }, { inARow: 2, since: 2 }],
  [
    "nor is one that refusals stretch",
    [1, 3, 7, 15, 30],
    { cause: "authentication" },
    { inARow: 5, since: 1 },
  ],
  ["nor what the gateway asked for", [2, 123], { heldUntilMs: 121 * 60_000 }, { inARow: 2, since: 2 }],
  ["but it is what comes on top", [2, 125], { heldUntilMs: 121 * 60_000 }, { inARow: 2, since: 125 }],
  ["who is always probed too seldom fails in a row all the same", [10, 20, 30], {}, { inARow: 3, since: 30 }],
])("since when it fails: %s", (_, probes, over, expected) => {
  expect(failingSince(probes, over)).toEqual(expected);
});

test("unknown moves no counter and keeps the last verdict", () => {
  const state = after(["timeout", "down"], ["network_error", "unknown"]);
  expect(state).toMatchObject({ health: "unknown", lastVerdict: "down", failedInARow: 1, goodInARow: 0 });
});

test("a health begins with the first probe that showed it", () => {
  expect(after(["ok", "up"], ["timeout", "down"], ["http_error", "down"]).sinceMs).toBe(120_000);
});

test("refusals in a row stretch the interval, and any other cause ends that", () => {
  const refused: [Cause, Health] = ["authentication", "blocked"];
  expect(after(refused, refused).nextDueMs).toBe(120_000 + 4 * 60_000);
  expect(after(refused, ["ok", "up"]).nextDueMs).toBe(180_000);
});

test("a new key is tried at once, and nothing is claimed of its past", () => {
  const state = withNewIdentity(after(["ok", "up"], ["authentication", "blocked"]));
  expect(state).toMatchObject({ refusalsInARow: 0, nextDueMs: 0, lastUpMs: null });
});

const suspicious: Cause[] = ["wrong_url", "not_found", "malformed_request"];
test.each(suspicious)("%s right after success is the operator's outage", (cause) => {
  const judged = judgeByHistory(diagnosis(cause, "blocked"), 10 * HOUR, 12 * HOUR);
  expect(judged).toMatchObject({ cause, owner: "operator", health: "down" });
});

test("without a success in the last day, or for another cause, history changes nothing", () => {
  const wrong = diagnosis("wrong_url", "blocked");
  expect(judgeByHistory(wrong, null, 12 * HOUR)).toBe(wrong);
  expect(judgeByHistory(wrong, 0, 24 * HOUR + 1)).toBe(wrong);
  const refused = diagnosis("authentication", "blocked");
  expect(judgeByHistory(refused, 11 * HOUR, 12 * HOUR)).toBe(refused);
});
