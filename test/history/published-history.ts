/**
 * History as the Ledger publishes it: closed periods as segments in KV, what they do not hold yet in the snapshot.
 */
import { calendarOf, DAY_MS, HOUR_MS, hourStart } from "../../src/domain/calendar.ts";
import { type Rollup, rollUp } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import type { PublishedIncident } from "../../src/history/documents.ts";
import { dayPeriod, hourPeriod, monthOf, type SegmentKind, segmentKey } from "../../src/history/keys.ts";
import { compress } from "../../src/history/packing.ts";
import type { KvReader, Read } from "../../src/history/reader.ts";
import { packEach, packRollups, packSamples, packSegment, type Segment } from "../../src/history/segment.ts";
import type { Series } from "../../src/history/series.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";

export function sampleAt(atMs: number, more: Partial<Sample> = {}): Sample {
  return {
    atMs,
    health: "up",
    cause: "ok",
    latencyMs: 100,
    attempts: 1,
    waitedMs: 0,
    httpStatus: 200,
    inMaintenance: false,
    generation: null,
    ...more,
  };
}

/** Samples at a steady pace, told apart by their latency. */
export function every(stepMs: number, fromMs: number, toMs: number): Sample[] {
  const samples: Sample[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs)
    samples.push(sampleAt(atMs, { latencyMs: samples.length }));
  return samples;
}

export function emptyTail(more: Partial<SnapshotTail> = {}): SnapshotTail {
  return {
    segments: { hour: [], day: [], month: [] },
    live: { samples: {}, hours: {}, days: {} },
    incidents: [],
    withCauses: ["acme"],
    timeZone: "UTC",
    url: null,
    language: "en",
    halfHours: { fromMs: 0, byMonitor: {} },
    maintenance: [],
    announcements: [],
    lost: [],
    modelNotes: {},
    formerly: {},
    places: {},
    ...more,
  };
}

interface Writable {
  put(key: string, value: Uint8Array<ArrayBuffer>): Promise<void>;
}

export interface Publication {
  readonly monitorId: string;
  readonly samples: readonly Sample[];
  readonly timeZone: string;
  /** Hours before this instant are closed. */
  readonly closedMs: number;
  /** Segments that ended before this instant have settled: the snapshot holds their contents no more. */
  readonly settledMs: number;
  /** Whose segments they are; 0 unless told. */
  readonly shard?: number;
  /** The id under which segments know a probe, where the monitor was renamed; unless told, its own. */
  readonly idAt?: (atMs: number) => string;
}

/** Writes the segments and returns the tail that names them. */
export async function publishHistory(kv: Writable, publication: Publication): Promise<SnapshotTail> {
  const { monitorId, samples, timeZone, closedMs, settledMs } = publication;
  const { shard = 0, idAt = () => monitorId } = publication;
  const calendar = calendarOf(timeZone);
  const hourOf = ({ atMs }: Sample): number => hourStart(atMs);
  const dayOf = ({ atMs }: Sample): number => calendar.startOfDay(calendar.dayOf(atMs));
  const hours = rollups(samples, hourOf);
  const days = rollups(samples, dayOf);
  const parts = Map.groupBy(samples, ({ atMs }) => idAt(atMs));
  const closed = {
    hour: grouped(
      parts,
      ({ atMs }) => hourPeriod(atMs),
      (ms) => hourStart(ms) + HOUR_MS <= closedMs,
    ),
    day: grouped(
      mapped(parts, (of) => rollups(of, hourOf)),
      ({ fromMs }) => dayPeriod(fromMs),
      (ms) => utcDay(ms) + DAY_MS <= closedMs,
    ),
    month: grouped(
      mapped(parts, (of) => rollups(of, dayOf)),
      ({ fromMs }) => monthOf(calendar.dayOf(fromMs)),
      (ms) => monthOf(calendar.dayOf(ms)) < monthOf(calendar.dayOf(closedMs)),
    ),
  };
  await Promise.all([
    ...[...closed.hour].map(([period, of]) =>
      writeSegment(kv, shard, "hour", period, { monitors: packEach(of, packSamples), incidents: [] }),
    ),
    ...(["day", "month"] as const).flatMap((kind) =>
      [...closed[kind]].map(([period, of]) =>
        writeSegment(kv, shard, kind, period, { monitors: packEach(of, packRollups), incidents: [] }),
      ),
    ),
  ]);
  const liveHoursMs = Math.min(utcDay(closedMs), utcDay(settledMs));
  const liveMonth = monthOf(calendar.dayOf(Math.min(closedMs, settledMs)));
  return emptyTail({
    timeZone,
    segments: {
      hour: [...closed.hour.keys()],
      day: [...closed.day.keys()],
      month: [...closed.month.keys()],
    },
    live: {
      samples: { [monitorId]: packSamples(samples.filter(({ atMs }) => atMs >= hourStart(settledMs))) },
      hours: { [monitorId]: packRollups(hours.filter(({ fromMs }) => fromMs >= liveHoursMs)) },
      days: {
        [monitorId]: packRollups(days.filter(({ fromMs }) => monthOf(calendar.dayOf(fromMs)) >= liveMonth)),
      },
    },
  });
}

async function writeSegment(
  kv: Writable,
  shard: number,
  kind: SegmentKind,
  period: string,
  segment: Segment,
): Promise<void> {
  await kv.put(segmentKey(shard, kind, period), await compress(packSegment(segment)));
}

/** A segment that holds incidents and nothing else. */
export async function writeIncidents(
  kv: Writable,
  kind: SegmentKind,
  period: string,
  incidents: readonly PublishedIncident[],
  shard = 0,
): Promise<void> {
  await writeSegment(kv, shard, kind, period, { monitors: new Map(), incidents });
}

export function rollups(samples: readonly Sample[], startOf: (sample: Sample) => number): Rollup[] {
  const byStart = Map.groupBy(samples, startOf);
  return [...byStart].map(([fromMs, of]) => rollUp(fromMs, of)).sort((a, b) => a.fromMs - b.fromMs);
}

/** Closed periods with the points of each id. */
function grouped<Point extends Sample | Rollup>(
  parts: ReadonlyMap<string, readonly Point[]>,
  periodOf: (point: Point) => string,
  isClosed: (atMs: number) => boolean,
): Map<string, Map<string, Point[]>> {
  const startOf = (point: Point): number => ("atMs" in point ? point.atMs : point.fromMs);
  const points = [...parts].flatMap(([id, of]) => of.map((point) => ({ id, point })));
  const closed = points.filter(({ point }) => isClosed(startOf(point)));
  return mapped(
    Map.groupBy(closed, ({ point }) => periodOf(point)),
    (of) =>
      mapped(
        Map.groupBy(of, ({ id }) => id),
        (own) => own.map(({ point }) => point),
      ),
  );
}

function mapped<In, Out>(map: ReadonlyMap<string, In>, change: (value: In) => Out): Map<string, Out> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

function utcDay(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

export function known<Point>(read: Read<Series<Point>>): Series<Point> {
  if (!read.ok) throw new Error(read.failure.kind);
  return read.value;
}

interface Range {
  readonly shard: number;
  readonly monitorId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export type Reader<Point> = (kv: KvReader, tail: SnapshotTail, of: Range) => Promise<Read<Series<Point>>>;

/** The points of a range, page by page; no page has a gap. */
export async function pagesOf<Point>(
  kv: KvReader,
  read: Reader<Point>,
  tail: SnapshotTail,
  range: Range,
): Promise<Point[]> {
  const points: Point[] = [];
  for (let nextMs: number | null = range.fromMs; nextMs !== null;) {
    const page: Series<Point> = known(await read(kv, tail, { ...range, fromMs: nextMs }));
    if (page.gaps.length > 0) throw new Error(`${range.monitorId} has gaps: ${JSON.stringify(page.gaps)}`);
    if (page.nextMs !== null && page.nextMs <= nextMs) throw new Error("the pages do not go on");
    points.push(...page.points);
    nextMs = page.nextMs;
  }
  return points;
}
