/**
 * The samples of the last day and a little more, in memory: what the figures of the last 24 hours and the roll-ups of
 * a day are computed from. Rebuilt from the tables when the object starts.
 */
import { DAY_MS, HOUR_MS } from "../domain/calendar.ts";
import { type HealthCounts, uptimeOf } from "../domain/health.ts";
import { type Percentiles, percentilesOf } from "../domain/percentile.ts";
import { countHealths, isSuccess } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";

/** The longest local day has 25 hours, and it is rolled up a good hour after its end. */
export const RECENT_MS = DAY_MS + 3 * HOUR_MS;

export class RecentSamples {
  readonly #byMonitor = new Map<string, Sample[]>();

  add(monitorId: string, sample: Sample): void {
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
      if (kept.length === 0) this.#byMonitor.delete(monitorId);
      else if (kept.length < samples.length) this.#byMonitor.set(monitorId, kept);
    }
  }

  /** Uptime and percentiles of the 24 hours before `nowMs`. */
  lastDay(monitorId: string, nowMs: number): { uptime: number | null; latency: Percentiles | null } {
    // A clock that ran ahead leaves samples of the future behind.
    const untilMs = nowMs + HOUR_MS;
    const samples = (this.#byMonitor.get(monitorId) ?? []).filter(
      ({ atMs }) => atMs > nowMs - DAY_MS && atMs < untilMs,
    );
    const latencies: number[] = [];
    for (const sample of samples) {
      if (isSuccess(sample) && sample.latencyMs !== null) latencies.push(sample.latencyMs);
    }
    return { uptime: uptimeOf(countHealths(samples)), latency: percentilesOf(latencies) };
  }

  counts(monitorId: string, fromMs: number, toMs: number): HealthCounts {
    const samples = this.#byMonitor.get(monitorId) ?? [];
    return countHealths(samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs));
  }
}
