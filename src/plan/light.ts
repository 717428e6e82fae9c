/** What advice may lead to: ticks that leave some of the free plan's CPU to spare, for another machine may be slower. Pure. */
import type { Config } from "../config/config.ts";
import { shardParts } from "../config/placement.ts";
import { ALLOWANCES } from "./allowances.ts";
import { tickCpu } from "./day.ts";
import { fullestTick } from "./due.ts";

const USUAL_SHARE = 3 / 4;

/** On the paid plan every tick is. */
export function isLight(config: Config): boolean {
  if (config.plan === "paid") return true;
  const mostMs = ALLOWANCES.tickCpuMs.free * USUAL_SHARE;
  return shardParts(config)
    .map(fullestTick)
    .every(({ asked, requests }) => tickCpu(asked) <= mostMs && requests < ALLOWANCES.tickRequests.free);
}
