/**
 * The figures of a generation: how fast it came, and what it took. Pure data.
 */
import type { Percentiles } from "./percentile.ts";

/** Of one probe; null: not measured, or not told. */
export interface GenerationFigures {
  /** From the request to the first content of a stream. */
  readonly firstTokenMs: number | null;
  /** From the creation of a task to its final state, as it was seen: in whole ticks. */
  readonly taskMs: number | null;
  /** Output tokens a second, of a stream from the first content to the last, else over the whole answer. */
  readonly tokensPerSecond: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** In millionths of the configured currency; null where no price is configured. */
  readonly costMicros: number | null;
}

/** Of many probes: percentiles of the successful ones, and sums of what all of them took. */
export interface GenerationRollup {
  readonly firstTokenMs: Percentiles | null;
  readonly taskMs: Percentiles | null;
  /** Of a slow one the figure is low: `p95` is what 95 % of them reach at least. */
  readonly tokensPerSecond: Percentiles | null;
  /** Null where no probe told any, as of the two below. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costMicros: number | null;
}

export const NO_FIGURES: GenerationFigures = {
  firstTokenMs: null,
  taskMs: null,
  tokensPerSecond: null,
  inputTokens: null,
  outputTokens: null,
  costMicros: null,
};
