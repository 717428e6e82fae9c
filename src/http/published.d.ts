/**
 * The snapshot, parsed: for every answer but the usual status.
 */
import { type StatusDocument } from "../history/documents.ts";
import { type Read, type StoredSnapshot } from "../history/reader.ts";
import { type SnapshotMetadata, type SnapshotTail } from "../history/snapshot.ts";
import type { AppDeps } from "./deps.ts";
export interface Published {
    readonly metadata: SnapshotMetadata;
    /** As it is to be shown now: stale where the ticks have stopped. */
    readonly status: StatusDocument;
    readonly tail: SnapshotTail;
}
export declare function readPublished(deps: AppDeps): Promise<Read<Published>>;
export declare function parseStatus({ bytes, metadata }: StoredSnapshot): Read<StatusDocument>;
