/** The next state while a batch of results is processed, and the leases that the results settle. */
import type { CanaryState } from "../../domain/canary.ts";
import type { GatewayState, BeginRequest } from "../../domain/tick.ts";
import {
  reachOf,
  type GenerationFigures,
  type ProbeOutcome,
  type Sample,
} from "../../domain/probe-outcome.ts";
import { applyChanges, type Transition, type Happening, type Incident } from "../../domain/incident.ts";
import { judgeByHistory, withoutVerdict, type MonitorState } from "../../domain/monitor-state.ts";
import { isOverdue, peaceAskedMs } from "../../domain/schedule.ts";
import type { MonitorConfig } from "../../config/config.ts";
import { entryOf, type LedgerState, type Step } from "../state/state.ts";

export interface RecordedSample {
  readonly monitorId: string;
  readonly sample: Sample;
}

export interface RecordingWorld extends Step {
  readonly shard?: number;
  isRecorded(monitorId: string, atMs: number): boolean;
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

/** Takes a monitor off its gateway's lease. False: this invocation has no lease of it (any more). */
export function settle(
  draft: Draft,
  { id, gatewayId, canary }: Pick<MonitorConfig, "id" | "gatewayId" | "canary">,
  batch: BeginRequest,
  nowMs: number,
): boolean {
  const gateway = entryOf(draft.gateways, gatewayId);
  const held = canary ? gateway?.canaries.lease : gateway?.lease;
  if (!gateway || held?.invocation !== batch.invocation || held.tickMs !== batch.tickMs) return false;
  if (held.untilMs <= nowMs || !held.owed.includes(id)) return false;
  const owed = held.owed.filter((of) => of !== id);
  const lease = owed.length === 0 ? null : { ...held, owed };
  draft.gateways[gatewayId] = canary
    ? { ...gateway, canaries: { ...gateway.canaries, lease } }
    : { ...gateway, lease };
  return true;
}

/** While the monitoring's own network has failed, unreached gateways get no verdict. */
export function judgeOutcome(
  outcome: ProbeOutcome,
  lastUpMs: number | null,
  withoutNetwork: boolean,
  kind?: "canary",
): ProbeOutcome {
  const diagnosis =
    withoutNetwork && reachOf(outcome.diagnosis) === "unreached"
      ? withoutVerdict(outcome.diagnosis)
      : judgeByHistory(outcome.diagnosis, lastUpMs, outcome.startedAtMs, kind);
  return diagnosis === outcome.diagnosis ? outcome : { ...outcome, diagnosis };
}

/** Until when a gateway asks to wait, at most `longestMs`; 0: it does not. */
export function heldUntil({ diagnosis, startedAtMs, durationMs }: ProbeOutcome, longestMs: number): number {
  const askedMs = peaceAskedMs(diagnosis);
  return askedMs === 0 ? 0 : startedAtMs + durationMs + Math.min(askedMs, longestMs);
}

/** A health that was shown as unknown is news, even if it is the same as before. */
export function isNews(
  before: MonitorState,
  after: MonitorState,
  heldUntilMs: number,
  rhythm: Parameters<typeof isOverdue>[2],
): boolean {
  const isAnother = after.health !== before.health || after.diagnosis?.cause !== before.diagnosis?.cause;
  return isAnother || isOverdue(before, heldUntilMs, rhythm);
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
