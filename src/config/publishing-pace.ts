/**
 * How often a shard's snapshot is written, so that all shards together write no more than the free plan's 1,000 values a day:
 * snapshots without news, those with news, and 25 segments each. Pure.
 */
import { MINUTE_MS } from "../domain/calendar.ts";
import type { Config } from "./config.ts";

export interface PublishingPace {
  /** Without news; whole minutes. */
  readonly usualMs: number;
  /** News are published at once, so often a day. */
  readonly urgentADay: number;
}

/** With that, a day has 720 writes at most. */
const USUAL_MS = 2 * MINUTE_MS;
const URGENT_A_DAY = 200;

/** What readers take for stale is older than two shards' pace by minutes; the queue of the free plan carries no more shards. */
export function publishingPace({ plan, shards }: Pick<Config, "plan" | "shards">): PublishingPace {
  const sharing = plan === "free" ? shards : 1;
  return { usualMs: USUAL_MS * sharing, urgentADay: Math.floor(URGENT_A_DAY / sharing) };
}
