/**
 * What is remembered of one monitor between probes, and how an outcome changes it. Pure.
 */
import type { Diagnosis, Health } from "../protocol/diagnosis.ts";
import { DAY_MS } from "./calendar.ts";
import type { ProbeOutcome } from "./probe-outcome.ts";
import { isRefusal, nextDue, type Rhythm } from "./schedule.ts";

export interface LastProbe {
  readonly tickMs: number;
  readonly atMs: number;
  readonly latencyMs: number | null;
  readonly attempts: number;
  readonly waitedMs: number;
}

export interface MonitorState {
  /** The last probe's health; `unknown` before the first. */
  readonly health: Health;
  /** The last health that was a verdict. */
  readonly lastVerdict: Health | null;
  /** When `health` began. */
  readonly sinceMs: number;
  readonly diagnosis: Diagnosis | null;
  readonly lastProbe: LastProbe | null;
  readonly modelCount: number | null;
  readonly missingModels: readonly string[];
  /** Failed and good probes in a row; at most one of the two is above zero. */
  readonly failedInARow: number;
  readonly goodInARow: number;
  /** Refusals of the caller in a row; they stretch the interval. */
  readonly refusalsInARow: number;
  /** The last `up` under the present base URL and key. */
  readonly lastUpMs: number | null;
  readonly nextDueMs: number;
  /** The open incident's id. */
  readonly incidentId: string | null;
}

export function newMonitor(nowMs: number): MonitorState {
  return {
    health: "unknown",
    lastVerdict: null,
    sinceMs: nowMs,
    diagnosis: null,
    lastProbe: null,
    modelCount: null,
    missingModels: [],
    failedInARow: 0,
    goodInARow: 0,
    refusalsInARow: 0,
    lastUpMs: null,
    nextDueMs: 0,
    incidentId: null,
  };
}

/** Another key: what the old one was refused is no reason to wait, nor is its success evidence for the new one. */
export function withNewIdentity(state: MonitorState): MonitorState {
  return { ...state, refusalsInARow: 0, lastUpMs: null, nextDueMs: 0 };
}

/** A probe's outcome as it changes the monitor. `outcome` is already judged by history (see `judgeByHistory`). */
export function applyOutcome(
  state: MonitorState,
  outcome: ProbeOutcome,
  rhythm: Rhythm,
  tickMs: number,
): MonitorState {
  const { diagnosis } = outcome;
  const refusalsInARow = isRefusal(diagnosis.cause) ? state.refusalsInARow + 1 : 0;
  return {
    ...state,
    ...countInARow(state, diagnosis.health),
    health: diagnosis.health,
    lastVerdict: diagnosis.health === "unknown" ? state.lastVerdict : diagnosis.health,
    sinceMs: diagnosis.health === state.health && state.lastProbe ? state.sinceMs : outcome.startedAtMs,
    diagnosis,
    lastProbe: {
      tickMs,
      atMs: outcome.startedAtMs,
      latencyMs: outcome.latencyMs,
      attempts: outcome.attempts.length,
      waitedMs: outcome.waitedMs,
    },
    modelCount: outcome.modelCount,
    missingModels: outcome.missingModels,
    refusalsInARow,
    lastUpMs: diagnosis.health === "up" ? outcome.startedAtMs : state.lastUpMs,
    nextDueMs: nextDue(rhythm, tickMs, refusalsInARow),
  };
}

/** `unknown` is no verdict: it moves no counter. */
function countInARow(state: MonitorState, health: Health): Pick<MonitorState, "failedInARow" | "goodInARow"> {
  if (health === "unknown") return { failedInARow: state.failedInARow, goodInARow: state.goodInARow };
  if (health === "up") return { failedInARow: 0, goodInARow: state.goodInARow + 1 };
  return { failedInARow: state.failedInARow + 1, goodInARow: 0 };
}

const MOVED_ADVICE =
  "This address answered properly within the last day: check the gateway's proxy, route or DNS, not the caller's URL.";

/**
 * History adds to a diagnosis: where the monitor was `up` within a day under the same base URL and key, an address
 * or request that suddenly looks wrong is the operator's change. The cause stays.
 */
export function judgeByHistory(diagnosis: Diagnosis, lastUpMs: number | null, nowMs: number): Diagnosis {
  if (lastUpMs === null || nowMs - lastUpMs > DAY_MS) return diagnosis;
  const suspicious =
    diagnosis.cause === "wrong_url" ||
    diagnosis.cause === "not_found" ||
    diagnosis.cause === "malformed_request";
  if (!suspicious) return diagnosis;
  return { ...diagnosis, owner: "operator", health: "down", advice: MOVED_ADVICE };
}

const OWN_NETWORK_ADVICE =
  "Every gateway failed in the same tick: look at the network of the monitoring itself first.";

/** All gateways failed by network in one tick: that says nothing about any of them. */
export function withoutVerdict(diagnosis: Diagnosis): Diagnosis {
  return { ...diagnosis, owner: "network", health: "unknown", advice: OWN_NETWORK_ADVICE };
}
