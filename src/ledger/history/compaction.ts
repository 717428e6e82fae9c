/**
 * Closes hours, days and months of history, once a tick and a step at a time: samples become segments and roll-
 * ups. Runs inside a transaction, so that a crash leaves either the samples or what was made of them.
 */
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  addDays,
  daysBetween,
  hourStart,
  type Calendar,
} from "../../domain/calendar.ts";
import type { Incident } from "../../domain/incident.ts";
import { rollUp, type Rollup } from "../../domain/rollup.ts";
import type { PublishedIncident } from "../../history/documents.ts";
import { dayPeriod, hourPeriod, monthOf } from "../../history/keys.ts";
import { packEach, packRollups, packSamples, packSegment, type Segment } from "../../history/segment.ts";
import type { LedgerSettings } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";
import type { Journal } from "../state/state.ts";
import { namedSegment, type Archive, type RollupRow, type Through } from "./archive.ts";
import { forget } from "./retention.ts";
import { isSteady } from "./steady-clock.ts";

/** An invocation lives 15 minutes at most: later than this no result of an hour can come. */
const GRACE_MS = 20 * MINUTE_MS;

export interface FlushContext {
  readonly nowMs: number;
  readonly calendar: Calendar;
  publish(incident: Incident): PublishedIncident;
}

/**
 * Closes what can be closed by now, a step at a time: hours, then the days of UTC, then those of the configured zone.
 * True when there was something.
 */
function flush(archive: Archive, context: FlushContext): boolean {
  if (archive.through === null) return false;
  const before = reopenDays(archive, context.calendar, archive.through);
  const closedMs = hourStart(context.nowMs - GRACE_MS);
  for (const close of [closeHours, closeUtcDays, closeLocalDays]) {
    const after = close(archive, context, before, closedMs);
    if (after === before) continue;
    archive.setThrough(after);
    return true;
  }
  return false;
}

/** Closes up to an instant; the very same where nothing was to be done. */
type Step = (archive: Archive, context: FlushContext, through: Through, closedMs: number) => Through;

/** Where hours opened again, so do their days and months, as far as their parts are still here. */
function reopenDays(archive: Archive, calendar: Calendar, through: Through): Through {
  const day = calendar.dayOf(through.hoursMs);
  const dayMs = Math.floor(through.hoursMs / DAY_MS) * DAY_MS;
  const isOpen = through.day < day && through.utcDaysMs <= dayMs;
  if (isOpen) return through;
  const utcDaysMs = hasAllHours(archive, dayMs) ? Math.min(through.utcDaysMs, dayMs) : through.utcDaysMs;
  const before = addDays(day, -1);
  const reopened = { ...through, utcDaysMs, day: through.day < before ? through.day : before };
  for (const name of archive.segments.keys()) {
    const { kind, period } = namedSegment(name);
    const first = { hour: null, day: dayPeriod(utcDaysMs), month: monthOf(day) }[kind];
    if (first === null || period < first) continue;
    archive.tables.dropSegment(name);
    archive.segments.delete(name);
  }
  archive.setThrough(reopened);
  return reopened;
}

function hasAllHours(archive: Archive, dayMs: number): boolean {
  const hours = [...archive.segments.keys()].filter((name) => name.startsWith(`hour/${dayPeriod(dayMs)}`));
  return hours.every((name) => archive.hourRollups.has(name.slice("hour/".length)));
}

const closeHours: Step = (archive, context, through, closedMs) => {
  if (closedMs <= through.hoursMs) return through;
  for (const hourMs of startsOf(archive, through.hoursMs, closedMs, HOUR_MS)) {
    const samples = archive.recent.between(hourMs, hourMs + HOUR_MS);
    const incidents = resolvedIn(archive, context, hourMs, hourMs + HOUR_MS);
    if (samples.size === 0 && incidents.length === 0) continue;
    const period = hourPeriod(hourMs);
    putSegment(archive, `hour/${period}`, packEach(samples, packSamples), incidents);
    const row = new Map([...samples].map(([id, of]) => [id, rollUp(hourMs, of)]));
    putRollup(archive, "hour", period, row);
  }
  const day = through.day || addDays(context.calendar.dayOf(through.hoursMs), -1);
  return { ...through, hoursMs: closedMs, day };
};

/** Walks only over time that can hold something: an idle year costs nothing. */
function* startsOf(archive: Archive, fromMs: number, toMs: number, stepMs: number): Iterable<number> {
  const firstSampleMs = archive.recent.earliestMs() ?? toMs;
  const firstIncidentMs = Math.min(toMs, ...archive.resolved.map(({ resolvedAtMs }) => resolvedAtMs ?? toMs));
  const firstMs = Math.floor(Math.min(firstSampleMs, firstIncidentMs) / stepMs) * stepMs;
  for (let startMs = Math.max(fromMs, firstMs); startMs + stepMs <= toMs; startMs += stepMs) yield startMs;
}

const closeUtcDays: Step = (archive, context, through, closedMs) => {
  const toMs = Math.floor(closedMs / DAY_MS) * DAY_MS;
  if (toMs <= through.utcDaysMs) return through;
  for (let dayMs = through.utcDaysMs; dayMs < toMs; dayMs += DAY_MS) {
    const period = dayPeriod(dayMs);
    const rows = [...archive.hourRollups].filter(([hour]) => hour.startsWith(period)).map(([, row]) => row);
    const incidents = resolvedIn(archive, context, dayMs, dayMs + DAY_MS);
    if (rows.length === 0 && incidents.length === 0) continue;
    putSegment(archive, `day/${period}`, packEach(byMonitor(rows), packRollups), incidents);
  }
  return { ...through, utcDaysMs: toMs };
};

/** Rolls up the days that are over in the configured zone. */
const closeLocalDays: Step = (archive, context, through, closedMs) => {
  const { calendar } = context;
  let last = through.day;
  while (last !== "") {
    const day = addDays(last, 1);
    const endMs = calendar.startOfDay(addDays(day, 1));
    if (endMs > closedMs) return last === through.day ? through : { ...through, day: last };
    const samples = archive.recent.between(calendar.startOfDay(day), endMs);
    const row = new Map([...samples].map(([id, of]) => [id, rollUp(calendar.startOfDay(day), of)]));
    const known = archive.dayRollups.get(day);
    const fullest = fullestOf(known, row);
    if (fullest && fullest !== known) putRollup(archive, "day", day, fullest);
    if (monthOf(addDays(day, 1)) !== monthOf(day)) closeMonth(archive, context, day);
    last = day;
  }
  return through;
};

/**
 * Closed for the second time, a day may have lost its first hours here; and of a monitor that came from another shard it may be
 * rolled up already. The very same where nothing is fuller.
 */
function fullestOf(known: RollupRow | undefined, row: RollupRow): RollupRow | undefined {
  const fuller = [...row].filter(([id, rollup]) => sizeOf(rollup) > sizeOf(known?.get(id)));
  return fuller.length === 0 ? known : new Map([...(known ?? []), ...fuller]);
}

function sizeOf(rollup: Rollup | undefined): number {
  return Object.values(rollup?.counts ?? {}).reduce((sum, count) => sum + count, 0);
}

function closeMonth(archive: Archive, context: FlushContext, lastDay: string): void {
  const month = monthOf(lastDay);
  const firstDay = `${month}-01`;
  const rows = daysBetween(firstDay, lastDay).flatMap((day) => archive.dayRollups.get(day) ?? []);
  const { calendar } = context;
  const fromMs = calendar.startOfDay(firstDay);
  const incidents = resolvedIn(archive, context, fromMs, calendar.startOfDay(addDays(lastDay, 1)));
  if (rows.length === 0 && incidents.length === 0) return;
  putSegment(archive, `month/${month}`, packEach(byMonitor(rows), packRollups), incidents);
}

/** A storm of incidents must not make a segment that nobody can read: of so many the newest are kept. */
const INCIDENTS_A_SEGMENT = 500;

function resolvedIn(
  archive: Archive,
  context: FlushContext,
  fromMs: number,
  toMs: number,
): PublishedIncident[] {
  const incidents = archive.resolvedBetween(fromMs, toMs, INCIDENTS_A_SEGMENT);
  return incidents.map((incident) => context.publish(incident));
}

/** Rows of periods turned into columns of monitors. */
export function byMonitor(rows: readonly RollupRow[]): ReadonlyMap<string, readonly Rollup[]> {
  const monitors = Map.groupBy(
    rows.flatMap((row) => [...row]),
    ([monitorId]) => monitorId,
  );
  return new Map(
    [...monitors].map(([id, of]) => [id, of.map(([, rollup]) => rollup).sort((a, b) => a.fromMs - b.fromMs)]),
  );
}

function putSegment(
  archive: Archive,
  name: string,
  monitors: Segment["monitors"],
  incidents: readonly PublishedIncident[],
): void {
  archive.tables.putSegment(name, packSegment({ monitors, incidents }));
  archive.segments.set(name, { storedMs: null, kept: true });
}

function putRollup(archive: Archive, kind: "hour" | "day", period: string, row: RollupRow): void {
  const bytes = packSegment({ monitors: packEach(byMonitor([row]), packRollups), incidents: [] });
  archive.tables.putRollup(`${kind}/${period}`, bytes);
  (kind === "hour" ? archive.hourRollups : archive.dayRollups).set(period, row);
}

const MOST_STEPS = 60;

export class HistoryKeeper {
  readonly #settings: Pick<LedgerSettings, "tickIntervalMs" | "now">;
  readonly #memory: LedgerMemory;
  readonly #context: Omit<FlushContext, "nowMs">;
  #tendedTickMs: number | null = null;
  /** Whether there may be something to forget: to look for it reads the tables. */
  #mayForget = true;

  constructor(
    settings: Pick<LedgerSettings, "tickIntervalMs" | "now">,
    memory: LedgerMemory,
    context: Omit<FlushContext, "nowMs">,
  ) {
    this.#settings = settings;
    this.#memory = memory;
    this.#context = context;
  }

  /** @throws what the storage throws; what was not closed stays as samples. */
  tend({ ticks, clock }: Journal): void {
    const [tick] = ticks;
    if (tick === undefined || tick.tickMs === this.#tendedTickMs) return;
    this.#tendedTickMs = tick.tickMs;
    for (let steps = stepsOf(ticks); steps > 0; steps -= 1) {
      if (!this.#takeStep(clock)) return;
    }
  }

  /** False when there is nothing more to do. */
  #takeStep(clock: Journal["clock"]): boolean {
    const { tickIntervalMs } = this.#settings;
    const nowMs = this.#settings.now();
    let closed = false;
    this.#memory.transact(({ archive }) => {
      closed = flush(archive, { nowMs, ...this.#context });
      this.#mayForget ||= closed;
      if (closed || !this.#mayForget || !isSteady(clock, nowMs, tickIntervalMs)) return;
      this.#mayForget = forget(archive, nowMs, this.#context.calendar);
    });
    return closed || this.#mayForget;
  }
}

/** One a minute since the tick before. */
function stepsOf([tick, before]: Journal["ticks"]): number {
  if (tick === undefined || before === undefined) return 1;
  return Math.min(MOST_STEPS, Math.max(1, Math.round((tick.tickMs - before.tickMs) / MINUTE_MS)));
}
