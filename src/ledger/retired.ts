/**
 * Ledgers of shards that are used no more: shard 0 looks after them, as they have no ticks, and readers read what they published
 * for as long as anything of it may be wanted.
 */
import { HOUR_MS } from "../domain/calendar.ts";
import { periodEnd, SEGMENT_LIFE_MS } from "../history/keys.ts";
import { resolvedMsOf } from "./archive.ts";
import type { LedgerMemory } from "./memory.ts";
import { namedSegment } from "./settled.ts";

/** They are called so often, and publish as often, whatever is new: what is damaged in KV is written anew by that. */
export const VISITED_EVERY_MS = HOUR_MS;

/** Which of them were called since this object started. */
export class Visits {
  readonly #atMs = new Map<number, number>();
  readonly #spent = new Set<number>();

  isDue(shard: number, nowMs: number): boolean {
    const agoMs = nowMs - (this.#atMs.get(shard) ?? -Infinity);
    return agoMs >= VISITED_EVERY_MS || agoMs < 0;
  }

  note(shard: number, isSpent: boolean, nowMs: number): void {
    this.#atMs.set(shard, nowMs);
    if (isSpent) this.#spent.add(shard);
    else this.#spent.delete(shard);
  }

  /** It is to be called with the next tick. */
  forget(shard: number): void {
    this.#atMs.delete(shard);
    this.#spent.delete(shard);
  }

  /** How many shards may still hold something, of so many that did. @param used how many are configured. */
  holding(most: number, used: number): number {
    let count = most;
    while (count > used && this.#spent.has(count - 1)) count -= 1;
    return count;
  }
}

/** Nothing is left in it, nor in KV of it, that anybody may ask for. */
export function holdsNothing({ state, archive, outbox, quarantine }: LedgerMemory, nowMs: number): boolean {
  const { monitors, canaries, incidents, moves } = state;
  const lives = [...archive.segments.keys()].map((name) => {
    const { kind, period } = namedSegment(name);
    return periodEnd(kind, period) + SEGMENT_LIFE_MS[kind];
  });
  const ends = archive.resolved.map((incident) => resolvedMsOf(incident) + SEGMENT_LIFE_MS.month);
  return (
    [monitors, canaries, incidents].every((of) => Object.keys(of).length === 0) &&
    moves.given.length + moves.taken.length + moves.behind.length === 0 &&
    archive.recent.series().length === 0 &&
    [...lives, ...ends].every((ms) => ms <= nowMs) &&
    outbox.statuses(nowMs).every(({ waiting, undelivered }) => waiting === null && undelivered === 0) &&
    quarantine.count() === 0
  );
}
