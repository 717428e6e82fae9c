/**
 * What the Ledger may forget: only what KV has had long enough for every reader to see it, and what nothing here is
 * computed from any more.
 */
import { addDays, type Calendar, hourStart } from "../domain/calendar.ts";
import { NEWEST_INCIDENTS } from "../history/incident-archive.ts";
import { dayPeriod, monthOf, periodEnd, SEGMENT_LIFE_MS } from "../history/keys.ts";
import { type Archive, resolvedMsOf } from "./archive.ts";
import { RECENT_MS } from "./recent.ts";
import { isSettled, namedSegment, segmentName, unsettledFromMs } from "./settled.ts";

/** Days whose roll-ups the status shows, and some to spare. */
const DAYS_KEPT = 93;

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

/**
 * In memory stay the newest resolved incidents and those that may be in no readable segment; in the tables also those
 * whose month has not settled.
 */
function forgetResolved(archive: Archive, nowMs: number, calendar: Calendar): void {
  const unsettledMs = unsettledFromMs(archive, nowMs);
  const newest = archive.resolved.sort((a, b) => resolvedMsOf(b) - resolvedMsOf(a));
  const kept = newest.filter((of, index) => index < NEWEST_INCIDENTS || resolvedMsOf(of) >= unsettledMs);
  archive.resolved.splice(0, archive.resolved.length, ...kept);
  const oldestMs = kept.length < NEWEST_INCIDENTS ? 0 : Math.min(...kept.map(resolvedMsOf));
  archive.tables.dropResolved(Math.min(oldestMs, openMonthMs(archive, nowMs, calendar)));
}

/** Where the first month begins that no settled segment holds. */
function openMonthMs(archive: Archive, nowMs: number, calendar: Calendar): number {
  const nextDay = addDays(archive.through?.day || calendar.dayOf(nowMs), 1);
  const months = [monthOf(nextDay)];
  for (const [name, segment] of archive.segments) {
    const { kind, period } = namedSegment(name);
    if (kind === "month" && !isSettled(segment, nowMs)) months.push(period);
  }
  return Math.min(...months.map((month) => calendar.startOfDay(`${month}-01`)));
}
