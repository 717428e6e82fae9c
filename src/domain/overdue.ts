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
  state: Pick<MonitorState, "lastProbe" | "diagnosis" | "nextDueMs" | "regions">,
  heldUntilMs: number,
  { everyMs, tickIntervalMs, nowMs }: { everyMs: number; tickIntervalMs: number; nowMs: number },
): boolean {
  const { lastProbe, nextDueMs } = state;
  if (lastProbe === null) return true;
  // That it is wanted at once makes nothing older.
  const dueMs = Math.max(nextDueMs, lastProbe.atMs, isToldToWait(state) ? heldUntilMs : 0);
  return nowMs > dueMs + patienceMs(everyMs, tickIntervalMs);
}

/** What a gateway asked for when it answered another monitor says nothing of this one; what it told one region holds for all. */
function isToldToWait({ diagnosis, regions }: Pick<MonitorState, "diagnosis" | "regions">): boolean {
  const told = [diagnosis, ...Object.values(regions).map((seen) => seen.diagnosis)];
  return told.some((of) => (of?.retry.afterSeconds ?? 0) > 0);
}
