/**
 * From the Ledger to KV, in order and one write at a time: first the segments that wait, then the snapshot that names
 * them. A write that fails is tried again later; nothing is lost by it.
 */
import type { PublishingPace } from "../config/publishing-pace.ts";
import { DAY_MS, instant, MINUTE_MS } from "../domain/calendar.ts";
import { periodEnd, SEGMENT_LIFE_MS, segmentKey, snapshotKey } from "../history/keys.ts";
import { compress } from "../history/packing.ts";
import type { SnapshotValue } from "../history/snapshot.ts";
import { namedSegment } from "./settled.ts";
import type { Journal } from "./state.ts";

/** What the Ledger needs of a KV namespace. */
export interface KvWriter {
  put(
    key: string,
    value: Uint8Array<ArrayBuffer>,
    options: { expiration?: number; metadata?: unknown },
  ): Promise<void>;
}

/** News are not published more often than this. */
export const URGENT_INTERVAL_MS = 5000;

/** When the next snapshot is due, given what was published before. */
export function nextPublishMs(
  { lastMs, urgent, immediate, day }: Journal["publishing"],
  nowMs: number,
  pace: PublishingPace,
): number {
  if (lastMs > nowMs) return nowMs;
  const usedToday = day === dayOf(nowMs) ? immediate : 0;
  const usualMs = usualPublishMs(lastMs, pace);
  return urgent && usedToday < pace.urgentADay ? Math.min(lastMs + URGENT_INTERVAL_MS, usualMs) : usualMs;
}

/**
 * Counted from the minute in which it was last: a tick whose answers come a little sooner than those of the last one does not
 * leave it to the next.
 */
function usualPublishMs(lastMs: number, { usualMs }: PublishingPace): number {
  return Math.floor(lastMs / MINUTE_MS) * MINUTE_MS + usualMs;
}

/**
 * A publish that begins. It is noted before KV has it, so that a tick's results and the note are one write: news of an
 * object that dies just then come with the next usual snapshot.
 */
export function beginPublish(
  before: Journal["publishing"],
  nowMs: number,
  pace: PublishingPace,
): Journal["publishing"] {
  const sameDay = before.day === dayOf(nowMs);
  const early = nowMs < usualPublishMs(before.lastMs, pace);
  return {
    sequence: before.sequence + 1,
    lastMs: nowMs,
    day: dayOf(nowMs),
    immediate: (sameDay ? before.immediate : 0) + (early ? 1 : 0),
    urgent: false,
  };
}

function dayOf(nowMs: number): string {
  return instant(nowMs).slice(0, 10);
}

export async function writeSnapshot(
  kv: KvWriter,
  shard: number,
  { bytes, metadata }: SnapshotValue,
): Promise<void> {
  await kv.put(snapshotKey(shard), bytes, { metadata });
}

/** KV refuses an expiry closer than a minute. */
const SHORTEST_LIFE_MS = 2 * MINUTE_MS;

export async function writeSegment(
  kv: KvWriter,
  shard: number,
  name: string,
  body: Uint8Array<ArrayBuffer>,
  nowMs: number,
): Promise<void> {
  const { kind, period } = namedSegment(name);
  const expiresMs = Math.max(
    periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] + DAY_MS,
    nowMs + SHORTEST_LIFE_MS,
  );
  await kv.put(segmentKey(shard, kind, period), await compress(body), {
    expiration: Math.floor(expiresMs / 1000),
  });
}
