/** KV in virtual time, as bad as the real one: readers see a write a minute late, writes fail by chance or quota, values expire. */
import type { KvReader } from "../../src/history/reader.ts";
import type { Random } from "../fixtures/random.ts";

interface Version {
  readonly atMs: number;
  readonly value: Uint8Array<ArrayBuffer>;
  readonly metadata: unknown;
  readonly expiresMs: number;
}

export interface KvWeather {
  /** Of writes that fail. */
  readonly failing: number;
  /** Writes a day; then none until midnight. */
  readonly quota: number;
}

/** Readers see a write so much later. */
export const LATE_MS = 60_000;
const DAY_MS = 86_400_000;

export class EventualKv implements KvReader {
  weather: KvWeather = { failing: 0, quota: Number.POSITIVE_INFINITY };
  readonly #now: () => number;
  readonly #random: Random;
  /** The newest, and the one before it. */
  readonly #versions = new Map<string, readonly Version[]>();
  #day = 0;
  #writes = 0;

  constructor(now: () => number, random: Random) {
    this.#now = now;
    this.#random = random;
  }

  async put(
    key: string,
    value: Uint8Array<ArrayBuffer>,
    { metadata, expiration }: { metadata?: unknown; expiration?: number },
  ): Promise<void> {
    const nowMs = this.#now();
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) [this.#day, this.#writes] = [day, 0];
    this.#writes += 1;
    if (this.#writes > this.weather.quota) throw new Error("KV PUT failed: 429 Too Many Requests");
    if (this.#random.happens(this.weather.failing)) throw new Error("KV PUT failed: 500");
    const expiresMs = expiration === undefined ? Number.POSITIVE_INFINITY : expiration * 1000;
    const before = this.#versions.get(key)?.[0];
    const fresh = { atMs: nowMs, value: value.slice(), metadata: structuredClone(metadata), expiresMs };
    this.#versions.set(key, before ? [fresh, before] : [fresh]);
  }

  async getWithMetadata(key: string): Promise<{ value: ArrayBuffer | null; metadata: unknown }> {
    const nowMs = this.#now();
    const seen = this.#versions.get(key)?.find(({ atMs }) => atMs + LATE_MS <= nowMs);
    if (!seen || seen.expiresMs <= nowMs) return { value: null, metadata: null };
    return { value: seen.value.slice().buffer, metadata: seen.metadata };
  }

  /** Drops what has expired. @returns how many keys are left, and their bytes. */
  sweep(): { readonly keys: number; readonly bytes: number } {
    let bytes = 0;
    for (const [key, [newest]] of this.#versions) {
      if (newest === undefined || newest.expiresMs <= this.#now()) this.#versions.delete(key);
      else bytes += newest.value.length;
    }
    return { keys: this.#versions.size, bytes };
  }
}
