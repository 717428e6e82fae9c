/**
 * Results of a tick as they change the state. A result counts once, whoever repeats it; one whose lease has passed to
 * another, or expired, is kept as a sample and moves nothing. Pure.
 */
import type { Config, MonitorConfig } from "../config/config.ts";
import type { GatewayState } from "../domain/assignment.ts";
import { DAY_MS } from "../domain/calendar.ts";
import type { Happening } from "../domain/happening.ts";
import type { Incident } from "../domain/incident.ts";
import { moveByProbe } from "../domain/incident-rules.ts";
import { applyOutcome, judgeByHistory, type MonitorState, withoutVerdict } from "../domain/monitor-state.ts";
import { inMaintenance, type MaintenanceWindow } from "../domain/maintenance.ts";
import { isNetworkOut, type NetworkSight, watchOwnNetwork } from "../domain/own-network.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { reachOf } from "../domain/reach.ts";
import type { Batch, ProbeResult } from "../domain/tick.ts";
import { giveBackCanary, recordCanary } from "./canary-results.ts";
import { apply, type Draft, draftOf, type RecordedSample, sampleOf, settleList } from "./draft.ts";
import { isExcused } from "./own-sight.ts";
import { entryOf, type Journal, type LedgerState, unlessSame } from "./state.ts";

export interface Recorded {
  readonly state: LedgerState;
  readonly samples: readonly RecordedSample[];
  readonly resolved: readonly Incident[];
  /** What people may have to be told, in order. */
  readonly happenings: readonly Happening[];
  /** A status, a cause or an incident changed: readers should see it soon. */
  readonly changed: boolean;
}

export interface RecordingWorld {
  readonly config: Config;
  /** All that are known, planned in the configuration or since. */
  readonly maintenance: readonly MaintenanceWindow[];
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  /** Default 0. */
  readonly shard?: number;
  /** Whether this very probe is in history already. */
  isRecorded(monitorId: string, atMs: number): boolean;
}

export function recordBatch(state: LedgerState, batch: Batch, world: RecordingWorld): Recorded {
  // An invocation that began before a rename answers under the ids of then.
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
  for (const id of batch.returned) {
    const monitor = monitorConfigs.get(id);
    if (monitor?.canary) giveBackCanary(draft, monitor, batch, world.nowMs);
    else if (monitor) settleList(draft, monitor, batch, world.nowMs);
  }
  const ownIncident = Object.values(draft.incidents).find(({ gatewayId }) => gatewayId === null) ?? null;
  const time = { tickMs: batch.tickMs, atMs: world.nowMs, shard: world.shard ?? 0 };
  const own = watchOwnNetwork(state.journal.ownNetwork, ownIncident, sight, time);
  apply(draft, own);
  return {
    state: {
      ...state,
      journal: {
        ...state.journal,
        gateways: draft.gateways,
        ownNetwork: own.state,
        ticks: withReturned(state.journal.ticks, batch),
      },
      monitors: unlessSame(state.monitors, draft.monitors),
      incidents: unlessSame(state.incidents, draft.incidents),
      canaries: unlessSame(state.canaries, draft.canaries),
    },
    samples: draft.samples,
    resolved: draft.resolved,
    happenings: draft.happenings,
    changed: draft.changed,
  };
}

/**
 * That all failed is told of gateways none of which was excused when the tick began. Where fewer than two are left, for work
 * began meanwhile, it says nothing of the monitoring's network.
 */
function sightOf(
  { results, ownNetworkFailed }: Batch,
  monitors: ReadonlyMap<string, MonitorConfig>,
  state: LedgerState,
  { maintenance }: RecordingWorld,
): NetworkSight {
  if (results.some(({ outcome }) => reachOf(outcome.diagnosis) === "reached")) return { type: "reached" };
  const telling = results.filter(({ monitorId, outcome }) => {
    const monitor = monitors.get(monitorId);
    // A generation that takes too long does not tell that the gateway is not reached.
    if (!monitor || monitor.canary) return false;
    return !isExcused(monitor.gatewayId, state, maintenance, outcome.startedAtMs);
  });
  const gateways = new Set(telling.map(({ monitorId }) => monitors.get(monitorId)?.gatewayId));
  const [first] = telling;
  if (!ownNetworkFailed || !first || gateways.size < 2) return { type: "not_seen" };
  return { type: "failed", diagnosis: first.outcome.diagnosis };
}

/** What the tick could not probe after all is put off too. */
function withReturned(ticks: Journal["ticks"], { tickMs, returned }: Batch): Journal["ticks"] {
  if (returned.length === 0) return ticks;
  return ticks.map((tick) =>
    tick.tickMs === tickMs ? { ...tick, putOff: tick.putOff + returned.length } : tick,
  );
}

function recordResult(
  draft: Draft,
  monitor: MonitorConfig,
  probed: ProbeResult & { readonly withoutNetwork: boolean },
  batch: Batch,
  world: RecordingWorld,
): void {
  const before = draft.monitors[monitor.id];
  if (!before) return;
  const outcome = judged(probed.outcome, before, probed.withoutNetwork);
  const isPlanned = inMaintenance(world.maintenance, monitor.gatewayId, outcome.startedAtMs);
  if (!world.isRecorded(monitor.id, outcome.startedAtMs)) {
    draft.samples.push({ monitorId: monitor.id, sample: sampleOf(outcome, isPlanned, null) });
  }
  if (!settleList(draft, monitor, batch, world.nowMs)) return;
  const rhythm = { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: world.tickIntervalMs };
  const { heldUntilMs = 0 } = entryOf(draft.gateways, monitor.gatewayId) ?? {};
  const time = { tickMs: batch.tickMs, inMaintenance: isPlanned, heldUntilMs };
  const after = applyOutcome(before, outcome, rhythm, time);
  draft.changed ||= after.health !== before.health || after.diagnosis?.cause !== before.diagnosis?.cause;
  const moved = moveByProbe(draft, after, monitor, { outcome, inMaintenance: isPlanned });
  apply(draft, moved);
  // What is withheld is found out soon, however seldom the monitor is probed else.
  const isWithheld = outcome.diagnosis !== probed.outcome.diagnosis && outcome.diagnosis.health === "unknown";
  const nextTickMs = batch.tickMs + world.tickIntervalMs;
  draft.monitors[monitor.id] = isWithheld ? { ...moved.monitor, nextDueMs: nextTickMs } : moved.monitor;
  holdGateway(draft, monitor.gatewayId, outcome);
  seeModels(draft, monitor.gatewayId, probed);
}

function seeModels(draft: Draft, gatewayId: string, { outcome, findings }: ProbeResult): void {
  const gateway = entryOf(draft.gateways, gatewayId);
  if (!gateway || findings?.type !== "list") return;
  const { listed, unlisted } = findings;
  const seenModels = { atMs: outcome.startedAtMs, listed: [...listed], unlisted: [...unlisted] };
  draft.gateways[gatewayId] = { ...gateway, seenModels };
}

/** While the monitoring's own network is out, that a gateway was not reached says nothing about it. */
function judged(outcome: ProbeOutcome, before: MonitorState, withoutNetwork: boolean): ProbeOutcome {
  const diagnosis =
    withoutNetwork && reachOf(outcome.diagnosis) === "unreached"
      ? withoutVerdict(outcome.diagnosis)
      : judgeByHistory(outcome.diagnosis, before.lastUpMs, outcome.startedAtMs);
  return diagnosis === outcome.diagnosis ? outcome : { ...outcome, diagnosis };
}

/** Whoever takes this long keeps others waiting, whether or not an answer comes in the end. */
const HANGS_FROM_MS = 10_000;
/** One good answer does not make up for it: some gateways hang every other time. */
const QUICK_OWED = 5;

function holdGateway(draft: Draft, gatewayId: string, outcome: ProbeOutcome): void {
  const gateway = entryOf(draft.gateways, gatewayId);
  if (!gateway) return;
  const { diagnosis, startedAtMs, durationMs, latencyMs } = outcome;
  const asked = diagnosis.ok ? null : diagnosis.retry.afterSeconds;
  const isSlow = latencyMs !== null && latencyMs >= HANGS_FROM_MS;
  const untilMs = asked === null ? 0 : startedAtMs + durationMs + Math.min(asked * 1000, DAY_MS);
  draft.gateways[gatewayId] = {
    ...gateway,
    suspect: false,
    quickOwed: isSlow ? QUICK_OWED : Math.max(0, gateway.quickOwed - 1),
    heldUntilMs: Math.max(gateway.heldUntilMs, untilMs),
    unreachedSinceMs: unreachedSince(gateway, outcome),
  };
}

/** Withheld or not: of gateways that die together, the first tick that reaches another tells that they fail by themselves. */
function unreachedSince(
  { unreachedSinceMs }: GatewayState,
  { diagnosis, startedAtMs }: ProbeOutcome,
): number | null {
  switch (reachOf(diagnosis)) {
    case "reached":
      return null;
    case "unreached":
      return unreachedSinceMs ?? startedAtMs;
    case "not_asked":
      return unreachedSinceMs;
  }
}
