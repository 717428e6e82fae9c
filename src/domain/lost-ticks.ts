/** Ticks of shards that never came to anything: their message failed until the queue gave up. Pure. */
import { DAY_MS } from "./calendar.ts";
import type { ShardTick } from "./tick.ts";

/** Those of the last day, so many at most: who loses more needs no longer list. */
const MOST_LOST = 100;

/** Whoever tells twice of one tells nothing new. */
export function addLost(
  lost: readonly ShardTick[],
  { shard, tickMs }: ShardTick,
  nowMs: number,
): readonly ShardTick[] {
  if (lost.some((known) => known.shard === shard && known.tickMs === tickMs)) return lost;
  const all = [...lost, { shard, tickMs }].toSorted((a, b) => b.tickMs - a.tickMs || a.shard - b.shard);
  return keptLost(all, nowMs).slice(0, MOST_LOST);
}

/** Newest first. The same list where none is too old. */
export function keptLost(lost: readonly ShardTick[], nowMs: number): readonly ShardTick[] {
  return lost.every((tick) => isRecent(tick, nowMs)) ? lost : lost.filter((tick) => isRecent(tick, nowMs));
}

function isRecent({ tickMs }: ShardTick, nowMs: number): boolean {
  return tickMs > nowMs - DAY_MS;
}
