/**
 * What the Ledger may forget: only what KV has had long enough for every reader to see it, and what nothing here is
 * computed from any more.
 */
import { type Calendar } from "../domain/calendar.ts";
import { type Period, type SegmentKind } from "../history/keys.ts";
import type { Archive, SegmentState } from "./archive.ts";
/** Resolved incidents that travel in the snapshot. */
export declare const NEWEST_INCIDENTS = 50;
export declare function isSettled(segment: SegmentState | undefined, nowMs: number): boolean;
export declare function segmentName(kind: SegmentKind, period: Period): string;
export declare function namedSegment(name: string): {
    kind: SegmentKind;
    period: Period;
};
export declare function forget(archive: Archive, nowMs: number, calendar: Calendar): void;
