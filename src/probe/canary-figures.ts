/** The figures of a canary's probe: how fast its answer came, and what it took. Pure; every one is finite and bounded. */
import type { CanaryConfig } from "../config/config.ts";
import type { GenerationFigures } from "../domain/generation.ts";
import type { Told } from "../protocol/asked.ts";

export interface Measured {
  readonly told: Told;
  /** Of the last answer. */
  readonly answerMs: number;
  readonly isQuestion: boolean;
  /** From the creation to the final state; null: there is no task, or its final state was not seen. */
  readonly taskMs: number | null;
  /** Its own requests that left and are to be paid now; null: that is not settled yet. */
  readonly paidRequests: number | null;
}

export function figuresOfCanary(
  { isStreamed, prices }: Pick<CanaryConfig, "isStreamed" | "prices">,
  { told, answerMs, isQuestion, taskMs, paidRequests }: Measured,
): GenerationFigures {
  // A task's record may tell its tokens each time that it is asked about: they count once, with its end.
  const isSettled = paidRequests !== null;
  const inputTokens = isSettled ? bounded(told.inputTokens, Math.round) : null;
  const outputTokens = isSettled ? bounded(told.outputTokens, Math.round) : null;
  const contentMs = isStreamed ? streamedMs(told, outputTokens) : answerMs;
  return {
    firstTokenMs: isStreamed && !isQuestion ? bounded(told.firstContentMs, Math.round) : null,
    taskMs: bounded(taskMs, Math.round),
    tokensPerSecond: isQuestion ? null : speed(outputTokens, contentMs),
    inputTokens,
    outputTokens,
    costMicros:
      prices !== null && isSettled
        ? bounded(
            paidRequests * prices.requestMicros +
              ((inputTokens ?? 0) * prices.inputMicros + (outputTokens ?? 0) * prices.outputMicros) /
                1_000_000,
            Math.round,
            MOST_MICROS,
          )
        : null,
  };
}

/** One token alone has no speed. */
function streamedMs({ firstContentMs, lastContentMs }: Told, outputTokens: number | null): number {
  if (firstContentMs === null || lastContentMs === null || (outputTokens ?? 0) < 2) return 0;
  return lastContentMs - firstContentMs;
}

function speed(tokens: number | null, ms: number): number | null {
  if (tokens === null || tokens === 0 || !(ms > 0)) return null;
  return bounded((tokens * 1000) / ms, (value) => Math.round(value * 10) / 10);
}

const MOST = 1_000_000_000;
/** Ten million of the currency: a request may be priced at a million of it, and four of them may be paid. */
const MOST_MICROS = 10_000_000_000_000;

/** A gateway may tell anything. */
function bounded(value: number | null, round: (value: number) => number, most = MOST): number | null {
  if (value === null || !Number.isFinite(value)) return null;
  return Math.min(most, Math.max(0, round(value)));
}
