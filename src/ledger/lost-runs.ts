/**
 * Requests of canaries that may have left and of which nobody tells any more: said so, and not repeated before their own
 * next time. Pure.
 */
import type { Config, MonitorConfig } from "../config/config.ts";
import { type CanaryRun, type CanaryState } from "../domain/canary.ts";
import { backedOff, nextGeneration } from "../domain/canary-rhythm.ts";
import { loseRun } from "../domain/canary-run.ts";
import { applyOutcome, type MonitorState } from "../domain/monitor-state.ts";
import type { Attempt, ProbeOutcome } from "../domain/probe-outcome.ts";
import type { BeginRequest } from "../domain/tick.ts";
import { ofUnknownFate } from "../protocol/canary-verdicts.ts";
import { entryOf, type LedgerState } from "./state.ts";

interface LossWorld {
  readonly config: Config;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

/** Runs that no living lease covers are over. */
export function loseRuns(
  state: LedgerState,
  { tickMs }: BeginRequest,
  { config, nowMs, tickIntervalMs }: LossWorld,
): { readonly state: LedgerState; readonly changed: boolean } {
  const monitors = { ...state.monitors };
  const canaries = { ...state.canaries };
  let changed = false;
  for (const monitor of config.gateways.flatMap((gateway) => gateway.monitors)) {
    const known = monitors[monitor.id];
    const canary = canaries[monitor.id];
    if (!known || !canary || canary.run === null) continue;
    if (isUnderWay(monitor, canary.run, state, nowMs)) continue;
    canaries[monitor.id] = loseRun(canary);
    monitors[monitor.id] = withUnknownFate(
      known,
      { monitor, canary, run: canary.run },
      tickMs,
      tickIntervalMs,
    );
    changed = true;
  }
  return changed ? { state: { ...state, monitors, canaries }, changed } : { state, changed };
}

function isUnderWay(
  { id, gatewayId }: MonitorConfig,
  run: CanaryRun,
  { journal }: LedgerState,
  nowMs: number,
): boolean {
  const lease = entryOf(journal.gateways, gatewayId)?.canaries.lease ?? null;
  if (lease === null || lease.untilMs <= nowMs || !lease.owed.includes(id)) return false;
  return lease.tickMs === run.tickMs && lease.invocation === run.invocation;
}

/** None at all would say that nothing was sent, and how many left nobody knows. */
const INTERRUPTED: Attempt = {
  httpStatus: null,
  error: { code: "interrupted", message: "the probe was interrupted" },
  durationMs: 0,
  retryAfter: null,
  waitedMs: 0,
};

function withUnknownFate(
  known: MonitorState,
  { monitor, canary, run }: { monitor: MonitorConfig; canary: CanaryState; run: CanaryRun },
  tickMs: number,
  tickIntervalMs: number,
): MonitorState {
  const outcome: ProbeOutcome = {
    startedAtMs: run.sentAtMs,
    durationMs: 0,
    latencyMs: null,
    waitedMs: 0,
    attempts: [INTERRUPTED],
    modelCount: null,
    missingModels: [],
    diagnosis: ofUnknownFate(),
    failingFrom: [],
  };
  const failures = monitor.canary?.isGeneration === true ? canary.failures : 0;
  const rhythm = { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: tickIntervalMs };
  const stretched = { ...rhythm, everyMs: backedOff(monitor.everyMs, failures) };
  const time = { tickMs: run.tickMs, inMaintenance: false, heldUntilMs: 0 };
  const after = applyOutcome(known, outcome, stretched, time);
  return { ...after, nextDueMs: nextGeneration(rhythm, tickMs, failures) };
}
