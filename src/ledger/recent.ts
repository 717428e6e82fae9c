/**
 * The samples of the last day and a little more, in memory: what the figures of the last 24 hours and the roll-ups of
 * a day are computed from. Rebuilt from the tables when the object starts.
 */
import { DAY_MS, HOUR_MS } from "../domain/calendar.ts";
import {
  COURSE_STEP_MS,
  COURSE_STEPS,
  type CourseStep,
  courseStart,
  courseStep,
  EMPTY_STEP,
  stepStart,
} from "../domain/course.ts";
import type { GenerationRollup } from "../domain/generation.ts";
import { type Generated, rollUpGenerations } from "../domain/generation-rollup.ts";
import { type HealthCounts, uptimeOf } from "../domain/health.ts";
import { type Percentiles, percentilesOf } from "../domain/percentile.ts";
import { countHealths, isSuccess } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";

/** The longest local day has 25 hours, and it is rolled up a good hour after its end. */
export const RECENT_MS = DAY_MS + 3 * HOUR_MS;

export class RecentSamples {
  readonly #byMonitor = new Map<string, Sample[]>();
  /** Steps of courses that were asked for, by their start: most of them never change again. */
  readonly #steps = new Map<string, Map<number, CourseStep>>();

  add(monitorId: string, sample: Sample): void {
    this.#steps.get(monitorId)?.delete(stepStart(sample.atMs));
    const samples = this.#byMonitor.get(monitorId);
    if (samples) samples.push(sample);
    else this.#byMonitor.set(monitorId, [sample]);
  }

  has(monitorId: string, atMs: number): boolean {
    return (this.#byMonitor.get(monitorId) ?? []).some((sample) => sample.atMs === atMs);
  }

  /** Samples of `[fromMs, toMs)` by monitor, oldest first; monitors without any are left out. */
  between(fromMs: number, toMs: number): Map<string, readonly Sample[]> {
    const found = new Map<string, readonly Sample[]>();
    for (const [monitorId, samples] of this.#byMonitor) {
      const inside = samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      if (inside.length > 0)
        found.set(
          monitorId,
          inside.sort((a, b) => a.atMs - b.atMs),
        );
    }
    return found;
  }

  /** All that are known of one. */
  of(monitorId: string): readonly Sample[] {
    return this.#byMonitor.get(monitorId) ?? [];
  }

  earliestMs(): number | null {
    let earliest: number | null = null;
    for (const samples of this.#byMonitor.values()) {
      for (const { atMs } of samples) if (earliest === null || atMs < earliest) earliest = atMs;
    }
    return earliest;
  }

  dropBefore(beforeMs: number): void {
    for (const [monitorId, samples] of this.#byMonitor) {
      const kept = samples.filter(({ atMs }) => atMs >= beforeMs);
      for (const fromMs of this.#steps.get(monitorId)?.keys() ?? []) {
        if (fromMs < beforeMs) this.#steps.get(monitorId)?.delete(fromMs);
      }
      if (kept.length === 0) this.#byMonitor.delete(monitorId);
      else if (kept.length < samples.length) this.#byMonitor.set(monitorId, kept);
    }
  }

  /** Uptime, percentiles, and the figures of generations in the 24 hours before `nowMs`. */
  lastDay(
    monitorId: string,
    nowMs: number,
  ): { uptime: number | null; latency: Percentiles | null; generation: GenerationRollup | null } {
    // A clock that ran ahead leaves samples of the future behind.
    const untilMs = nowMs + HOUR_MS;
    const samples = (this.#byMonitor.get(monitorId) ?? []).filter(
      ({ atMs }) => atMs > nowMs - DAY_MS && atMs < untilMs,
    );
    const latencies: number[] = [];
    const generated: Generated[] = [];
    for (const sample of samples) {
      const { latencyMs, generation: figures } = sample;
      if (isSuccess(sample) && latencyMs !== null) latencies.push(latencyMs);
      if (figures !== null) generated.push({ figures, isSuccess: isSuccess(sample) });
    }
    return {
      uptime: uptimeOf(countHealths(samples)),
      latency: percentilesOf(latencies),
      generation: rollUpGenerations(generated),
    };
  }

  /** The last 24 hours, `COURSE_STEPS` from `courseStart` on. */
  course(monitorId: string, nowMs: number): readonly CourseStep[] {
    const startMs = courseStart(nowMs);
    const known = this.#steps.get(monitorId) ?? new Map<number, CourseStep>();
    this.#steps.set(monitorId, known);
    const fresh = new Map<number, Sample[]>();
    for (const sample of this.#byMonitor.get(monitorId) ?? []) {
      const fromMs = stepStart(sample.atMs);
      if (fromMs < startMs || known.has(fromMs)) continue;
      const samples = fresh.get(fromMs);
      if (samples) samples.push(sample);
      else fresh.set(fromMs, [sample]);
    }
    for (const [fromMs, samples] of fresh) known.set(fromMs, courseStep(samples));
    return Array.from(
      { length: COURSE_STEPS },
      (_, index) => known.get(startMs + index * COURSE_STEP_MS) ?? EMPTY_STEP,
    );
  }

  counts(monitorId: string, fromMs: number, toMs: number): HealthCounts {
    const samples = this.#byMonitor.get(monitorId) ?? [];
    return countHealths(samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs));
  }
}
