/** What can be changed of a configuration so that its plan carries it, in words that begin in lower case. Pure. */
import type { Config } from "../config/config.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import { shardParts } from "../config/placement.ts";
import { DAY_MS } from "../domain/calendar.ts";
import type { Quantity } from "./allowances.ts";
import { dayOf } from "./day.ts";
import { averagePerTick, isOverloaded } from "./due.ts";
import type { DayOptions } from "./ledger-day.ts";
import { isLight } from "./light.ts";
import { freeVerdict } from "./verdict.ts";

/** Whether what came of a change is enough. */
export type Judge = (after: Config) => boolean;

/** Null: it is not enough by itself. */
export type Change = (config: Config, isEnough: Judge) => string | null;

/**
 * Enough is what makes nobody late and, on the free plan, nothing too much that was not so before, or not as much.
 * @param quantity what may be too much in no case; null: there is no such one.
 */
export function judgeOf(config: Config, options: DayOptions, quantity: Quantity | null): Judge {
  const heldOf = (of: Config) => freeVerdict(dayOf(of, options)).held;
  let before: ReadonlyMap<Quantity, number> | null = null;
  return (after) => {
    if (isLate(after)) return false;
    if (after.plan === "paid") return true;
    before ??= new Map(heldOf(config).map((held) => [held.quantity, held.share]));
    const mostOf = (of: Quantity): number => (of === quantity ? 1 : Math.max(1, before?.get(of) ?? 0));
    return heldOf(after).every((held) => held.share <= mostOf(held.quantity));
  };
}

/** In some shard. */
export function isLate(config: Config): boolean {
  return shardParts(config).some(isOverloaded);
}

/** Due in a tick on average, in the shard that has most. */
export function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/** The more seldom, the less of everything. */
export function raised(config: Config, isEnough: Judge): string | null {
  const longestMs = Math.max(...config.gateways.flatMap(({ monitors }) => monitors.map((of) => of.everyMs)));
  const areEnough = (times: number): boolean => isEnough(lessOften(config, times));
  let [tooFew, enough] = [1, Math.floor(DAY_MS / longestMs)];
  if (enough <= tooFew || !areEnough(enough)) return null;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (areEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return `raise every of all monitors ${enough} times`;
}

function lessOften(config: Config, times: number): Config {
  const gateways = config.gateways.map((gateway) => ({
    ...gateway,
    monitors: gateway.monitors.map((monitor) => ({ ...monitor, everyMs: monitor.everyMs * times })),
  }));
  return { ...config, gateways };
}

export function dealt(config: Config, isEnough: Judge): string | null {
  for (let shards = config.shards + 1; shards <= PLAN_LIMITS[config.plan].mostShards; shards += 1) {
    const more = { ...config, shards };
    if (isLight(more) && isEnough(more)) return `write shards: ${shards}`;
  }
  return null;
}
