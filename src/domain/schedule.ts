/** When a monitor is due, when its evidence is too old, and when its gateway is in maintenance. Pure. */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { MINUTE_MS } from "./calendar.ts";
import type { MonitorState } from "./monitor-state.ts";

export const LONGEST_REFUSED_INTERVAL_MS = 15 * MINUTE_MS;

/** 0: it does not ask for a wait. The answer of a pending task only says when to poll that task again. */
export function peaceAskedMs({ ok, cause, retry }: KeptDiagnosis): number {
  return ok || cause === "task_pending" ? 0 : (retry.afterSeconds ?? 0) * 1000;
}

export interface Rhythm {
  readonly monitorId: string;
  readonly everyMs: number;
  readonly tickMs: number;
}

/** The interval after failures in a row: it doubles each time up to `longestMs`. An interval that is longer anyway stays. */
export function stretched(everyMs: number, failures: number, longestMs: number): number {
  // More doublings would not change the result.
  return Math.min(everyMs * 2 ** Math.min(failures, 30), Math.max(everyMs, longestMs));
}

/** The first tick at least `intervalMs` after that of `tickMs`. */
export function inTicks(tickMs: number, intervalMs: number, tickIntervalMs: number): number {
  return (Math.floor(tickMs / tickIntervalMs) + Math.ceil(intervalMs / tickIntervalMs)) * tickIntervalMs;
}

/** Slots are `everyMs` apart, in whole ticks, shifted by a hash of the id: equal intervals do not all run in one tick. */
export function nextSlot(rhythm: Rhythm, afterMs: number): number {
  const stride = Math.max(1, Math.ceil(rhythm.everyMs / rhythm.tickMs));
  const phase = stableHash(rhythm.monitorId) % stride;
  const tick = Math.floor(afterMs / rhythm.tickMs) + 1;
  const missing = (((phase - tick) % stride) + stride) % stride;
  return (tick + missing) * rhythm.tickMs;
}

/** In its next slot. After failures (by default refusals) in a row: in the first tick after the lengthened interval. */
export function nextDue(
  rhythm: Rhythm,
  tickMs: number,
  failures: number,
  longestMs = LONGEST_REFUSED_INTERVAL_MS,
): number {
  if (failures === 0) return nextSlot(rhythm, tickMs);
  return inTicks(tickMs, stretched(rhythm.everyMs, failures, longestMs), rhythm.tickMs);
}

/** FNV-1a over UTF-16 units, 32 bits; the same on every machine and for ever. */
export function stableHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

export function patienceMs(everyMs: number, tickIntervalMs: number): number {
  return 3 * Math.max(everyMs, tickIntervalMs) + 4 * MINUTE_MS;
}

/** Whether it was put off for long, or its results were lost. @param heldUntilMs the gateway asked for no probe before it. */
export function isOverdue(
  state: Pick<MonitorState, "lastProbe" | "diagnosis" | "nextDueMs" | "regions">,
  heldUntilMs: number,
  { everyMs, tickIntervalMs, nowMs }: { everyMs: number; tickIntervalMs: number; nowMs: number },
): boolean {
  const { lastProbe, nextDueMs } = state;
  if (lastProbe === null) return true;
  // "Probe now" sets an early due time, which does not make the evidence older.
  const dueMs = Math.max(nextDueMs, lastProbe.atMs, isToldToWait(state) ? heldUntilMs : 0);
  return nowMs > dueMs + patienceMs(everyMs, tickIntervalMs);
}

/** A wait for another monitor does not explain this one's. A wait for one region holds for all regions of the monitor. */
function isToldToWait({ diagnosis, regions }: Pick<MonitorState, "diagnosis" | "regions">): boolean {
  const told = [diagnosis, ...Object.values(regions).map((seen) => seen.diagnosis)];
  return told.some((of) => (of?.retry.afterSeconds ?? 0) > 0);
}

export interface MaintenanceWindow {
  /** Empty: every gateway. */
  readonly gateways: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly title: string;
}

/** @param gateways the window's; none: it concerns every gateway. */
export function concerns(gateways: readonly string[], gatewayId: string): boolean {
  return gateways.length === 0 || gateways.includes(gatewayId);
}

export function inMaintenance(windows: readonly MaintenanceWindow[], gatewayId: string, atMs: number) {
  return windows.some((of) => concerns(of.gateways, gatewayId) && of.fromMs <= atMs && atMs < of.toMs);
}
