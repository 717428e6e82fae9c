/** What a shard is asked for on a day on which all is well, and in its fullest tick: the schedule of the Ledger. Pure. */
import type { Config, MonitorConfig } from "../config/config.ts";
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
export type Load = ReturnType<typeof loadOf>;

/** Where more falls due than ticks take, each monitor is asked less often by the same part. */
export function loadOf(config: Config) {
  const watched = watchedBy(config);
  const lists = watched.filter(({ monitor }) => monitor.canary === null);
  const canaries = watched.filter(({ monitor }) => monitor.canary !== null);
  const taken = Math.min(1, perTick(config) / averagePerTick(config));
  const total = (of: readonly Watched[], each: (one: Watched) => number): number =>
    Math.round(taken * sum(of, (one) => ticksOf(one.monitor).length * each(one)));
  return {
    lists: total(lists, () => 1),
    canaries: total(canaries, () => 1),
    /** Ticks in which any is due. */
    listTicks: dueByTick(lists).filter((due) => due > 0).length,
    canaryTicks: dueByTick(canaries).filter((due) => due > 0).length,
    /** That its ticks start. */
    furtherLanes: sum(dueByTick(watched), (due) => lanesFor(due, config) - 1),
    /** Calls of vantage points, which ask in place of the invocation, and how long they are awake. */
    vantages: total(lists, ({ regions }) => regions.length),
    vantageSeconds: taken * vantageSeconds(lists),
    /** Of the invocations themselves; and if each that may be repeated is asked as often as it may. */
    requests: total(watched, ({ requests }) => requests),
    mostRequests: total(watched, ({ mostRequests }) => mostRequests),
  };
}

type Watched = ReturnType<typeof watchedBy>[number];

function watchedBy({ gateways }: Config) {
  return gateways.flatMap(({ monitors, regions: named }) =>
    monitors.map((monitor) => {
      const { canary } = monitor;
      // Vantage points ask for a list in the invocation's place.
      const regions = canary === null ? named : [];
      const requests = regions.length === 0 ? 1 : 0;
      // What costs money is repeated only where that is wanted.
      const attempts = canary === null || canary.retry ? MAX_ATTEMPTS : 1;
      return { monitor, regions, requests, mostRequests: requests * attempts };
    }),
  );
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

/** At least the first. Where gateways have many monitors the lanes are not all full. */
function lanesFor(due: number, { lanes, maxProbesPerTick }: Config): number {
  return Math.min(lanes, Math.max(1, Math.ceil(due / maxProbesPerTick)));
}

/** What all lanes of a tick take. */
function perTick({ lanes, maxProbesPerTick }: Config): number {
  return lanes * maxProbesPerTick;
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

/** In some shard, ticks defer monitors all the time. */
export function isLate(config: Config): boolean {
  return mostPerTick(config) > perTick(config);
}

/** Due in a tick on average, in the shard that has most. */
export function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/**
 * Of each figure by itself the most that one tick may have: which monitors it takes is left to chance. After a deploy, or a
 * silence, all are due at once.
 */
export function fullestTick(config: Config) {
  const watched = watchedBy(config);
  const most = (costOf: (of: Watched) => number): number => {
    const costs = watched.map(costOf).sort((a, b) => b - a);
    return sum(costs.slice(0, config.maxProbesPerTick), (cost) => cost);
  };
  return {
    probes: Math.min(watched.length, config.maxProbesPerTick),
    vantages: most(({ regions }) => regions.length),
    requests: most(({ requests }) => requests),
    mostRequests: most(({ mostRequests }) => mostRequests),
    /** Requests and calls of vantage points. */
    asked: most(({ requests, regions }) => requests + regions.length),
    mostAsked: most(({ mostRequests, regions }) => mostRequests + regions.length),
  };
}

export function sum<Of>(values: readonly Of[], of: (value: Of) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
