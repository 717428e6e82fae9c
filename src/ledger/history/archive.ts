/** The Ledger's history, in memory and written through to its tables: recent samples, roll-ups, resolved incidents, segments. */
import * as z from "zod/mini";
import { DAY_MS, HOUR_MS, MINUTE_MS, hourStart } from "../../domain/calendar.ts";
import { uptimeOf } from "../../domain/health.ts";
import { incidentSchema, type Incident } from "../../domain/incident.ts";
import type { Sample } from "../../domain/probe-outcome.ts";
import {
  COURSE_STEPS,
  COURSE_STEP_MS,
  EMPTY_STEP,
  addRollups,
  courseStart,
  courseStep,
  rollUp,
  stepStart,
  type CourseStep,
  type Rollup,
} from "../../domain/rollup.ts";
import { NEWEST_INCIDENTS } from "../../history/incident-archive.ts";
import { hourPeriodStart, periodEnd, type Period, type SegmentKind } from "../../history/keys.ts";
import { objectOnce, once } from "../../domain/schema.ts";
import { instantMs, type Stored } from "../../domain/stored.ts";
import {
  bytesSchema,
  packSamples,
  unpackRollups,
  unpackSamples,
  unpackSegment,
} from "../../history/segment.ts";
import { unpackAll } from "../../history/packing.ts";
import type { RecordedSample } from "../record/draft.ts";
import type { Quarantine } from "../state/quarantine.ts";
import type { Tables } from "../state/tables.ts";

/** The longest local day has 25 hours, and it is rolled up more than an hour after its end. */
export const RECENT_MS = DAY_MS + 3 * HOUR_MS;

export class RecentSamples {
  readonly #byMonitor = new Map<string, Sample[]>();
  /** Steps of courses, cached by their start: most of them never change again. */
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
      inside.sort((a, b) => a.atMs - b.atMs);
      if (inside.length > 0) found.set(monitorId, inside);
    }
    return found;
  }

  rolledUp(fromMs: number, toMs: number): RollupRow {
    return new Map([...this.between(fromMs, toMs)].map(([id, of]) => [id, rollUp(fromMs, of)]));
  }

  /** Drops the samples before `fromMs`, and those after `untilMs`, which a clock that ran ahead has left. */
  keep(fromMs: number, untilMs: number): void {
    for (const [monitorId, samples] of this.#byMonitor) {
      const kept = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= untilMs);
      for (const stepMs of this.#steps.get(monitorId)?.keys() ?? []) {
        const isWhole = stepMs >= fromMs && stepMs + COURSE_STEP_MS <= untilMs;
        if (!isWhole) this.#steps.get(monitorId)?.delete(stepMs);
      }
      if (kept.length === 0) this.#byMonitor.delete(monitorId);
      else if (kept.length < samples.length) this.#byMonitor.set(monitorId, kept);
    }
  }

  lastDay(monitorId: string, nowMs: number) {
    const samples = (this.#byMonitor.get(monitorId) ?? []).filter(({ atMs }) => atMs > nowMs - DAY_MS);
    const { counts, latencyMs: latency, generation } = rollUp(nowMs, samples);
    return { uptime: uptimeOf(counts), latency, generation };
  }

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

/** Also right if the clock ran ahead when it was stored in KV. */
export function isSettled(segment: SegmentState | undefined, nowMs: number): boolean {
  if (segment === undefined || segment.storedMs === null) return false;
  return Math.abs(nowMs - segment.storedMs) >= SETTLING_MS;
}

/** From this instant on, samples and resolved incidents may not be in a settled segment yet. */
export function unsettledFromMs(archive: Archive, nowMs: number): number {
  const hours = [...archive.segments.values()].filter(
    (segment) => segment.kind === "hour" && !isSettled(segment, nowMs),
  );
  return Math.min(archive.through?.hoursMs ?? 0, ...hours.map(({ period }) => hourPeriodStart(period)));
}

export type RollupRow = ReadonlyMap<string, Rollup>;

const throughSchema = objectOnce(() => ({
  /** Hours of UTC before this instant are closed; no sample of them is accepted any more. */
  hoursMs: instantMs(),
  /** Days of UTC before this instant have their segment. */
  utcDaysMs: instantMs(),
  /** The last day of the configured time zone that was rolled up; empty: none yet. */
  day: z.string().check(
    z.regex(/^(?:\d{4}-\d\d-\d\d)?$/u),
    z.refine((day) => day === "" || !Number.isNaN(Date.parse(day))),
  ),
}));
export type Through = Stored<typeof throughSchema>;

interface Named {
  readonly kind: SegmentKind;
  readonly period: Period;
}

/** @param name of a segment, or of the roll-up of an hour or a day. */
function partsOf(name: string): Named {
  const [kind, period = ""] = name.split("/");
  return { kind: kind as SegmentKind, period };
}

export interface SegmentState extends Named {
  readonly storedMs: number | null;
  /** Whether the Ledger still has its bytes. */
  readonly kept: boolean;
}

const batchSchema = once(() => z.record(z.string(), bytesSchema()));

/** A row holds 2 MB, and an incident with the longest timeline and words 20 kB. */
const INCIDENTS_A_ROW = 50;

export function resolvedMsOf({ resolvedAtMs }: Incident): number {
  return resolvedAtMs ?? Number.POSITIVE_INFINITY;
}

export class Archive {
  readonly tables: Tables;
  readonly recent = new RecentSamples();
  /** By hour of UTC, for days without a settled segment. */
  readonly hourRollups = new Map<string, RollupRow>();
  /** By day of the configured time zone, for as many days as the status shows. */
  readonly dayRollups = new Map<string, RollupRow>();
  /** By `<kind>/<period>`. */
  readonly segments = new Map<string, SegmentState>();
  /** The resolved incidents that the snapshot shows. The others are only in the tables. */
  readonly resolved: Incident[] = [];
  readonly #nameOf: (monitorId: string) => string;
  readonly #quarantine: Quarantine;
  #through: Through | null;

  /** @param nameOf the present id of a monitor that was stored under a former one. */
  constructor(tables: Tables, nameOf: (monitorId: string) => string, quarantine: Quarantine) {
    this.tables = tables;
    this.#nameOf = nameOf;
    this.#quarantine = quarantine;
    this.#through = tables.readDocument("through", quarantine, throughSchema);
    this.#loadSegments();
    this.#loadBatches();
    this.#loadRollups();
    this.#loadResolved();
  }

  putSegment(kind: SegmentKind, period: Period, body: Uint8Array<ArrayBuffer>): void {
    this.#setSegment({ kind, period, storedMs: null, kept: true }, body);
  }

  /** Records that KV has a segment that this Ledger did not make. */
  nameSegment(kind: SegmentKind, period: Period, storedMs: number): void {
    if (this.segments.has(`${kind}/${period}`)) return;
    this.#setSegment({ kind, period, storedMs, kept: false }, null);
  }

  #setSegment(segment: SegmentState, body: Uint8Array<ArrayBuffer> | null): void {
    const name = `${segment.kind}/${segment.period}`;
    this.tables.putSegment(name, body, segment.storedMs);
    this.segments.set(name, segment);
  }

  dropSegment(name: string): void {
    this.tables.dropSegment(name);
    this.segments.delete(name);
  }

  /** Keeps the name of a segment that KV has, but not its bytes. */
  emptySegment(name: string, segment: SegmentState): void {
    this.tables.emptySegment(name);
    this.segments.set(name, { ...segment, kept: false });
  }

  get through(): Through | null {
    return this.#through;
  }

  setThrough(through: Through): void {
    this.tables.putDocument("through", JSON.stringify(through));
    this.#through = through;
  }

  /** Drops samples of closed hours. */
  addSamples(offered: readonly RecordedSample[]): void {
    const closedMs = this.#through?.hoursMs ?? 0;
    const samples = offered.filter(({ sample }) => sample.atMs >= closedMs);
    if (samples.length === 0) return;
    const byMonitor = Map.groupBy(samples, ({ monitorId }) => monitorId);
    const packed = [...byMonitor].map(
      ([id, of]) => [id, packSamples(of.map(({ sample }) => sample))] as const,
    );
    const untilMs = Math.max(...samples.map(({ sample }) => sample.atMs));
    this.tables.addBatch(untilMs, Object.fromEntries(packed));
    for (const { monitorId, sample } of samples) this.recent.add(monitorId, sample);
    if (this.#through !== null) return;
    // If it was lost: from the earliest sample on, except for hours that have their segment.
    const recent = this.recent.between(untilMs - RECENT_MS, untilMs + 1);
    const first = [...recent.values()].map(([of]) => of?.atMs ?? untilMs);
    const hours = [...this.segments.values()].filter(({ kind }) => kind === "hour");
    const closed = hours.map(({ period }) => periodEnd("hour", period));
    const hoursMs = Math.max(hourStart(Math.min(...first)), ...closed);
    this.setThrough({ hoursMs, utcDaysMs: Math.floor(hoursMs / DAY_MS) * DAY_MS, day: "" });
  }

  addResolved(incidents: readonly Incident[]): void {
    for (let from = 0; from < incidents.length; from += INCIDENTS_A_ROW) {
      const row = incidents.slice(from, from + INCIDENTS_A_ROW);
      const untilMs = Math.max(...row.map(resolvedMsOf));
      this.tables.addResolved(untilMs, JSON.stringify(row));
    }
    this.resolved.push(...incidents);
  }

  /** The newest resolved incidents, and those that are in no settled segment yet; the latest end first. */
  shownResolved(nowMs: number): Incident[] {
    const unsettledMs = unsettledFromMs(this, nowMs);
    return this.resolved
      .toSorted((a, b) => resolvedMsOf(b) - resolvedMsOf(a))
      .filter((of, index) => index < NEWEST_INCIDENTS || resolvedMsOf(of) >= unsettledMs);
  }

  /** The newest incidents resolved in `[fromMs, toMs)`, at most `most`. */
  resolvedBetween(fromMs: number, toMs: number, most: number): Incident[] {
    const found: Incident[] = [];
    for (const row of this.#resolvedSince(fromMs)) {
      found.push(...row.filter((of) => resolvedMsOf(of) >= fromMs && resolvedMsOf(of) < toMs));
      if (found.length >= most) break;
    }
    return found.sort((a, b) => resolvedMsOf(b) - resolvedMsOf(a)).slice(0, most);
  }

  *#resolvedSince(sinceMs: number): Iterable<Incident[]> {
    const unreadable: number[] = [];
    const read = (body: string) => z.array(incidentSchema()).parse(JSON.parse(body));
    try {
      for (const { id, body } of this.tables.resolvedSince(sinceMs)) {
        yield this.#quarantine.read({ place: `resolved/${id}`, body }, read, () => unreadable.push(id)) ?? [];
      }
    } finally {
      for (const id of unreadable) this.tables.drop("resolved", id);
    }
  }

  /** Loads the incidents of hours that may not be in KV yet, and the newest. */
  #loadResolved(): void {
    const unsettledMs = unsettledFromMs(this, Number.NEGATIVE_INFINITY);
    for (const row of this.#resolvedSince(0)) {
      this.resolved.unshift(...row);
      const isOld = row.every((incident) => resolvedMsOf(incident) < unsettledMs);
      if (isOld && this.resolved.length >= NEWEST_INCIDENTS) return;
    }
  }

  /** If its bytes are unreadable, the name of a segment stays if KV has the segment; otherwise there is a gap. */
  #loadSegments(): void {
    for (const { name, storedMs, kept } of this.tables.segments()) {
      const { kind, period } = partsOf(name);
      const segment = { kind, period, storedMs, kept };
      this.segments.set(name, segment);
      const body = kind === "hour" ? this.tables.segmentBody(name) : null;
      if (body === null) continue;
      const samples = this.#quarantine.read({ place: `segment/${name}`, body }, samplesIn, () =>
        storedMs === null ? this.dropSegment(name) : this.emptySegment(name, segment),
      );
      this.#addRecent(samples ?? []);
    }
  }

  #loadBatches(): void {
    const closedMs = this.#through?.hoursMs ?? 0;
    for (const { id, body } of this.tables.batches()) {
      const samples = this.#quarantine.read({ place: `batch/${id}`, body }, samplesOf, () =>
        this.tables.drop("batch", id),
      );
      this.#addRecent((samples ?? []).filter(({ sample }) => sample.atMs >= closedMs));
    }
  }

  #addRecent(samples: readonly RecordedSample[]): void {
    for (const { monitorId, sample } of samples) this.recent.add(this.#nameOf(monitorId), sample);
  }

  #loadRollups(): void {
    for (const { name, body } of this.tables.rollups()) {
      const { kind, period } = partsOf(name);
      const row = new Map<string, Rollup>();
      const rollups = this.#quarantine.read({ place: `rollup/${name}`, body }, rollupsIn, () =>
        this.tables.dropRollup(name),
      );
      for (const [storedId, rollup] of rollups ?? []) {
        const monitorId = this.#nameOf(storedId);
        const part = row.get(monitorId);
        row.set(monitorId, part ? addRollups(part, rollup) : rollup);
      }
      if (rollups !== null) (kind === "hour" ? this.hourRollups : this.dayRollups).set(period, row);
    }
  }
}

function samplesIn(segment: Uint8Array<ArrayBuffer>): RecordedSample[] {
  return [...unpackSegment(segment).monitors].flatMap(samplesOfMonitor);
}

function samplesOf(batches: Uint8Array<ArrayBuffer>): RecordedSample[] {
  return unpackAll(batches)
    .flatMap((batch) => Object.entries(batchSchema().parse(batch)))
    .flatMap(samplesOfMonitor);
}

function samplesOfMonitor([monitorId, bytes]: readonly [string, Uint8Array]): RecordedSample[] {
  return unpackSamples(bytes).map((sample) => ({ monitorId, sample }));
}

function rollupsIn(segment: Uint8Array<ArrayBuffer>): (readonly [monitorId: string, Rollup])[] {
  return [...unpackSegment(segment).monitors].flatMap(([monitorId, bytes]) =>
    unpackRollups(bytes).map((rollup) => [monitorId, rollup] as const),
  );
}
