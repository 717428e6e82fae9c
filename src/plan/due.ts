/**
 * What is due in each tick of a day, put off where a tick takes no more: the schedule of the Ledger, played for a day on which
 * all is well. Pure.
 */
import type { Config, MonitorConfig } from "../config/config.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { nextSlot } from "../domain/schedule.ts";

export interface TickLoad {
  /** Lists of models. */
  readonly lists: number;
  readonly canaries: number;
  /** Requests, if each that may be repeated is asked as often as it may; the plan's limit is not looked at. */
  readonly mostRequests: number;
}

/** Cron fires once a minute. */
const TICK_MS = MINUTE_MS;
export const TICKS_A_DAY = DAY_MS / TICK_MS;

/** Of one probe (spec 7.4). */
const ATTEMPTS = 4;

interface Waiting {
  readonly monitor: MonitorConfig;
  dueMs: number;
  asked: number;
}

/** @param fromMs midnight. */
export function dayOfTicks({ gateways, maxProbesPerTick }: Config, fromMs: number): readonly TickLoad[] {
  const waiting = gateways
    .flatMap(({ monitors }) => monitors)
    .map((monitor): Waiting => ({ monitor, dueMs: slotAfter(monitor, fromMs - 1), asked: 0 }));
  return Array.from({ length: TICKS_A_DAY }, (_, index) => {
    const tickMs = fromMs + index * TICK_MS;
    const due = waiting.filter((of) => of.dueMs <= tickMs && !isUsedUp(of));
    const asked = due.sort(byLateness).slice(0, maxProbesPerTick);
    for (const of of asked) {
      of.dueMs = slotAfter(of.monitor, tickMs);
      of.asked += 1;
    }
    return loadOf(asked.map(({ monitor }) => monitor));
  });
}

/** Whatever the schedule is: after a deploy, or a silence, all are due at once. */
export function fullestTick({ gateways, maxProbesPerTick }: Config): TickLoad {
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const byRequests = monitors.toSorted((a, b) => mostRequests(b) - mostRequests(a));
  return loadOf(byRequests.slice(0, maxProbesPerTick));
}

function loadOf(monitors: readonly MonitorConfig[]): TickLoad {
  const canaries = monitors.filter(({ canary }) => canary !== null).length;
  return {
    lists: monitors.length - canaries,
    canaries,
    mostRequests: monitors.reduce((sum, monitor) => sum + mostRequests(monitor), 0),
  };
}

/** What costs money is repeated only where that is wanted. */
function mostRequests({ canary }: MonitorConfig): number {
  return canary === null || canary.retry ? ATTEMPTS : 1;
}

function isUsedUp({ monitor, asked }: Waiting): boolean {
  const perDay = monitor.canary?.perDay ?? null;
  return perDay !== null && asked >= perDay;
}

/** Of those that became due together, the lists come first. */
function byLateness(a: Waiting, b: Waiting): number {
  return a.dueMs - b.dueMs || Number(a.monitor.canary !== null) - Number(b.monitor.canary !== null);
}

function slotAfter({ id, everyMs }: MonitorConfig, afterMs: number): number {
  return nextSlot({ monitorId: id, everyMs, tickMs: TICK_MS }, afterMs);
}
