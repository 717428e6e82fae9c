/**
 * The contents of history segments: samples as columns, roll-ups as rows, incidents as they are. Numbers that repeat
 * are kept once: a sample is a time step, a latency, a wait and an index into the monitor's list of outcomes, at most
 * 12 bytes. Pure; bytes come from `packing.ts`.
 */
import * as z from "zod/mini";
import type { Percentiles } from "../domain/percentile.ts";
import type { Rollup } from "../domain/rollup.ts";
import type { Sample } from "../domain/sample.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";
import { type PublishedIncident, publishedIncidentSchema } from "./documents.ts";
import { STORAGE_VERSION } from "./keys.ts";
import { pack, unpack } from "./packing.ts";
import { bytesSchema } from "./records.ts";

/** What monitors did, by the monitor's id. */
export type SamplesByMonitor = ReadonlyMap<string, readonly Sample[]>;
export type RollupsByMonitor = ReadonlyMap<string, readonly Rollup[]>;

const outcomeSchema = z.tuple([
  z.enum(HEALTHS),
  z.enum(CAUSES),
  z.nullable(z.int()),
  z.int().check(z.nonnegative()),
  z.boolean(),
]);
type PackedOutcome = z.infer<typeof outcomeSchema>;

const column = z.array(z.number());
const columnsSchema = z.object({
  outcomes: z.array(outcomeSchema),
  /** Milliseconds since the sample before; the first since the epoch. */
  step: column,
  /** -1 where there is none. */
  latencyMs: column,
  waitedMs: column,
  outcome: column,
});
type PackedColumns = z.infer<typeof columnsSchema>;

/** One monitor's samples, oldest first. */
export function packSamples(samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
  const outcomes: PackedOutcome[] = [];
  const known = new Map<string, number>();
  const packed: PackedColumns = { outcomes, step: [], latencyMs: [], waitedMs: [], outcome: [] };
  let before = 0;
  for (const sample of [...samples].sort((a, b) => a.atMs - b.atMs)) {
    packed.step.push(sample.atMs - before);
    packed.latencyMs.push(sample.latencyMs ?? -1);
    packed.waitedMs.push(sample.waitedMs);
    packed.outcome.push(indexOf(sample, outcomes, known));
    before = sample.atMs;
  }
  return pack([packed.outcomes, packed.step, packed.latencyMs, packed.waitedMs, packed.outcome]);
}

function indexOf(sample: Sample, outcomes: PackedOutcome[], known: Map<string, number>): number {
  const outcome: PackedOutcome = [
    sample.health,
    sample.cause,
    sample.httpStatus,
    sample.attempts,
    sample.inMaintenance,
  ];
  const name = outcome.join();
  const index = known.get(name);
  if (index !== undefined) return index;
  known.set(name, outcomes.push(outcome) - 1);
  return outcomes.length - 1;
}

/** @throws when the bytes are not a monitor's samples. */
export function unpackSamples(bytes: Uint8Array): Sample[] {
  const [outcomes, step, latencyMs, waitedMs, outcome] = z
    .array(z.unknown())
    .check(z.length(5))
    .parse(unpack(bytes));
  const columns = columnsSchema.parse({ outcomes, step, latencyMs, waitedMs, outcome });
  let atMs = 0;
  return columns.step.map((stepMs, index) => {
    atMs += stepMs;
    const of = columns.outcomes[columns.outcome[index] ?? -1];
    const latency = columns.latencyMs[index];
    const waited = columns.waitedMs[index];
    if (of === undefined || latency === undefined || waited === undefined) throw new Error("uneven columns");
    const [health, cause, httpStatus, attempts, inMaintenance] = of;
    return {
      atMs,
      health,
      cause,
      latencyMs: latency < 0 ? null : latency,
      attempts,
      waitedMs: waited,
      httpStatus,
      inMaintenance,
    };
  });
}

const countsSchema = z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), z.int()]);
const rollupSchema = z.tuple([
  z.number(),
  countsSchema,
  z.nullable(z.tuple([z.number(), z.number(), z.number()])),
  z.int(),
  z.nullable(z.enum(CAUSES)),
]);
type PackedRollup = z.infer<typeof rollupSchema>;

/** One monitor's roll-ups, oldest first. */
export function packRollups(rollups: readonly Rollup[]): Uint8Array<ArrayBuffer> {
  return pack(rollups.map(packRollup));
}

function packRollup({ fromMs, counts, latencyMs, attempts, cause }: Rollup): PackedRollup {
  const { up, degraded, down, blocked, unknown, maintenance } = counts;
  const latency: [number, number, number] | null = latencyMs
    ? [latencyMs.p50, latencyMs.p95, latencyMs.p99]
    : null;
  return [fromMs, [up, degraded, down, blocked, unknown, maintenance], latency, attempts, cause];
}

/** @throws when the bytes are not a monitor's roll-ups. */
export function unpackRollups(bytes: Uint8Array): Rollup[] {
  return z
    .array(rollupSchema)
    .parse(unpack(bytes))
    .map(([fromMs, counts, latency, attempts, cause]) => {
      const [up, degraded, down, blocked, unknown, maintenance] = counts;
      return {
        fromMs,
        counts: { up, degraded, down, blocked, unknown, maintenance },
        latencyMs: latency ? percentiles(latency) : null,
        attempts,
        cause,
      };
    });
}

function percentiles([p50, p95, p99]: readonly [number, number, number]): Percentiles {
  return { p50, p95, p99 };
}

/** A segment: each monitor's bytes stand alone, so that reading one does not cost reading all. */
export interface Segment {
  readonly monitors: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** Incidents that were resolved in the segment's period. */
  readonly incidents: readonly PublishedIncident[];
}

const segmentSchema = z.object({
  version: z.literal(STORAGE_VERSION),
  monitors: z.record(z.string(), bytesSchema),
  incidents: z.array(publishedIncidentSchema),
});

export function packSegment(segment: Segment): Uint8Array<ArrayBuffer> {
  return pack({
    version: STORAGE_VERSION,
    monitors: Object.fromEntries(segment.monitors),
    incidents: segment.incidents,
  });
}

/** @throws when the bytes are not a segment of this version. */
export function unpackSegment(bytes: Uint8Array): Segment {
  const { monitors, incidents } = segmentSchema.parse(unpack(bytes));
  return { monitors: new Map(Object.entries(monitors)), incidents };
}

export function segmentOfSamples(
  samples: SamplesByMonitor,
  incidents: readonly PublishedIncident[],
): Segment {
  return { monitors: mapValues(samples, packSamples), incidents };
}

export function segmentOfRollups(
  rollups: RollupsByMonitor,
  incidents: readonly PublishedIncident[],
): Segment {
  return { monitors: mapValues(rollups, packRollups), incidents };
}

function mapValues<In, Out>(map: ReadonlyMap<string, In>, change: (value: In) => Out): Map<string, Out> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
