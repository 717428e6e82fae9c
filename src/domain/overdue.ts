/**
 * Whether what is known of a monitor is too old to be shown as how it stands. Pure.
 */
import { MINUTE_MS } from "./calendar.ts";
import type { MonitorState } from "./monitor-state.ts";

/** Evidence is fresh for so long after it was due to be renewed. */
export function patienceMs(everyMs: number, tickIntervalMs: number): number {
  return 3 * Math.max(everyMs, tickIntervalMs) + 4 * MINUTE_MS;
}

/**
 * No fresh evidence, though nothing explains the wait: put off for long, or its results were lost.
 * @param heldUntilMs the gateway asked for no probe before this instant.
 */
export function isOverdue(
  { lastProbe, diagnosis, nextDueMs }: Pick<MonitorState, "lastProbe" | "diagnosis" | "nextDueMs">,
  heldUntilMs: number,
  { everyMs, tickIntervalMs, nowMs }: { everyMs: number; tickIntervalMs: number; nowMs: number },
): boolean {
  if (lastProbe === null) return true;
  // What a gateway asked for when it answered another monitor says nothing of this one.
  const isTold = (diagnosis?.retry.afterSeconds ?? 0) > 0;
  // That it is wanted at once makes nothing older.
  const dueMs = Math.max(nextDueMs, lastProbe.atMs, isTold ? heldUntilMs : 0);
  return nowMs > dueMs + patienceMs(everyMs, tickIntervalMs);
}
