/** A monitor's history between two instants, oldest first, without repeats. `nextMs` says where the rest begins. */
import { calendarOf } from "../domain/calendar.ts";
import { partsOfSeries } from "../domain/monitor-state.ts";
import { addRollups, type Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/probe-outcome.ts";
import {
  dayPeriod,
  dayPeriodStart,
  hourPeriod,
  hourPeriodStart,
  monthOf,
  type Period,
  type SegmentKind,
} from "./keys.ts";
import { type KvReader, type PeriodGap, type Read, reading, readSegment } from "./reader.ts";
import { unpackRollups, unpackSamples } from "./segment.ts";
import type { SnapshotTail } from "./snapshot.ts";

/** Enough for a day of samples: 24 hours, and one more if the day begins within an hour. */
export const SEGMENTS_A_READ = 25;
/** Enough for a day with a probe each minute. */
export const POINTS_A_READ = 1500;

export interface SeriesQuery {
  /** The one that shows the monitor. */
  readonly shard: number;
  /** It may name one of its regions too (see `regionSeries`). */
  readonly monitorId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Series<Point> {
  readonly points: readonly Point[];
  readonly nextMs: number | null;
  readonly gaps: readonly PeriodGap[];
}

export function readSamples(kv: KvReader, tail: SnapshotTail, query: SeriesQuery) {
  return readSeries<Sample>(kv, tail, query, {
    segments: "hour",
    live: "samples",
    unpack: unpackSamples,
    startOf: ({ atMs }) => atMs,
    periodOf: hourPeriod,
    startOfPeriod: hourPeriodStart,
    add: (sample) => sample,
  });
}

const ROLLUPS = {
  unpack: unpackRollups,
  startOf: ({ fromMs }: Rollup) => fromMs,
  add: addRollups,
};

export function readHours(kv: KvReader, tail: SnapshotTail, query: SeriesQuery) {
  return readSeries<Rollup>(kv, tail, query, {
    ...ROLLUPS,
    segments: "day",
    live: "hours",
    periodOf: dayPeriod,
    startOfPeriod: dayPeriodStart,
  });
}

export function readDays(kv: KvReader, tail: SnapshotTail, query: SeriesQuery) {
  const calendar = calendarOf(tail.timeZone);
  return readSeries<Rollup>(kv, tail, query, {
    ...ROLLUPS,
    segments: "month",
    live: "days",
    periodOf: (atMs) => monthOf(calendar.dayOf(atMs)),
    startOfPeriod: (month) => calendar.startOfDay(`${month}-01`),
  });
}

interface Source<Point> {
  readonly segments: SegmentKind;
  /** The part of the snapshot with everything from some instant on, without gaps. */
  readonly live: keyof SnapshotTail["live"];
  readonly unpack: (bytes: Uint8Array<ArrayBuffer>) => Point[];
  readonly startOf: (point: Point) => number;
  readonly periodOf: (atMs: number) => Period;
  readonly startOfPeriod: (period: Period) => number;
  /** Adds up two points with the same start that a segment has under different ids of the monitor. */
  readonly add: (a: Point, b: Point) => Point;
}

/** Outside these years there is no history to look for. */
const EARLIEST_MS = Date.UTC(2020, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

async function readSeries<Point>(
  kv: KvReader,
  tail: SnapshotTail,
  query: SeriesQuery,
  source: Source<Point>,
): Promise<Read<Series<Point>>> {
  const fromMs = Math.max(query.fromMs, EARLIEST_MS);
  const toMs = Math.min(query.toMs, LATEST_MS);
  if (fromMs >= toMs) return { ok: true, value: { points: [], nextMs: null, gaps: [] } };
  const live = await reading(async () => pointsOf(tail.live[source.live][query.monitorId], source));
  if (!live.ok) return live;
  const periods = periodsOf(tail.segments[source.segments], { fromMs, toMs }, live.value, source);
  const rest = periods[SEGMENTS_A_READ];
  const endMs = rest === undefined ? toMs : source.startOfPeriod(rest);
  const stored = await readPeriods(kv, query, periods.slice(0, SEGMENTS_A_READ), tail, source);
  const outage = stored.gaps.find(({ failure }) => failure.kind === "outage");
  if (outage) return { ok: false, failure: outage.failure };
  const points = merged([...stored.points, ...live.value], source.startOf).filter((point) => {
    const startMs = source.startOf(point);
    return startMs >= fromMs && startMs < endMs;
  });
  const next = points[POINTS_A_READ];
  const nextMs = next === undefined ? (rest === undefined ? null : endMs) : source.startOf(next);
  const covered = new Set(live.value.map((point) => source.periodOf(source.startOf(point))));
  const gaps = stored.gaps.filter(({ period }) => !covered.has(period));
  return { ok: true, value: { points: points.slice(0, POINTS_A_READ), nextMs, gaps } };
}

/** Oldest first. The live part is complete from its first point on. A removed monitor has none. */
function periodsOf<Point>(
  segments: readonly Period[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
  live: readonly Point[],
  source: Source<Point>,
): Period[] {
  const first = source.periodOf(fromMs);
  const last = source.periodOf(toMs - 1);
  const [firstLive] = live;
  const lastNeeded = firstLive === undefined ? last : source.periodOf(source.startOf(firstLive));
  return segments.filter((period) => period >= first && period <= last && period <= lastNeeded).toSorted();
}

async function readPeriods<Point>(
  kv: KvReader,
  { shard, monitorId: series }: SeriesQuery,
  periods: readonly Period[],
  { formerly }: SnapshotTail,
  source: Source<Point>,
): Promise<{ points: Point[]; gaps: PeriodGap[] }> {
  const { monitorId, suffix } = partsOfSeries(series);
  const ids = [series, ...(formerly[monitorId] ?? []).map((id) => `${id}${suffix}`)];
  const reads = await Promise.all(
    periods.map(async (period) => {
      const segment = await readSegment(kv, shard, source.segments, period);
      if (!segment.ok) return { period, read: segment };
      const { monitors } = segment.value;
      const read = await reading(async () => {
        const parts = ids.flatMap((id) => pointsOf(monitors.get(id), source));
        return merged(parts, source.startOf, source.add);
      });
      return { period, read };
    }),
  );
  return {
    points: reads.flatMap(({ read }) => (read.ok ? read.value : [])),
    gaps: reads.flatMap(({ period, read }) => (read.ok ? [] : [{ period, failure: read.failure }])),
  };
}

function pointsOf<Point>(bytes: Uint8Array<ArrayBuffer> | undefined, source: Source<Point>): Point[] {
  return bytes === undefined ? [] : merged(source.unpack(bytes), source.startOf);
}

/** Oldest first. Of points with the same start the last one counts, unless `add` is given. */
function merged<Point>(
  points: readonly Point[],
  startOf: (point: Point) => number,
  add: (a: Point, b: Point) => Point = (_, b) => b,
): Point[] {
  const byStart = new Map<number, Point>();
  for (const point of points) {
    const twin = byStart.get(startOf(point));
    byStart.set(startOf(point), twin === undefined ? point : add(twin, point));
  }
  return [...byStart].sort(([a], [b]) => a - b).map(([, point]) => point);
}
