/**
 * What was published as an isolate keeps it, and what it remembers: segments of history, and answers that it has
 * made. The least lately used make room.
 */
import type { ShardGap, StatusDocument } from "../history/documents.ts";
import type { IncidentArchive } from "../history/incident-archive.ts";
import type { Part, SharedTail } from "../history/merge.ts";
import type { KvReader, Read, StoredSnapshot } from "../history/reader.ts";
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

export interface StoredTail {
  readonly tail: DryTail;
  /** Null: of one among several, of which it is unpacked when it is asked for. */
  readonly live: SnapshotTail["live"] | null;
}

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

type Stored = Awaited<ReturnType<KvReader["getWithMetadata"]>>;

interface Kept {
  readonly stored: Stored;
  readonly readMs: number;
  readonly lastsMs: number;
}

/** In an isolate of 128 MB; as they are stored, packed. */
const MOST_SEGMENT_BYTES = 8_000_000;
/** More than are ever named at a time: the hours of 14 days, 90 days and the months of two years. */
const MOST_SEGMENTS = 500;

/** KV itself remembers a miss for about as long. */
const ABSENT_MS = 60_000;

export class SegmentMemory {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /**
   * Asks `kv` only for what is not remembered, and remembers it for as long as KV may, see `cacheTtl`. A failure is not
   * remembered. Nobody waits for what another request has asked: on this platform that ends with the other request.
   */
  over(kv: KvReader, now: () => number): KvReader {
    return {
      getWithMetadata: async (key, options) => {
        const nowMs = now();
        const known = this.#take(key);
        if (known && isFresh(known, nowMs)) {
          this.#keep(key, known);
          return known.stored;
        }
        const stored = await kv.getWithMetadata(key, options);
        const lastsMs = stored.value === null ? ABSENT_MS : options.cacheTtl * 1000;
        this.#take(key);
        this.#keep(key, { stored, readMs: nowMs, lastsMs });
        return stored;
      },
    };
  }

  #take(key: string): Kept | undefined {
    const known = this.#kept.get(key);
    if (known && this.#kept.delete(key)) this.#bytes -= bytesOf(known);
    return known;
  }

  #keep(key: string, kept: Kept): void {
    if (bytesOf(kept) > MOST_SEGMENT_BYTES) return;
    this.#kept.set(key, kept);
    this.#bytes += bytesOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_SEGMENT_BYTES && this.#kept.size <= MOST_SEGMENTS) return;
      this.#take(oldest);
    }
  }
}

function bytesOf({ stored }: Kept): number {
  return stored.value?.byteLength ?? 0;
}

/** A clock that was set back makes nothing last longer. */
function isFresh({ readMs, lastsMs }: Kept, nowMs: number): boolean {
  return Math.abs(nowMs - readMs) < lastsMs;
}

export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer;
}

/** In an isolate of 128 MB. */
const MOST_BYTES = 4_000_000;
const MOST_ANSWERS = 64;

export class AnswerMemory {
  readonly #answers = new Map<string, KeptAnswer>();
  #of: StoredPublication | null = null;
  #bytes = 0;

  find(publication: StoredPublication, key: string): KeptAnswer | null {
    if (this.#of !== publication) this.#forget(publication);
    return this.#answers.get(key) ?? null;
  }

  /** One that was begun before the newest publication is too late. The oldest make room. */
  keep(publication: StoredPublication, key: string, answer: KeptAnswer): void {
    const { byteLength } = answer.body;
    if (this.#of !== publication || this.#answers.has(key) || byteLength > MOST_BYTES) return;
    this.#answers.set(key, answer);
    this.#bytes += byteLength;
    for (const [oldest, { body }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES && this.#answers.size <= MOST_ANSWERS) return;
      this.#answers.delete(oldest);
      this.#bytes -= body.byteLength;
    }
  }

  #forget(publication: StoredPublication): void {
    this.#answers.clear();
    this.#of = publication;
    this.#bytes = 0;
  }
}
