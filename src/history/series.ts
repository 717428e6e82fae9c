/**
 * A monitor's history between two instants, oldest first: what named segments hold and what the snapshot itself
 * carries, put together without repeats. Work is bounded a call: `nextMs` says where the rest begins.
 */
import { addDays, calendarOf, DAY_MS, HOUR_MS, hourStart } from "../domain/calendar.ts";
import type { Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";
import {
  dayPeriod,
  dayPeriodStart,
  hourPeriod,
  hourPeriodStart,
  monthOf,
  type Period,
  type SegmentKind,
} from "./keys.ts";
import { type KvReader, type ReadFailure, readSegment } from "./reader.ts";
import { unpackRollups, unpackSamples } from "./segment.ts";
import type { SnapshotTail } from "./snapshot.ts";

/** Enough for a day of raw samples: 24 hours, and the one that is cut at both ends. */
export const SEGMENTS_A_READ = 25;
/** Enough for a day of probes a minute. */
export const POINTS_A_READ = 1500;

export interface SeriesQuery {
  readonly shard: number;
  readonly monitorId: string;
  /** Points that start in `[fromMs, toMs)`. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** A period that ought to be readable and is not, now. */
export interface Gap {
  readonly period: Period;
  readonly failure: ReadFailure;
}

export interface Series<Point> {
  readonly points: readonly Point[];
  /** Where the rest begins; null: there is none. */
  readonly nextMs: number | null;
  readonly gaps: readonly Gap[];
}

/** Every probe. */
export async function readSamples(
  kv: KvReader,
  tail: SnapshotTail,
  query: SeriesQuery,
): Promise<Series<Sample>> {
  return readSeries(kv, tail, query, {
    segments: "hour",
    live: tail.live.samples,
    unpack: unpackSamples,
    startOf: ({ atMs }) => atMs,
    periodOf: hourPeriod,
    startOfPeriod: hourPeriodStart,
  });
}

/** A roll-up an hour of UTC. */
export async function readHours(
  kv: KvReader,
  tail: SnapshotTail,
  query: SeriesQuery,
): Promise<Series<Rollup>> {
  return readSeries(kv, tail, query, {
    segments: "day",
    live: tail.live.hours,
    unpack: unpackRollups,
    startOf: ({ fromMs }) => fromMs,
    periodOf: dayPeriod,
    startOfPeriod: dayPeriodStart,
  });
}

/** A roll-up a day of the configured zone. */
export async function readDays(
  kv: KvReader,
  tail: SnapshotTail,
  query: SeriesQuery,
): Promise<Series<Rollup>> {
  const calendar = calendarOf(tail.timeZone);
  return readSeries(kv, tail, query, {
    segments: "month",
    live: tail.live.days,
    unpack: unpackRollups,
    startOf: ({ fromMs }) => fromMs,
    periodOf: (atMs) => monthOf(calendar.dayOf(atMs)),
    startOfPeriod: (month) => calendar.startOfDay(`${month}-01`),
  });
}
