/**
 * What the shards published: as it was read, and as it is put together for a request.
 */
import type { ShardGap, StatusDocument } from "../history/documents.ts";
import type { IncidentArchive } from "../history/incident-archive.ts";
import type { SharedTail } from "../history/merge.ts";
import type { Part } from "../history/part.ts";
import type { Read, StoredSnapshot } from "../history/reader.ts";
import type { SnapshotTail } from "../history/snapshot.ts";

/** What the shards published last. The same object for as long as none of them published anew. */
export interface StoredPublication {
  /** One at least, by the shard's number. */
  readonly parts: readonly StoredPart[];
  /** Shards that cannot be read now, and those that have published nothing yet. */
  readonly gaps: readonly ShardGap[];
  /** It is the only shard there ever was. */
  readonly isWhole: boolean;
}

export interface StoredPart {
  readonly shard: number;
  /** Of one among several without the status document: that is remembered parsed, and twice they are too large together. */
  readonly snapshot: StoredSnapshot;
  /** Where its tail begins. */
  readonly tailFrom: number;
}

export type DryTail = Omit<SnapshotTail, "live">;

export interface Published {
  readonly facts: Part["metadata"];
  /** As it is to be shown now: stale where the ticks have stopped. */
  readonly status: StatusDocument;
  /** Of all shards. */
  readonly tail: SharedTail;
  readonly archive: IncidentArchive;
  /** Shards that hide something. */
  readonly gaps: readonly ShardGap[];
  /** The ids of gateways that are not in the status, because a shard cannot be read. */
  readonly missing: readonly string[];
  /** Null: nobody shows such a gateway. */
  holderOf(gatewayId: string): Holder | null;
}

/** The shard that shows a gateway, with what is known of its monitors. */
export interface Holder {
  readonly shard: number;
  readonly tail: DryTail;
  /** With what no segment holds yet. */
  wholeTail(): Promise<Read<SnapshotTail>>;
}

/** What was made of a publication, for as long as these shards are stale. */
export interface MergedNow {
  readonly staleness: string;
  readonly read: Read<Published>;
}
