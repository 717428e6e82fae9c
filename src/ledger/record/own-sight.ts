/**
 * What results say of the monitoring's own networks: the Worker's, and that of vantage points. And of which gateways it says
 * something that they are not reached. Pure.
 */
import type { Config, MonitorConfig } from "../../config/config.ts";
import type { Excuse } from "../../domain/assignment.ts";
import { inMaintenance, type MaintenanceWindow } from "../../domain/schedule.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { failsByItself, isNetworkOut, isPast, type NetworkSight } from "../../domain/own-network.ts";
import { reachOf } from "../../domain/probe-outcome.ts";
import type { Batch, ProbeResult } from "../../domain/tick.ts";
import { entryOf, type Journal, type LedgerState } from "../state/state.ts";

interface SightWorld {
  readonly config: Config;
  readonly maintenance: readonly MaintenanceWindow[];
}

/** It is worked on, or fails by itself: that it is not reached says nothing. */
export function isExcused(
  gatewayId: string,
  { journal }: Pick<LedgerState, "journal">,
  { config, maintenance }: SightWorld,
  atMs: number,
): boolean {
  if (inMaintenance(maintenance, gatewayId, atMs)) return true;
  const sinceMs = entryOf(journal.gateways, gatewayId)?.unreachedSinceMs ?? null;
  if (sinceMs === null) return false;
  return failsByItself(sinceMs, hasRegions(config, gatewayId) ? journal.vantageNetwork : journal.ownNetwork);
}

/** What a tick is told of it: of the Worker's own network, or of each region's. */
export function excuseOf(
  gatewayId: string,
  { journal }: Pick<LedgerState, "journal">,
  world: SightWorld,
  atMs: number,
): Excuse {
  const regions = world.config.gateways.find(({ id }) => id === gatewayId)?.regions ?? [];
  if (regions.length === 0) return { excused: isExcused(gatewayId, { journal }, world, atMs) };
  const { unreachedFrom = {} } = entryOf(journal.gateways, gatewayId) ?? {};
  const { vantageNetwork } = journal;
  const areOthersFine = vantageNetwork.incidentId === null && !isNetworkOut(vantageNetwork);
  const isExcusedFrom = (region: string): boolean => {
    const sinceMs = unreachedFrom[region] ?? null;
    if (sinceMs === null) return false;
    if (areOthersFine && atMs - sinceMs >= LONGEST_DOUBT_MS) return true;
    return failsByItself(sinceMs, { reachedTickMs: journal.reachedFrom[region] ?? null });
  };
  return {
    excused: inMaintenance(world.maintenance, gatewayId, atMs),
    excusedFrom: regions.filter(isExcusedFrom),
  };
}

/** So long may it be that one region alone has no network, of which nobody is told; then what it does not reach is told. */
const LONGEST_DOUBT_MS = 15 * MINUTE_MS;

/** With the tick for each region that reached any gateway in it. */
export function seeReached(
  before: Journal["reachedFrom"],
  { results, tickMs }: Pick<Batch, "results" | "tickMs">,
): Journal["reachedFrom"] {
  const seen = results.flatMap(({ regions = [] }) => regions);
  const reached = seen.filter(({ outcome }) => reachOf(outcome.diagnosis) === "reached");
  const past = Object.entries(before).filter(([, reachedTickMs]) => isPast(reachedTickMs, tickMs));
  return Object.fromEntries([...past, ...reached.map(({ region }): [string, number] => [region, tickMs])]);
}

/** Its lists are asked for by vantage points: the Worker's own network has no part in them. */
export function hasRegions({ gateways }: Config, gatewayId: string): boolean {
  return gateways.some(({ id, regions }) => id === gatewayId && regions.length > 0);
}

/**
 * That all failed is told of gateways none of which was excused when the tick began. Where fewer than two are left, for work
 * began meanwhile, it says nothing of a network.
 */
export function sightsOf(
  { results, ownNetworkFailed }: Batch,
  monitors: ReadonlyMap<string, MonitorConfig>,
  state: LedgerState,
  world: SightWorld,
): Readonly<Record<"own" | "vantage", NetworkSight>> {
  const isTelling = ({ monitorId, outcome }: ProbeResult): boolean => {
    const monitor = monitors.get(monitorId);
    // A generation that takes too long does not tell that the gateway is not reached.
    if (!monitor || monitor.canary) return false;
    return !isExcused(monitor.gatewayId, state, world, outcome.startedAtMs);
  };
  const sightOf = (seen: readonly ProbeResult[]): NetworkSight => {
    if (seen.some(isReached)) return { type: "reached" };
    const telling = ownNetworkFailed ? seen.filter(isTelling) : [];
    const gateways = new Set(telling.map(({ monitorId }) => monitors.get(monitorId)?.gatewayId));
    const [first] = telling;
    return !first || gateways.size < 2
      ? { type: "not_seen" }
      : { type: "failed", diagnosis: first.outcome.diagnosis };
  };
  return {
    own: sightOf(results.filter(({ regions }) => regions === undefined)),
    vantage: sightOf(results.filter(({ regions }) => regions !== undefined)),
  };
}

function isReached({ outcome, regions }: ProbeResult): boolean {
  const seen = regions?.map((region) => region.outcome) ?? [outcome];
  return seen.some(({ diagnosis }) => reachOf(diagnosis) === "reached");
}
