/**
 * The part of history that the snapshot itself has: what is in no settled segment yet. Also the course of every monitor's last
 * day, and the changes of its models.
 */
import { addDays, type Calendar, daysBetween, HOUR_MS, hourStart } from "../../domain/calendar.ts";
import { courseStart, rollUp, type Rollup } from "../../domain/rollup.ts";
import type { Incident } from "../../domain/incident.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import { type CourseColumns, packCourse } from "../../history/course.ts";
import { NEWEST_INCIDENTS } from "../../history/incident-archive.ts";
import { monthOf, periodEnd, SEGMENT_LIFE_MS, type Period, type SegmentKind } from "../../history/keys.ts";
import { packEach, packRollups, packSamples } from "../../history/segment.ts";
import type { SnapshotTail } from "../../history/snapshot.ts";
import type { Config } from "../../config/config.ts";
import { isSettled, unsettledFromMs, type Archive, type RollupRow } from "../history/archive.ts";
import type { LedgerState } from "../state/state.ts";
import { byMonitor } from "../history/compaction.ts";

/** A segment that KV will drop within this time is no longer named. */
const LEAVING_MS = HOUR_MS;

/** The names of the segments that readers may rely on. */
export function readableSegments(archive: Archive, nowMs: number): SnapshotTail["segments"] {
  const names: Record<SegmentKind, Period[]> = { hour: [], day: [], month: [] };
  for (const segment of archive.segments.values()) {
    const { kind, period } = segment;
    const leavesMs = periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] - LEAVING_MS;
    if (isSettled(segment, nowMs) && nowMs < leavesMs) names[kind].push(period);
  }
  for (const periods of Object.values(names)) periods.sort();
  return names;
}

export function livePart(archive: Archive, nowMs: number, calendar: Calendar): SnapshotTail["live"] {
  const hours = [...archive.hourRollups.values(), ...openHours(archive, nowMs)];
  const unsettled = [...archive.dayRollups].filter(
    ([day]) => !isSettled(archive.segments.get(`month/${monthOf(day)}`), nowMs),
  );
  const days = [...unsettled, ...openDays(archive, nowMs, calendar)].map(([, row]) => row);
  const samples = archive.recent.between(unsettledFromMs(archive, nowMs), Number.MAX_SAFE_INTEGER);
  return {
    samples: Object.fromEntries(packEach(samples, packSamples)),
    hours: Object.fromEntries(packEach(byMonitor(hours), packRollups)),
    days: Object.fromEntries(packEach(byMonitor(days), packRollups)),
  };
}

/** The course of each monitor in the last 24 hours, and the changes of its list of models. */
export function lastDay(
  { gateways }: Config,
  archive: Archive,
  { monitors }: LedgerState,
  nowMs: number,
): Pick<SnapshotTail, "halfHours" | "modelNotes"> {
  const courses: Record<string, CourseColumns> = {};
  const modelNotes: Record<string, readonly ModelNote[]> = {};
  for (const gateway of gateways) {
    const isHealthOnly = gateway.publish === "health";
    for (const { id } of gateway.monitors) {
      courses[id] = packCourse(archive.recent.course(id, nowMs), isHealthOnly);
      const notes = monitors[id]?.modelNotes ?? [];
      if (notes.length > 0 && !isHealthOnly) modelNotes[id] = notes;
    }
  }
  return { halfHours: { fromMs: courseStart(nowMs), byMonitor: courses }, modelNotes };
}

/** The open ones, the newest resolved ones, and those that are in no segment yet; newest first. */
export function shownIncidents(open: readonly Incident[], archive: Archive, nowMs: number): Incident[] {
  const unsettledMs = unsettledFromMs(archive, nowMs);
  const resolved = [...archive.resolved].sort((a, b) => (b.resolvedAtMs ?? 0) - (a.resolvedAtMs ?? 0));
  const shown = resolved.filter(
    ({ resolvedAtMs }, index) => index < NEWEST_INCIDENTS || (resolvedAtMs ?? 0) >= unsettledMs,
  );
  return [...open, ...shown].sort((a, b) => b.openedAtMs - a.openedAtMs);
}

/** Roll-ups of the hours that are still open. */
function openHours(archive: Archive, nowMs: number): RollupRow[] {
  const rows: RollupRow[] = [];
  const fromMs = archive.through?.hoursMs ?? hourStart(nowMs);
  for (let hourMs = fromMs; hourMs <= nowMs; hourMs += HOUR_MS) {
    rows.push(rolledUp(archive, hourMs, hourMs + HOUR_MS));
  }
  return rows;
}

/** Roll-ups of the days of the time zone that are still open: today, and yesterday until its last hour is closed. */
export function openDays(
  archive: Archive,
  nowMs: number,
  calendar: Calendar,
): (readonly [day: string, row: RollupRow])[] {
  const last = archive.through?.day;
  const today = calendar.dayOf(nowMs);
  const first = last === undefined || last === "" ? addDays(today, -1) : addDays(last, 1);
  return daysBetween(first, today).map((day) => {
    const toMs = calendar.startOfDay(addDays(day, 1));
    return [day, rolledUp(archive, calendar.startOfDay(day), toMs)] as const;
  });
}

function rolledUp(archive: Archive, fromMs: number, toMs: number): Map<string, Rollup> {
  const samples = archive.recent.between(fromMs, toMs);
  return new Map([...samples].map(([id, of]) => [id, rollUp(fromMs, of)]));
}
