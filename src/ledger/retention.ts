/**
 * What the Ledger may forget: only what KV has had long enough for every reader to see it, and what nothing here is
 * computed from any more.
 */
import { addDays, type Calendar, hourStart, MINUTE_MS } from "../domain/calendar.ts";
import { NEWEST_INCIDENTS } from "../history/incident-archive.ts";
import {
  dayPeriod,
  monthOf,
  periodEnd,
  type Period,
  SEGMENT_LIFE_MS,
  type SegmentKind,
} from "../history/keys.ts";
import type { Archive, SegmentState } from "./archive.ts";
import { RECENT_MS } from "./recent.ts";

/** KV shows a new key everywhere after a minute or more: until then readers find its contents in the snapshot. */
const SETTLING_MS = 15 * MINUTE_MS;

/** Days whose roll-ups the status shows, and some to spare. */
const DAYS_KEPT = 93;

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

export function forget(archive: Archive, nowMs: number, calendar: Calendar): void {
  const { through } = archive;
  if (through === null) return;
  const rolledMs = through.day === "" ? 0 : calendar.startOfDay(addDays(through.day, 1));
  // Whole hours: an hour that is here is here with all its samples.
  const neededMs = hourStart(Math.min(nowMs - RECENT_MS, rolledMs));
  forgetSegments(archive, nowMs, neededMs);
  archive.recent.dropBefore(neededMs);
  forgetHourRollups(archive, nowMs, through.utcDaysMs);
  forgetDayRollups(archive, calendar.dayOf(nowMs), nowMs);
  forgetResolved(archive, nowMs, calendar);
}

function forgetSegments(archive: Archive, nowMs: number, neededMs: number): void {
  for (const [name, segment] of archive.segments) {
    const { kind, period } = namedSegment(name);
    const endMs = periodEnd(kind, period);
    if (endMs + SEGMENT_LIFE_MS[kind] <= nowMs) {
      archive.tables.dropSegment(name);
      archive.segments.delete(name);
    } else if (segment.kept && segment.storedMs !== null && (kind !== "hour" || endMs <= neededMs)) {
      archive.tables.emptySegment(name);
      archive.segments.set(name, { ...segment, kept: false });
    }
  }
}

/** Hourly roll-ups serve readers until their day's segment has settled. */
function forgetHourRollups(archive: Archive, nowMs: number, utcDaysMs: number): void {
  const waiting = [...archive.hourRollups.keys()].filter((hour) => {
    const day = hour.slice(0, 10);
    return day >= dayPeriod(utcDaysMs) || !isSettled(archive.segments.get(segmentName("day", day)), nowMs);
  });
  const firstNeeded = waiting.sort()[0] ?? dayPeriod(utcDaysMs);
  if (!dropOlder(archive.hourRollups, firstNeeded)) return;
  archive.tables.dropRollups("hour", firstNeeded);
}

function forgetDayRollups(archive: Archive, today: string, nowMs: number): void {
  const waiting = [...archive.dayRollups.keys()].filter(
    (day) => !isSettled(archive.segments.get(segmentName("month", monthOf(day))), nowMs),
  );
  const firstNeeded = [addDays(today, -DAYS_KEPT), ...waiting].sort()[0];
  if (firstNeeded === undefined || !dropOlder(archive.dayRollups, firstNeeded)) return;
  archive.tables.dropRollups("day", firstNeeded);
}

function dropOlder(rows: Map<string, unknown>, firstNeeded: string): boolean {
  const old = [...rows.keys()].filter((period) => period < firstNeeded);
  for (const period of old) rows.delete(period);
  return old.length > 0;
}

/** Resolved incidents stay while they are among the newest, or their month's segment has not settled. */
function forgetResolved(archive: Archive, nowMs: number, calendar: Calendar): void {
  const newest = archive.resolved.map(({ resolvedAtMs }) => resolvedAtMs ?? nowMs).sort((a, b) => b - a);
  const oldestOfNewestMs = newest[NEWEST_INCIDENTS - 1];
  if (oldestOfNewestMs === undefined) return;
  const waiting = archive.resolved.flatMap(({ resolvedAtMs }) => {
    const month = monthOf(calendar.dayOf(resolvedAtMs ?? nowMs));
    return isSettled(archive.segments.get(segmentName("month", month)), nowMs) ? [] : [resolvedAtMs ?? nowMs];
  });
  const beforeMs = Math.min(oldestOfNewestMs, ...waiting);
  const kept = archive.resolved.filter(({ resolvedAtMs }) => (resolvedAtMs ?? nowMs) >= beforeMs);
  if (kept.length === archive.resolved.length) return;
  archive.tables.dropResolved(beforeMs);
  archive.resolved.splice(0, archive.resolved.length, ...kept);
}
