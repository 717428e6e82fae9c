/**
 * Closing hours, days and months of history: samples become segments and roll-ups. Runs inside the caller's
 * transaction, so that a crash leaves either the samples or what was made of them.
 */
import { type Calendar } from "../domain/calendar.ts";
import type { Incident } from "../domain/incident.ts";
import type { PublishedIncident } from "../history/documents.ts";
import { type RollupsByMonitor } from "../history/segment.ts";
import type { Archive, RollupRow } from "./archive.ts";
/** An invocation lives 15 minutes at most: later than this no result of an hour can come. */
export declare const GRACE_MS: number;
export interface FlushContext {
    readonly nowMs: number;
    readonly calendar: Calendar;
    publish(incident: Incident): PublishedIncident;
}
/** Closes what can be closed by now; true when there was something. */
export declare function flush(archive: Archive, context: FlushContext): boolean;
/** Rows of periods turned into columns of monitors. */
export declare function byMonitor(rows: readonly RollupRow[]): RollupsByMonitor;
