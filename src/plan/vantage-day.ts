/**
 * What vantage points use on a day. Each shard has one object a region, whichever gateway it is called for: in a tick it is called
 * for all that is due at once, of a gateway for one list after the other, asks with six connections, and is awake until the last
 * has answered. Pure.
 */
import { CONNECTIONS_AT_ONCE } from "../config/plan-limits.ts";
import type { TickLoad } from "./due.ts";
import { AWAKE } from "./figures.ts";

export interface VantageDay {
  /** Calls of their objects, and requests to gateways: one each. */
  readonly requests: number;
  readonly awakeSeconds: number;
}

/** @param shards what each shard has in its ticks. */
export function vantageDay(shards: readonly (readonly TickLoad[])[]): VantageDay {
  const ticks = shards.flat();
  return {
    requests: ticks.reduce((sum, { vantages }) => sum + vantages, 0),
    awakeSeconds: ticks.reduce((sum, tick) => sum + awakeMs(tick), 0) / 1000,
  };
}

/** Of all regions, in one tick of a shard. */
function awakeMs({ regions }: TickLoad): number {
  return [...regions.values()].reduce(
    (sum, { calls, inARow }) =>
      sum + Math.max(Math.ceil(calls / CONNECTIONS_AT_ONCE), inARow) * AWAKE.answerMs,
    0,
  );
}
