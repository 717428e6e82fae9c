/**
 * The figures of generations in history as it is answered: a member of a point, and columns behind its others. Pure.
 */
import type { GenerationFigures, GenerationRollup } from "../domain/generation.ts";
import type { Percentiles } from "../domain/percentile.ts";

const MICROS = 1_000_000;

/** Of one probe. */
export interface GenerationPoint extends Omit<GenerationFigures, "costMicros"> {
  /** In the configured currency. */
  readonly cost: number | null;
}

/** Of the probes of an hour or a day. */
export interface GenerationRollupPoint extends Omit<GenerationRollup, "costMicros"> {
  readonly cost: number | null;
}

export function generationPoint({ costMicros, ...figures }: GenerationFigures): GenerationPoint {
  return { ...figures, cost: inCurrency(costMicros) };
}

export function generationRollupPoint({ costMicros, ...figures }: GenerationRollup): GenerationRollupPoint {
  return { ...figures, cost: inCurrency(costMicros) };
}

function inCurrency(micros: number | null): number | null {
  return micros === null ? null : micros / MICROS;
}

interface Generated<Figures> {
  readonly generation: Figures | null;
}

type Columns<Figures> = Readonly<Record<string, (point: Generated<Figures>) => number | null>>;

export const GENERATION_COLUMNS: Columns<GenerationPoint> = {
  firstTokenMs: ({ generation }) => generation?.firstTokenMs ?? null,
  taskMs: ({ generation }) => generation?.taskMs ?? null,
  tokensPerSecond: ({ generation }) => generation?.tokensPerSecond ?? null,
  inputTokens: ({ generation }) => generation?.inputTokens ?? null,
  outputTokens: ({ generation }) => generation?.outputTokens ?? null,
  cost: ({ generation }) => generation?.cost ?? null,
};

/** `firstTokenP50Ms`, and on. */
export const GENERATION_ROLLUP_COLUMNS: Columns<GenerationRollupPoint> = {
  ...percentileColumns("firstToken", "Ms", ({ firstTokenMs }) => firstTokenMs),
  ...percentileColumns("task", "Ms", ({ taskMs }) => taskMs),
  ...percentileColumns("tokensPerSecond", "", ({ tokensPerSecond }) => tokensPerSecond),
  inputTokens: ({ generation }) => generation?.inputTokens ?? null,
  outputTokens: ({ generation }) => generation?.outputTokens ?? null,
  cost: ({ generation }) => generation?.cost ?? null,
};

function percentileColumns(
  name: string,
  unit: string,
  of: (figures: GenerationRollupPoint) => Percentiles | null,
): Columns<GenerationRollupPoint> {
  const ranks = ["p50", "p95", "p99"] as const;
  return Object.fromEntries(
    ranks.map((rank) => [
      `${name}${rank.toUpperCase()}${unit}`,
      ({ generation }: Generated<GenerationRollupPoint>) => generation && (of(generation)?.[rank] ?? null),
    ]),
  );
}
