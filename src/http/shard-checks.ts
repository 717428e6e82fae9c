/** The part of `/healthz` about several shards: ticks that came to nothing, as their messages failed until the queue gave up. */
import { instant } from "../domain/calendar.ts";
import { keptLost } from "../domain/lost-ticks.ts";
import type { HealthAnswer } from "./answers.ts";
import type { AppDeps } from "./deps.ts";
import { readPublished, readStored } from "./published.ts";

/**
 * It warns for a day. A shard that loses tick after tick fails by the age of its last one: a single lost tick is a minute
 * without checks of some gateways, for which nobody need get up.
 */
export async function shardChecks(deps: AppDeps, nowMs: number): Promise<HealthAnswer["checks"]> {
  const stored = await readStored(deps);
  // The only shard that there ever was, or whose others have nothing any more.
  if (!stored.ok || stored.value.isWhole) return {};
  const published = await readPublished(deps);
  if (!published.ok) return {};
  const lost = keptLost(published.value.tail.lost, nowMs);
  const [newest] = lost;
  const time = instant(Math.floor(nowMs / 1000) * 1000);
  return {
    "ticks:lost": [
      {
        componentType: "system",
        status: newest === undefined ? "pass" : "warn",
        observedValue: lost.length,
        observedUnit: "ticks within a day",
        time,
        ...(newest && { output: `the last was that of shard ${newest.shard} at ${instant(newest.tickMs)}` }),
      },
    ],
  };
}
