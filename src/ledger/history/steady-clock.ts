/**
 * Whether the clock can be trusted with what cannot be undone. After a jump, no hour after it is closed and nothing is forgotten
 * until it has run evenly for a while: for a day where it went back or far ahead; for an hour where it went ahead as a night's
 * pause of the ticks does. Pure.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";

export interface ClockWatch {
  /** The time of the last tick. */
  readonly lastMs: number;
  /** From this instant on it is trusted, if it runs evenly. */
  readonly steadyMs: number;
  /** The time of the tick before its latest jump. */
  readonly beforeMs: number;
}

/** Clocks of different machines differ by less. */
const BACKWARDS_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = 2 * DAY_MS;
const AFTER_A_PAUSE_MS = HOUR_MS;

export function watchClock(before: ClockWatch, nowMs: number, tickIntervalMs: number): ClockWatch {
  if (before.lastMs === 0) return { lastMs: nowMs, steadyMs: nowMs, beforeMs: 0 };
  const stepMs = nowMs - before.lastMs;
  const isEven = isNear(before, nowMs, tickIntervalMs);
  const isPause = stepMs > 0 && stepMs <= LONGEST_PAUSE_MS;
  const steadyMs = isEven ? before.steadyMs : nowMs + (isPause ? AFTER_A_PAUSE_MS : DAY_MS);
  const beforeMs = isEven || stepMs < 0 ? before.beforeMs : before.lastMs;
  return { lastMs: nowMs, steadyMs: Math.min(steadyMs, nowMs + DAY_MS), beforeMs };
}

export function isSteady(watch: ClockWatch, nowMs: number, tickIntervalMs: number): boolean {
  return isNear(watch, nowMs, tickIntervalMs) && nowMs >= watch.steadyMs;
}

function isNear({ lastMs }: ClockWatch, nowMs: number, tickIntervalMs: number): boolean {
  return nowMs >= lastMs - BACKWARDS_MS && nowMs <= lastMs + Math.max(HOUR_MS, 3 * tickIntervalMs);
}
