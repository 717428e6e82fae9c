import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type GenerationFigures, NO_FIGURES } from "../../src/domain/generation.ts";
import { addRollups, rollUp } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/sample.ts";
import { sampleAt } from "../history/published-history.ts";

const generated = (figures: Partial<GenerationFigures>, more: Partial<Sample> = {}): Sample =>
  sampleAt(0, { ...more, generation: { ...NO_FIGURES, ...figures } });

test("where nothing was generated there are no figures", () => {
  expect(rollUp(0, [sampleAt(0), sampleAt(1)]).generation).toBeNull();
  expect(rollUp(0, []).generation).toBeNull();
});

test("durations and rates are of the successful probes, tokens and cost of all", () => {
  const dropped = { health: "down", cause: "stream_dropped" } as const;
  const rollup = rollUp(0, [
    generated({ firstTokenMs: 310, tokensPerSecond: 41.5, inputTokens: 9, outputTokens: 16, costMicros: 25 }),
    generated(
      { firstTokenMs: 900, tokensPerSecond: 12.25, inputTokens: 9, outputTokens: 8, costMicros: 17 },
      { health: "degraded", cause: "slow" },
    ),
    generated(
      { firstTokenMs: 4, tokensPerSecond: 0.5, inputTokens: 9, outputTokens: 3, costMicros: 12 },
      dropped,
    ),
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

test("of a hundred rates from 1 to 100, half reach 51, 95 of them reach 6, and 99 reach 2", () => {
  const rates = Array.from({ length: 100 }, (_, n) => generated({ tokensPerSecond: n + 1 }));
  expect(rollUp(0, rates).generation?.tokensPerSecond).toEqual({ p50: 51, p95: 6, p99: 2 });
});

test("a rate of zero is zero", () => {
  const rate = rollUp(0, [generated({ tokensPerSecond: 0 })]).generation?.tokensPerSecond;
  expect(rate).toStrictEqual({ p50: 0, p95: 0, p99: 0 });
});

test("two parts of a period: the longer durations, the lower rate, and the sums", () => {
  const early = generated({ firstTokenMs: 200, taskMs: 60_000, tokensPerSecond: 50, inputTokens: 9 });
  const late = generated({ firstTokenMs: 700, taskMs: 30_000, tokensPerSecond: 20, inputTokens: 5 });
  const three = (of: number) => ({ p50: of, p95: of, p99: of });
  const whole = {
    firstTokenMs: three(700),
    taskMs: three(60_000),
    tokensPerSecond: three(20),
    inputTokens: 14,
    outputTokens: null,
    costMicros: null,
  };
  expect(addRollups(rollUp(7, [early]), rollUp(7, [late])).generation).toEqual(whole);
  expect(addRollups(rollUp(7, [late]), rollUp(7, [early])).generation).toEqual(whole);
  expect(addRollups(rollUp(7, [early]), rollUp(7, [sampleAt(9)])).generation).toEqual(
    rollUp(7, [early]).generation,
  );
});

const figure = fc.option(fc.nat(1000));
const anySample = fc
  .record({
    cause: fc.constantFrom("ok" as const, "slow" as const, "timeout" as const),
    generation: fc.option(
      fc.record({
        firstTokenMs: figure,
        taskMs: figure,
        tokensPerSecond: figure,
        inputTokens: figure,
        outputTokens: figure,
        costMicros: figure,
      }),
    ),
  })
  .map((more) => sampleAt(0, more));

test("sums of two parts are those of all samples, and percentiles are measured and no better than the whole's", () => {
  fc.assert(
    fc.property(fc.array(anySample), fc.array(anySample), (a, b) => {
      const parts = [rollUp(7, a), rollUp(7, b)] as const;
      const sum = addRollups(...parts).generation;
      const whole = rollUp(7, [...a, ...b]).generation;
      const { inputTokens, outputTokens, costMicros } = whole ?? {};
      expect({ ...sum }).toMatchObject(whole === null ? {} : { inputTokens, outputTokens, costMicros });
      for (const [name, worse] of [
        ["firstTokenMs", 1],
        ["taskMs", 1],
        ["tokensPerSecond", -1],
      ] as const) {
        expect(sum?.[name] === null).toBe(whole?.[name] === null);
        for (const of of ["p50", "p95", "p99"] as const) {
          const [added, real] = [sum?.[name]?.[of], whole?.[name]?.[of]];
          if (added === undefined || real === undefined) continue;
          expect(parts.map(({ generation }) => generation?.[name]?.[of])).toContain(added);
          expect(worse * added).toBeGreaterThanOrEqual(worse * real);
        }
      }
    }),
  );
});
