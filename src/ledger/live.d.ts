/**
 * The part of history that the snapshot itself carries: what no settled segment holds yet.
 */
import { type Calendar } from "../domain/calendar.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
import type { Archive, RollupRow } from "./archive.ts";
/** The names of the segments that KV holds. */
export declare function readableSegments(archive: Archive, nowMs: number): SnapshotTail["segments"];
export declare function livePart(archive: Archive, nowMs: number, calendar: Calendar): SnapshotTail["live"];
/** Roll-ups of the days of the zone that are still open: today, and yesterday until its last hour is closed. */
export declare function openDays(archive: Archive, nowMs: number, calendar: Calendar): {
    day: string;
    row: RollupRow;
}[];
