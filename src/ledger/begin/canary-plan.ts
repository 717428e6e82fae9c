/**
 * Which canaries a tick asks: those that are due and worth their money. What was ordered and never answered is
 * given up. Pure.
 */
import type { CanaryConfig, GatewayConfig, MonitorConfig } from "../../config/config.ts";
import {
  LATEST_CANARY_MS,
  LEASE_MS,
  LONGEST_LANE_LEASE_MS,
  type GatewayState,
  type Rival,
  type BeginRequest,
} from "../../domain/tick.ts";
import {
  type CanaryAssignment,
  type CanaryRun,
  type CanaryState,
  type Errand,
  LONGEST_QUESTION_INTERVAL_MS,
  attemptsOf,
  LONGEST_BACK_OFF_MS,
  requestsLeft,
  skipOf,
  startRun,
  withSkip,
  zoneDay,
} from "../../domain/canary.ts";
import { applyOutcome, withoutEvidence, type MonitorState } from "../../domain/monitor-state.ts";
import type { Attempt, ProbeOutcome } from "../../domain/probe-outcome.ts";
import {
  LONGEST_REFUSED_INTERVAL_MS,
  isOverdue,
  nextDue,
  patienceMs,
  stretched,
} from "../../domain/schedule.ts";
import { ofUnknownFate } from "../../protocol/examine-canary.ts";
import type { Cause } from "../../protocol/diagnosis.ts";
import { entryOf, type LedgerState, type Step } from "../state/state.ts";
import type { BeginWorld } from "./apply-config.ts";

/** An errand that the tick may send, if its limit allows. */
export interface PlannedErrand extends Rival {
  readonly gatewayId: string;
  readonly errand: Errand;
  readonly longestMs: number;
}

interface CanaryPlan {
  readonly state: LedgerState;
  readonly errands: readonly PlannedErrand[];
  /** Due ones for which the tick has no time. */
  readonly putOff: number;
  readonly changed: boolean;
}

/** @param state without lost runs (see `loseRuns`). */
export function planCanaries(state: LedgerState, { tickMs }: BeginRequest, world: Step): CanaryPlan {
  const monitors: Record<string, MonitorState> = {};
  const canaries: Record<string, CanaryState> = {};
  const planned: PlannedErrand[] = [];
  let changed = false;
  for (const gateway of world.config.gateways) {
    const own = gateway.monitors.filter(({ canary }) => canary !== null);
    if (own.length === 0) continue;
    if (!isLaneFree(entryOf(state.journal.gateways, gateway.id), tickMs, world.nowMs)) continue;
    for (const monitor of own) {
      const known = state.monitors[monitor.id];
      const canary = state.canaries[monitor.id];
      const rules = monitor.canary;
      if (!rules || !known || !canary || known.pausedAtMs !== null) continue;
      const dueMs = dueOf(monitor, known, canary, tickMs, world);
      // While its request is under way nothing else is asked.
      if (dueMs > tickMs || canary.run !== null) continue;
      const left = requestsLeft(canary.days, zoneDay(world.config, world.nowMs), rules.perDay);
      const skip =
        canary.task === null ? skipNow({ gateway, monitor, rules, canary, left }, state, world) : null;
      if (skip !== null) {
        const skipped = withSkip(canary, skip, world.nowMs);
        if (skipped === canary) continue;
        canaries[monitor.id] = skipped;
        monitors[monitor.id] = withoutEvidence(known, world.nowMs);
        changed = true;
        continue;
      }
      const attempts = canary.task === null ? attemptsOf(rules, left) : 1;
      const planning = {
        monitorId: monitor.id,
        gatewayId: gateway.id,
        // It had its turn while it was skipped: what waited meanwhile goes first.
        dueMs: canary.skip === null ? dueMs : tickMs,
        errand: { monitorId: monitor.id, task: canary.task, attempts },
        longestMs: attempts * rules.timeoutMs + (attempts - 1) * LONGEST_WAIT_MS,
      };
      planned.push(planning);
      if (canary.skip === null) continue;
      // Where it is put off now it waits from here on, like all others.
      canaries[monitor.id] = { ...canary, skip: null };
      monitors[monitor.id] = { ...known, nextDueMs: planning.dueMs };
    }
  }
  const byGateway = Map.groupBy(planned, ({ gatewayId }) => gatewayId);
  const errands = [...byGateway.values()].flatMap(inTime);
  return {
    state: withCanaries(state, monitors, canaries),
    errands,
    putOff: planned.length - errands.length,
    changed,
  };
}

function withCanaries(
  state: LedgerState,
  monitors: LedgerState["monitors"],
  canaries: LedgerState["canaries"],
): LedgerState {
  if (Object.keys(canaries).length === 0) return state;
  return {
    ...state,
    monitors: { ...state.monitors, ...monitors },
    canaries: { ...state.canaries, ...canaries },
  };
}

interface DueCanary {
  readonly gateway: GatewayConfig;
  readonly monitor: MonitorConfig;
  readonly rules: CanaryConfig;
  readonly canary: CanaryState;
  readonly left: number | null;
}

function skipNow({ gateway, monitor, rules, canary, left }: DueCanary, state: LedgerState, world: Step) {
  const known = { monitors: state.monitors, gateways: state.journal.gateways };
  return skipOf({
    isGeneration: rules.isGeneration,
    sharesKey: sharesKey(rules),
    listCause: listCause(gateway, known, world),
    isUnlisted: isListed(monitor, gateway, known, world) === false,
    askedAtMs: canary.askedAtMs,
    left,
    nowMs: world.nowMs,
  });
}

/** An `http` canary may send no key at all. */
function sharesKey({ hasOwnKey, request }: CanaryConfig): boolean {
  return !hasOwnKey && Object.values(request.headers).some((value) => value.includes("{key}"));
}

const LONGEST_WAIT_MS = 30_000;

/** One after the other, as many as are over before the lease is; at least one. */
function inTime(planned: readonly PlannedErrand[]): readonly PlannedErrand[] {
  let sumMs = 0;
  return planned
    .toSorted((a, b) => a.dueMs - b.dueMs)
    .filter(({ longestMs }, index) => {
      const fits = index === 0 || sumMs + longestMs <= LEASE_MS - MARGIN_MS;
      if (fits) sumMs += longestMs;
      return fits;
    });
}

/** For what is between a request's end and its record. */
const MARGIN_MS = 30_000;

function isLaneFree(gateway: GatewayState | undefined, tickMs: number, nowMs: number): boolean {
  if (gateway === undefined) return true;
  const { lease, heldUntilMs } = gateway.canaries;
  const isLeased = lease !== null && lease.untilMs > nowMs;
  return !isLeased && Math.max(heldUntilMs, gateway.heldUntilMs) <= tickMs;
}

/** It outlasts them one after the other, and each of them where it leaves as late as may be. */
function laneLeaseMs(errands: readonly PlannedErrand[]): number {
  const sumMs = errands.reduce((sum, { longestMs }) => sum + longestMs, MARGIN_MS);
  const lateMs = Math.max(...errands.map(({ longestMs }) => LATEST_CANARY_MS + longestMs + MARGIN_MS));
  return Math.min(LONGEST_LANE_LEASE_MS, Math.max(LEASE_MS, sumMs, lateMs));
}

interface SentCanaries {
  readonly canaries: LedgerState["canaries"];
  readonly gateways: Readonly<Record<string, GatewayState>>;
  readonly assignments: readonly CanaryAssignment[];
}

/** Notes what leaves now: runs with their requests, counted for the day, and the leases of their gateways. */
export function sendCanaries(
  state: Pick<LedgerState, "canaries">,
  gateways: Readonly<Record<string, GatewayState>>,
  taken: readonly PlannedErrand[],
  { request, world }: { readonly request: BeginRequest; readonly world: BeginWorld },
): SentCanaries {
  if (taken.length === 0) return { canaries: state.canaries, gateways, assignments: [] };
  const { nowMs, run } = world;
  const { tickMs, invocation } = request;
  const canaries = { ...state.canaries };
  const leased = { ...gateways };
  const assignments: CanaryAssignment[] = [];
  for (const [gatewayId, errands] of Map.groupBy(taken, (planned) => planned.gatewayId)) {
    const gateway = entryOf(leased, gatewayId);
    if (!gateway) continue;
    const untilMs = nowMs + laneLeaseMs(errands);
    const lease = { tickMs, invocation, run, untilMs, owed: errands.map(({ monitorId }) => monitorId) };
    leased[gatewayId] = { ...gateway, canaries: { ...gateway.canaries, lease } };
    assignments.push({ gatewayId, errands: errands.map(({ errand }) => errand) });
    for (const { errand } of errands) {
      const canary = canaries[errand.monitorId];
      if (!canary || errand.task !== null) continue;
      const day = zoneDay(world.config, nowMs);
      canaries[errand.monitorId] = startRun(canary, request, { attempts: errand.attempts, nowMs, day });
    }
  }
  return { canaries, gateways: leased, assignments };
}

/** No monitor waits longer from now than its own rhythm can explain. A lane may come when later ticks have probed already. */
export function dueOf(
  monitor: MonitorConfig,
  { nextDueMs, refusalsInARow }: MonitorState,
  canary: CanaryState | undefined,
  tickMs: number,
  { nowMs, tickIntervalMs }: Pick<Step, "nowMs" | "tickIntervalMs">,
): number {
  const longestMs = longestWaitMs(monitor, refusalsInARow, canary) + tickIntervalMs;
  return nextDueMs > Math.max(tickMs, nowMs) + longestMs ? tickMs : nextDueMs;
}

function longestWaitMs(
  { everyMs, canary: rules }: MonitorConfig,
  refusals: number,
  canary: CanaryState | undefined,
): number {
  if (canary !== undefined && canary.task !== null) return LONGEST_QUESTION_INTERVAL_MS;
  return rules?.isGeneration === true && canary !== undefined
    ? stretched(everyMs, canary.failures, LONGEST_BACK_OFF_MS)
    : stretched(everyMs, refusals, LONGEST_REFUSED_INTERVAL_MS);
}

/** Runs that no living lease covers are over. */
export function loseRuns(
  state: LedgerState,
  { tickMs }: BeginRequest,
  { config, nowMs, tickIntervalMs }: Step,
): { readonly state: LedgerState; readonly changed: boolean } {
  const monitors: Record<string, MonitorState> = {};
  const canaries: Record<string, CanaryState> = {};
  for (const monitor of config.gateways.flatMap((gateway) => gateway.monitors)) {
    const known = state.monitors[monitor.id];
    const canary = state.canaries[monitor.id];
    if (!known || !canary || canary.run === null) continue;
    if (isUnderWay(monitor, canary.run, state, nowMs)) continue;
    // It may have left, so it stays counted.
    canaries[monitor.id] = { ...canary, run: null };
    monitors[monitor.id] = withUnknownFate(
      known,
      { monitor, canary, run: canary.run },
      tickMs,
      tickIntervalMs,
    );
  }
  const after = withCanaries(state, monitors, canaries);
  return { state: after, changed: after !== state };
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
  const after = applyOutcome(known, outcome, rhythm, { tickMs: run.tickMs, inMaintenance: false });
  return { ...after, nextDueMs: nextDue(rhythm, tickMs, failures, LONGEST_BACK_OFF_MS) };
}

interface Known {
  readonly monitors: LedgerState["monitors"];
  readonly gateways: Readonly<Record<string, GatewayState>>;
}

/** Why the list that was asked for last was not good; null: it was, or nothing fresh is known. */
function listCause(
  gateway: GatewayConfig,
  { monitors, gateways }: Known,
  { nowMs, tickIntervalMs }: Pick<Step, "nowMs" | "tickIntervalMs">,
): Cause | null {
  const { heldUntilMs = 0 } = entryOf(gateways, gateway.id) ?? {};
  const fresh = watchedLists(gateway, monitors).filter(
    ({ list, known }) => !isOverdue(known, heldUntilMs, { everyMs: list.everyMs, tickIntervalMs, nowMs }),
  );
  const latest = fresh.toSorted((a, b) => atMs(b.known) - atMs(a.known))[0]?.known;
  const { diagnosis } = latest ?? {};
  return diagnosis && !diagnosis.ok ? diagnosis.cause : null;
}

/**
 * Whether the gateway's list, as it was last told, holds the model; null: nobody knows. A list tells what the key may use
 * with which it was asked for.
 */
export function isListed(
  { model, canary }: MonitorConfig,
  gateway: GatewayConfig,
  { monitors, gateways }: Known,
  { nowMs, tickIntervalMs }: Pick<Step, "nowMs" | "tickIntervalMs">,
): boolean | null {
  const seen = entryOf(gateways, gateway.id)?.seenModels ?? null;
  if (model === null || canary === null || canary.hasOwnKey || seen === null) return null;
  const rhythms = watchedLists(gateway, monitors).map(({ list }) => list.everyMs);
  if (rhythms.length === 0) return null;
  const everyMs = Math.max(...rhythms);
  const ageMs = nowMs - seen.atMs;
  if (ageMs > everyMs + patienceMs(everyMs, tickIntervalMs) || ageMs < -tickIntervalMs) return null;
  if (seen.listed.includes(model)) return true;
  return seen.unlisted.includes(model) ? false : null;
}

function watchedLists(
  { monitors }: GatewayConfig,
  states: LedgerState["monitors"],
): { readonly list: MonitorConfig; readonly known: MonitorState }[] {
  return monitors.flatMap((list) => {
    const known = states[list.id];
    return list.canary === null && known && known.pausedAtMs === null ? [{ list, known }] : [];
  });
}

function atMs({ lastProbe }: MonitorState): number {
  return lastProbe?.atMs ?? 0;
}
