/**
 * How a monitor did in the last 24 hours, in half hours of UTC: what charts show. Pure.
 */
import { type Cause, type Health, HEALTHS } from "../protocol/diagnosis.ts";
import { MINUTE_MS } from "./calendar.ts";
import { worstOf } from "./health.ts";
import { rollUp } from "./rollup.ts";
import type { Sample } from "./sample.ts";

export const COURSE_STEP_MS = 30 * MINUTE_MS;
export const COURSE_STEPS = 48;

export interface CourseStep {
  /** Percentiles of the successful probes, in milliseconds; null without any. */
  readonly p50: number | null;
  readonly p95: number | null;
  /** The worst, maintenance aside; null: no probe counted. */
  readonly health: Health | null;
  /** That of most of the samples with the worst health; null also where it is not published. */
  readonly cause: Cause | null;
}

export const EMPTY_STEP: CourseStep = { p50: null, p95: null, health: null, cause: null };

/** When the course that is shown at `nowMs` begins: its last step is under way. */
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
