/** Since when, or from when, a monitor is due, whatever a clock that ran ahead has left behind. Pure. */
import type { MonitorConfig } from "../config/config.ts";
import type { CanaryState } from "../domain/canary.ts";
import { backedOff, LONGEST_QUESTION_INTERVAL_MS } from "../domain/canary-rhythm.ts";
import type { MonitorState } from "../domain/monitor-state.ts";
import { refusedInterval } from "../domain/schedule.ts";

interface DueTime {
  readonly tickMs: number;
  readonly tickIntervalMs: number;
}

/** No monitor waits longer than its own rhythm can explain. */
export function dueOf(
  monitor: MonitorConfig,
  { nextDueMs, refusalsInARow }: MonitorState,
  canary: CanaryState | undefined,
  { tickMs, tickIntervalMs }: DueTime,
): number {
  const longestMs = longestWaitMs(monitor, refusalsInARow, canary) + tickIntervalMs;
  return nextDueMs > tickMs + longestMs ? tickMs : nextDueMs;
}

function longestWaitMs(
  { everyMs, canary: rules }: MonitorConfig,
  refusals: number,
  canary: CanaryState | undefined,
): number {
  if (rules === null || canary === undefined) return refusedInterval(everyMs, refusals);
  if (canary.task !== null) return LONGEST_QUESTION_INTERVAL_MS;
  return rules.isGeneration ? backedOff(everyMs, canary.failures) : refusedInterval(everyMs, refusals);
}
