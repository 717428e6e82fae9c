/**
 * What was published as an isolate keeps it: the snapshots that it read last, what was made of them, and segments of
 * history.
 */
import { MOST_SHARDS } from "../config/placement.ts";
import type { ShardGap, StatusDocument } from "../history/documents.ts";
import type { IncidentArchive } from "../history/incident-archive.ts";
import type { Part, SharedTail } from "../history/merge.ts";
import { readSnapshot, type KvReader, type Read, type StoredSnapshot } from "../history/reader.ts";
import { unpackStatus, type SnapshotTail } from "../history/snapshot.ts";

/** What the shards published last. */
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
  /** Of one among several without the status document: that is kept parsed, and both would be too large together. */
  readonly snapshot: StoredSnapshot;
}

export type DryTail = Omit<SnapshotTail, "live">;

interface StoredTail {
  readonly tail: DryTail;
  /** Null: one of several shards, whose part is unpacked when somebody asks for it. */
  readonly live: SnapshotTail["live"] | null;
}

export interface Published {
  /** What it was put together from. */
  readonly publication: StoredPublication;
  readonly facts: Part["metadata"];
  /** Which of its shards are stale. */
  readonly staleness: string;
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

interface KeptSegment {
  readonly stored: Awaited<ReturnType<KvReader["getWithMetadata"]>>;
  readonly readMs: number;
}

/** In an isolate of 128 MB; as they are stored, packed. */
const MOST_BYTES = 8_000_000;
const ENTRY_BYTES = 500;

export class SegmentMemory {
  readonly #kept = new Map<string, KeptSegment>();
  #bytes = 0;

  /**
   * Asks `kv` only for what is not kept, and keeps it for as long as KV may, see `cacheTtl`. A failure is not kept, nor what was not there.
   * Nobody waits for what another request has asked: on this platform that ends with the other request.
   */
  over(kv: KvReader, now: () => number): KvReader {
    return {
      getWithMetadata: async (key, options) => {
        const readMs = now();
        const known = this.#kept.get(key);
        if (known && Math.abs(readMs - known.readMs) < options.cacheTtl * 1000) return known.stored;
        const stored = await kv.getWithMetadata(key, options);
        const size = stored.value?.byteLength ?? null;
        if (size !== null) this.#keep(key, { stored, readMs }, size);
        return stored;
      },
    };
  }

  /** Where there is no more room it begins anew: which segments are asked for next is not known. */
  #keep(key: string, segment: KeptSegment, byteLength: number): void {
    this.#bytes += byteLength + ENTRY_BYTES;
    if (this.#bytes > MOST_BYTES) {
      this.#kept.clear();
      this.#bytes = byteLength + ENTRY_BYTES;
    }
    this.#kept.set(key, segment);
  }
}

/** Below what KV itself keeps an answer for. */
const KEPT_MS = 2000;
/** So that many shards are not read more often than some. */
const MOST_KEPT_MS = 10_000;

export class SnapshotMemory {
  readonly statuses = new WeakMap<StoredSnapshot, StatusDocument>();
  readonly tails = new WeakMap<StoredSnapshot, StoredTail>();
  readonly merged = new WeakMap<StoredPublication, Published>();
  readonly segments = new SegmentMemory();
  #newest: { readonly publication: StoredPublication; readonly readMs: number } | null = null;

  /** @param shards how many are configured; there may be more in use. */
  async read(kv: KvReader, shards: number, now: () => number): Promise<Read<StoredPublication>> {
    const readMs = now();
    const newest = this.#newest;
    // A clock that is set back, as when a machine finds the time, must not freeze the page.
    const ageMs = newest === null ? Number.POSITIVE_INFINITY : Math.abs(readMs - newest.readMs);
    if (newest && ageMs < Math.min(KEPT_MS * shards, MOST_KEPT_MS)) {
      return { ok: true, value: newest.publication };
    }
    const read = await this.#readAnew(kv, shards, newest?.publication ?? null);
    if (read.ok) this.#newest = { publication: read.value, readMs };
    return read;
  }

  /** @param before what was not published anew since is taken from it. */
  async #readAnew(
    kv: KvReader,
    shards: number,
    before: StoredPublication | null,
  ): Promise<Read<StoredPublication>> {
    const known = new Map(before?.parts.map(({ shard, snapshot }) => [shard, snapshot]));
    const first = await readParts(kv, known, 0, shards);
    const used = (first[0]?.read.ok ? first[0].read.value : known.get(0))?.metadata.shards ?? 1;
    const reads = [...first, ...(await readParts(kv, known, shards, Math.min(used, MOST_SHARDS)))];
    const isWhole = reads.length === 1;
    const parts = reads.flatMap(({ shard, read }): StoredPart[] => {
      if (!read.ok) return [];
      const isKnown = known.get(shard) === read.value && before?.isWhole === false;
      return [{ shard, snapshot: isWhole || isKnown ? read.value : this.#withoutHead(read.value) }];
    });
    const gaps = reads.flatMap(({ shard, read }) => (read.ok ? [] : [{ shard, reason: read.failure.kind }]));
    if (parts.length > 0) return { ok: true, value: { parts, gaps, isWhole } };
    return { ok: false, failure: { kind: worstReason(gaps) ?? "absent" } };
  }

  /** The status document is kept parsed, and not as bytes beside that. */
  #withoutHead(snapshot: StoredSnapshot): StoredSnapshot {
    const { bytes, metadata } = snapshot;
    const rest = { bytes: bytes.slice(metadata.bytes), metadata };
    this.statuses.set(rest, unpackStatus(snapshot));
    return rest;
  }
}

interface ReadPart {
  readonly shard: number;
  readonly read: Read<StoredSnapshot>;
}

/** The platform itself lets those wait that are too many at once. */
async function readParts(
  kv: KvReader,
  known: ReadonlyMap<number, StoredSnapshot>,
  from: number,
  to: number,
): Promise<readonly ReadPart[]> {
  const shards = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  return Promise.all(
    shards.map(async (shard) => ({ shard, read: await readSnapshot(kv, shard, known.get(shard)) })),
  );
}

/** An outage passes; what is damaged does not by itself; and where all are absent nothing was published yet. */
const WORST_FIRST = ["outage", "unreadable", "absent"] as const;

/** Undefined: there is none. */
export function worstReason(gaps: readonly ShardGap[]): ShardGap["reason"] | undefined {
  return WORST_FIRST.find((worst) => gaps.some(({ reason }) => reason === worst));
}
