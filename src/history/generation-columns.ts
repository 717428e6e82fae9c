/**
 * The figures of generations as numbers of a segment: columns beside those of samples, and a part of a roll-up's row. What
 * generates nothing takes no byte for it. Pure.
 */
import * as z from "zod/mini";
import type { GenerationFigures, GenerationRollup } from "../domain/generation.ts";
import type { Percentiles } from "../domain/percentile.ts";
import type { Sample } from "../domain/sample.ts";

const column = z.array(z.int());
/**
 * The places of samples that generated nothing, then a column each of the others' figures (-1: not told; empty: no sample
 * told it): the first token, the task, hundredths of tokens a second, input, output, cost.
 */
export const generationColumnsSchema = z.tuple([column, column, column, column, column, column, column]);
type GenerationColumns = z.infer<typeof generationColumnsSchema>;

/** Tokens a second are kept to the hundredth. */
const PARTS_OF_A_TOKEN = 100;

/** Nothing where no sample has any. */
export function packGenerations(samples: readonly Pick<Sample, "generation">[]): [] | [GenerationColumns] {
  const figures = samples.map(({ generation }) => generation).filter((generation) => generation !== null);
  if (figures.length === 0) return [];
  const columnOf = (numberOf: (of: GenerationFigures) => number | null): number[] => {
    const numbers = figures.map(numberOf);
    return numbers.every((number) => number === null) ? [] : numbers.map(whole);
  };
  const columns: GenerationColumns = [
    samples.flatMap(({ generation }, place) => (generation === null ? [place] : [])),
    columnOf(({ firstTokenMs }) => firstTokenMs),
    columnOf(({ taskMs }) => taskMs),
    columnOf(({ tokensPerSecond }) => inParts(tokensPerSecond)),
    columnOf(({ inputTokens }) => inputTokens),
    columnOf(({ outputTokens }) => outputTokens),
    columnOf(({ costMicros }) => costMicros),
  ];
  return [columns];
}

/** Of as many samples, each in its place. @throws when the columns are uneven. */
export function unpackGenerations(
  columns: GenerationColumns | undefined,
  samples: number,
): (GenerationFigures | null)[] {
  if (columns === undefined) return Array.from({ length: samples }, () => null);
  const [places, ...figures] = columns;
  const without = new Set(places);
  const generated = samples - without.size;
  if (figures.some(({ length }) => length !== 0 && length !== generated)) throw new Error("uneven columns");
  const rows = Array.from({ length: generated }, (_, row) => figuresOf(figures.map((of) => of[row] ?? -1)));
  const next = rows.values();
  return Array.from({ length: samples }, (_, place) =>
    without.has(place) ? null : (next.next().value ?? null),
  );
}

function figuresOf([
  firstToken = -1,
  task = -1,
  rate = -1,
  input = -1,
  output = -1,
  cost = -1,
]: readonly number[]) {
  return {
    firstTokenMs: told(firstToken),
    taskMs: told(task),
    tokensPerSecond: told(rate / PARTS_OF_A_TOKEN),
    inputTokens: told(input),
    outputTokens: told(output),
    costMicros: told(cost),
  } satisfies GenerationFigures;
}

const threeSchema = z.nullable(z.tuple([z.int(), z.int(), z.int()]));
/** p50, p95 and p99 of the first token, the task and hundredths of tokens a second; input, output, cost (-1: not told). */
export const packedGenerationSchema = z.tuple([
  threeSchema,
  threeSchema,
  threeSchema,
  z.int(),
  z.int(),
  z.int(),
]);
type PackedGeneration = z.infer<typeof packedGenerationSchema>;
type Three = z.infer<typeof threeSchema>;

/** Nothing where it is null. */
export function packGenerationRollup(rollup: GenerationRollup | null): [] | [PackedGeneration] {
  if (rollup === null) return [];
  const { firstTokenMs, taskMs, tokensPerSecond, inputTokens, outputTokens, costMicros } = rollup;
  const packed: PackedGeneration = [
    packPercentiles(firstTokenMs, 1),
    packPercentiles(taskMs, 1),
    packPercentiles(tokensPerSecond, PARTS_OF_A_TOKEN),
    whole(inputTokens),
    whole(outputTokens),
    whole(costMicros),
  ];
  return [packed];
}

export function unpackGenerationRollup(packed: PackedGeneration): GenerationRollup {
  const [firstToken, task, rate, input, output, cost] = packed;
  return {
    firstTokenMs: unpackPercentiles(firstToken, 1),
    taskMs: unpackPercentiles(task, 1),
    tokensPerSecond: unpackPercentiles(rate, PARTS_OF_A_TOKEN),
    inputTokens: told(input),
    outputTokens: told(output),
    costMicros: told(cost),
  };
}

function packPercentiles(of: Percentiles | null, parts: number): Three {
  return of && [whole(of.p50 * parts), whole(of.p95 * parts), whole(of.p99 * parts)];
}

function unpackPercentiles(of: Three, parts: number): Percentiles | null {
  return of && { p50: of[0] / parts, p95: of[1] / parts, p99: of[2] / parts };
}

/** A reader refuses a column that holds anything but whole numbers, and with it the whole segment. */
function whole(number: number | null): number {
  return number === null ? -1 : Math.min(Number.MAX_SAFE_INTEGER, Math.round(number));
}

function told(number: number): number | null {
  return number < 0 ? null : number;
}

function inParts(rate: number | null): number | null {
  return rate === null ? null : rate * PARTS_OF_A_TOKEN;
}
