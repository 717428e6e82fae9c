/** What is told of ticks that stopped, of all or of one shard: where all have stopped, shard 0 alone tells it. Pure. */
import type { AlertEvent } from "./alert-event.ts";

type OfShard = Pick<AlertEvent, "shard">;

export function stoppedWords({ shard }: OfShard): string {
  if (shard === null) return "the monitoring itself has stopped";
  const which = shard === 0 ? "shard 0, if not all of the monitoring," : `shard ${shard} of the monitoring`;
  return `${which} has stopped`;
}

export function resumedWords({ shard }: OfShard): string {
  return shard === null ? "the monitoring runs again" : `shard ${shard} of the monitoring runs again`;
}

export function standstillWords({ shard }: OfShard): string {
  if (shard === null)
    return "No gateway is watched until it runs again: what pages and messages say of them is old.";
  const own = `The gateways of shard ${shard} are not watched until it runs again: what pages and messages say of them is old.`;
  return shard === 0
    ? `${own} Of other shards that stopped at the same time nothing more is told: /healthz names each.`
    : own;
}
