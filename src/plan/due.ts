/** What a shard is asked for on a day on which all is well, and in its fullest tick: the schedule of the Ledger. Pure. */
import type { Config, MonitorConfig, Region } from "../config/config.ts";
import { shardParts } from "../config/placement.ts";
import { CONNECTIONS_AT_ONCE } from "../config/plan-limits.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { nextSlot } from "../domain/schedule.ts";
import { MAX_ATTEMPTS } from "../protocol/retry.ts";
import { AWAKE } from "./figures.ts";

/** Cron fires once a minute. */
const TICK_MS = MINUTE_MS;
export const TICKS_A_DAY = DAY_MS / TICK_MS;
/** Any midnight: of what divides the day, each is like the others. */
const MIDNIGHT_MS = Date.UTC(2026, 0, 1);

/** Of a shard, on a day. */
export interface Load {
  /** Lists of models, and canaries, that are asked for. */
  readonly lists: number;
  readonly canaries: number;
  /** Ticks in which there are any. */
  readonly listTicks: number;
  readonly canaryTicks: number;
  /** Calls of vantage points, which ask for their lists in place of the invocation, and how long they are awake. */
  readonly vantages: number;
  readonly vantageSeconds: number;
  /** Requests of the invocations themselves; and if each that may be repeated is asked as often as it may. */
  readonly requests: number;
  readonly mostRequests: number;
}

interface Watched {
  readonly monitor: MonitorConfig;
  /** Vantage points that ask in the invocation's place; none: it asks itself. */
  readonly regions: readonly Region[];
}

/** Where more falls due than ticks take, each monitor is asked less often by the same part. */
export function loadOf(config: Config): Load {
  const watched = watchedBy(config);
  const lists = watched.filter(({ monitor }) => monitor.canary === null);
  const canaries = watched.filter(({ monitor }) => monitor.canary !== null);
  const taken = Math.min(1, config.maxProbesPerTick / averagePerTick(config));
  const total = (of: readonly Watched[], each: (one: Watched) => number): number =>
    Math.round(taken * sum(of, (one) => ticksOf(one.monitor).length * each(one)));
  return {
    lists: total(lists, () => 1),
    canaries: total(canaries, () => 1),
    listTicks: dueByTick(lists).filter((due) => due > 0).length,
    canaryTicks: dueByTick(canaries).filter((due) => due > 0).length,
    vantages: total(lists, ({ regions }) => regions.length),
    vantageSeconds: taken * vantageSeconds(lists),
    requests: total(watched, requests),
    mostRequests: total(watched, mostRequests),
  };
}

/** A region asks for six lists at once, and for those of one gateway one after the other. */
function vantageSeconds(lists: readonly Watched[]): number {
  const regions = [...new Set(lists.flatMap((of) => of.regions))];
  return sum(regions, (region) => {
    const own = lists.filter((of) => of.regions.includes(region));
    const gateways = new Set(own.map(({ monitor }) => monitor.gatewayId)).size;
    const atOnce = Math.min(CONNECTIONS_AT_ONCE, gateways);
    return (sum(dueByTick(own), (due) => Math.ceil(due / atOnce)) * AWAKE.answerMs) / 1000;
  });
}

/** How many of them are due in each tick. */
function dueByTick(watched: readonly Watched[]): readonly number[] {
  const due = Array.from({ length: TICKS_A_DAY }, () => 0);
  for (const { monitor } of watched) for (const tick of ticksOf(monitor)) due[tick] = (due[tick] ?? 0) + 1;
  return due;
}

/** The ticks of a day in which it is due, as often as it may be asked. */
function ticksOf({ id, everyMs, canary }: MonitorConfig): readonly number[] {
  const firstMs = nextSlot({ monitorId: id, everyMs, tickMs: TICK_MS }, MIDNIGHT_MS - 1) - MIDNIGHT_MS;
  const times = Math.max(0, Math.ceil((DAY_MS - firstMs) / everyMs));
  const length = Math.min(times, canary?.perDay ?? times);
  return Array.from({ length }, (_, index) => (firstMs + index * everyMs) / TICK_MS);
}

/** Probes that fall due in a tick, on average of a day; questions about open tasks come on top. */
export function averagePerTick({ gateways }: Config): number {
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const average = sum(monitors, ({ everyMs, canary }) =>
    Math.min(TICK_MS / everyMs, (canary?.perDay ?? TICKS_A_DAY) / TICKS_A_DAY),
  );
  // Two hundred tenths are twenty, not a little more.
  return Math.round(average * 1e9) / 1e9;
}

/** Ticks defer monitors all the time. */
function isOverloaded(config: Config): boolean {
  return averagePerTick(config) > config.maxProbesPerTick;
}

/** In some shard. */
export function isLate(config: Config): boolean {
  return shardParts(config).some(isOverloaded);
}

/** Due in a tick on average, in the shard that has most. */
export function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/** Of each figure by itself the most that one tick may have: which monitors it takes is left to chance. */
export interface FullestTick extends Pick<Load, "vantages" | "requests" | "mostRequests"> {
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
    return costs.slice(0, config.maxProbesPerTick).reduce((all, cost) => all + cost, 0);
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

/** Vantage points ask in its place. */
function requests({ regions }: Watched): number {
  return regions.length === 0 ? 1 : 0;
}

/** What costs money is repeated only where that is wanted. */
function mostRequests({ monitor: { canary }, regions }: Watched): number {
  if (regions.length > 0) return 0;
  return canary === null || canary.retry ? MAX_ATTEMPTS : 1;
}

export function sum<Of>(values: readonly Of[], of: (value: Of) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
