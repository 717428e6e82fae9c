/**
 * The snapshot that an isolate read last, and what was parsed of it, for two seconds: a read of KV counts against the
 * account's plan, and to parse costs more than all else of an answer. What could not be read is asked for anew.
 */
import type { StatusDocument } from "../history/documents.ts";
import { type KvReader, type Read, readSnapshot, type StoredSnapshot } from "../history/reader.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
import { AnswerMemory } from "./answer-memory.ts";
import { SegmentMemory } from "./segment-memory.ts";

/** Below what KV itself keeps an answer for. */
const KEPT_MS = 2000;

export class SnapshotMemory {
  readonly statuses = new WeakMap<StoredSnapshot, StatusDocument>();
  readonly tails = new WeakMap<StoredSnapshot, SnapshotTail>();
  readonly answers = new AnswerMemory();
  readonly segments = new SegmentMemory();
  #newest: { readonly snapshot: StoredSnapshot; readonly readMs: number; readonly turn: number } | null =
    null;
  #turns = 0;

  async read(kv: KvReader, shard: number, now: () => number): Promise<Read<StoredSnapshot>> {
    const readMs = now();
    const kept = this.#kept(readMs);
    if (kept) return { ok: true, value: kept };
    const turn = (this.#turns += 1);
    const read = await readSnapshot(kv, shard);
    // One that was asked for later may have come earlier.
    const isNewest = turn > (this.#newest?.turn ?? 0);
    if (!read.ok || !isNewest) return read;
    // What was made of a publication is as good as it is when it is read again.
    const before = this.#newest?.snapshot;
    const snapshot = before && isSame(before, read.value) ? before : read.value;
    this.#newest = { snapshot, readMs, turn };
    return { ok: true, value: snapshot };
  }

  /** A clock that was set back makes nothing last longer. */
  #kept(nowMs: number): StoredSnapshot | null {
    if (this.#newest === null) return null;
    const ageMs = nowMs - this.#newest.readMs;
    return ageMs >= 0 && ageMs < KEPT_MS ? this.#newest.snapshot : null;
  }
}

/** What has the same digests has the same bytes. */
function isSame({ metadata: a }: StoredSnapshot, { metadata: b }: StoredSnapshot): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
