/**
 * When a canary is due: what costs money is asked less often while it fails, and a task with every tick. Pure.
 */
import { HOUR_MS, MINUTE_MS } from "./calendar.ts";
import { nextSlot, type Rhythm } from "./schedule.ts";

const LONGEST_BACK_OFF_MS = 4 * HOUR_MS;
export const LONGEST_QUESTION_INTERVAL_MS = 15 * MINUTE_MS;
/** Numbers beyond it would not change what they are limited to. */
const MOST_DOUBLINGS = 30;

/** The interval after so many failures in a row: it doubles each time up to 4 hours, or stays if longer. */
export function backedOff(everyMs: number, failures: number): number {
  if (failures === 0) return everyMs;
  const doubled = everyMs * 2 ** Math.min(failures, MOST_DOUBLINGS);
  return Math.min(doubled, Math.max(everyMs, LONGEST_BACK_OFF_MS));
}

/** After a generation in the tick at `tickMs`: its next slot, or after failures the first tick that they allow. */
export function nextGeneration(rhythm: Rhythm, tickMs: number, failures: number): number {
  if (failures === 0) return nextSlot(rhythm, tickMs);
  return inTicks(tickMs, backedOff(rhythm.everyMs, failures), rhythm.tickMs);
}

interface Asked {
  /** Questions in a row that were refused. */
  readonly refused: number;
  /** From the tick to the instant before which the task's answer wants no question; 0: it does not say. */
  readonly waitMs: number;
}

/** After a question in the tick at `tickMs`: the next one, later where the answer wants it so, 15 minutes at most. */
export function nextQuestion(tickMs: number, tickIntervalMs: number, { refused, waitMs }: Asked): number {
  const doubled = tickIntervalMs * 2 ** Math.min(refused, MOST_DOUBLINGS);
  const longest = Math.max(tickIntervalMs, LONGEST_QUESTION_INTERVAL_MS);
  return inTicks(tickMs, Math.min(Math.max(doubled, waitMs), longest), tickIntervalMs);
}

function inTicks(tickMs: number, intervalMs: number, tickIntervalMs: number): number {
  return (Math.floor(tickMs / tickIntervalMs) + Math.ceil(intervalMs / tickIntervalMs)) * tickIntervalMs;
}
