/**
 * The figures of many generations as one: percentiles of those that succeeded, and sums of what all of them took, for a
 * failed generation may be charged as well. Pure.
 */
import type { GenerationFigures, GenerationRollup } from "./generation.ts";
import { type Percentiles, percentilesOf } from "./percentile.ts";

/** A probe that generated, and whether it succeeded. */
export interface Generated {
  readonly figures: GenerationFigures;
  readonly isSuccess: boolean;
}

/** Null without any. */
export function rollUpGenerations(generated: readonly Generated[]): GenerationRollup | null {
  if (generated.length === 0) return null;
  const of = (name: keyof GenerationFigures, among: readonly Generated[]): number[] =>
    among.map(({ figures }) => figures[name]).filter((figure) => figure !== null);
  const good = generated.filter(({ isSuccess }) => isSuccess);
  return {
    firstTokenMs: percentilesOf(of("firstTokenMs", good)),
    taskMs: percentilesOf(of("taskMs", good)),
    tokensPerSecond: reachedBy(of("tokensPerSecond", good)),
    inputTokens: sumOf(of("inputTokens", generated)),
    outputTokens: sumOf(of("outputTokens", generated)),
    costMicros: sumOf(of("costMicros", generated)),
  };
}

/** Two parts of one period: of each percentile the worse is told, which was measured; what was taken is added. */
export function addGenerations(
  a: GenerationRollup | null,
  b: GenerationRollup | null,
): GenerationRollup | null {
  if (a === null || b === null) return a ?? b;
  return {
    firstTokenMs: worsePercentiles(a.firstTokenMs, b.firstTokenMs, Math.max),
    taskMs: worsePercentiles(a.taskMs, b.taskMs, Math.max),
    tokensPerSecond: worsePercentiles(a.tokensPerSecond, b.tokensPerSecond, Math.min),
    inputTokens: added(a.inputTokens, b.inputTokens),
    outputTokens: added(a.outputTokens, b.outputTokens),
    costMicros: added(a.costMicros, b.costMicros),
  };
}

/** `worse` of two: the higher where the figure is a duration. */
export function worsePercentiles(
  a: Percentiles | null,
  b: Percentiles | null,
  worse: (a: number, b: number) => number,
): Percentiles | null {
  if (a === null || b === null) return a ?? b;
  return { p50: worse(a.p50, b.p50), p95: worse(a.p95, b.p95), p99: worse(a.p99, b.p99) };
}

/** Percentiles from the fast end down: `p95` is the highest rate that 95 % of the values reach. */
function reachedBy(rates: readonly number[]): Percentiles | null {
  const sunk = percentilesOf(rates.map((rate) => -rate));
  return sunk && { p50: -sunk.p50, p95: -sunk.p95, p99: -sunk.p99 };
}

function sumOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0);
}

function added(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : a + b;
}
