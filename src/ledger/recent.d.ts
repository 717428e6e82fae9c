import { type HealthCounts } from "../domain/health.ts";
import { type Percentiles } from "../domain/percentile.ts";
import type { Sample } from "../domain/sample.ts";
/** The longest local day has 25 hours, and it is rolled up a good hour after its end. */
export declare const RECENT_MS: number;
export declare class RecentSamples {
    #private;
    add(monitorId: string, sample: Sample): void;
    has(monitorId: string, atMs: number): boolean;
    /** Samples of `[fromMs, toMs)` by monitor, oldest first; monitors without any are left out. */
    between(fromMs: number, toMs: number): Map<string, readonly Sample[]>;
    earliestMs(): number | null;
    dropBefore(beforeMs: number): void;
    /** Uptime and percentiles of the 24 hours before `nowMs`. */
    lastDay(monitorId: string, nowMs: number): {
        uptime: number | null;
        latency: Percentiles | null;
    };
    counts(monitorId: string, fromMs: number, toMs: number): HealthCounts;
}
