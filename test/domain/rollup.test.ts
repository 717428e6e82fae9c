import { MINUTE_MS } from "../../src/domain/calendar.ts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NO_FIGURES, type GenerationFigures, type Sample } from "../../src/domain/probe-outcome.ts";
import { uptimeOf, worstHealth } from "../../src/domain/health.ts";
import {
  NO_SAMPLES,
  addRollups,
  percentilesOf,
  rollUp,
  COURSE_STEPS,
  courseStart,
  courseStep,
  EMPTY_STEP,
} from "../../src/domain/rollup.ts";
import { sampleAt } from "../history/published-history.ts";

const sample = (more: Partial<Sample>): Sample => sampleAt(0, more);
const down = (cause: "timeout" | "tls_failure" | "upstream_unavailable", more: Partial<Sample> = {}) =>
  sample({ health: "down", cause, ...more });

test("the worst health counts, in the order down, blocked, degraded, unknown, up", () => {
  const worse = ["up", "unknown", "degraded", "blocked", "down"] as const;
  for (const [index, health] of worse.entries()) {
    expect(worstHealth(worse.slice(0, index + 1))).toBe(health);
    expect(worstHealth(worse.slice(0, index + 1).toReversed())).toBe(health);
  }
  expect(worstHealth([])).toBe("unknown");
});

test("uptime leaves blocked, unknown and maintenance out of both sides", () => {
  const seen = { up: 2, degraded: 1, down: 1, blocked: 90, unknown: 50, maintenance: 7 };
  expect(uptimeOf(seen)).toBe(0.75);
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

test("a roll-up takes latency from successes and the cause from what was worst", () => {
  const rollup = rollUp(3_600_000, [
    sample({ latencyMs: 100 }),
    sample({ latencyMs: 900, cause: "slow", health: "degraded" }),
    down("upstream_unavailable", { latencyMs: 5, attempts: 4 }),
    down("timeout", { latencyMs: 5 }),
    down("timeout", { latencyMs: 5 }),
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

const anyFigures = { latencyMs: fc.option(fc.nat(1000)), attempts: fc.nat(4), inMaintenance: fc.boolean() };
const anySample = fc
  .tuple(fc.boolean(), fc.record(anyFigures))
  .map(([isGood, over]) => (isGood ? sample(over) : down("timeout", over)));

test("adding two parts is rolling up all their samples, but for the percentiles", () => {
  fc.assert(
    fc.property(fc.array(anySample), fc.array(anySample), (a, b) => {
      const added = addRollups(rollUp(7, a), rollUp(7, b));
      expect({ ...added, latencyMs: null }).toEqual({ ...rollUp(7, [...a, ...b]), latencyMs: null });
    }),
  );
});

test("the cause of a sum is that of the part that saw more of the worst", () => {
  const many = rollUp(7, [down("timeout"), down("timeout")]);
  const few = rollUp(7, [down("tls_failure"), sample({}), sample({}), sample({})]);
  const good = rollUp(7, [sample({}), sample({}), sample({})]);
  const none = rollUp(7, [down("timeout", { inMaintenance: true })]);
  const causeOf = (a: typeof many, b: typeof many) => [addRollups(a, b).cause, addRollups(b, a).cause];
  expect(causeOf(many, few)).toEqual(["timeout", "timeout"]);
  expect(causeOf(few, good)).toEqual(["tls_failure", "tls_failure"]);
  expect(causeOf(good, none)).toEqual(["ok", "ok"]);
  expect(causeOf(none, none)).toEqual([null, null]);
});

describe("figures of generations", () => {
  const generated = (figures: Partial<GenerationFigures>, more: Partial<Sample> = {}): Sample =>
    sampleAt(0, { ...more, generation: { ...NO_FIGURES, ...figures } });

  test("durations and rates are of the successful probes, tokens and cost of all", () => {
    const dropped = { health: "down", cause: "stream_dropped" } as const;
    const slow = { health: "degraded", cause: "slow" } as const;
    const figures = (
      firstTokenMs: number,
      tokensPerSecond: number,
      outputTokens: number,
      costMicros: number,
    ) => {
      return { firstTokenMs, tokensPerSecond, inputTokens: 9, outputTokens, costMicros };
    };
    const rollup = rollUp(0, [
      generated(figures(310, 41.5, 16, 25)),
      generated(figures(900, 12.25, 8, 17), slow),
      generated(figures(4, 0.5, 3, 12), dropped),
      generated({}, { health: "down", cause: "timeout" }),
      sampleAt(5),
    ]);
    expect(rollup.generation).toEqual({
      firstTokenMs: { p50: 310, p95: 900, p99: 900 },
      taskMs: null,
      tokensPerSecond: { p50: 41.5, p95: 12.25, p99: 12.25 },
      inputTokens: 27,
      outputTokens: 27,
      costMicros: 54,
    });
  });

  test("what no probe told is null in the sum, and a zero that one told is zero", () => {
    const nothing = { inputTokens: null, outputTokens: null, costMicros: null };
    expect(rollUp(0, [generated({}), generated({})]).generation).toMatchObject(nothing);
    const told = [generated({ inputTokens: 7 }), generated({ outputTokens: 0 })];
    expect(rollUp(0, told).generation).toMatchObject({ ...nothing, inputTokens: 7, outputTokens: 0 });
  });

  test("of two parts of a period, the one with more samples counts", () => {
    const early = generated({ firstTokenMs: 200, inputTokens: 9 });
    const late = generated({ firstTokenMs: 700, inputTokens: 5 });
    const parts = [rollUp(7, [early]), rollUp(7, [late, late])] as const;
    expect(addRollups(...parts).generation).toEqual(parts[1].generation);
    expect(addRollups(parts[1], parts[0]).generation).toEqual(parts[1].generation);
    expect(addRollups(parts[0], rollUp(7, [sampleAt(9)])).generation).toEqual(parts[0].generation);
  });
});

const NOON = Date.UTC(2026, 10, 20, 12);

test("the last of 48 half hours is the one that is under way", () => {
  expect(COURSE_STEPS).toBe(48);
  expect(new Date(courseStart(NOON)).toISOString()).toBe("2026-11-19T12:30:00.000Z");
  expect(courseStart(NOON + 30 * MINUTE_MS - 1)).toBe(courseStart(NOON));
  expect(courseStart(NOON + 30 * MINUTE_MS)).toBe(courseStart(NOON) + 30 * MINUTE_MS);
});

test("latencies are those of the probes that succeeded; the health is the worst", () => {
  const samples = [100, 300, 200].map((latencyMs) => sampleAt(NOON, { latencyMs }));
  const failure = sampleAt(NOON, { health: "down", cause: "timeout", latencyMs: 9000 });
  expect(courseStep([...samples, failure])).toEqual({ p50: 200, p95: 300, health: "down", cause: "timeout" });
});

test("without a verdict it is unknown, and without probes nothing is known at all", () => {
  const unseen = sampleAt(NOON, { health: "unknown", cause: "dns_failure", latencyMs: null });
  expect(courseStep([unseen])).toEqual({ p50: null, p95: null, health: "unknown", cause: "dns_failure" });
  expect(courseStep([])).toEqual(EMPTY_STEP);
});
