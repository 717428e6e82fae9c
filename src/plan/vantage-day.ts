/**
 * What vantage points use on a day. There is one object a region, whichever gateway or shard calls it: in a tick it is called for
 * all that is due at once, asks with six connections, and is awake until the last has answered. All shards have their ticks at
 * the same time, and share it. Pure.
 */
import { CONNECTIONS_AT_ONCE } from "../config/plan-limits.ts";
import type { TickLoad } from "./due.ts";
import { AWAKE } from "./figures.ts";

export interface VantageDay {
  /** Calls of their objects, and requests to gateways: one each. */
  readonly requests: number;
  readonly awakeSeconds: number;
}

/** @param shards what each shard has in its ticks, from the same one on. */
export function vantageDay(shards: readonly (readonly TickLoad[])[]): VantageDay {
  const awake = shards[0]?.map((_, tick) => awakeMs(shards.flatMap((ticks) => ticks[tick] ?? []))) ?? [];
  return {
    requests: shards.flat().reduce((sum, { vantages }) => sum + vantages, 0),
    awakeSeconds: awake.reduce((sum, ms) => sum + ms, 0) / 1000,
  };
}

/** Of all regions, in one tick. */
function awakeMs(loads: readonly TickLoad[]): number {
  const regions = new Set(loads.flatMap((load) => [...load.regions.keys()]));
  return [...regions].reduce((sum, region) => {
    const calls = loads.reduce((all, load) => all + (load.regions.get(region) ?? 0), 0);
    return sum + Math.ceil(calls / CONNECTIONS_AT_ONCE) * AWAKE.answerMs;
  }, 0);
}
