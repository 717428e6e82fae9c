/** What results say of the monitoring's own network, and of which gateways it says something that they are not reached. Pure. */
import type { MonitorConfig } from "../../config/config.ts";
import { failsByItself, isNetworkOut, type NetworkSight } from "../../domain/own-network.ts";
import { isReached } from "../../domain/regions.ts";
import { inMaintenance } from "../../domain/schedule.ts";
import type { Batch, ProbeResult } from "../../domain/tick.ts";
import { entryOf, type LedgerState, type Step } from "../state/state.ts";

type SightWorld = Pick<Step, "maintenance">;

/** It is worked on, or fails by itself: that it is not reached says nothing. */
export function isExcused(
  gatewayId: string,
  { journal }: Pick<LedgerState, "journal">,
  { maintenance }: SightWorld,
  atMs: number,
): boolean {
  if (inMaintenance(maintenance, gatewayId, atMs)) return true;
  return failsByItself(entryOf(journal.gateways, gatewayId)?.unreachedSinceMs ?? null, journal.ownNetwork);
}

/**
 * That all failed is told of gateways none of which was excused when the tick began. Where fewer than two are left, for work
 * began meanwhile, it says nothing of a network; nor where another lane of the tick reached one.
 */
export function sightOf(
  { tickMs, results, ownNetworkFailed }: Batch,
  monitors: ReadonlyMap<string, MonitorConfig>,
  state: LedgerState,
  world: SightWorld,
): NetworkSight {
  const isTelling = ({ monitorId, outcome }: ProbeResult): boolean => {
    const monitor = monitors.get(monitorId);
    // A generation that takes too long does not tell that the gateway is not reached.
    if (!monitor || monitor.canary) return false;
    return !isExcused(monitor.gatewayId, state, world, outcome.startedAtMs);
  };
  if (results.some(isReached)) return { type: "reached" };
  const { ownNetwork } = state.journal;
  const isReachedElsewhere = (ownNetwork.countedTickMs ?? 0) >= tickMs && !isNetworkOut(ownNetwork);
  const telling = ownNetworkFailed && !isReachedElsewhere ? results.filter(isTelling) : [];
  const gateways = new Set(telling.map(({ monitorId }) => monitors.get(monitorId)?.gatewayId));
  const [first] = telling;
  return !first || gateways.size < 2
    ? { type: "not_seen" }
    : { type: "failed", diagnosis: first.outcome.diagnosis };
}
