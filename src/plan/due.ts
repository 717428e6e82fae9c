/**
 * What is due in each tick of a day, put off where a tick takes no more: the schedule of the Ledger, played for a day on which
 * all is well. Pure.
 */
import type { Config, MonitorConfig, Region } from "../config/config.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { nextSlot } from "../domain/schedule.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";

/** Calls that a region gets in a tick. */
export interface RegionLoad {
  readonly calls: number;
  /** The most of one gateway, which is asked for one list after the other. */
  readonly inARow: number;
}

export interface TickLoad {
  /** Lists of models. */
  readonly lists: number;
  readonly canaries: number;
  /** Calls of vantage points: they ask for their lists, and the invocation does not. */
  readonly vantages: number;
  readonly regions: ReadonlyMap<Region, RegionLoad>;
  /** Requests of the invocation itself. */
  readonly requests: number;
  /** The same, if each that may be repeated is asked as often as it may; the plan's limit is not looked at. */
  readonly mostRequests: number;
}

/** Cron fires once a minute. */
const TICK_MS = MINUTE_MS;
export const TICKS_A_DAY = DAY_MS / TICK_MS;

interface Watched {
  readonly monitor: MonitorConfig;
  /** Vantage points that ask in the invocation's place; none: it asks itself. */
  readonly regions: readonly Region[];
}

interface Waiting extends Watched {
  dueMs: number;
  asked: number;
}

/** @param fromMs midnight. */
export function dayOfTicks(config: Config, fromMs: number): readonly TickLoad[] {
  const waiting = watchedBy(config).map(({ monitor, regions }): Waiting => {
    return { monitor, regions, dueMs: slotAfter(monitor, fromMs - 1), asked: 0 };
  });
  return Array.from({ length: TICKS_A_DAY }, (_, index) => {
    const tickMs = fromMs + index * TICK_MS;
    const due = waiting.filter((of) => of.dueMs <= tickMs && !isUsedUp(of));
    const asked = due.sort(byLateness).slice(0, config.maxProbesPerTick);
    for (const of of asked) {
      of.dueMs = slotAfter(of.monitor, tickMs);
      of.asked += 1;
    }
    return loadOf(asked);
  });
}

/** Probes that fall due in a tick, on average of a day; questions about open tasks come on top. */
export function averagePerTick({ gateways }: Config): number {
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const sum = monitors.reduce((all, { everyMs, canary }) => {
    return all + Math.min(TICK_MS / everyMs, (canary?.perDay ?? TICKS_A_DAY) / TICKS_A_DAY);
  }, 0);
  // Two hundred tenths are twenty, not a little more.
  return Math.round(sum * 1e9) / 1e9;
}

/** Ticks put monitors off all the time. */
export function isOverloaded(config: Config): boolean {
  return averagePerTick(config) > config.maxProbesPerTick;
}

/** Of each figure by itself the most that one tick may have: which monitors it takes is left to chance. */
export interface FullestTick extends Pick<TickLoad, "vantages" | "requests" | "mostRequests"> {
  readonly probes: number;
  /** Requests and calls of vantage points. */
  readonly asked: number;
  readonly mostAsked: number;
}

/** Whatever the schedule is: after a deploy, or a silence, all are due at once. */
export function fullestTick(config: Config): FullestTick {
  const watched = watchedBy(config);
  const most = (costOf: (of: Watched) => number): number => {
    const costs = watched.map(costOf).sort((a, b) => b - a);
    return costs.slice(0, config.maxProbesPerTick).reduce((sum, cost) => sum + cost, 0);
  };
  return {
    probes: Math.min(watched.length, config.maxProbesPerTick),
    vantages: most(({ regions }) => regions.length),
    requests: most(requests),
    mostRequests: most(mostRequests),
    asked: most((of) => requests(of) + of.regions.length),
    mostAsked: most((of) => mostRequests(of) + of.regions.length),
  };
}

function watchedBy({ gateways }: Config): readonly Watched[] {
  return gateways.flatMap(({ monitors, regions }) =>
    monitors.map((monitor) => ({ monitor, regions: monitor.canary === null ? regions : [] })),
  );
}

function loadOf(watched: readonly Watched[]): TickLoad {
  const canaries = watched.filter(({ monitor }) => monitor.canary !== null).length;
  return {
    lists: watched.length - canaries,
    canaries,
    vantages: watched.reduce((sum, { regions }) => sum + regions.length, 0),
    regions: regionLoads(watched),
    requests: watched.reduce((sum, of) => sum + requests(of), 0),
    mostRequests: watched.reduce((sum, of) => sum + mostRequests(of), 0),
  };
}

function regionLoads(watched: readonly Watched[]): ReadonlyMap<Region, RegionLoad> {
  const loads = new Map<Region, { calls: number; inARow: number }>();
  const inARow = new Map<string, number>();
  for (const { monitor, regions } of watched) {
    if (regions.length === 0) continue;
    const place = (inARow.get(monitor.gatewayId) ?? 0) + 1;
    inARow.set(monitor.gatewayId, place);
    for (const region of regions) {
      const load = loads.get(region) ?? { calls: 0, inARow: 0 };
      load.calls += 1;
      load.inARow = Math.max(load.inARow, place);
      loads.set(region, load);
    }
  }
  return loads;
}

/** Vantage points ask in its place. */
function requests({ regions }: Watched): number {
  return regions.length === 0 ? 1 : 0;
}

/** What costs money is repeated only where that is wanted. */
function mostRequests({ monitor: { canary }, regions }: Watched): number {
  if (regions.length > 0) return 0;
  return canary === null || canary.retry ? MAX_ATTEMPTS : 1;
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
