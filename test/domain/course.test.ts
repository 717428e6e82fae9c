/** The half hours of the last day, as charts show them. */
import { expect, test } from "vitest";
import { COURSE_STEPS, courseStart, courseStep, EMPTY_STEP } from "../../src/domain/rollup.ts";
import { sampleAt } from "../history/published-history.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;

test("the last of 48 half hours is the one that is under way", () => {
  expect(COURSE_STEPS).toBe(48);
  expect(new Date(courseStart(NOON)).toISOString()).toBe("2026-11-19T12:30:00.000Z");
  expect(courseStart(NOON + 30 * MINUTE - 1)).toBe(courseStart(NOON));
  expect(courseStart(NOON + 30 * MINUTE)).toBe(courseStart(NOON) + 30 * MINUTE);
});

test("latencies are those of the probes that succeeded; the health is the worst", () => {
  const samples = [100, 300, 200].map((latencyMs) => sampleAt(NOON, { latencyMs }));
  const failure = sampleAt(NOON, { health: "down", cause: "timeout", latencyMs: 9000 });
  expect(courseStep([...samples, failure])).toEqual({ p50: 200, p95: 300, health: "down", cause: "timeout" });
});

test("what was in maintenance has a latency and no health", () => {
  const step = courseStep([sampleAt(NOON, { latencyMs: 7, inMaintenance: true })]);
  expect(step).toEqual({ p50: 7, p95: 7, health: null, cause: null });
});

test("without a verdict it is unknown, and without probes nothing is known at all", () => {
  const unseen = sampleAt(NOON, { health: "unknown", cause: "dns_failure", latencyMs: null });
  expect(courseStep([unseen])).toEqual({ p50: null, p95: null, health: "unknown", cause: "dns_failure" });
  expect(courseStep([])).toEqual(EMPTY_STEP);
});
