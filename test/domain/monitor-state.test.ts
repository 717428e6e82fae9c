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

function probed(state: MonitorState, [cause, health]: [Cause, Health], minute: number) {
  const seen = outcome({ startedAtMs: minute * 60_000, diagnosis: diagnosis(cause, health) });
  const rhythm = { monitorId: "acme/models", everyMs: 60_000, tickMs: 60_000 };
  return applyOutcome(state, seen, rhythm, { tickMs: minute * 60_000, inMaintenance: false });
}

function after(...verdicts: readonly [Cause, Health][]) {
  return verdicts.reduce((state, verdict, n) => probed(state, verdict, n + 1), newMonitor(0));
}

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
