/**
 * Results of a tick as they change the state. A result counts once, whoever repeats it; one whose lease has passed to
 * another, or expired, is kept as a sample and moves nothing. Pure.
 */
import type { Config } from "../config/config.ts";
import { type Incident } from "../domain/incident.ts";
import type { Sample } from "../domain/sample.ts";
import type { Batch } from "../domain/tick.ts";
import { type LedgerState } from "./state.ts";
export interface RecordedSample {
    readonly monitorId: string;
    readonly sample: Sample;
}
export interface Recorded {
    readonly state: LedgerState;
    readonly samples: readonly RecordedSample[];
    readonly resolved: readonly Incident[];
    /** A status, a cause or an incident changed: readers should see it soon. */
    readonly changed: boolean;
}
export interface RecordingWorld {
    readonly config: Config;
    readonly nowMs: number;
    readonly tickIntervalMs: number;
    /** Whether this very probe is in history already. */
    isRecorded(monitorId: string, atMs: number): boolean;
}
export declare function recordBatch(state: LedgerState, batch: Batch, world: RecordingWorld): Recorded;
