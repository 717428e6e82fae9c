/** Samples of a period as one row: counts, percentiles, the most common cause of the worst health, figures of generations. Pure. */
import { CAUSE_TABLE, HEALTHS, type Cause, type Health } from "../protocol/diagnosis.ts";
import { MINUTE_MS } from "./calendar.ts";
import { commonest, worstOf, type HealthCounts } from "./health.ts";
import type { GenerationFigures, GenerationRollup, Sample } from "./probe-outcome.ts";

export interface Rollup {
  /** The start of the hour or day, Unix time in milliseconds. */
  readonly fromMs: number;
  readonly counts: HealthCounts;
  /** Of the successful probes; null without any. */
  readonly latencyMs: Percentiles | null;
  readonly attempts: number;
  /** The most frequent cause of the samples with the worst health, maintenance aside; null without such samples. */
  readonly cause: Cause | null;
  readonly generation: GenerationRollup | null;
}

export function rollUp(fromMs: number, samples: readonly Sample[]): Rollup {
  const counts = countHealths(samples);
  const worst = worstOf(counts);
  const hurting = samples.filter(({ health, inMaintenance }) => health === worst && !inMaintenance);
  const good = samples.filter(isSuccess);
  const generated = samples.filter(({ generation }) => generation !== null);
  return {
    fromMs,
    counts,
    latencyMs: percentilesOf(good.map(({ latencyMs }) => latencyMs).filter((ms) => ms !== null)),
    attempts: samples.reduce((sum, { attempts }) => sum + attempts, 0),
    cause: commonest(hurting.map(({ cause }) => cause)),
    generation: rollUpGenerations(generated, generated.filter(isSuccess)),
  };
}

function isSuccess({ cause }: Sample): boolean {
  return CAUSE_TABLE[cause].ok;
}

function countHealths(samples: readonly Sample[]): HealthCounts {
  const counts = { ...NO_SAMPLES };
  for (const sample of samples) counts[sample.inMaintenance ? "maintenance" : sample.health] += 1;
  return counts;
}

export const NO_SAMPLES: HealthCounts = {
  up: 0,
  degraded: 0,
  down: 0,
  blocked: 0,
  unknown: 0,
  maintenance: 0,
};

export function addCounts(a: HealthCounts, b: HealthCounts): HealthCounts {
  const sum = { ...a };
  for (const kind of [...HEALTHS, "maintenance"] as const) sum[kind] += b[kind];
  return sum;
}

/** Of one period. Percentiles cannot be added: latency and generations are those of the part with more samples, the cause that of the part with more of the worst health. */
export function addRollups(a: Rollup, b: Rollup): Rollup {
  const counts = addCounts(a.counts, b.counts);
  const worst = worstOf(counts);
  const [most, least] = samplesIn(b.counts) > samplesIn(a.counts) ? [b, a] : [a, b];
  return {
    fromMs: a.fromMs,
    counts,
    latencyMs: most.latencyMs ?? least.latencyMs,
    attempts: a.attempts + b.attempts,
    cause: (b.counts[worst] > a.counts[worst] ? b : a).cause,
    generation: most.generation ?? least.generation,
  };
}

function samplesIn(counts: HealthCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** Null without values; the order of `values` does not matter. */
export function percentilesOf(values: readonly number[]): Percentiles | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  return { p50: nearestRank(sorted, 50), p95: nearestRank(sorted, 95), p99: nearestRank(sorted, 99) };
}

function nearestRank(sorted: Float64Array, percent: number): number {
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.max(0, rank - 1)] ?? 0;
}

function rollUpGenerations(all: readonly Sample[], good: readonly Sample[]): GenerationRollup | null {
  if (all.length === 0) return null;
  const of = (name: keyof GenerationFigures, among: readonly Sample[]): number[] =>
    among.flatMap(({ generation }) => generation?.[name] ?? []);
  return {
    firstTokenMs: percentilesOf(of("firstTokenMs", good)),
    taskMs: percentilesOf(of("taskMs", good)),
    tokensPerSecond: reachedBy(of("tokensPerSecond", good)),
    inputTokens: sumOf(of("inputTokens", all)),
    outputTokens: sumOf(of("outputTokens", all)),
    costMicros: sumOf(of("costMicros", all)),
  };
}

/** Percentiles from the fast end down: `p95` is the highest rate that 95 % of the values reach or exceed. */
function reachedBy(rates: readonly number[]): Percentiles | null {
  const sunk = percentilesOf(rates.map((rate) => -rate));
  return sunk && { p50: -sunk.p50, p95: -sunk.p95, p99: -sunk.p99 };
}

function sumOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0);
}

export const COURSE_STEP_MS = 30 * MINUTE_MS;
export const COURSE_STEPS = 48;

export interface CourseStep {
  /** Percentiles of the successful probes, in milliseconds; null without any. */
  readonly p50: number | null;
  readonly p95: number | null;
  /** The worst, maintenance aside; null: no probe counted. */
  readonly health: Health | null;
  /** The most common cause of the samples with the worst health; null: there is none, or it is not published. */
  readonly cause: Cause | null;
}

export const EMPTY_STEP: CourseStep = { p50: null, p95: null, health: null, cause: null };

/** When the course that is shown at `nowMs` begins. Its last step has not ended. */
export function courseStart(nowMs: number): number {
  return stepStart(nowMs) - (COURSE_STEPS - 1) * COURSE_STEP_MS;
}

export function stepStart(atMs: number): number {
  return Math.floor(atMs / COURSE_STEP_MS) * COURSE_STEP_MS;
}

export function courseStep(samples: readonly Sample[]): CourseStep {
  const { counts, latencyMs, cause } = rollUp(0, samples);
  const isJudged = HEALTHS.some((health) => counts[health] > 0);
  return {
    p50: latencyMs?.p50 ?? null,
    p95: latencyMs?.p95 ?? null,
    health: isJudged ? worstOf(counts) : null,
    cause,
  };
}
