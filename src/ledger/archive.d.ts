import type { Incident } from "../domain/incident.ts";
import type { Rollup } from "../domain/rollup.ts";
import { RecentSamples } from "./recent.ts";
import type { RecordedSample } from "./record.ts";
import type { Tables } from "./tables.ts";
export type RollupRow = ReadonlyMap<string, Rollup>;
/** How far history is closed. */
export interface Through {
    /** Hours of UTC before this instant are closed; no sample of them is accepted any more. */
    readonly hoursMs: number;
    /** Days of UTC before this instant have their segment. */
    readonly utcDaysMs: number;
    /** The last day of the configured zone that was rolled up; empty: none yet. */
    readonly day: string;
}
export interface SegmentState {
    /** When KV took it; null: not yet. */
    readonly storedMs: number | null;
    /** Whether the Ledger still has its bytes. */
    readonly kept: boolean;
}
export declare class Archive {
    #private;
    readonly tables: Tables;
    readonly recent: RecentSamples;
    /** By hour of UTC, for the days that have no settled segment yet. */
    readonly hourRollups: Map<string, RollupRow>;
    /** By day of the configured zone, for as many days as the status shows. */
    readonly dayRollups: Map<string, RollupRow>;
    /** By `<kind>/<period>`. */
    readonly segments: Map<string, SegmentState>;
    readonly resolved: Incident[];
    constructor(tables: Tables);
    get through(): Through | null;
    setThrough(through: Through): void;
    /** Whether the probe is recorded, or its hour is closed so that it cannot be any more. */
    isRecorded(monitorId: string, atMs: number): boolean;
    addSamples(samples: readonly RecordedSample[]): void;
    addResolved(incidents: readonly Incident[]): void;
}
