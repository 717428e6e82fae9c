/**
 * Which segments readers may rely on: KV shows a new key everywhere after a minute or more, and remembers misses. Until
 * then the snapshot itself bears what is in them. Pure.
 */
import { addDays, MINUTE_MS } from "../domain/calendar.ts";
import { dayPeriod, hourPeriodStart, monthOf, type Period, type SegmentKind } from "../history/keys.ts";
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

/**
 * Whether readers find what is of that period in segments: in the Ledger's own one, and in those of shards that had a gateway
 * before. A period that was closed before anything of it came here has none, and is theirs.
 */
export function isReadable(archive: SettledView, name: string, nowMs: number): boolean {
  const own = archive.segments.get(name);
  const known = [...(own ? [own] : []), ...archive.abroad.flatMap((segments) => segments.get(name) ?? [])];
  return known.length > 0
    ? known.every((segment) => isSettled(segment, nowMs))
    : isClosed(archive.through, name);
}

function isClosed(through: Through | null, name: string): boolean {
  const { kind, period } = namedSegment(name);
  if (through === null || kind === "hour") return false;
  return kind === "day"
    ? period < dayPeriod(through.utcDaysMs)
    : through.day !== "" && period < monthOf(addDays(through.day, 1));
}

/** From this instant on, samples and resolved incidents may be in no segment that readers may rely on. */
export function unsettledFromMs(archive: SettledView, nowMs: number): number {
  let fromMs = archive.through?.hoursMs ?? 0;
  for (const segments of [archive.segments, ...archive.abroad]) {
    for (const [name, segment] of segments) {
      const { kind, period } = namedSegment(name);
      if (kind === "hour" && !isSettled(segment, nowMs)) fromMs = Math.min(fromMs, hourPeriodStart(period));
    }
  }
  return fromMs;
}

interface SettledView {
  readonly through: Through | null;
  readonly segments: ReadonlyMap<string, SegmentState>;
  /** Those of other shards, where gateways of this one were before. */
  readonly abroad: readonly ReadonlyMap<string, SegmentState>[];
}
