/**
 * Results of a tick as they change the state. A result counts once, whoever repeats it; one whose lease has passed to
 * another, or expired, is kept as a sample and moves nothing. Pure.
 */
import type { Config, MaintenanceWindow, MonitorConfig } from "../config/config.ts";
import type { GatewayState } from "../domain/assignment.ts";
import { DAY_MS } from "../domain/calendar.ts";
import {
  firstFailureMs,
  type Incident,
  incidentChange,
  openIncident,
  resolveIncident,
  updateIncident,
  withFailure,
} from "../domain/incident.ts";
import { applyOutcome, judgeByHistory, type MonitorState, withoutVerdict } from "../domain/monitor-state.ts";
import { concerns } from "../domain/maintenance.ts";
import type { ProbeOutcome } from "../domain/probe-outcome.ts";
import { reachOf } from "../domain/reach.ts";
import type { Sample } from "../domain/sample.ts";
import type { Batch } from "../domain/tick.ts";
import { type Journal, type LedgerState, unlessSame } from "./state.ts";

export interface RecordedSample {
  readonly monitorId: string;
  readonly sample: Sample;
}

export interface Recorded {
  readonly state: LedgerState;
  readonly samples: readonly RecordedSample[];
  readonly resolved: readonly Incident[];
  /** A status, a cause or an incident changed: readers should see it soon. */
  readonly changed: boolean;
}

export interface RecordingWorld {
  readonly config: Config;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  /** Whether this very probe is in history already. */
  isRecorded(monitorId: string, atMs: number): boolean;
}

export function recordBatch(state: LedgerState, batch: Batch, world: RecordingWorld): Recorded {
  const monitorConfigs = new Map(
    world.config.gateways.flatMap((gateway) => gateway.monitors).map((m) => [m.id, m]),
  );
  const draft: Draft = {
    monitors: { ...state.monitors },
    incidents: { ...state.incidents },
    gateways: { ...state.journal.gateways },
    samples: [],
    resolved: [],
    changed: false,
  };
  const withoutNetwork =
    batch.ownNetworkFailed || (state.journal.ownIncidentId !== null && !reachesAny(batch));
  for (const { monitorId, outcome } of batch.results) {
    const monitor = monitorConfigs.get(monitorId);
    if (monitor) recordResult(draft, monitor, { outcome, withoutNetwork }, batch, world);
  }
  for (const id of batch.returned) settle(draft, monitorConfigs.get(id), batch, world.nowMs);
  const ownIncidentId = watchOwnNetwork(draft, state.journal.ownIncidentId, batch, world.nowMs);
  return {
    state: {
      journal: {
        ...state.journal,
        gateways: draft.gateways,
        ownIncidentId,
        ticks: withReturned(state.journal.ticks, batch),
      },
      monitors: unlessSame(state.monitors, draft.monitors),
      incidents: unlessSame(state.incidents, draft.incidents),
    },
    samples: draft.samples,
    resolved: draft.resolved,
    changed: draft.changed,
  };
}

function reachesAny({ results }: Batch): boolean {
  return results.some(({ outcome }) => reachOf(outcome.diagnosis) === "reached");
}

/** What the tick could not probe after all is put off too. */
function withReturned(ticks: Journal["ticks"], { tickMs, returned }: Batch): Journal["ticks"] {
  if (returned.length === 0) return ticks;
  return ticks.map((tick) =>
    tick.tickMs === tickMs ? { ...tick, putOff: tick.putOff + returned.length } : tick,
  );
}

/** The next state while a batch is worked through. */
interface Draft {
  readonly monitors: Record<string, MonitorState>;
  readonly incidents: Record<string, Incident>;
  readonly gateways: Record<string, GatewayState>;
  readonly samples: RecordedSample[];
  readonly resolved: Incident[];
  changed: boolean;
}

function recordResult(
  draft: Draft,
  monitor: MonitorConfig,
  probed: { readonly outcome: ProbeOutcome; readonly withoutNetwork: boolean },
  batch: Batch,
  world: RecordingWorld,
): void {
  const before = draft.monitors[monitor.id];
  if (!before) return;
  const outcome = judged(probed.outcome, before, probed.withoutNetwork);
  if (!world.isRecorded(monitor.id, outcome.startedAtMs)) {
    const sample = sampleOf(outcome, monitor, world.config.maintenance);
    draft.samples.push({ monitorId: monitor.id, sample });
  }
  if (!settle(draft, monitor, batch, world.nowMs)) return;
  const rhythm = { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: world.tickIntervalMs };
  const after = applyOutcome(before, outcome, rhythm, batch.tickMs);
  draft.changed ||= after.health !== before.health || after.diagnosis?.cause !== before.diagnosis?.cause;
  draft.monitors[monitor.id] = moveIncident(draft, monitor, { before, after }, outcome);
  holdGateway(draft, monitor.gatewayId, outcome);
}

/** While the monitoring's own network is out, that a gateway was not reached says nothing about it. */
function judged(outcome: ProbeOutcome, before: MonitorState, withoutNetwork: boolean): ProbeOutcome {
  const diagnosis =
    withoutNetwork && reachOf(outcome.diagnosis) === "unreached"
      ? withoutVerdict(outcome.diagnosis)
      : judgeByHistory(outcome.diagnosis, before.lastUpMs, outcome.startedAtMs);
  return diagnosis === outcome.diagnosis ? outcome : { ...outcome, diagnosis };
}

/** Takes the monitor off the gateway's lease; false when this invocation holds none (any more). */
function settle(draft: Draft, monitor: MonitorConfig | undefined, batch: Batch, nowMs: number): boolean {
  const gateway = monitor && draft.gateways[monitor.gatewayId];
  const lease = gateway?.lease;
  if (!monitor || !gateway || !lease) return false;
  if (lease.invocation !== batch.invocation || lease.tickMs !== batch.tickMs) return false;
  if (lease.untilMs <= nowMs || !lease.owed.includes(monitor.id)) return false;
  const owed = lease.owed.filter((id) => id !== monitor.id);
  draft.gateways[monitor.gatewayId] = { ...gateway, lease: owed.length === 0 ? null : { ...lease, owed } };
  return true;
}

/** Whoever takes this long keeps others waiting, whether or not an answer comes in the end. */
const HANGS_FROM_MS = 10_000;
/** One good answer does not make up for it: some gateways hang every other time. */
const QUICK_OWED = 5;

function holdGateway(
  draft: Draft,
  gatewayId: string,
  { diagnosis, startedAtMs, durationMs, latencyMs }: ProbeOutcome,
): void {
  const gateway = draft.gateways[gatewayId];
  if (!gateway) return;
  const asked = diagnosis.ok ? null : diagnosis.retry.afterSeconds;
  const isSlow = latencyMs !== null && latencyMs >= HANGS_FROM_MS;
  const untilMs = asked === null ? 0 : startedAtMs + durationMs + Math.min(asked * 1000, DAY_MS);
  draft.gateways[gatewayId] = {
    ...gateway,
    suspect: false,
    quickOwed: isSlow ? QUICK_OWED : Math.max(0, gateway.quickOwed - 1),
    heldUntilMs: Math.max(gateway.heldUntilMs, untilMs),
  };
}

function moveIncident(
  draft: Draft,
  monitor: MonitorConfig,
  { before, after: state }: { readonly before: MonitorState; readonly after: MonitorState },
  outcome: ProbeOutcome,
): MonitorState {
  const open = state.incidentId === null ? null : (draft.incidents[state.incidentId] ?? null);
  const change = incidentChange(state, open, monitor);
  const atMs = outcome.startedAtMs;
  if (open === null) {
    if (change !== "open") return { ...state, incidentId: null };
    const subject = { gatewayId: monitor.gatewayId, monitorIds: [monitor.id], name: monitor.id };
    const firstFailedAtMs = firstFailureMs(before, atMs);
    const incident = { ...openIncident(subject, outcome.diagnosis, outcome, atMs), firstFailedAtMs };
    draft.incidents[incident.id] = incident;
    draft.changed = true;
    return { ...state, incidentId: incident.id };
  }
  if (change === "resolve") {
    close(draft, resolveIncident(open, atMs));
    return { ...state, incidentId: null };
  }
  const told = change === "update" ? updateIncident(open, outcome.diagnosis, atMs) : open;
  draft.changed ||= change === "update";
  draft.incidents[open.id] = isFailure(outcome) ? withFailure(told, outcome) : told;
  return state;
}

function isFailure({ diagnosis }: ProbeOutcome): boolean {
  return diagnosis.health !== "up" && diagnosis.health !== "unknown";
}

function close(draft: Draft, resolved: Incident): void {
  delete draft.incidents[resolved.id];
  draft.resolved.push(resolved);
  draft.changed = true;
}

/** One incident for the monitoring itself while all gateways are out of its reach. */
function watchOwnNetwork(draft: Draft, openId: string | null, batch: Batch, nowMs: number): string | null {
  if (batch.results.length === 0) return openId;
  const open = openId === null ? undefined : draft.incidents[openId];
  if (!batch.ownNetworkFailed) {
    if (!open) return null;
    if (!reachesAny(batch)) return openId;
    close(draft, resolveIncident(open, nowMs));
    return null;
  }
  const first = batch.results[0];
  if (open || !first) return openId;
  const subject = { gatewayId: null, monitorIds: [], name: "monitoring" };
  const incident = openIncident(subject, withoutVerdict(first.outcome.diagnosis), null, nowMs);
  draft.incidents[incident.id] = incident;
  draft.changed = true;
  return incident.id;
}

function sampleOf(
  outcome: ProbeOutcome,
  monitor: MonitorConfig,
  maintenance: readonly MaintenanceWindow[],
): Sample {
  const { diagnosis, startedAtMs } = outcome;
  return {
    atMs: startedAtMs,
    health: diagnosis.health,
    cause: diagnosis.cause,
    latencyMs: outcome.latencyMs,
    attempts: outcome.attempts.length,
    waitedMs: outcome.waitedMs,
    httpStatus: diagnosis.httpStatus,
    inMaintenance: maintenance.some((window) => covers(window, monitor.gatewayId, startedAtMs)),
  };
}

function covers(window: MaintenanceWindow, gatewayId: string, atMs: number): boolean {
  return concerns(window.gateways, gatewayId) && window.fromMs <= atMs && atMs < window.toMs;
}
