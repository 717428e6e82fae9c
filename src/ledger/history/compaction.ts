/**
 * Closes hours, days and months of history once a tick and a step at a time, and forgets what may go: samples become
 * segments and roll-ups. Runs inside a transaction, so that a crash leaves either the samples or what was made of them.
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
import { dayPeriod, hourPeriod, monthOf, type Period } from "../../history/keys.ts";
import { packEach, packRollups, packSamples, packSegment } from "../../history/segment.ts";
import type { LedgerSettings } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";
import type { Journal } from "../state/state.ts";
import type { Archive, RollupRow, Through } from "./archive.ts";
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
function flush(archive: Archive, context: FlushContext, isTrusted: boolean): boolean {
  if (archive.through === null) return false;
  const before = isTrusted ? withoutFuture(archive.through, context) : archive.through;
  const closedMs = hourStart(context.nowMs - GRACE_MS);
  for (const close of [closeHours, closeUtcDays, closeLocalDays]) {
    const after = close(archive, context, before, closedMs);
    if (after === archive.through) continue;
    archive.setThrough(after);
    return true;
  }
  return false;
}

/** A clock that ran ahead closed what is still to come. */
function withoutFuture(through: Through, { nowMs, calendar }: FlushContext): Through {
  if (through.hoursMs <= nowMs) return through;
  const yesterday = addDays(calendar.dayOf(nowMs), -1);
  return {
    hoursMs: hourStart(nowMs),
    utcDaysMs: Math.min(through.utcDaysMs, Math.floor(nowMs / DAY_MS) * DAY_MS),
    day: through.day < yesterday ? through.day : yesterday,
  };
}

/** Closes up to an instant; the very same where nothing was to be done. */
type Step = (archive: Archive, context: FlushContext, through: Through, closedMs: number) => Through;

const closeHours: Step = (archive, context, through, closedMs) => {
  if (closedMs <= through.hoursMs) return through;
  for (const hourMs of startsOf(archive, through.hoursMs, closedMs, HOUR_MS)) {
    const samples = archive.recent.between(hourMs, hourMs + HOUR_MS);
    const incidents = resolvedIn(archive, context, hourMs, hourMs + HOUR_MS);
    if (samples.size === 0 && incidents.length === 0) continue;
    const period = hourPeriod(hourMs);
    archive.putSegment("hour", period, packSegment({ monitors: packEach(samples, packSamples), incidents }));
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
    archive.putSegment("day", period, rollupSegment(rows, incidents));
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

function rollupSegment(rows: readonly RollupRow[], incidents: readonly PublishedIncident[]) {
  return packSegment({ monitors: packEach(byMonitor(rows), packRollups), incidents });
}

function putRollup(archive: Archive, kind: "hour" | "day", period: Period, row: RollupRow): void {
  archive.tables.putRollup(`${kind}/${period}`, rollupSegment([row], []));
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

  /** While the clock cannot be trusted, what was over before it jumped. @throws what the storage throws; what was not closed stays as samples. */
  tend({ ticks, clock }: Journal): void {
    const [tick] = ticks;
    const { tickIntervalMs } = this.#settings;
    const nowMs = this.#settings.now();
    if (tick === undefined || tick.tickMs === this.#tendedTickMs) return;
    this.#tendedTickMs = tick.tickMs;
    const isTrusted = isSteady(clock, nowMs, tickIntervalMs);
    const untilMs = isTrusted ? nowMs : Math.min(nowMs, clock.beforeMs);
    for (let steps = stepsOf(ticks); steps > 0; steps -= 1) {
      if (!this.#takeStep(untilMs, isTrusted)) return;
    }
  }

  /** False when there is nothing more to do. */
  #takeStep(nowMs: number, isTrusted: boolean): boolean {
    let closed = false;
    this.#memory.transact(({ archive }) => {
      closed = flush(archive, { nowMs, ...this.#context }, isTrusted);
      this.#mayForget ||= closed;
      if (closed || !isTrusted || !this.#mayForget) return;
      this.#mayForget = forget(archive, nowMs, this.#context.calendar);
    });
    return closed || (isTrusted && this.#mayForget);
  }
}

/** One a minute since the tick before. */
function stepsOf([tick, before]: Journal["ticks"]): number {
  if (tick === undefined || before === undefined) return 1;
  return Math.min(MOST_STEPS, Math.max(1, Math.round((tick.tickMs - before.tickMs) / MINUTE_MS)));
}
