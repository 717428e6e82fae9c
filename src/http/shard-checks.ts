/**
 * The parts of `/healthz` about several shards: ticks that came to nothing, as their messages failed until the queue gave up, and
 * gateways whose history has not come from the shard that had them.
 */
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
  const { unheard } = published.value.tail;
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
    "gateways:unheard": [
      {
        componentType: "datastore",
        status: unheard.length > 0 ? "warn" : "pass",
        observedValue: unheard.length,
        observedUnit: "gateways",
        time,
        ...(unheard.length > 0 && {
          output: "checked without their history: the Ledger of a shard that may have it does not answer",
        }),
      },
    ],
  };
}
