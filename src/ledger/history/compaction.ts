/**
 * Closes hours, days and months of history: samples become segments and roll-ups. One transaction also deletes what is no longer
 * needed, so that a crash leaves either the samples or what they became.
 */
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  addDays,
  calendarOf,
  daysBetween,
  hourStart,
  type Calendar,
} from "../../domain/calendar.ts";
import type { Rollup } from "../../domain/rollup.ts";
import { NEWEST_INCIDENTS } from "../../history/incident-archive.ts";
import type { PublishedIncident } from "../../history/documents.ts";
import {
  SEGMENT_LIFE_MS,
  dayPeriod,
  hourPeriod,
  monthOf,
  periodEnd,
  type Period,
} from "../../history/keys.ts";
import { packEach, packRollups, packSamples, packSegment } from "../../history/segment.ts";
import { isSteady } from "../begin/clock.ts";
import type { LedgerSettings } from "../rpc.ts";
import { publishedIncident, type PublishingContext } from "../publish/incident-document.ts";
import type { LedgerMemory } from "../state/memory.ts";
import type { Journal } from "../state/state.ts";
import { RECENT_MS, resolvedMsOf, type Archive, type RollupRow, type Through } from "./archive.ts";

/** An invocation lives at most 15 minutes, so no result of an hour can come later than this. */
const GRACE_MS = 20 * MINUTE_MS;

interface FlushContext {
  readonly nowMs: number;
  readonly calendar: Calendar;
  readonly publishing: PublishingContext;
}

/** Closes hours, then days of UTC, then days of the configured time zone. @returns whether there was anything to close. */
function flush(archive: Archive, context: FlushContext, isTrusted: boolean): boolean {
  const { through } = archive;
  if (through === null) return false;
  const before = isTrusted ? withoutFuture(through, context) : through;
  const closedMs = hourStart(context.nowMs - GRACE_MS);
  const closers = [closeHours, closeUtcDays, closeLocalDays];
  const after = closers.reduce((done, close) => close(archive, context, done, closedMs), before);
  if (after !== through) archive.setThrough(after);
  return after !== through;
}

/** Reopens future hours, which a clock that ran ahead has closed. */
function withoutFuture(through: Through, { nowMs, calendar }: FlushContext): Through {
  if (through.hoursMs <= nowMs) return through;
  const yesterday = addDays(calendar.dayOf(nowMs), -1);
  return {
    hoursMs: hourStart(nowMs),
    utcDaysMs: Math.min(through.utcDaysMs, Math.floor(nowMs / DAY_MS) * DAY_MS),
    day: through.day < yesterday ? through.day : yesterday,
  };
}

/** Closes everything up to an instant. Returns the same object if there was nothing to do. */
type Step = (archive: Archive, context: FlushContext, through: Through, closedMs: number) => Through;

const closeHours: Step = (archive, context, through, closedMs) => {
  if (closedMs <= through.hoursMs) return through;
  for (let hourMs = through.hoursMs; hourMs < closedMs; hourMs += HOUR_MS) {
    const samples = archive.recent.between(hourMs, hourMs + HOUR_MS);
    const incidents = resolvedIn(archive, context, hourMs, hourMs + HOUR_MS);
    if (samples.size === 0 && incidents.length === 0) continue;
    const period = hourPeriod(hourMs);
    archive.putSegment("hour", period, packSegment({ monitors: packEach(samples, packSamples), incidents }));
    putRollup(archive, "hour", period, archive.recent.rolledUp(hourMs, hourMs + HOUR_MS));
  }
  const day = through.day || addDays(context.calendar.dayOf(through.hoursMs), -1);
  return { ...through, hoursMs: closedMs, day };
};

const closeUtcDays: Step = (archive, context, through, closedMs) => {
  const toMs = Math.floor(closedMs / DAY_MS) * DAY_MS;
  if (toMs <= through.utcDaysMs) return through;
  for (let dayMs = through.utcDaysMs; dayMs < toMs; dayMs += DAY_MS) {
    const period = dayPeriod(dayMs);
    const rows = [...archive.hourRollups].filter(([hour]) => hour.startsWith(period)).map(([, row]) => row);
    const incidents = resolvedIn(archive, context, dayMs, dayMs + DAY_MS);
    if (rows.length === 0 && incidents.length === 0) continue;
    archive.putSegment("day", period, rollupSegment(rows, incidents));
  }
  return { ...through, utcDaysMs: toMs };
};

const closeLocalDays: Step = (archive, context, through, closedMs) => {
  const { calendar } = context;
  let last = through.day;
  while (last !== "") {
    const day = addDays(last, 1);
    const endMs = calendar.startOfDay(addDays(day, 1));
    if (endMs > closedMs) return last === through.day ? through : { ...through, day: last };
    const row = archive.recent.rolledUp(calendar.startOfDay(day), endMs);
    if (row.size > 0) putRollup(archive, "day", day, row);
    if (monthOf(addDays(day, 1)) !== monthOf(day)) closeMonth(archive, context, day);
    last = day;
  }
  return through;
};

function closeMonth(archive: Archive, context: FlushContext, lastDay: string): void {
  const month = monthOf(lastDay);
  const firstDay = `${month}-01`;
  const rows = daysBetween(firstDay, lastDay).flatMap((day) => archive.dayRollups.get(day) ?? []);
  const { calendar } = context;
  const fromMs = calendar.startOfDay(firstDay);
  const incidents = resolvedIn(archive, context, fromMs, calendar.startOfDay(addDays(lastDay, 1)));
  if (rows.length === 0 && incidents.length === 0) return;
  archive.putSegment("month", month, rollupSegment(rows, incidents));
}

/** Only the newest are kept, so that a storm of incidents does not make a segment too large to read. */
const INCIDENTS_A_SEGMENT = 500;

function resolvedIn(archive: Archive, context: FlushContext, fromMs: number, toMs: number) {
  const incidents = archive.resolvedBetween(fromMs, toMs, INCIDENTS_A_SEGMENT);
  return incidents.map((incident) => publishedIncident(incident, context.publishing));
}

export function byMonitor(rows: readonly RollupRow[]): ReadonlyMap<string, readonly Rollup[]> {
  const monitors = Map.groupBy(
    rows.flatMap((row) => [...row]),
    ([monitorId]) => monitorId,
  );
  return new Map(
    [...monitors].map(([id, of]) => [id, of.map(([, rollup]) => rollup).sort((a, b) => a.fromMs - b.fromMs)]),
  );
}

function rollupSegment(rows: readonly RollupRow[], incidents: readonly PublishedIncident[]) {
  return packSegment({ monitors: packEach(byMonitor(rows), packRollups), incidents });
}

function putRollup(archive: Archive, kind: "hour" | "day", period: Period, row: RollupRow): void {
  archive.tables.putRollup(`${kind}/${period}`, rollupSegment([row], []));
  (kind === "hour" ? archive.hourRollups : archive.dayRollups).set(period, row);
}

/** Roll-ups of the days of the time zone that are still open: today, and yesterday until its last hour is closed. */
export function openDays(archive: Archive, nowMs: number, calendar: Calendar) {
  const last = archive.through?.day;
  const today = calendar.dayOf(nowMs);
  const first = last === undefined || last === "" ? addDays(today, -1) : addDays(last, 1);
  return daysBetween(first, today).map((day) => {
    const toMs = calendar.startOfDay(addDays(day, 1));
    return [day, archive.recent.rolledUp(calendar.startOfDay(day), toMs)] as const;
  });
}

/** The days whose roll-ups the status shows, and a few more. A month is closed long before. */
const DAYS_KEPT = 93;
/** A day is closed, and KV has it, before the next one ends. */
const HOURS_KEPT_MS = 2 * DAY_MS;
/** Until their month is closed, and a few days more. */
const RESOLVED_KEPT_MS = 35 * DAY_MS;

/** Deletes what readers see in KV by now and no roll-up needs, and rows about the future, which a clock that ran ahead has left. */
export function forget(archive: Archive, nowMs: number, calendar: Calendar): void {
  const { through } = archive;
  if (through === null) return;
  const rolledMs = through.day === "" ? 0 : calendar.startOfDay(addDays(through.day, 1));
  // Whole hours only: an hour is kept with all its samples, or not at all.
  const neededMs = hourStart(Math.min(nowMs - RECENT_MS, rolledMs));
  const untilMs = nowMs + HOUR_MS;
  const today = calendar.dayOf(nowMs);
  archive.recent.keep(neededMs, untilMs);
  archive.tables.dropBatches(through.hoursMs, untilMs);
  forgetSegments(archive, nowMs, { neededMs, today });
  forgetRollups(archive, "hour", hourPeriod(nowMs - HOURS_KEPT_MS), hourPeriod(nowMs));
  forgetRollups(archive, "day", addDays(today, -DAYS_KEPT), today);
  forgetResolved(archive, nowMs);
}

function forgetSegments(
  archive: Archive,
  nowMs: number,
  { neededMs, today }: { readonly neededMs: number; readonly today: string },
): void {
  const present = { hour: hourPeriod(nowMs), day: dayPeriod(nowMs), month: monthOf(today) };
  for (const [name, segment] of archive.segments) {
    const { kind, period } = segment;
    const endMs = periodEnd(kind, period);
    if (endMs + SEGMENT_LIFE_MS[kind] <= nowMs || period >= present[kind]) {
      archive.dropSegment(name);
    } else if (segment.kept && segment.storedMs !== null && (kind !== "hour" || endMs <= neededMs)) {
      archive.emptySegment(name, segment);
    }
  }
}

/** @param first the first period that is still needed. */
function forgetRollups(archive: Archive, kind: "hour" | "day", first: Period, present: Period): void {
  const rows = kind === "hour" ? archive.hourRollups : archive.dayRollups;
  for (const period of [...rows.keys()].filter((of) => of < first || of >= present)) {
    archive.tables.dropRollup(`${kind}/${period}`);
    rows.delete(period);
  }
}

/** Memory keeps the newest resolved incidents, and those that may not be in a readable segment yet. */
function forgetResolved(archive: Archive, nowMs: number): void {
  const kept = archive.shownResolved(nowMs);
  archive.resolved.splice(0, archive.resolved.length, ...kept);
  const oldestMs = kept.length < NEWEST_INCIDENTS ? 0 : Math.min(...kept.map(resolvedMsOf));
  archive.tables.dropResolved(Math.min(oldestMs, nowMs - RESOLVED_KEPT_MS));
}

type KeeperSettings = Pick<LedgerSettings, "config" | "client" | "tickIntervalMs" | "now">;

/** A step of `maintain`. It throws what the storage throws. While the clock cannot be trusted, it only closes hours before the jump. */
export function historyKeeper(settings: KeeperSettings, memory: LedgerMemory): (journal: Journal) => void {
  const calendar = calendarOf(settings.config.timeZone);
  let tendedTickMs: number | null = null;
  // Looking for something to delete reads the tables.
  let mayForget = true;
  return ({ ticks: [tick], clock }) => {
    if (tick === undefined || tick.tickMs === tendedTickMs) return;
    tendedTickMs = tick.tickMs;
    const presentMs = settings.now();
    const isTrusted = isSteady(clock, presentMs, settings.tickIntervalMs);
    const nowMs = isTrusted ? presentMs : Math.min(presentMs, clock.beforeMs);
    memory.transact(({ archive }) => {
      const isClosed = flush(archive, { nowMs, calendar, publishing: settings }, isTrusted);
      mayForget ||= isClosed;
      if (!isTrusted || !mayForget) return;
      forget(archive, nowMs, calendar);
      mayForget = false;
    });
  };
}
