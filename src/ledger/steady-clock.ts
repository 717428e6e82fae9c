/**
 * Whether the clock can be trusted with what cannot be undone. It may jump: after that it has to run evenly for a day
 * before anything is forgotten on its word. Pure.
 */
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../domain/calendar.ts";

export interface ClockWatch {
  /** The time of the last tick. */
  readonly lastMs: number;
  /** Since when it has run evenly. */
  readonly sinceMs: number;
}

/** Clocks of different machines differ by less. */
const BACKWARDS_MS = 5 * MINUTE_MS;

export function watchClock(before: ClockWatch, nowMs: number, tickIntervalMs: number): ClockWatch {
  return { lastMs: nowMs, sinceMs: isEven(before, nowMs, tickIntervalMs) ? before.sinceMs : nowMs };
}

export function isSteady(watch: ClockWatch, nowMs: number, tickIntervalMs: number): boolean {
  return isEven(watch, nowMs, tickIntervalMs) && nowMs - watch.sinceMs >= DAY_MS;
}

/** Ticks that stopped for a while look like a jump ahead, and cost no more than a day's delay. */
function isEven({ lastMs }: ClockWatch, nowMs: number, tickIntervalMs: number): boolean {
  return nowMs >= lastMs - BACKWARDS_MS && nowMs <= lastMs + Math.max(HOUR_MS, 3 * tickIntervalMs);
}
