/**
 * Many samples as one row: counts a health, percentiles of the latency, the cause that hurt most, and the figures of
 * generations. Pure.
 */
import type { Cause } from "../protocol/diagnosis.ts";
import type { GenerationRollup } from "./generation.ts";
import { addGenerations, type Generated, rollUpGenerations, worsePercentiles } from "./generation-rollup.ts";
import { type HealthCounts, worstHealth, worstOf } from "./health.ts";
import { type Percentiles, percentilesOf } from "./percentile.ts";
import type { Sample } from "./sample.ts";

export interface Rollup {
  /** The start of the hour or day, Unix time in milliseconds. */
  readonly fromMs: number;
  readonly counts: HealthCounts;
  /** Of the successful probes; null without any. */
  readonly latencyMs: Percentiles | null;
  readonly attempts: number;
  /** The most frequent cause of the samples with the worst health, maintenance aside; null without such samples. */
  readonly cause: Cause | null;
  /** Null where none of them was a generation. */
  readonly generation: GenerationRollup | null;
}

export function rollUp(fromMs: number, samples: readonly Sample[]): Rollup {
  const successes: number[] = [];
  const generated: Generated[] = [];
  let attempts = 0;
  for (const sample of samples) {
    attempts += sample.attempts;
    const { latencyMs, generation } = sample;
    if (isSuccess(sample) && latencyMs !== null) successes.push(latencyMs);
    if (generation !== null) generated.push({ figures: generation, isSuccess: isSuccess(sample) });
  }
  return {
    fromMs,
    counts: countHealths(samples),
    latencyMs: percentilesOf(successes),
    attempts,
    cause: leadingCause(samples),
    generation: rollUpGenerations(generated),
  };
}

/** A probe that brought a good answer, be it a slow one. */
export function isSuccess(sample: Pick<Sample, "health" | "cause">): boolean {
  return (
    sample.cause === "ok" ||
    sample.cause === "slow" ||
    sample.cause === "model_missing" ||
    sample.cause === "balance_low"
  );
}

export function countHealths(samples: Iterable<Pick<Sample, "health" | "inMaintenance">>): HealthCounts {
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
  return {
    up: a.up + b.up,
    degraded: a.degraded + b.degraded,
    down: a.down + b.down,
    blocked: a.blocked + b.blocked,
    unknown: a.unknown + b.unknown,
    maintenance: a.maintenance + b.maintenance,
  };
}

/**
 * Two parts of one period, whose samples are gone. Their percentiles cannot be added: the worse one was measured, and
 * that of the whole is not worse. The cause is that of the part with more samples of the worst health.
 */
export function addRollups(a: Rollup, b: Rollup): Rollup {
  const worst = worstOf(addCounts(a.counts, b.counts));
  return {
    fromMs: a.fromMs,
    counts: addCounts(a.counts, b.counts),
    latencyMs: worsePercentiles(a.latencyMs, b.latencyMs, Math.max),
    attempts: a.attempts + b.attempts,
    cause: (b.counts[worst] > a.counts[worst] ? b : a).cause,
    generation: addGenerations(a.generation, b.generation),
  };
}

function leadingCause(samples: readonly Sample[]): Cause | null {
  const judged = samples.filter(({ inMaintenance }) => !inMaintenance);
  const worst = worstHealth(judged.map(({ health }) => health));
  const tally = new Map<Cause, number>();
  for (const { health, cause } of judged) {
    if (health === worst) tally.set(cause, (tally.get(cause) ?? 0) + 1);
  }
  let leading: Cause | null = null;
  for (const [cause, count] of tally) {
    if (leading === null || count > (tally.get(leading) ?? 0)) leading = cause;
  }
  return leading;
}
