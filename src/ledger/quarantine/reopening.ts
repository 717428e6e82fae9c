/**
 * What was closed is opened again where its segment was lost before KV had it, and what it is made of is here still: the
 * next flush makes it anew. Belongs into the caller's transaction.
 */
import { addDays, DAY_MS, HOUR_MS } from "../../domain/calendar.ts";
import type { Rollup } from "../../domain/rollup.ts";
import { dayPeriod, dayPeriodStart, hourPeriodStart } from "../../history/keys.ts";
import { unpackSamples, unpackSegment } from "../../history/segment.ts";
import { batchSchema, namedSegment, soundRollups, type Through } from "../history/archive.ts";
import { throughSchema } from "./sound.ts";
import type { Tables } from "../state/tables.ts";

/** Call it once all else is sound. @param lost names of segments. */
export function reopen(tables: Tables, lost: readonly string[]): void {
  const text = tables.document("through");
  if (text === null || lost.length === 0) return;
  const before = throughSchema.parse(JSON.parse(text));
  const after = lost.reduce((through, name) => reopened(through, name, tables), before);
  tables.putDocument("through", JSON.stringify(after));
}

function reopened(through: Through, name: string, tables: Tables): Through {
  const { kind, period } = namedSegment(name);
  if (kind === "hour") {
    const hourMs = hourPeriodStart(period);
    const isOpenable = hourMs >= through.hoursMs - DAY_MS && hasAllSamples(tables, name, hourMs);
    return isOpenable ? { ...through, hoursMs: Math.min(through.hoursMs, hourMs) } : through;
  }
  if (kind === "day") {
    const dayMs = dayPeriodStart(period);
    return hasAllHours(tables, dayMs, through.utcDaysMs) ? { ...through, utcDaysMs: dayMs } : through;
  }
  const lastDay = lastDayOf(period);
  if (through.day < lastDay || rolledUp(tables, `day/${period}`).length === 0) return through;
  // Its last day is closed once more, and with it the month.
  return { ...through, day: addDays(lastDay, -1) };
}

/** As many as its roll-up counts: some may be forgotten already. */
function hasAllSamples(tables: Tables, name: string, hourMs: number): boolean {
  const samples = tables
    .batches()
    .flatMap((batch) => Object.values(batchSchema.parse(batch)))
    .flatMap((bytes) => unpackSamples(bytes))
    .filter(({ atMs }) => atMs >= hourMs && atMs < hourMs + HOUR_MS);
  const row = tables.rollups().find((rollup) => rollup.name === name);
  const rollups =
    row === undefined ? [] : [...unpackSegment(row.body).monitors.values()].flatMap(soundRollups);
  return samples.length > 0 && samples.length >= rollups.reduce((sum, rollup) => sum + sizeOf(rollup), 0);
}

function sizeOf({ counts }: Rollup): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Also of the days after it: those are made anew too. */
function hasAllHours(tables: Tables, fromMs: number, untilMs: number): boolean {
  const segments = tables.segments().map(({ name }) => name);
  for (let dayMs = fromMs; dayMs < untilMs; dayMs += DAY_MS) {
    const period = dayPeriod(dayMs);
    const hours = new Set(rolledUp(tables, `hour/${period}`));
    const isMade = dayMs === fromMs || segments.includes(`day/${period}`);
    if (isMade && hours.size === 0) return false;
    if (segments.some((name) => name.startsWith(`hour/${period}`) && !hours.has(name))) return false;
  }
  return fromMs < untilMs;
}

function rolledUp(tables: Tables, start: string): readonly string[] {
  return tables
    .rollups()
    .map(({ name }) => name)
    .filter((name) => name.startsWith(start));
}

/** @param month as `2026-11`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return addDays(new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10), -1);
}
