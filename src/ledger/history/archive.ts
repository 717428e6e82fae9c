/**
 * What the Ledger holds of history, in memory as in its tables: recent samples, roll-ups, resolved incidents, and
 * which segments exist. Written through; rebuilt from the tables when the object starts, under the ids of now.
 */
import * as z from "zod/mini";
import { DAY_MS, HOUR_MS, MINUTE_MS, hourStart } from "../../domain/calendar.ts";
import { uptimeOf } from "../../domain/health.ts";
import { incidentSchema, type Incident } from "../../domain/incident.ts";
import type { GenerationRollup, Sample } from "../../domain/probe-outcome.ts";
import {
  COURSE_STEPS,
  COURSE_STEP_MS,
  EMPTY_STEP,
  addRollups,
  countHealths,
  courseStart,
  courseStep,
  isSuccess,
  percentilesOf,
  rollUpGenerations,
  stepStart,
  type CourseStep,
  type Generated,
  type Percentiles,
  type Rollup,
} from "../../domain/rollup.ts";
import { NEWEST_INCIDENTS } from "../../history/incident-archive.ts";
import {
  SEGMENT_LIFE_MS,
  dayPeriodStart,
  hourPeriodStart,
  periodEnd,
  type Period,
  type SegmentKind,
} from "../../history/keys.ts";
import { instantMs, isInstantMs, type Stored } from "../../domain/stored.ts";
import {
  bytesSchema,
  packSamples,
  unpackRollups,
  unpackSamples,
  unpackSegment,
} from "../../history/segment.ts";
import type { RecordedSample } from "../record/draft.ts";
import type { Tables } from "../state/tables.ts";

/** The longest local day has 25 hours, and it is rolled up a good hour after its end. */
export const RECENT_MS = DAY_MS + 3 * HOUR_MS;

export class RecentSamples {
  readonly #byMonitor = new Map<string, Sample[]>();
  /** Steps of courses that were asked for, by their start: most of them never change again. */
  readonly #steps = new Map<string, Map<number, CourseStep>>();

  add(monitorId: string, sample: Sample): void {
    this.#steps.get(monitorId)?.delete(stepStart(sample.atMs));
    const samples = this.#byMonitor.get(monitorId);
    if (samples) samples.push(sample);
    else this.#byMonitor.set(monitorId, [sample]);
  }

  has(monitorId: string, atMs: number): boolean {
    return (this.#byMonitor.get(monitorId) ?? []).some((sample) => sample.atMs === atMs);
  }

  /** Samples of `[fromMs, toMs)` by monitor, oldest first; monitors without any are left out. */
  between(fromMs: number, toMs: number): Map<string, readonly Sample[]> {
    const found = new Map<string, readonly Sample[]>();
    for (const [monitorId, samples] of this.#byMonitor) {
      const inside = samples.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      if (inside.length > 0)
        found.set(
          monitorId,
          inside.sort((a, b) => a.atMs - b.atMs),
        );
    }
    return found;
  }

  /** All that are known of one. */
  of(monitorId: string): readonly Sample[] {
    return this.#byMonitor.get(monitorId) ?? [];
  }

  earliestMs(): number | null {
    let earliest = Number.POSITIVE_INFINITY;
    for (const samples of this.#byMonitor.values()) {
      for (const { atMs } of samples) earliest = Math.min(earliest, atMs);
    }
    return Number.isFinite(earliest) ? earliest : null;
  }

  dropBefore(beforeMs: number): void {
    for (const [monitorId, samples] of this.#byMonitor) {
      const kept = samples.filter(({ atMs }) => atMs >= beforeMs);
      for (const fromMs of this.#steps.get(monitorId)?.keys() ?? []) {
        if (fromMs < beforeMs) this.#steps.get(monitorId)?.delete(fromMs);
      }
      if (kept.length === 0) this.#byMonitor.delete(monitorId);
      else if (kept.length < samples.length) this.#byMonitor.set(monitorId, kept);
    }
  }

  /** Uptime, percentiles, and the figures of generations in the 24 hours before `nowMs`. */
  lastDay(
    monitorId: string,
    nowMs: number,
  ): { uptime: number | null; latency: Percentiles | null; generation: GenerationRollup | null } {
    // A clock that ran ahead leaves samples of the future behind.
    const untilMs = nowMs + HOUR_MS;
    const samples = (this.#byMonitor.get(monitorId) ?? []).filter(
      ({ atMs }) => atMs > nowMs - DAY_MS && atMs < untilMs,
    );
    const latencies: number[] = [];
    const generated: Generated[] = [];
    for (const sample of samples) {
      const { latencyMs, generation: figures } = sample;
      if (isSuccess(sample) && latencyMs !== null) latencies.push(latencyMs);
      if (figures !== null) generated.push({ figures, isGood: isSuccess(sample) });
    }
    return {
      uptime: uptimeOf(countHealths(samples)),
      latency: percentilesOf(latencies),
      generation: rollUpGenerations(generated),
    };
  }

  /** The last 24 hours, `COURSE_STEPS` from `courseStart` on. */
  course(monitorId: string, nowMs: number): readonly CourseStep[] {
    const startMs = courseStart(nowMs);
    const known = this.#steps.get(monitorId) ?? new Map<number, CourseStep>();
    this.#steps.set(monitorId, known);
    const fresh = new Map<number, Sample[]>();
    for (const sample of this.#byMonitor.get(monitorId) ?? []) {
      const fromMs = stepStart(sample.atMs);
      if (fromMs < startMs || known.has(fromMs)) continue;
      const samples = fresh.get(fromMs);
      if (samples) samples.push(sample);
      else fresh.set(fromMs, [sample]);
    }
    for (const [fromMs, samples] of fresh) known.set(fromMs, courseStep(samples));
    return Array.from(
      { length: COURSE_STEPS },
      (_, index) => known.get(startMs + index * COURSE_STEP_MS) ?? EMPTY_STEP,
    );
  }
}

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
export function unsettledFromMs(archive: Archive, nowMs: number): number {
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

export type RollupRow = ReadonlyMap<string, Rollup>;

/** Before it there was no monitor. */
const FIRST_MS = Date.UTC(2020, 0, 1);

function isOfHistory(atMs: number): boolean {
  return atMs >= FIRST_MS && isInstantMs(atMs);
}

/** How far history is closed. */
export const throughSchema = z.lazy(() =>
  z.object({
    /** Hours of UTC before this instant are closed; no sample of them is accepted any more. */
    hoursMs: instantMs.check(z.refine(isOfHistory)),
    /** Days of UTC before this instant have their segment. */
    utcDaysMs: instantMs.check(z.refine(isOfHistory)),
    /** The last day of the configured zone that was rolled up; empty: none yet. */
    day: z.string().check(z.refine((day) => day === "" || isSegmentName(`day/${day}`))),
  }),
);
export type Through = Stored<typeof throughSchema>;

/** The name of a segment, or of an hour's or a day's roll-up: of a time that there is, so not of the 31st of June. */
export function isSegmentName(name: unknown): name is string {
  if (typeof name !== "string" || !SEGMENT_NAME.test(name)) return false;
  const { kind, period } = namedSegment(name);
  const first = kind === "month" ? `${period}-01` : period;
  const atMs = kind === "hour" ? hourPeriodStart(first) : dayPeriodStart(first);
  return isOfHistory(atMs) && new Date(atMs).toISOString().startsWith(first);
}

const SEGMENT_NAME = /^(?:hour\/\d{4}-\d\d-\d\dT\d\d|day\/\d{4}-\d\d-\d\d|month\/\d{4}-\d\d)$/u;

export interface SegmentState {
  /** When KV took it; null: not yet. */
  readonly storedMs: number | null;
  /** Whether the Ledger still has its bytes. */
  readonly kept: boolean;
}

/** What a batch of samples holds, by monitor. */
export const batchSchema = z.lazy(() => z.record(z.string(), bytesSchema));

/** A row holds 2 MB, and an incident with the longest timeline and words 20 kB. */
const INCIDENTS_A_ROW = 50;

export function resolvedMsOf({ resolvedAtMs }: Incident): number {
  return resolvedAtMs ?? Number.POSITIVE_INFINITY;
}

export class Archive {
  readonly tables: Tables;
  readonly recent = new RecentSamples();
  /** By hour of UTC, for the days that have no settled segment yet. */
  readonly hourRollups = new Map<string, RollupRow>();
  /** By day of the configured zone, for as many days as the status shows. */
  readonly dayRollups = new Map<string, RollupRow>();
  /** By `<kind>/<period>`. */
  readonly segments = new Map<string, SegmentState>();
  /** The resolved incidents that readers find in the snapshot; the others are in the tables alone. */
  readonly resolved: Incident[] = [];
  readonly #nameOf: (monitorId: string) => string;
  #through: Through | null;

  /**
   * `nameOf`: the present id of a monitor that was stored under a former one.
   * @throws when a stored record cannot be read.
   */
  constructor(tables: Tables, nameOf: (monitorId: string) => string) {
    this.tables = tables;
    this.#nameOf = nameOf;
    const through = tables.document("through");
    this.#through = through === null ? null : throughSchema.parse(JSON.parse(through));
    this.#loadSegments();
    this.#loadBatches();
    this.#loadRollups();
    this.#loadResolved();
  }

  /** That KV has a segment which was not made here. */
  nameSegment(name: string, storedMs: number): void {
    if (this.segments.has(name)) return;
    this.tables.nameSegment(name, storedMs);
    this.segments.set(name, { storedMs, kept: false });
  }

  get through(): Through | null {
    return this.#through;
  }

  setThrough(through: Through): void {
    this.tables.putDocument("through", JSON.stringify(through));
    this.#through = through;
  }

  addSamples(offered: readonly RecordedSample[]): void {
    const samples = offered.filter(({ sample }) => this.hasPlaceFor(sample.atMs));
    if (samples.length === 0) return;
    const byMonitor = Map.groupBy(samples, ({ monitorId }) => monitorId);
    const packed = [...byMonitor].map(
      ([id, of]) => [id, packSamples(of.map(({ sample }) => sample))] as const,
    );
    const untilMs = Math.max(...samples.map(({ sample }) => sample.atMs));
    this.tables.addBatch(untilMs, Object.fromEntries(packed));
    for (const { monitorId, sample } of samples) this.recent.add(monitorId, sample);
    this.open(hourStart(Math.min(...samples.map(({ sample }) => sample.atMs))));
  }

  /** A clock that was set back far tells of hours whose samples are no longer here to be put together with new ones. */
  hasPlaceFor(atMs: number): boolean {
    if (this.#through === null) return true;
    const lastDayMs = this.#through.hoursMs - DAY_MS;
    return atMs >= lastDayMs || atMs >= hourStart(this.recent.earliestMs() ?? lastDayMs);
  }

  addResolved(incidents: readonly Incident[]): void {
    for (let from = 0; from < incidents.length; from += INCIDENTS_A_ROW) {
      const row = incidents.slice(from, from + INCIDENTS_A_ROW);
      const untilMs = Math.max(...row.map(resolvedMsOf));
      this.tables.addResolved(untilMs, JSON.stringify(row));
    }
    this.resolved.push(...incidents);
  }

  /** Resolved in `[fromMs, toMs)`: the newest, so many at most. */
  resolvedBetween(fromMs: number, toMs: number, most: number): Incident[] {
    const found: Incident[] = [];
    for (const body of this.tables.resolvedSince(fromMs)) {
      const row = z.array(incidentSchema).parse(JSON.parse(body));
      found.push(...row.filter((of) => resolvedMsOf(of) >= fromMs && resolvedMsOf(of) < toMs));
      if (found.length >= most) break;
    }
    return found.sort((a, b) => resolvedMsOf(b) - resolvedMsOf(a)).slice(0, most);
  }

  /** Those of the hours that may not be in KV yet, and the newest. */
  #loadResolved(): void {
    const unsettledMs = unsettledFromMs(this, Number.NEGATIVE_INFINITY);
    for (const body of this.tables.resolvedSince(0)) {
      const row = z.array(incidentSchema).parse(JSON.parse(body));
      this.resolved.unshift(...row);
      const isOld = row.every((incident) => resolvedMsOf(incident) < unsettledMs);
      if (isOld && this.resolved.length >= NEWEST_INCIDENTS) return;
    }
  }

  /** History begins at the first sample; an hour that was closed too early, by a clock that ran ahead, opens again. */
  open(hoursMs: number): void {
    if (this.#through === null)
      this.setThrough({ hoursMs, utcDaysMs: Math.floor(hoursMs / DAY_MS) * DAY_MS, day: "" });
    else if (hoursMs < this.#through.hoursMs) this.setThrough({ ...this.#through, hoursMs });
  }

  #loadSegments(): void {
    for (const { name, storedMs, kept } of this.tables.segments()) {
      if (!isSegmentName(name) || (storedMs !== null && !isInstantMs(storedMs)))
        throw new Unreadable("segment");
      this.segments.set(name, { storedMs, kept });
      const body = name.startsWith("hour/") ? this.tables.segmentBody(name) : null;
      if (body !== null) this.#loadHour(body);
    }
  }

  #loadHour(body: Uint8Array<ArrayBuffer>): void {
    for (const [monitorId, bytes] of unpackSegment(body).monitors) {
      for (const sample of readSamples(bytes)) this.recent.add(this.#nameOf(monitorId), sample);
    }
  }

  /** Those that are not known yet; in memory alone. */
  addRecent(monitorId: string, samples: readonly Sample[]): void {
    const known = new Set(this.recent.of(monitorId).map(({ atMs }) => atMs));
    for (const sample of samples) {
      if (known.has(sample.atMs)) continue;
      known.add(sample.atMs);
      this.recent.add(monitorId, sample);
    }
  }

  #loadBatches(): void {
    const closedMs = this.#through?.hoursMs ?? 0;
    const open = new Map<string, Sample[]>();
    for (const batch of this.tables.batches()) {
      for (const [storedId, bytes] of Object.entries(batchSchema.parse(batch))) {
        const monitorId = this.#nameOf(storedId);
        const samples = readSamples(bytes).filter(({ atMs }) => atMs >= closedMs);
        const known = open.get(monitorId);
        if (known) known.push(...samples);
        else open.set(monitorId, [...samples]);
      }
    }
    for (const [monitorId, samples] of open) this.addRecent(monitorId, samples);
  }

  #loadRollups(): void {
    for (const { name, body } of this.tables.rollups()) {
      if (!isSegmentName(name)) throw new Unreadable("roll-up");
      const row = new Map<string, Rollup>();
      for (const [storedId, bytes] of unpackSegment(body).monitors) {
        const [rollup] = readRollups(bytes);
        const monitorId = this.#nameOf(storedId);
        const part = row.get(monitorId);
        if (rollup) row.set(monitorId, part ? addRollups(part, rollup) : rollup);
      }
      const { kind, period } = namedSegment(name);
      if (kind === "hour") this.hourRollups.set(period, row);
      else this.dayRollups.set(period, row);
    }
  }
}

class Unreadable extends Error {
  constructor(what: string) {
    super(`a stored ${what} cannot be read`);
  }
}

/** @throws when they cannot be read, or are of no time that there is. */
export function readSamples(bytes: Uint8Array): readonly Sample[] {
  const samples = unpackSamples(bytes);
  const isSound = ({ atMs, latencyMs, waitedMs }: Sample): boolean =>
    isOfHistory(atMs) && (latencyMs === null || latencyMs >= 0) && waitedMs >= 0;
  if (!samples.every(isSound)) throw new Unreadable("sample");
  return samples;
}

/** As `readSamples`. */
export function readRollups(bytes: Uint8Array): readonly Rollup[] {
  const rollups = unpackRollups(bytes);
  if (!rollups.every(({ fromMs }) => isInstantMs(fromMs))) throw new Unreadable("roll-up");
  return rollups;
}
