/** The state of a monitor and of each of its regions between probes, and how a probe changes it. Pure. */
import * as z from "zod/mini";
import { type Cause, isRefusal, type KeptDiagnosis } from "../protocol/diagnosis.ts";
import { DAY_MS } from "./calendar.ts";
import { commonest, isFailing, majorityHealth } from "./health.ts";
import { ALL_THERE, modelNoteSchema, modelWatchSchema } from "./model-watch.ts";
import { reachOf, type ProbeOutcome, type RegionOutcome } from "./probe-outcome.ts";
import { type Rhythm, nextDue } from "./schedule.ts";
import { objectOnce } from "./schema.ts";
import { type Stored, addedLater, healthSchema, instantMs, keptDiagnosisSchema, text } from "./stored.ts";
import type { ProbeResult } from "./tick.ts";

const probeShape = () => ({
  atMs: instantMs(),
  latencyMs: z.nullable(z.int()),
  attempts: z.int(),
  waitedMs: z.int(),
});

const regionSchema = objectOnce(() => ({
  health: healthSchema(),
  sinceMs: instantMs(),
  diagnosis: z.nullable(keptDiagnosisSchema()),
  lastProbe: z.object(probeShape()),
  lastUpMs: z.nullable(instantMs()),
}));
export type RegionState = Stored<typeof regionSchema>;

export const monitorSchema = objectOnce(() => ({
  /** The last probe's health; `unknown` before the first. */
  health: healthSchema(),
  /** The last health that was a verdict. */
  lastVerdict: z.nullable(healthSchema()),
  /** When `health` began. */
  sinceMs: instantMs(),
  diagnosis: z.nullable(keptDiagnosisSchema()),
  lastProbe: z.nullable(z.object({ tickMs: instantMs(), ...probeShape() })),
  modelCount: z.nullable(z.int()),
  missingModels: z.array(z.string()),
  /** Failed probes in a row (outside maintenance), and good ones in a row. At most one of the two is above zero. */
  failedInARow: z.int(),
  goodInARow: z.int(),
  /** The first of the failures in a row; null if there are none, or if it is not known. */
  failingSinceMs: z.nullable(instantMs()),
  /** How many times in a row the caller was refused. It lengthens the interval. */
  refusalsInARow: z.int(),
  /** The last `up` under the present base URL and key. */
  lastUpMs: z.nullable(instantMs()),
  nextDueMs: instantMs(),
  incidentId: z.nullable(z.string()),
  /** The last hour's changes as `standingAfter` counts them: no more than are needed to decide whether it flaps. */
  swings: z.array(instantMs()),
  /** While it flaps: whether the thresholds alone would have an incident open. Its incident stays open meanwhile. */
  flapping: z.nullable(z.enum(["open", "closed"])),
  models: modelWatchSchema(),
  modelNotes: z.array(modelNoteSchema()),
  /** A person paused it: it is not probed, and late results change nothing. */
  pausedAtMs: z.nullable(instantMs()),
  /** Of a pause: when it ends by itself (null: never), and the name of the person. */
  pause: addedLater(z.object({ untilMs: z.nullable(instantMs()), by: text() })),
  /** How each of its regions sees it. Empty: the Worker itself probes it. */
  regions: z._default(z.record(z.string(), regionSchema()), () => ({})),
}));
export type MonitorState = Stored<typeof monitorSchema>;

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
    failingSinceMs: null,
    refusalsInARow: 0,
    lastUpMs: null,
    nextDueMs: 0,
    incidentId: null,
    swings: [],
    flapping: null,
    models: ALL_THERE,
    modelNotes: [],
    pausedAtMs: null,
    pause: null,
    regions: {},
  };
}

/** With another key, refusals of the old key are no reason to wait, and its successes are no evidence. */
export function withNewIdentity(state: MonitorState): MonitorState {
  const regions = changeRegions(state.regions, (region) => ({ ...region, lastUpMs: null }));
  return { ...state, refusalsInARow: 0, lastUpMs: null, nextDueMs: 0, regions };
}

/** It is not probed on purpose: its health is unknown, and its incident waits for a verdict. */
export function withoutEvidence(state: MonitorState, nowMs: number): MonitorState {
  const sinceMs = state.health === "unknown" ? state.sinceMs : nowMs;
  return { ...state, health: "unknown", sinceMs, diagnosis: null };
}

/** Everything but its incident (see `moveByProbe`). @param outcome already judged by history (see `judgeByHistory`). */
export function applyOutcome(
  state: MonitorState,
  outcome: ProbeOutcome,
  rhythm: Rhythm,
  { tickMs, inMaintenance }: { readonly tickMs: number; readonly inMaintenance: boolean },
): MonitorState {
  if (state.pausedAtMs !== null) return state;
  const { diagnosis } = outcome;
  const refusalsInARow = isRefusal(diagnosis) ? state.refusalsInARow + 1 : 0;
  return {
    ...state,
    ...countInARow(state, outcome, inMaintenance),
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

type InARow = Pick<MonitorState, "failedInARow" | "goodInARow" | "failingSinceMs">;

/** `unknown` is no verdict and changes no counter. A failure in maintenance sets both counters to zero. */
function countInARow(
  { failedInARow, goodInARow, failingSinceMs }: MonitorState,
  { diagnosis: { health }, startedAtMs }: ProbeOutcome,
  inMaintenance: boolean,
): InARow {
  if (health === "unknown") return { failedInARow, goodInARow, failingSinceMs };
  if (health === "up") return { failedInARow: 0, goodInARow: goodInARow + 1, failingSinceMs: null };
  if (inMaintenance) return { failedInARow: 0, goodInARow: 0, failingSinceMs: null };
  const sinceMs = failedInARow === 0 ? startedAtMs : failingSinceMs;
  return { failedInARow: failedInARow + 1, goodInARow: 0, failingSinceMs: sinceMs };
}

/** Causes that history may make the operator's turn. Of a canary's own request, only a wrong address. */
const MOVABLE = {
  list: new Set<Cause>(["wrong_url", "not_found", "malformed_request"]),
  canary: new Set<Cause>(["wrong_url"]),
} as const;

const MOVED_ADVICE =
  "This worked within the last day, with the same address and key. Check the gateway's proxy, routes and DNS.";

/** If it was `up` within a day with this address and key, and now one looks wrong, the operator changed something. The cause stays. */
export function judgeByHistory(
  diagnosis: KeptDiagnosis,
  lastUpMs: number | null,
  nowMs: number,
  asked: keyof typeof MOVABLE = "list",
): KeptDiagnosis {
  if (lastUpMs === null || nowMs - lastUpMs > DAY_MS) return diagnosis;
  if (!MOVABLE[asked].has(diagnosis.cause)) return diagnosis;
  return { ...diagnosis, owner: "operator", health: "down", advice: MOVED_ADVICE };
}

const LISTED_ADVICE =
  "The model is in the gateway's list, but the gateway does not find it. Check the model's channel there.";

/** If a listed model is not found, it is the operator's turn: the list says that this key may use it. */
export function judgeByList(diagnosis: KeptDiagnosis, isListed: boolean | null): KeptDiagnosis {
  if (diagnosis.cause !== "not_found" || isListed !== true) return diagnosis;
  return { ...diagnosis, owner: "operator", health: "down", advice: LISTED_ADVICE };
}

const OWN_NETWORK_ADVICE = "Every gateway failed in the same tick. Check Gatepulse's own network first.";

export function withoutVerdict(diagnosis: KeptDiagnosis): KeptDiagnosis {
  return { ...diagnosis, owner: "network", health: "unknown", advice: OWN_NETWORK_ADVICE };
}

type RegionStates = Readonly<Record<string, RegionState>>;

export function seeFromRegions(states: RegionStates, reports: readonly RegionOutcome[]): RegionStates {
  const seen = reports.map(({ region, outcome }): [string, RegionState] => {
    const { diagnosis, startedAtMs: atMs, latencyMs, attempts, waitedMs } = outcome;
    const { health } = diagnosis;
    const before = states[region];
    const state = {
      health,
      sinceMs: before?.health === health ? before.sinceMs : atMs,
      diagnosis: health === "up" ? null : diagnosis,
      lastProbe: { atMs, latencyMs, attempts: attempts.length, waitedMs },
      lastUpMs: health === "up" ? atMs : (before?.lastUpMs ?? null),
    };
    return [region, state];
  });
  return { ...states, ...Object.fromEntries(seen) };
}

export function keepRegions(states: RegionStates, regions: readonly string[]): RegionStates {
  const known = Object.entries(states);
  const kept = known.filter(([region]) => regions.includes(region));
  return kept.length === known.length ? states : Object.fromEntries(kept);
}

export function changeRegions(of: RegionStates, change: (of: RegionState) => RegionState): RegionStates {
  return Object.fromEntries(Object.entries(of).map(([region, state]) => [region, change(state)]));
}

/** The majority's health with its commonest cause and list; the rest is one region's. @param asked how many. @returns null: none reported. */
export function combineOutcomes(
  reports: readonly RegionOutcome[],
  asked = reports.length,
): ProbeOutcome | null {
  const outcomes = reports.map(({ outcome }) => outcome);
  const healths = outcomes.map(({ diagnosis }) => diagnosis.health);
  const health = majorityHealth(healths, asked);
  const same = outcomes.filter(({ diagnosis }) => diagnosis.health === health);
  const unjudged = (of: ProbeOutcome) => ({ ...of, diagnosis: withoutVerdict(of.diagnosis) });
  const alike = same.length > 0 ? same : outcomes.map(unjudged);
  const cause = commonest(alike.map(({ diagnosis }) => diagnosis.cause));
  const witnesses = alike.filter(({ diagnosis }) => diagnosis.cause === cause);
  const witness = health === "up" ? medianByLatency(witnesses) : witnesses[0];
  if (witness === undefined) return null;
  // If regions get different lists, the number must not depend on which one answers first.
  const modelCount = commonest(witnesses.map((told) => told.modelCount));
  const failing = reports.filter(({ outcome }) => isFailing(outcome.diagnosis.health));
  return { ...witness, modelCount, failingFrom: failing.map(({ region }) => region) };
}

/** With several regions, whether at least one of them reached it. */
export function isReached({ outcome, regions }: ProbeResult): boolean {
  const seen = regions?.map((region) => region.outcome) ?? [outcome];
  return seen.some(({ diagnosis }) => reachOf(diagnosis) === "reached");
}

function medianByLatency(outcomes: readonly ProbeOutcome[]): ProbeOutcome | undefined {
  const sorted = outcomes.toSorted((a, b) => (a.latencyMs ?? 0) - (b.latencyMs ?? 0));
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

export function gatewayOf(monitorId: string): string {
  return monitorId.split("/", 1)[0] ?? monitorId;
}

/** The name under which a monitor's samples of one region are stored. No id contains an `@`. */
export function regionSeries(monitorId: string, region: string): string {
  return `${monitorId}@${region}`;
}

/** `suffix`: the region, as it follows the monitor's id; empty: the monitor's own series. */
export function partsOfSeries(series: string): { readonly monitorId: string; readonly suffix: string } {
  const [monitorId = series] = series.split("@", 1);
  return { monitorId, suffix: series.slice(monitorId.length) };
}

export function ownIdOf(monitorId: string): string {
  return monitorId.slice(monitorId.indexOf("/") + 1);
}

/** It is due at once. */
export function resumeMonitor(monitor: MonitorState): MonitorState {
  return { ...monitor, pausedAtMs: null, pause: null, nextDueMs: 0 };
}

/** The same record where no pause is over. */
export function endPauses(
  monitors: Readonly<Record<string, MonitorState>>,
  nowMs: number,
): Readonly<Record<string, MonitorState>> {
  const over = Object.entries(monitors).filter(([, { pause }]) => (pause?.untilMs ?? nowMs + 1) <= nowMs);
  if (over.length === 0) return monitors;
  return { ...monitors, ...Object.fromEntries(over.map(([id, monitor]) => [id, resumeMonitor(monitor)])) };
}
