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
  /** Null: one of several shards, whose part is unpacked when somebody asks for it. */
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

/** What was used least lately makes room. */
class ByteLimitedCache<Value> {
  readonly #kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #mostBytes: number;
  readonly #most: number;
  #bytes = 0;

  constructor(mostBytes: number, most: number) {
    this.#mostBytes = mostBytes;
    this.#most = most;
  }

  get(key: string): Value | undefined {
    const known = this.#kept.get(key);
    if (known === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value;
  }

  /** What is larger than all that may be kept is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#delete(key);
    if (bytes > this.#mostBytes) return;
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#mostBytes && this.#kept.size <= this.#most) return;
      this.#delete(oldest);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0;
    this.#kept.delete(key);
  }
}

interface KeptSegment {
  readonly stored: Awaited<ReturnType<KvReader["getWithMetadata"]>>;
  readonly readMs: number;
  readonly lastsMs: number;
}

/** KV itself remembers a miss for about as long. */
const ABSENT_MS = 60_000;

export class SegmentMemory {
  /**
   * In an isolate of 128 MB; as they are stored, packed. More than are ever named at a time: the hours of 14 days, 90 days
   * and the months of two years.
   */
  readonly #kept = new ByteLimitedCache<KeptSegment>(8_000_000, 500);

  /**
   * Asks `kv` only for what is not remembered, and remembers it for as long as KV may, see `cacheTtl`. A failure is not
   * remembered. Nobody waits for what another request has asked: on this platform that ends with the other request.
   */
  over(kv: KvReader, now: () => number): KvReader {
    return {
      getWithMetadata: async (key, options) => {
        const nowMs = now();
        const known = this.#kept.get(key);
        // A clock that was set back makes nothing last longer.
        if (known && Math.abs(nowMs - known.readMs) < known.lastsMs) return known.stored;
        const stored = await kv.getWithMetadata(key, options);
        const lastsMs = stored.value === null ? ABSENT_MS : options.cacheTtl * 1000;
        this.#kept.set(key, { stored, readMs: nowMs, lastsMs }, stored.value?.byteLength ?? 0);
        return stored;
      },
    };
  }
}

export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ArrayBuffer;
}

export class AnswerMemory {
  readonly #answers = new ByteLimitedCache<KeptAnswer>(4_000_000, 64);
  #of: StoredPublication | null = null;

  find(publication: StoredPublication, key: string): KeptAnswer | null {
    if (this.#of !== publication) this.#answers.clear();
    this.#of = publication;
    return this.#answers.get(key) ?? null;
  }

  /** One that was begun before the newest publication is too late. */
  keep(publication: StoredPublication, key: string, answer: KeptAnswer): void {
    if (this.#of === publication) this.#answers.set(key, answer, answer.body.byteLength);
  }
}
