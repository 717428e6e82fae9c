/** Segments: what KV keeps of an hour, day or month. Each monitor has columns of integers. Pure. */
import * as z from "zod/mini";
import type { GenerationFigures, GenerationRollup, Sample } from "../domain/probe-outcome.ts";
import type { Percentiles, Rollup } from "../domain/rollup.ts";
import { objectOnce, once } from "../domain/schema.ts";
import type { Stored } from "../domain/stored.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";
import { publishedIncidentSchema, type PublishedIncident } from "./documents.ts";
import { STORAGE_VERSION } from "./keys.ts";
import { pack, unpack } from "./packing.ts";

/** Packed: the code that unpacks it checks what is inside. */
export const bytesSchema = once(() => z.custom<Uint8Array<ArrayBuffer>>((it) => it instanceof Uint8Array));

/**
 * One monitor's samples. First come the first instant, the usual interval, and how much each interval differs from it. Then come
 * latencies (-1: none), and the waits of samples with retries. Then come indices into the outcomes (empty: all are the first),
 * and the outcomes, each a number. Figures of generations are last, if there are any.
 */
const columnsSchema = once(() => {
  const column = z.array(z.int());
  const generations = z.optional(z.array(column));
  return z.tuple([z.int(), z.int(), column, column, column, column, column, generations]);
});

export function packSamples(samples: readonly Sample[]): Uint8Array<ArrayBuffer> {
  const sorted = [...samples].sort((a, b) => a.atMs - b.atMs);
  const steps = sorted.slice(1).map(({ atMs }, index) => atMs - (sorted[index]?.atMs ?? atMs));
  const usual = steps[0] ?? 0;
  const { outcomes, indices } = outcomesOf(sorted);
  return pack([
    sorted[0]?.atMs ?? 0,
    usual,
    steps.map((step) => step - usual),
    sorted.map(({ latencyMs }) => latencyMs ?? -1),
    sorted.filter(wasAskedAgain).map(({ waitedMs }) => waitedMs),
    indices.every((index) => index === 0) ? [] : indices,
    outcomes,
    ...packGenerations(sorted),
  ] satisfies Stored<typeof columnsSchema>);
}

/** Only retries have waits. */
function wasAskedAgain({ attempts }: Pick<Sample, "attempts">): boolean {
  return attempts > 1;
}

function outcomesOf(samples: readonly Sample[]): { outcomes: number[]; indices: number[] } {
  const known = new Map<number, number>();
  const indices = samples.map((sample) => {
    const outcome = packOutcome(sample);
    const index = known.get(outcome) ?? known.size;
    known.set(outcome, index);
    return index;
  });
  return { outcomes: [...known.keys()], indices };
}

/** A probe has at most four attempts, and none if nothing was sent. */
const ATTEMPTS_SPAN = 16;
/** HTTP statuses have three digits; 0: none came. */
const STATUS_SPAN = 1000;

type Outcome = Pick<Sample, "health" | "cause" | "attempts" | "inMaintenance" | "httpStatus">;

/** All in one number. Health and cause are their places in `HEALTHS` and `CAUSES`. */
function packOutcome({ health, cause, attempts, inMaintenance, httpStatus }: Outcome): number {
  const place = HEALTHS.indexOf(health) + HEALTHS.length * Number(inMaintenance);
  const bounded = Math.min(attempts, ATTEMPTS_SPAN - 1);
  const verdict = place + 2 * HEALTHS.length * (bounded + ATTEMPTS_SPAN * CAUSES.indexOf(cause));
  return verdict * STATUS_SPAN + (httpStatus ?? 0);
}

/** Undefined: a word that only a newer version knows. */
function unpackOutcome(packed: number) {
  const places = 2 * HEALTHS.length;
  const status = packed % STATUS_SPAN;
  const verdict = Math.floor(packed / STATUS_SPAN);
  const place = verdict % places;
  const rest = Math.floor(verdict / places);
  return {
    health: HEALTHS[place % HEALTHS.length],
    cause: CAUSES[Math.floor(rest / ATTEMPTS_SPAN)],
    attempts: rest % ATTEMPTS_SPAN,
    inMaintenance: place >= HEALTHS.length,
    httpStatus: status === 0 ? null : status,
  };
}

/** Leaves out samples with words of a newer version. @throws when the bytes are not a monitor's samples. */
export function unpackSamples(bytes: Uint8Array): Sample[] {
  const columns = columnsSchema().parse(unpack(bytes));
  const [startMs, usual, jitter, latencies, waits, indices, packed, figures] = columns;
  const outcomes = packed.map(unpackOutcome);
  const generations = unpackGenerations(figures, latencies.length);
  let atMs = startMs;
  let asked = 0;
  return latencies.flatMap((latency, index): Sample[] => {
    if (index > 0) atMs += usual + numberAt(jitter, index - 1);
    const outcome = outcomes[indices.length === 0 ? 0 : numberAt(indices, index)];
    if (outcome === undefined) throw new Error("uneven columns");
    const waitedMs = wasAskedAgain(outcome) ? numberAt(waits, asked) : 0;
    if (wasAskedAgain(outcome)) asked += 1;
    const { health, cause, attempts, inMaintenance, httpStatus } = outcome;
    if (health === undefined || cause === undefined) return [];
    const latencyMs = latency < 0 ? null : latency;
    const generation = generations[index] ?? null;
    return [{ atMs, health, cause, latencyMs, attempts, waitedMs, httpStatus, inMaintenance, generation }];
  });
}

function numberAt(numbers: readonly number[], index: number): number {
  const number = numbers[index];
  if (number === undefined) throw new Error("uneven columns");
  return number;
}

const rollupSchema = once(() =>
  z.tuple([
    z.number(),
    z.tuple([z.int(), z.int(), z.int(), z.int(), z.int(), z.int()]),
    z.nullable(z.tuple([z.number(), z.number(), z.number()])),
    z.int(),
    z.nullable(z.string()),
    z.optional(packedGenerationSchema()),
  ]),
);
type PackedRollup = Stored<typeof rollupSchema>;

export function packRollups(rollups: readonly Rollup[]): Uint8Array<ArrayBuffer> {
  return pack(rollups.map(packRollup));
}

function packRollup({ fromMs, counts, latencyMs, attempts, cause, generation }: Rollup) {
  const { up, degraded, down, blocked, unknown, maintenance } = counts;
  return [
    fromMs,
    [up, degraded, down, blocked, unknown, maintenance],
    packPercentiles(latencyMs),
    attempts,
    cause,
    ...packGenerationRollup(generation),
  ] satisfies PackedRollup;
}

/** Leaves out causes of a newer version. @throws when the bytes are not a monitor's roll-ups. */
export function unpackRollups(bytes: Uint8Array): Rollup[] {
  return z
    .array(rollupSchema())
    .parse(unpack(bytes))
    .map(([fromMs, counts, latency, attempts, cause, generation]) => {
      const [up, degraded, down, blocked, unknown, maintenance] = counts;
      return {
        fromMs,
        counts: { up, degraded, down, blocked, unknown, maintenance },
        latencyMs: unpackPercentiles(latency),
        attempts,
        cause: CAUSES.find((known) => known === cause) ?? null,
        generation: generation ? unpackGenerationRollup(generation) : null,
      };
    });
}

/** Each monitor's bytes are packed separately, so that one monitor can be read without the others. */
export interface Segment {
  readonly monitors: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  readonly incidents: readonly PublishedIncident[];
}

const segmentSchema = objectOnce(() => ({
  version: z.literal(STORAGE_VERSION),
  monitors: z.record(z.string(), bytesSchema()),
  /** JSON: the runtime writes it faster than anything else. */
  incidents: z.string(),
}));

/** By monitor, packed with `packSamples` or `packRollups`. */
export function packEach<Points>(
  byMonitor: ReadonlyMap<string, Points>,
  packOne: (points: Points) => Uint8Array<ArrayBuffer>,
): Map<string, Uint8Array<ArrayBuffer>> {
  return new Map([...byMonitor].map(([id, points]) => [id, packOne(points)]));
}

export function packSegment(segment: Segment): Uint8Array<ArrayBuffer> {
  return pack({
    version: STORAGE_VERSION,
    monitors: Object.fromEntries(segment.monitors),
    incidents: JSON.stringify(segment.incidents),
  });
}

/** @throws when the bytes are not a segment of this version. */
export function unpackSegment(bytes: Uint8Array): Segment {
  const { monitors, incidents } = segmentSchema().parse(unpack(bytes));
  return {
    monitors: new Map(Object.entries(monitors)),
    incidents: z.array(publishedIncidentSchema()).parse(JSON.parse(incidents)),
  };
}

const FIGURES = [
  "firstTokenMs",
  "taskMs",
  "tokensPerSecond",
  "inputTokens",
  "outputTokens",
  "costMicros",
] as const satisfies readonly (keyof GenerationFigures)[];
type Figure = (typeof FIGURES)[number];

const PARTS_OF_A_TOKEN = 100;

function partsOf(figure: Figure): number {
  return figure === "tokensPerSecond" ? PARTS_OF_A_TOKEN : 1;
}

/** The places of samples without a generation, then a column for each figure of the others (-1: not reported; empty: none reported it). */
function packGenerations(samples: readonly Pick<Sample, "generation">[]): [] | [number[][]] {
  const generated = samples.flatMap(({ generation }) => generation ?? []);
  if (generated.length === 0) return [];
  const without = samples.flatMap(({ generation }, place) => (generation === null ? [place] : []));
  const columns = FIGURES.map((figure) => {
    const numbers = generated.map((of) => whole(of[figure], partsOf(figure)));
    return numbers.every((number) => number === -1) ? [] : numbers;
  });
  return [[without, ...columns]];
}

function unpackGenerations(
  columns: readonly (readonly number[])[] | undefined,
  samples: number,
): (GenerationFigures | null)[] {
  if (columns === undefined) return Array.from({ length: samples }, () => null);
  const [places, ...figures] = columns;
  const without = new Set(places);
  const generated = samples - without.size;
  const isEven = figures.every(({ length }) => length === 0 || length === generated);
  if (!isEven || figures.length !== FIGURES.length) throw new Error("uneven columns");
  let row = -1;
  return Array.from({ length: samples }, (_, place) => {
    if (without.has(place)) return null;
    row += 1;
    const of = (figure: Figure) => told(figures[FIGURES.indexOf(figure)]?.[row] ?? -1, partsOf(figure));
    return {
      firstTokenMs: of("firstTokenMs"),
      taskMs: of("taskMs"),
      tokensPerSecond: of("tokensPerSecond"),
      inputTokens: of("inputTokens"),
      outputTokens: of("outputTokens"),
      costMicros: of("costMicros"),
    };
  });
}

const threeSchema = once(() => z.nullable(z.tuple([z.int(), z.int(), z.int()])));
/** p50, p95 and p99 of first token, task and hundredths of tokens a second; then input, output, cost (-1: not reported). */
const packedGenerationSchema = once(() =>
  z.tuple([threeSchema(), threeSchema(), threeSchema(), z.int(), z.int(), z.int()]),
);
type PackedGeneration = Stored<typeof packedGenerationSchema>;
type Three = Stored<typeof threeSchema>;

function packGenerationRollup(rollup: GenerationRollup | null): [] | [PackedGeneration] {
  if (rollup === null) return [];
  const { firstTokenMs, taskMs, tokensPerSecond, inputTokens, outputTokens, costMicros } = rollup;
  return [
    [
      packPercentiles(firstTokenMs),
      packPercentiles(taskMs),
      packPercentiles(tokensPerSecond, PARTS_OF_A_TOKEN),
      whole(inputTokens),
      whole(outputTokens),
      whole(costMicros),
    ],
  ];
}

function unpackGenerationRollup(packed: PackedGeneration): GenerationRollup {
  const [firstToken, task, rate, input, output, cost] = packed;
  return {
    firstTokenMs: unpackPercentiles(firstToken),
    taskMs: unpackPercentiles(task),
    tokensPerSecond: unpackPercentiles(rate, PARTS_OF_A_TOKEN),
    inputTokens: told(input),
    outputTokens: told(output),
    costMicros: told(cost),
  };
}

function packPercentiles(of: Percentiles | null, parts = 1): Three {
  return of && [whole(of.p50, parts), whole(of.p95, parts), whole(of.p99, parts)];
}

function unpackPercentiles(of: Three, parts = 1): Percentiles | null {
  return of && { p50: of[0] / parts, p95: of[1] / parts, p99: of[2] / parts };
}

/** Readers refuse a segment with anything but whole numbers in its columns. */
function whole(number: number | null, parts = 1): number {
  return number === null ? -1 : Math.min(Number.MAX_SAFE_INTEGER, Math.round(number * parts));
}

function told(number: number, parts = 1): number | null {
  return number < 0 ? null : number / parts;
}
