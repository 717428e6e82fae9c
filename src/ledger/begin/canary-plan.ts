/** Which canaries a tick runs: those that are due, and not skipped to save money. Gives up runs whose result never came. Pure. */
import type { CanaryConfig, Config, GatewayConfig, MonitorConfig } from "../../config/config.ts";
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
  errandOf,
  LONGEST_BACK_OFF_MS,
  requestsLeft,
  saidMissing,
  skipOf,
  stretchingFailures,
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
import { entryOf, unlessSame, type LedgerState, type Step } from "../state/state.ts";
import type { BeginWorld } from "./apply-config.ts";

export interface PlannedErrand extends Rival {
  readonly gatewayId: string;
  readonly errand: Errand;
  readonly longestMs: number;
}

/** Also ends runs that no valid lease covers. */
export function planCanaries(state: LedgerState, { tickMs }: BeginRequest, world: Step) {
  const { nowMs, tickIntervalMs } = world;
  const monitors = { ...state.monitors };
  const canaries = { ...state.canaries };
  const planned: PlannedErrand[] = [];
  let changed = false;
  const all = world.config.gateways.flatMap((of) => of.monitors.map((monitor) => [of, monitor] as const));
  for (const [gateway, monitor] of all) {
    const { id, canary: rules } = monitor;
    let known = state.monitors[id];
    let canary = state.canaries[id];
    if (!rules || !known || !canary) continue;
    const seen = entryOf(state.journal.gateways, gateway.id);
    if (canary.run !== null) {
      if (isUnderWay(id, canary.run, seen, nowMs)) continue;
      known = withUnknownFate(known, monitor, { ...canary, run: canary.run }, { tickMs, tickIntervalMs });
      // Its request may have been sent, so it stays counted.
      canary = { ...canary, run: null };
      changed = true;
    }
    const dueMs = dueOf(monitor, known, canary, tickMs, world);
    if (isLaneFree(seen, tickMs, nowMs) && known.pausedAtMs === null && dueMs <= tickMs) {
      const left = requestsLeft(canary.days, zoneDay(world.config, nowMs), rules);
      const cause = known.diagnosis?.cause ?? null;
      const skipped = skippedNow(gateway, monitor, rules, { canary, cause, left }, state, world);
      if (skipped === null) {
        const planning = plannedErrand(monitor, rules, canary, left, canary.skip === null ? dueMs : tickMs);
        planned.push(planning);
        // After a skip it counts as due only now, so that canaries that waited meanwhile go first.
        if (canary.skip !== null) {
          known = { ...known, nextDueMs: planning.dueMs };
          canary = { ...canary, skip: null };
        }
      } else if (skipped !== canary) {
        known = withoutEvidence(known, nowMs);
        canary = skipped;
        changed = true;
      }
    }
    monitors[id] = known;
    canaries[id] = canary;
  }
  return {
    state: {
      ...state,
      monitors: unlessSame(state.monitors, monitors),
      canaries: unlessSame(state.canaries, canaries),
    },
    errands: planned,
    changed,
  };
}

function plannedErrand(
  { id, gatewayId }: MonitorConfig,
  rules: CanaryConfig,
  canary: CanaryState,
  left: number | null,
  dueMs: number,
): PlannedErrand {
  const attempts = canary.task === null ? attemptsOf(rules, left) : 1;
  const longestMs = attempts * rules.timeoutMs + (attempts - 1) * LONGEST_WAIT_MS;
  return {
    monitorId: id,
    gatewayId,
    dueMs,
    errand: errandOf(id, canary, attempts, rules.audit !== null),
    longestMs,
  };
}

/** Null: it runs. */
function skippedNow(
  gateway: GatewayConfig,
  monitor: MonitorConfig,
  rules: CanaryConfig,
  { canary, cause, left }: { canary: CanaryState; cause: Cause | null; left: number | null },
  state: LedgerState,
  world: Step,
): CanaryState | null {
  if (canary.task !== null) return null;
  const known = { monitors: state.monitors, gateways: state.journal.gateways };
  const skip = skipOf({
    isGeneration: rules.isGeneration,
    sharesKey: sharesKey(rules),
    listCause: listCause(gateway, known, world),
    isMissing: saidMissing(canary, cause) && isListed(monitor, gateway, known, world) === false,
    askedAtMs: canary.askedAtMs,
    left,
    nowMs: world.nowMs,
  });
  return skip && withSkip(canary, skip, world.nowMs);
}

/** An `http` canary may send no key at all. */
function sharesKey({ hasOwnKey, request }: CanaryConfig): boolean {
  return !hasOwnKey && Object.values(request.headers).some((value) => value.includes("{key}"));
}

const LONGEST_WAIT_MS = 30_000;

/** For the time between a request's end and its record. */
const MARGIN_MS = 30_000;

function isLaneFree(gateway: GatewayState | undefined, tickMs: number, nowMs: number): boolean {
  if (gateway === undefined) return true;
  const { lease, heldUntilMs } = gateway.canaries;
  const isLeased = lease !== null && lease.untilMs > nowMs;
  return !isLeased && Math.max(heldUntilMs, gateway.heldUntilMs) <= tickMs;
}

/** Longer than every errand may take, however late it is sent. Errands that cannot be sent in time are given back. */
function laneLeaseMs(errands: readonly PlannedErrand[]): number {
  const lateMs = Math.max(...errands.map(({ longestMs }) => LATEST_CANARY_MS + longestMs + MARGIN_MS));
  return Math.min(LONGEST_LANE_LEASE_MS, Math.max(LEASE_MS, lateMs));
}

/** Records what is sent now: the runs, their requests in the day's count, and the leases of their gateways. */
export function sendCanaries(
  state: Pick<LedgerState, "canaries">,
  gateways: Readonly<Record<string, GatewayState>>,
  taken: readonly PlannedErrand[],
  request: BeginRequest,
  world: BeginWorld,
) {
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

/** Guards against due times too far in the future. A lane may come after later ticks have probed already. */
export function dueOf(
  monitor: MonitorConfig,
  known: MonitorState,
  canary: CanaryState | undefined,
  tickMs: number,
  { nowMs, tickIntervalMs }: Pick<Step, "nowMs" | "tickIntervalMs">,
): number {
  const { nextDueMs } = known;
  const longestMs = longestWaitMs(monitor, known, canary) + tickIntervalMs;
  return nextDueMs > Math.max(tickMs, nowMs) + longestMs ? tickMs : nextDueMs;
}

function longestWaitMs(monitor: MonitorConfig, known: MonitorState, canary: CanaryState | undefined): number {
  const { everyMs, canary: rules } = monitor;
  if (canary !== undefined && canary.task !== null) return LONGEST_QUESTION_INTERVAL_MS;
  return rules?.isGeneration === true && canary !== undefined
    ? stretched(everyMs, stretchingFailures(canary, known, monitor), LONGEST_BACK_OFF_MS)
    : stretched(everyMs, known.refusalsInARow, LONGEST_REFUSED_INTERVAL_MS);
}

function isUnderWay(id: string, run: CanaryRun, gateway: GatewayState | undefined, nowMs: number): boolean {
  const lease = gateway?.canaries.lease ?? null;
  if (lease === null || lease.untilMs <= nowMs || !lease.owed.includes(id)) return false;
  return lease.tickMs === run.tickMs && lease.invocation === run.invocation;
}

/** Stands for all attempts, whose number is not known. Without any, it would look as if nothing was sent. */
const INTERRUPTED: Attempt = {
  httpStatus: null,
  error: { code: "interrupted", message: "the probe was interrupted" },
  durationMs: 0,
  retryAfter: null,
  waitedMs: 0,
};

function withUnknownFate(
  known: MonitorState,
  monitor: MonitorConfig,
  canary: CanaryState & { readonly run: CanaryRun },
  { tickMs, tickIntervalMs }: { readonly tickMs: number; readonly tickIntervalMs: number },
): MonitorState {
  const { run } = canary;
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
  const failures = monitor.canary?.isGeneration === true ? stretchingFailures(canary, known, monitor) : 0;
  const rhythm = { monitorId: monitor.id, everyMs: monitor.everyMs, tickMs: tickIntervalMs };
  const after = applyOutcome(known, outcome, rhythm, { tickMs: run.tickMs, inMaintenance: false });
  return { ...after, nextDueMs: nextDue(rhythm, tickMs, failures, LONGEST_BACK_OFF_MS) };
}

interface Known {
  readonly monitors: LedgerState["monitors"];
  readonly gateways: Readonly<Record<string, GatewayState>>;
}

/** The cause of the newest list's failure; null: it is good, or nothing fresh is known. */
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

/** Whether the gateway's last list has the model; null: not known. A list shows only what its own key may use. */
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

/** The audit that this one is compared with: of the same model, if there is one. Null: none. */
export function referenceOf({ gateways }: Pick<Config, "gateways">, { model, canary }: MonitorConfig) {
  const { reference = null } = canary?.audit ?? {};
  const audits = gateways
    .filter(({ id }) => id === reference)
    .flatMap(({ monitors }) => monitors)
    .filter((other) => other.canary?.kind === "audit");
  return audits.find((audit) => audit.model === model) ?? audits[0] ?? null;
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
