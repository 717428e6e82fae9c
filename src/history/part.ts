/** What one of several shards published, as it is put together with the others. */
import type { StatusDocument } from "./documents.ts";
import type { SnapshotMetadata, SnapshotTail } from "./snapshot.ts";

export interface Part {
  readonly shard: number;
  readonly metadata: Pick<SnapshotMetadata, "lastTickMs" | "tickMs" | "generatedMs">;
  /** As it is to be shown now: stale where the shard's ticks have stopped. */
  readonly status: StatusDocument;
  readonly tail: Omit<SnapshotTail, "live">;
}

/** By the gateway's id, whose part shows it. */
export type Holders = ReadonlyMap<string, Part>;
