/** Figures of generations in segments: they come back, older bytes stay readable, and lists take no byte more. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type GenerationFigures, type GenerationRollup, NO_FIGURES } from "../../src/domain/probe-outcome.ts";
import { type Rollup, rollUp } from "../../src/domain/rollup.ts";
import { pack, unpack } from "../../src/history/packing.ts";
import { packRollups, packSamples, unpackRollups, unpackSamples } from "../../src/history/segment.ts";
import { sampleAt } from "./published-history.ts";

const AT_MS = Date.UTC(2026, 10, 20, 9);
const HOUR_MS = 3_600_000;

const LISTS = [
  sampleAt(AT_MS, { latencyMs: 212 }),
  sampleAt(AT_MS + 60_000, { latencyMs: 198 }),
  sampleAt(AT_MS + 121_000, {
    health: "down",
    cause: "upstream_unavailable",
    httpStatus: 503,
    attempts: 4,
    waitedMs: 7310,
    latencyMs: 95,
  }),
];
const whole = fc.option(fc.nat(1_000_000_000));
const hundredths = fc.nat(100_000_000_000).map((number) => number / 100);
const figures: fc.Arbitrary<GenerationFigures> = fc.record({
  firstTokenMs: whole,
  taskMs: whole,
  tokensPerSecond: fc.option(hundredths),
  inputTokens: whole,
  outputTokens: whole,
  costMicros: whole,
});
const threeOf = (number: fc.Arbitrary<number>) =>
  fc.option(fc.record({ p50: number, p95: number, p99: number }));
const sums = fc.option(fc.maxSafeInteger().map(Math.abs));
const rollupFigures: fc.Arbitrary<GenerationRollup> = fc.record({
  firstTokenMs: threeOf(fc.nat(1_000_000_000)),
  taskMs: threeOf(fc.nat(1_000_000_000)),
  tokensPerSecond: threeOf(hundredths),
  inputTokens: sums,
  outputTokens: sums,
  costMicros: sums,
});

describe("what is packed comes back", () => {
  test("with figures and without, whichever of them were told", () => {
    fc.assert(
      fc.property(fc.array(fc.option(figures)), (all) => {
        const samples = all.map((generation, index) => sampleAt(AT_MS + index * 60_000, { generation }));
        expect(unpackSamples(packSamples(samples))).toEqual(samples);
      }),
    );
  });

  test("in roll-ups", () => {
    fc.assert(
      fc.property(fc.array(fc.option(rollupFigures)), (all) => {
        const rollups: Rollup[] = all.map((generation, index) => ({
          ...rollUp(AT_MS + index * HOUR_MS, LISTS),
          generation,
        }));
        expect(unpackRollups(packRollups(rollups))).toEqual(rollups);
      }),
    );
  });

  test("a generation that told nothing is one still, and a zero is no null", () => {
    const samples = [
      sampleAt(AT_MS, { generation: NO_FIGURES }),
      sampleAt(AT_MS + 1, { generation: { ...NO_FIGURES, inputTokens: 0, tokensPerSecond: 0 } }),
    ];
    expect(unpackSamples(packSamples(samples))).toStrictEqual(samples);
    expect(unpackSamples(packSamples(samples.slice(0, 1)))).toStrictEqual(samples.slice(0, 1));
  });
});

test("parts of a millisecond are rounded, and rates to the hundredth, so that every reader takes them", () => {
  const generation = { ...NO_FIGURES, firstTokenMs: 310.6, tokensPerSecond: 41.239 };
  const kept = { ...NO_FIGURES, firstTokenMs: 311, tokensPerSecond: 41.24 };
  expect(unpackSamples(packSamples([sampleAt(AT_MS, { generation })]))[0]?.generation).toEqual(kept);
  const three = (of: number) => ({ p50: of, p95: of, p99: of });
  const rollup = unpackRollups(packRollups([rollUp(AT_MS, [sampleAt(AT_MS, { generation })])]))[0];
  expect(rollup?.generation).toMatchObject({ firstTokenMs: three(311), tokensPerSecond: three(41.24) });
});

test("a sum that is too large to be whole is kept as the largest that is, so that every reader takes it", () => {
  const generation = { ...NO_FIGURES, costMicros: 10_000_000_000_000 };
  const dear = Array.from({ length: 1_000 }, (_, n) => sampleAt(AT_MS + n, { generation }));
  const [rollup] = unpackRollups(packRollups([rollUp(AT_MS, dear)]));
  expect(rollup?.generation?.costMicros).toBe(Number.MAX_SAFE_INTEGER);
});

test("columns of unequal length are refused", () => {
  const generation = { ...NO_FIGURES, firstTokenMs: 310, inputTokens: 9 };
  const [first, second] = [sampleAt(AT_MS, { generation }), sampleAt(AT_MS + 60_000, { generation })];
  const packed = unpack(packSamples([first, second])) as number[][][];
  expect(packed[7]).toEqual([[], [310, 310], [], [], [9, 9], [], []]);
  packed[7]?.[1]?.pop();
  expect(() => unpackSamples(pack(packed))).toThrow("uneven columns");
});
