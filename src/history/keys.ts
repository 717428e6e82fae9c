/** Names of everything in KV, and how long it is kept. Nothing reads a key that the snapshot does not name. Pure. */
import { DAY_MS, HOUR_MS, MINUTE_MS, instant } from "../domain/calendar.ts";

/** The layout of stored values; another number is another set of keys. */
export const STORAGE_VERSION = 1;

/**
 * The layout of the Ledger's tables and of the documents in them. Code that finds a newer layout does not touch it. A new word in
 * a stored list (such as a cause) is a new layout too: older code would take it for damage.
 * 1: there was one Ledger. 2: there may be several, and gateways move from one to another.
 */
export const LEDGER_VERSION = 2;

const PREFIX = `v${STORAGE_VERSION}`;

export function snapshotKey(shard: number): string {
  return `${PREFIX}/${shard}/snapshot`;
}

export const SEGMENT_KINDS = ["hour", "day", "month"] as const;
/** `hour`: samples of an hour of UTC. `day`: hourly roll-ups of a day of UTC. `month`: daily ones of a month of the configured zone. */
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

/** How long a segment stays readable, in milliseconds from the end of its period. */
export const SEGMENT_LIFE_MS = {
  hour: 14 * DAY_MS,
  day: 90 * DAY_MS,
  month: 731 * DAY_MS,
} as const satisfies Record<SegmentKind, number>;

/** `2026-11-21T09`, `2026-11-21` or `2026-11`. */
export type Period = string;

export function segmentKey(shard: number, kind: SegmentKind, period: Period): string {
  return `${PREFIX}/${shard}/${kind}/${period}`;
}

export function hourPeriod(atMs: number): Period {
  return instant(atMs).slice(0, 13);
}

export function dayPeriod(atMs: number): Period {
  return instant(atMs).slice(0, 10);
}

export function monthOf(day: string): Period {
  return day.slice(0, 7);
}

export function hourPeriodStart(period: Period): number {
  return Date.parse(`${period}:00:00Z`);
}

export function dayPeriodStart(period: Period): number {
  return Date.parse(`${period}T00:00:00Z`);
}

/** The end of the segment's period. For a month up to a day late, because its time zone is not known here. */
export function periodEnd(kind: SegmentKind, period: Period): number {
  switch (kind) {
    case "hour":
      return hourPeriodStart(period) + HOUR_MS;
    case "day":
      return dayPeriodStart(period) + DAY_MS;
    case "month": {
      const [year = 0, month = 0] = period.split("-").map(Number);
      return Date.UTC(year, month, 1) + DAY_MS;
    }
  }
}

/** KV refuses to expire a key within a minute. */
const SHORTEST_LIFE_MS = 2 * MINUTE_MS;

/** When KV deletes the segment, in seconds since 1970. */
export function segmentExpiration(kind: SegmentKind, period: Period, nowMs: number): number {
  const endMs = periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] + DAY_MS;
  return Math.floor(Math.max(endMs, nowMs + SHORTEST_LIFE_MS) / 1000);
}
