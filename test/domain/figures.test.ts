import { expect, test } from "vitest";
import { uptimeOf, worstHealth } from "../../src/domain/health.ts";
import { percentilesOf } from "../../src/domain/percentile.ts";
import { countHealths, NO_SAMPLES, rollUp } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/sample.ts";

const sample = (over: Partial<Sample>): Sample => ({
  atMs: 0,
  health: "up",
  cause: "ok",
  latencyMs: 100,
  attempts: 1,
  waitedMs: 0,
  httpStatus: 200,
  inMaintenance: false,
  generation: null,
  ...over,
});

test("the worst health counts, in the order down, blocked, degraded, unknown, up", () => {
  expect(worstHealth(["up", "unknown"])).toBe("unknown");
  expect(worstHealth(["unknown", "degraded", "up"])).toBe("degraded");
  expect(worstHealth(["degraded", "blocked"])).toBe("blocked");
  expect(worstHealth(["blocked", "down"])).toBe("down");
  expect(worstHealth([])).toBe("unknown");
});

test("uptime leaves blocked, unknown and maintenance out of both sides", () => {
  expect(
    uptimeOf({ ...NO_SAMPLES, up: 2, degraded: 1, down: 1, blocked: 90, unknown: 50, maintenance: 7 }),
  ).toBe(0.75);
  expect(uptimeOf({ ...NO_SAMPLES, blocked: 5, unknown: 3 })).toBeNull();
});

test("uptime is never rounded up to perfect", () => {
  expect(uptimeOf({ ...NO_SAMPLES, up: 1_000_000, down: 1 })).toBe(0.9999);
  expect(uptimeOf({ ...NO_SAMPLES, up: 3 })).toBe(1);
});

test("percentiles are measured values", () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(percentilesOf(values)).toEqual({ p50: 50, p95: 95, p99: 99 });
  expect(percentilesOf([7])).toEqual({ p50: 7, p95: 7, p99: 7 });
  expect(percentilesOf([])).toBeNull();
});

test("samples in maintenance are counted apart", () => {
  const counts = countHealths([sample({}), sample({ health: "down", inMaintenance: true })]);
  expect(counts).toEqual({ ...NO_SAMPLES, up: 1, maintenance: 1 });
});

test("a roll-up takes latency from successes and the cause from what was worst", () => {
  const rollup = rollUp(3_600_000, [
    sample({ latencyMs: 100 }),
    sample({ latencyMs: 900, cause: "slow", health: "degraded" }),
    sample({ latencyMs: 5, cause: "upstream_unavailable", health: "down", attempts: 4 }),
    sample({ latencyMs: 5, cause: "timeout", health: "down" }),
    sample({ latencyMs: 5, cause: "timeout", health: "down" }),
    sample({ latencyMs: null, cause: "authentication", health: "blocked", attempts: 0 }),
  ]);
  expect(rollup).toEqual({
    fromMs: 3_600_000,
    counts: { ...NO_SAMPLES, up: 1, degraded: 1, down: 3, blocked: 1 },
    latencyMs: { p50: 100, p95: 900, p99: 900 },
    attempts: 8,
    cause: "timeout",
    generation: null,
  });
});

test("what failed in maintenance is no roll-up's cause", () => {
  const planned = sample({ health: "down", cause: "timeout", inMaintenance: true });
  expect(rollUp(0, [sample({}), planned]).cause).toBe("ok");
  expect(rollUp(0, [planned]).cause).toBeNull();
});
