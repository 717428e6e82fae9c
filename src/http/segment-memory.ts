/**
 * Segments of history that an isolate has read, for whoever asks for them next: a read counts against the account's plan,
 * one question may cost dozens of them, and what is in a segment hardly ever changes. Least lately used ones make room.
 */
import type { KvReader } from "../history/reader.ts";

type Stored = Awaited<ReturnType<KvReader["getWithMetadata"]>>;

interface Kept {
  readonly stored: Stored;
  readonly readMs: number;
  readonly lastsMs: number;
}

/** In an isolate of 128 MB; as they are stored, packed. */
const MOST_BYTES = 8_000_000;
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
    if (bytesOf(kept) > MOST_BYTES) return;
    this.#kept.set(key, kept);
    this.#bytes += bytesOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES && this.#kept.size <= MOST_SEGMENTS) return;
      this.#take(oldest);
    }
  }
}

function bytesOf({ stored }: Kept): number {
  return stored.value?.byteLength ?? 0;
}

/** A clock that was set back makes nothing last longer. */
function isFresh({ readMs, lastsMs }: Kept, nowMs: number): boolean {
  const ageMs = nowMs - readMs;
  return ageMs >= 0 && ageMs < lastsMs;
}
