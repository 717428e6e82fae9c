import type { StatusDocument } from "../history/documents.ts";
import type { SnapshotMetadata } from "../history/snapshot.ts";
/** Milliseconds since the last tick, or since the publication where there was no tick. */
export declare function ageMs(metadata: SnapshotMetadata, nowMs: number): number;
/** At this age the ticks have stopped. */
export declare function longestAgeMs(metadata: SnapshotMetadata): number;
export declare function isStale(metadata: SnapshotMetadata, nowMs: number): boolean;
/** Without fresh evidence every status is unknown; the last verdicts stay beside it. */
export declare function asStale(status: StatusDocument): StatusDocument;
