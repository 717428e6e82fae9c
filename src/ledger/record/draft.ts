/** The next state while a batch of results is worked through, and who owes what of it. */
import type { CanaryState } from "../../domain/canary.ts";
import type { GatewayState, Lease } from "../../domain/assignment.ts";
import type { GenerationFigures, ProbeOutcome, Sample } from "../../domain/probe-outcome.ts";
import { applyChanges, type Transition, type Happening } from "../../domain/incident.ts";
import type { Incident } from "../../domain/incident.ts";
import type { MonitorState } from "../../domain/monitor-state.ts";
import type { BeginRequest } from "../../domain/tick.ts";
import { entryOf, type LedgerState } from "../state/state.ts";

export interface RecordedSample {
  readonly monitorId: string;
  readonly sample: Sample;
}

export interface Draft {
  readonly monitors: Record<string, MonitorState>;
  readonly canaries: Record<string, CanaryState>;
  incidents: Readonly<Record<string, Incident>>;
  readonly gateways: Record<string, GatewayState>;
  readonly samples: RecordedSample[];
  readonly resolved: Incident[];
  readonly happenings: Happening[];
  changed: boolean;
}

export function draftOf({ monitors, canaries, incidents, journal }: LedgerState): Draft {
  return {
    monitors: { ...monitors },
    canaries: { ...canaries },
    incidents: { ...incidents },
    gateways: { ...journal.gateways },
    samples: [],
    resolved: [],
    happenings: [],
    changed: false,
  };
}

export function apply(draft: Draft, changes: Transition): void {
  const { incidents, resolved } = applyChanges(draft.incidents, changes);
  draft.incidents = incidents;
  draft.resolved.push(...resolved);
  draft.happenings.push(...changes.happenings);
  draft.changed ||= changes.isNews;
}

type Member = { readonly id: string; readonly gatewayId: string };

/** Takes a monitor off its gateway's lease; false when this invocation holds none (any more). */
export function settleList(draft: Draft, monitor: Member, batch: BeginRequest, nowMs: number): boolean {
  const gateway = entryOf(draft.gateways, monitor.gatewayId);
  const lease = settled(gateway?.lease ?? null, monitor.id, batch, nowMs);
  if (!gateway || lease === "not owed") return false;
  draft.gateways[monitor.gatewayId] = { ...gateway, lease };
  return true;
}

/** As `settleList`, of a canary. */
export function settleLane(draft: Draft, monitor: Member, batch: BeginRequest, nowMs: number): boolean {
  const gateway = entryOf(draft.gateways, monitor.gatewayId);
  const lease = settled(gateway?.canaries.lease ?? null, monitor.id, batch, nowMs);
  if (!gateway || lease === "not owed") return false;
  draft.gateways[monitor.gatewayId] = { ...gateway, canaries: { ...gateway.canaries, lease } };
  return true;
}

/** Null: nothing is owed any more. */
function settled(
  lease: Lease | null,
  monitorId: string,
  { tickMs, invocation }: BeginRequest,
  nowMs: number,
): Lease | null | "not owed" {
  if (lease === null || lease.invocation !== invocation || lease.tickMs !== tickMs) return "not owed";
  if (lease.untilMs <= nowMs || !lease.owed.includes(monitorId)) return "not owed";
  const owed = lease.owed.filter((id) => id !== monitorId);
  return owed.length === 0 ? null : { ...lease, owed };
}

export function sampleOf(
  outcome: ProbeOutcome,
  inMaintenance: boolean,
  generation: GenerationFigures | null,
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
    inMaintenance,
    generation,
  };
}
