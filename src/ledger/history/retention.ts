/**
 * What the Ledger may forget: only what KV has had long enough for every reader to see it, and what nothing here is
 * computed from any more; and what a clock that ran ahead made of a time that is still to come.
 */
import { addDays, type Calendar, HOUR_MS, hourStart } from "../../domain/calendar.ts";
import { NEWEST_INCIDENTS } from "../../history/incident-archive.ts";
import { dayPeriod, hourPeriod, monthOf, periodEnd, SEGMENT_LIFE_MS } from "../../history/keys.ts";
import { RECENT_MS, isSettled, resolvedMsOf, unsettledFromMs, type Archive } from "./archive.ts";

/** Days whose roll-ups the status shows, and some to spare. */
const DAYS_KEPT = 93;

/** To delete a row costs as much as to write one: a day's worth is forgotten in small steps. */
const ROWS_AT_ONCE = 2;

/** Forgets some of what may go; true while there may be more. */
export function forget(archive: Archive, nowMs: number, calendar: Calendar): boolean {
  const { through } = archive;
  if (through === null) return false;
  const rolledMs = through.day === "" ? 0 : calendar.startOfDay(addDays(through.day, 1));
  // Whole hours: an hour that is here is here with all its samples.
  const neededMs = hourStart(Math.min(nowMs - RECENT_MS, rolledMs));
  const untilMs = nowMs + HOUR_MS;
  const today = calendar.dayOf(nowMs);
  archive.recent.keep(neededMs, untilMs);
  let left = ROWS_AT_ONCE - archive.tables.dropBatches(through.hoursMs, untilMs, ROWS_AT_ONCE);
  left -= forgetSegments(archive, nowMs, { neededMs, today }, left);
  left -= forgetHourRollups(archive, nowMs, through.utcDaysMs, left);
  left -= forgetDayRollups(archive, today, nowMs, left);
  left -= forgetResolved(archive, nowMs, calendar, left);
  return left <= 0;
}

/** Each of these forgets `most` rows at most and returns how many. */
function forgetSegments(
  archive: Archive,
  nowMs: number,
  { neededMs, today }: { readonly neededMs: number; readonly today: string },
  most: number,
): number {
  const present = { hour: hourPeriod(nowMs), day: dayPeriod(nowMs), month: monthOf(today) };
  let forgotten = 0;
  for (const [name, segment] of archive.segments) {
    if (forgotten >= most) break;
    const { kind, period } = segment;
    const endMs = periodEnd(kind, period);
    if (endMs + SEGMENT_LIFE_MS[kind] <= nowMs || period >= present[kind]) {
      archive.tables.dropSegment(name);
      archive.segments.delete(name);
      forgotten += 1;
    } else if (segment.kept && segment.storedMs !== null && (kind !== "hour" || endMs <= neededMs)) {
      archive.tables.emptySegment(name);
      archive.segments.set(name, { ...segment, kept: false });
      forgotten += 1;
    }
  }
  return forgotten;
}

/** Hourly roll-ups serve readers until their day's segment has settled. */
function forgetHourRollups(archive: Archive, nowMs: number, utcDaysMs: number, most: number): number {
  const waiting = [...archive.hourRollups.keys()].filter((hour) => {
    const day = hour.slice(0, 10);
    return day >= dayPeriod(utcDaysMs) || isOnItsWay(archive, `day/${day}`, nowMs);
  });
  const fromHour = waiting.sort()[0] ?? dayPeriod(utcDaysMs);
  return dropOutside(archive, "hour", [fromHour, hourPeriod(nowMs)], most);
}

function forgetDayRollups(archive: Archive, today: string, nowMs: number, most: number): number {
  const openMonth = monthOf(addDays(archive.through?.day || today, 1));
  const waiting = [...archive.dayRollups.keys()].filter(
    (day) => monthOf(day) >= openMonth || isOnItsWay(archive, `month/${monthOf(day)}`, nowMs),
  );
  const oldest = addDays(today, -DAYS_KEPT);
  return dropOutside(archive, "day", [[oldest, ...waiting].sort()[0] ?? oldest, today], most);
}

/** Of a period that is closed and has no segment any more, KV has dropped it: nobody waits for it. */
function isOnItsWay(archive: Archive, name: string, nowMs: number): boolean {
  const segment = archive.segments.get(name);
  return segment !== undefined && !isSettled(segment, nowMs);
}

/** @param kept the first period that is needed, and the present one. */
function dropOutside(
  archive: Archive,
  kind: "hour" | "day",
  [first, present]: readonly [string, string],
  most: number,
): number {
  const rows = kind === "hour" ? archive.hourRollups : archive.dayRollups;
  const outside = [...rows.keys()].filter((period) => period < first || period >= present);
  const old = outside.slice(0, Math.max(0, most));
  for (const period of old) {
    archive.tables.dropRollup(`${kind}/${period}`);
    rows.delete(period);
  }
  return old.length;
}

/**
 * In memory stay the newest resolved incidents and those that may be in no readable segment; in the tables also those
 * whose month has not settled.
 */
function forgetResolved(archive: Archive, nowMs: number, calendar: Calendar, most: number): number {
  const unsettledMs = unsettledFromMs(archive, nowMs);
  const newest = archive.resolved.sort((a, b) => resolvedMsOf(b) - resolvedMsOf(a));
  const kept = newest.filter((of, index) => index < NEWEST_INCIDENTS || resolvedMsOf(of) >= unsettledMs);
  archive.resolved.splice(0, archive.resolved.length, ...kept);
  const oldestMs = kept.length < NEWEST_INCIDENTS ? 0 : Math.min(...kept.map(resolvedMsOf));
  const beforeMs = Math.min(oldestMs, openMonthMs(archive, nowMs, calendar));
  return most <= 0 ? 0 : archive.tables.dropResolved(beforeMs, most);
}

/** Where the first month begins that no settled segment holds. */
function openMonthMs(archive: Archive, nowMs: number, calendar: Calendar): number {
  const nextDay = addDays(archive.through?.day || calendar.dayOf(nowMs), 1);
  const months = [monthOf(nextDay)];
  for (const segment of archive.segments.values()) {
    if (segment.kind === "month" && !isSettled(segment, nowMs)) months.push(segment.period);
  }
  return Math.min(...months.map((month) => calendar.startOfDay(`${month}-01`)));
}
