/**
 * Which segments readers may rely on: KV shows a new key everywhere after a minute or more, and remembers misses. Until
 * then the snapshot itself bears what is in them. Pure.
 */
import { HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";
import {
  hourPeriodStart,
  type Period,
  periodEnd,
  SEGMENT_LIFE_MS,
  type SegmentKind,
} from "../history/keys.ts";
import type { SegmentState, Through } from "./archive.ts";

export const SETTLING_MS = 15 * MINUTE_MS;

export function isSettled(segment: SegmentState | undefined, nowMs: number): boolean {
  return segment !== undefined && segment.storedMs !== null && nowMs - segment.storedMs >= SETTLING_MS;
}

export function segmentName(kind: SegmentKind, period: Period): string {
  return `${kind}/${period}`;
}

export function namedSegment(name: string): { kind: SegmentKind; period: Period } {
  const [kind, period = ""] = name.split("/");
  return { kind: kind === "hour" || kind === "day" ? kind : "month", period };
}

/** From this instant on, samples and resolved incidents may be in no segment that readers may rely on. */
export function unsettledFromMs(archive: SettledView, nowMs: number): number {
  let fromMs = archive.through?.hoursMs ?? 0;
  for (const [name, segment] of archive.segments) {
    const { kind, period } = namedSegment(name);
    if (kind === "hour" && !isSettled(segment, nowMs)) fromMs = Math.min(fromMs, hourPeriodStart(period));
  }
  return fromMs;
}

/** A segment that KV is about to drop is not promised to readers any more. */
const LEAVING_MS = HOUR_MS;

export function leavesMs(kind: SegmentKind, period: Period): number {
  return periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] - LEAVING_MS;
}

interface SettledView {
  readonly through: Through | null;
  readonly segments: ReadonlyMap<string, SegmentState>;
}
