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
  inMaintenance = false,
) {
  const seen = outcome({ startedAtMs: minute * 60_000, diagnosis: diagnosis(cause, health) });
  const rhythm = { monitorId: "acme/models", everyMs: 60_000, tickMs: 60_000 };
  return applyOutcome(state, seen, rhythm, { tickMs: minute * 60_000, inMaintenance });
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
  const state = probed(after(before), verdict, 2, true);
  expect(state).toMatchObject({ ...counters, failingSinceMs: null, health: verdict[1] });
});

test("a good probe ends the failures in a row, and a bad one the good ones", () => {
  expect(after(["timeout", "down"], ["timeout", "down"]).failedInARow).toBe(2);
  expect(after(["timeout", "down"], ["ok", "up"])).toMatchObject({ failedInARow: 0, goodInARow: 1 });
  expect(after(["ok", "up"], ["rate_limited", "degraded"])).toMatchObject({ failedInARow: 1, goodInARow: 0 });
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
