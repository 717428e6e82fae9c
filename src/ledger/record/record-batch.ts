/** How results change the state, once each. One whose lease is over or another invocation's is only kept as a sample. Pure. */
import type { MonitorConfig } from "../../config/config.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { askSoon } from "../../domain/canary.ts";
import type { Happening } from "../../domain/incident.ts";
import { moveByProbe } from "../../domain/incident-rules.ts";
import {
  applyOutcome,
  combineOutcomes,
  isReached,
  regionSeries,
  seeFromRegions,
  type MonitorState,
} from "../../domain/monitor-state.ts";
import { isNetworkOut, isOfNetwork, watchOwnNetwork, type NetworkSight } from "../../domain/monitoring.ts";
import { reachOf, type ProbeOutcome, type RegionOutcome } from "../../domain/probe-outcome.ts";
import { inMaintenance } from "../../domain/schedule.ts";
import type { Batch, ProbeResult } from "../../domain/tick.ts";
import { hearPages } from "../../domain/upstream.ts";
import {
  entryOf,
  isExcused,
  unlessSame,
  type Journal,
  type LedgerState,
  type Stepped,
} from "../state/state.ts";
import { giveBackCanary, recordCanary } from "./canary-results.ts";
import {
  apply,
  draftOf,
  heldUntil,
  isNews,
  judgeOutcome,
  sampleOf,
  settle,
  type Draft,
  type RecordedSample,
  type RecordingWorld,
} from "./draft.ts";

export interface Recorded extends Stepped {
  readonly samples: readonly RecordedSample[];
}

export function recordBatch(state: LedgerState, batch: Batch, world: RecordingWorld): Recorded {
  // An invocation that began before a rename reports under the former ids.
  const monitorConfigs = new Map(
    world.config.gateways
      .flatMap((gateway) => gateway.monitors)
      .flatMap((monitor) => [...monitor.formerly, monitor.id].map((id) => [id, monitor])),
  );
  const draft = draftOf(state);
  const sight = sightOf(batch, monitorConfigs, state, world);
  const withoutNetwork =
    sight.type === "failed" || (sight.type === "not_seen" && isNetworkOut(state.journal.ownNetwork));
  for (const result of batch.results) {
    const monitor = monitorConfigs.get(result.monitorId);
    if (!monitor) continue;
    if (monitor.canary) recordCanary(draft, monitor, { ...result, withoutNetwork }, batch, world);
    else recordResult(draft, monitor, { ...result, withoutNetwork }, batch, world);
  }
  let returned = 0;
  for (const id of batch.returned) {
    const monitor = monitorConfigs.get(id);
    if (monitor && settle(draft, monitor, batch, world.nowMs)) returned += 1;
    if (monitor?.canary) giveBackCanary(draft, monitor, batch);
  }
  const open = Object.values(draft.incidents).find(isOfNetwork) ?? null;
  const time = { tickMs: batch.tickMs, atMs: world.nowMs, shard: world.shard ?? 0 };
  const network = watchOwnNetwork(state.journal.ownNetwork, open, sight, time);
  apply(draft, network);
  checkRestSoon(draft, state);
  return {
    state: {
      ...state,
      journal: {
        ...state.journal,
        gateways: draft.gateways,
        ownNetwork: network.state,
        pages: hearPages(state.journal.pages, batch.pages ?? []),
        ticks: withReturned(state.journal.ticks, batch.tickMs, returned),
      },
      monitors: unlessSame(state.monitors, draft.monitors),
      incidents: unlessSame(state.incidents, draft.incidents),
      canaries: unlessSame(state.canaries, draft.canaries),
    },
    samples: draft.samples,
    resolved: draft.resolved,
    happenings: draft.happenings.map((happening) => withMembers(happening, draft.incidents)),
    changed: draft.changed,
  };
}

/** If one member of an incident works again, the others are checked at once: a failing canary may wait for hours. */
function checkRestSoon({ incidents, monitors, canaries }: Draft, before: LedgerState): void {
  for (const { id, memberIds } of Object.values(incidents)) {
    const left = entryOf(before.incidents, id)?.memberIds.filter((one) => !memberIds.includes(one)) ?? [];
    if (!left.some((one) => entryOf(monitors, one)?.health === "up")) continue;
    for (const member of memberIds) {
      const [monitor, canary] = [entryOf(monitors, member), entryOf(canaries, member)];
      if (monitor) monitors[member] = { ...monitor, nextDueMs: 0 };
      if (canary) canaries[member] = askSoon(canary);
    }
  }
}

/** An event about an incident also names monitors that join it later in the same batch. */
function withMembers(happening: Happening, incidents: Draft["incidents"]): Happening {
  if (!("incident" in happening)) return happening;
  return { ...happening, incident: incidents[happening.incident.id] ?? happening.incident };
}

/** "All failed" says nothing if maintenance leaves fewer than two gateways, or if another lane of the tick reached one. */
function sightOf(
  { tickMs, results, ownNetworkFailed }: Batch,
  monitors: ReadonlyMap<string, MonitorConfig>,
  state: LedgerState,
  world: RecordingWorld,
): NetworkSight {
  const isTelling = ({ monitorId, outcome }: ProbeResult): boolean => {
    const monitor = monitors.get(monitorId);
    // A canary's timeout may mean a slow generation, not an unreachable gateway.
    if (!monitor || monitor.canary) return false;
    return !isExcused(monitor.gatewayId, state, world.maintenance, outcome.startedAtMs);
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

/** Monitors that were given back count as put off. */
function withReturned(ticks: Journal["ticks"], tickMs: number, returned: number): Journal["ticks"] {
  if (returned === 0) return ticks;
  return ticks.map((tick) =>
    tick.tickMs === tickMs && tick.lane === 0 ? { ...tick, putOff: tick.putOff + returned } : tick,
  );
}

interface Judged extends ProbeResult {
  /** The monitoring's own network has failed, so unreached gateways get no verdict. */
  readonly withoutNetwork: boolean;
}

function recordResult(
  draft: Draft,
  monitor: MonitorConfig,
  probed: Judged,
  batch: Batch,
  world: RecordingWorld,
): void {
  const before = draft.monitors[monitor.id];
  if (!before) return;
  const gateway = world.config.gateways.find(({ id }) => id === monitor.gatewayId);
  const { outcome, regions } =
    probed.regions === undefined
      ? { outcome: judgeOutcome(probed.outcome, before.lastUpMs, probed.withoutNetwork), regions: [] }
      : judgeRegions(probed, before, gateway?.regions.length ?? 0);
  const isPlanned = inMaintenance(world.maintenance, monitor.gatewayId, outcome.startedAtMs);
  const keep = (monitorId: string, seen: ProbeOutcome): void => {
    if (world.isRecorded(monitorId, seen.startedAtMs)) return;
    draft.samples.push({ monitorId, sample: sampleOf(seen, isPlanned, null) });
  };
  keep(monitor.id, outcome);
  for (const seen of regions) keep(regionSeries(monitor.id, seen.region), seen.outcome);
  if (!settle(draft, monitor, batch, world.nowMs)) return;
  const rhythm = { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: world.tickIntervalMs };
  const { heldUntilMs = 0 } = entryOf(draft.gateways, monitor.gatewayId) ?? {};
  const time = { tickMs: batch.tickMs, inMaintenance: isPlanned };
  const after = withRegions(applyOutcome(before, outcome, rhythm, time), regions);
  draft.changed ||= isNews(before, after, heldUntilMs, { ...world, everyMs: monitor.everyMs });
  const moved = moveByProbe(draft, after, monitor, { outcome, inMaintenance: isPlanned });
  apply(draft, moved);
  // If a verdict is withheld, the monitor is probed again soon, whatever its interval.
  const isUnseen = probed.regions !== undefined || outcome.diagnosis !== probed.outcome.diagnosis;
  const isWithheld = isUnseen && outcome.diagnosis.health === "unknown";
  const nextTickMs = batch.tickMs + world.tickIntervalMs;
  draft.monitors[monitor.id] = isWithheld ? { ...moved.monitor, nextDueMs: nextTickMs } : moved.monitor;
  holdGateway(draft, monitor.gatewayId, { ...probed, outcome }, regions);
}

function withRegions(state: MonitorState, regions: readonly RegionOutcome[]): MonitorState {
  if (regions.length === 0 || state.pausedAtMs !== null) return state;
  return { ...state, regions: seeFromRegions(state.regions, regions) };
}

/** A gateway that takes this long makes others wait, even if it answers in the end. */
const HANGS_FROM_MS = 10_000;
/** More than one, because some gateways hang every other time. */
const QUICK_OWED = 5;

/** Considers all regions: each may have got a Retry-After, or no answer. */
function holdGateway(
  draft: Draft,
  gatewayId: string,
  { outcome, findings }: ProbeResult,
  regions: readonly RegionOutcome[],
): void {
  const gateway = entryOf(draft.gateways, gatewayId);
  if (!gateway) return;
  const outcomes = [outcome, ...regions.map((seen) => seen.outcome)];
  const isSlow = outcomes.some(({ latencyMs }) => latencyMs !== null && latencyMs >= HANGS_FROM_MS);
  const seenModels =
    findings?.type === "list"
      ? { atMs: outcome.startedAtMs, listed: [...findings.listed], unlisted: [...findings.unlisted] }
      : gateway.seenModels;
  const isSeenAnywhere = outcomes.some(({ diagnosis }) => reachOf(diagnosis) === "reached");
  draft.gateways[gatewayId] = {
    ...gateway,
    seenModels,
    suspect: false,
    quickOwed: isSlow ? QUICK_OWED : Math.max(0, gateway.quickOwed - 1),
    heldUntilMs: Math.max(gateway.heldUntilMs, ...outcomes.map((seen) => heldUntil(seen, DAY_MS))),
    unreachedSinceMs: isSeenAnywhere ? null : unreachedSince(gateway.unreachedSinceMs, outcome),
  };
}

/** Counts withheld results too: if gateways fail together, a tick that reaches another shows that they fail by themselves. */
function unreachedSince(beforeMs: number | null, { diagnosis, startedAtMs }: ProbeOutcome): number | null {
  return reachOf(diagnosis) === "unreached" ? (beforeMs ?? startedAtMs) : beforeMs;
}

/** Empty: the Worker itself probed. @param asked from how many regions, as far as is known. */
function judgeRegions(
  { outcome, regions = [], withoutNetwork }: Judged,
  before: Pick<MonitorState, "regions">,
  asked: number,
) {
  const judged = regions.map(({ region, outcome: seen }) => {
    const lastUpMs = before.regions[region]?.lastUpMs ?? null;
    return { region, outcome: judgeOutcome(seen, lastUpMs, withoutNetwork) };
  });
  return { outcome: combineOutcomes(judged, Math.max(asked, judged.length)) ?? outcome, regions: judged };
}
