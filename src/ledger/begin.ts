/**
 * The start of a tick: what the configuration changed, what is due, who may probe it. Idempotent on the scheduled
 * time: a second firing gets nothing to do unless a key or an address is new, a repeated call of the same invocation gets
 * the same answer. Pure.
 */
import type { Config } from "../config/config.ts";
import { assign, type Assignment, FREE_LANE, type GatewayState, LEASE_MS } from "../domain/assignment.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { applyChanges, type Happening } from "../domain/happening.ts";
import type { Incident } from "../domain/incident.ts";
import { inMaintenance, type MaintenanceWindow } from "../domain/maintenance.ts";
import { keepWanted } from "../domain/membership.ts";
import { type MonitorState, newMonitor, withNewIdentity } from "../domain/monitor-state.ts";
import { type OwnNetworkMoved, seeTickBegin } from "../domain/own-network.ts";
import { isSeenFailing, remind, type ReminderRule } from "../domain/reminders.ts";
import { refusedInterval } from "../domain/schedule.ts";
import { tickCame } from "../domain/silence.ts";
import type { BeginAnswer, BeginRequest } from "../domain/tick.ts";
import { isExcused } from "./own-sight.ts";
import { withoutWords, withPublicFailures } from "./public-text.ts";
import { keptWindows, withPresentGateways } from "./planned.ts";
import { entryOf, type LedgerState, type SeenTick, unlessSame } from "./state.ts";
import { watchClock } from "./steady-clock.ts";
import { gatewayUntilNow, inherited, sameAddress } from "./succession.ts";

/** What stands for a gateway's base URL and key; a change of either is a new identity. */
export type Identities = Readonly<Record<string, string>>;

export interface Began {
  readonly state: LedgerState;
  readonly answer: BeginAnswer;
  /** Incidents that ended because their monitor left the configuration. */
  readonly resolved: readonly Incident[];
  /** What people may have to be told, in order. */
  readonly happenings: readonly Happening[];
  /** An incident changed: readers should see it soon. */
  readonly changed: boolean;
}

const NOTHING: BeginAnswer = { duplicate: true, assignments: [], canaries: [], putOff: 0 };

/** A twin of a tick fires within minutes: more need not be remembered. */
const TICKS_REMEMBERED = 30;

export interface BeginWorld {
  readonly config: Config;
  /** All that are known, planned in the configuration or since. */
  readonly maintenance: readonly MaintenanceWindow[];
  readonly identities: Identities;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
}

export function beginTick(state: LedgerState, request: BeginRequest, given: BeginWorld): Began {
  const world = { ...given, maintenance: withPresentGateways(given.maintenance, given.config) };
  const { nowMs, tickIntervalMs } = world;
  const known = knownTicks(state.journal.ticks, nowMs);
  const firings = known.filter(({ tickMs }) => tickMs === request.tickMs);
  const own = firings.find(({ invocation }) => invocation === request.invocation);
  if (own) return unchanged(state, repeat(own));
  if (firings.length > 0 && !bringsNews(state, world)) return unchanged(state, NOTHING);
  const reconciled = reconcile(state, world);
  const { monitors, journal } = reconciled.state;
  const network = ownNetworkAt(reconciled.state, world);
  const { incidents, resolved } = applyChanges(reconciled.state.incidents, network);
  const watched = tickCame(journal.watch, nowMs, tickIntervalMs);
  const reminded = remind(incidents, (id) => reminderRule(id, reconciled.state, world), nowMs);
  const candidates = world.config.gateways
    .flatMap((gateway) => gateway.monitors)
    .flatMap(({ id, gatewayId, everyMs }) => {
      const monitor = monitors[id];
      if (!monitor) return [];
      const longestMs = refusedInterval(everyMs, monitor.refusalsInARow) + tickIntervalMs;
      return [{ monitorId: id, gatewayId, state: awake(monitor, longestMs, request.tickMs) }];
    });
  const { assignments, putOff } = assign(candidates, journal.gateways, {
    tickMs: request.tickMs,
    nowMs,
    limit: world.config.maxProbesPerTick,
    isExcused: (id) => isExcused(id, { journal }, world.maintenance, nowMs),
  });
  const tick: SeenTick = { ...request, assignments: assignments.map(mutable), putOff };
  return {
    state: {
      monitors,
      incidents: applyChanges(incidents, reminded).incidents,
      journal: {
        ...journal,
        ownNetwork: network.state,
        watch: watched.watch,
        planned: keptWindows(journal, world),
        lastTickMs: newestTick(journal.lastTickMs, request.tickMs, nowMs),
        clock: watchClock(journal.clock, nowMs, tickIntervalMs),
        ticks: [tick, ...known.map((older) => remembered(older, request.tickMs))].slice(0, TICKS_REMEMBERED),
        gateways: leased(journal.gateways, assignments, request, world),
      },
    },
    answer: { duplicate: false, assignments, canaries: [], putOff },
    resolved: [...reconciled.resolved, ...resolved],
    happenings: [watched, reconciled, network, reminded].flatMap(({ happenings }) => happenings),
    changed: reconciled.changed || network.isNews || watched.happenings.length > 0,
  };
}

function unchanged(state: LedgerState, answer: BeginAnswer): Began {
  return { state, answer, resolved: [], happenings: [], changed: false };
}

function ownNetworkAt(
  { journal, incidents }: LedgerState,
  { maintenance, nowMs }: BeginWorld,
): OwnNetworkMoved {
  const isAnyAsked = Object.entries(journal.gateways).some(
    ([id, { lease }]) => (lease?.untilMs ?? 0) > nowMs && !isExcused(id, { journal }, maintenance, nowMs),
  );
  const open = incidents[journal.ownNetwork.incidentId ?? ""] ?? null;
  return seeTickBegin(journal.ownNetwork, open, isAnyAsked, nowMs);
}

function reminderRule(
  monitorId: string,
  { monitors, journal }: LedgerState,
  { config, maintenance, nowMs, tickIntervalMs }: BeginWorld,
): ReminderRule | null {
  const configured = config.gateways.flatMap((gateway) => gateway.monitors);
  const monitor = configured.find(({ id }) => id === monitorId);
  const state = monitors[monitorId];
  if (!monitor || !state) return null;
  const heldUntilMs = entryOf(journal.gateways, monitor.gatewayId)?.heldUntilMs ?? 0;
  return {
    remindEveryMs: monitor.remindEveryMs,
    inMaintenance: inMaintenance(maintenance, monitor.gatewayId, nowMs),
    isSeenFailing: isSeenFailing(state, heldUntilMs, { nowMs, tickIntervalMs }),
  };
}

/** A key or an address that is new since: who has just mended the configuration waits for no further tick. */
function bringsNews({ journal }: LedgerState, world: BeginWorld): boolean {
  return world.config.gateways.some(
    ({ id }) => entryOf(journal.gateways, id)?.identity !== (entryOf(world.identities, id) ?? ""),
  );
}

/** Once its leases are over, nobody may act on a tick's assignments any more: that it began is all that counts. */
function remembered(tick: SeenTick, nextTickMs: number): SeenTick {
  return tick.tickMs + LEASE_MS > nextTickMs || tick.assignments.length === 0
    ? tick
    : { ...tick, assignments: [] };
}

function repeat(tick: SeenTick): BeginAnswer {
  return { duplicate: false, assignments: tick.assignments, canaries: [], putOff: tick.putOff };
}

function mutable(assignment: Assignment): SeenTick["assignments"][number] {
  return { ...assignment, monitorIds: [...assignment.monitorIds] };
}

/**
 * A clock that is set back lives through times once more: their ticks are no second firings. A tick of the future
 * tells.
 */
function knownTicks(ticks: readonly SeenTick[], nowMs: number): readonly SeenTick[] {
  const cameBack = ticks.some(({ tickMs }) => tickMs > nowMs + LEASE_MS);
  return cameBack ? [] : ticks;
}

/** A clock that ran ahead and came back must not leave a tick of the future as the newest. */
function newestTick(before: number | null, tickMs: number, nowMs: number): number {
  return before === null || before > nowMs + LEASE_MS ? tickMs : Math.max(before, tickMs);
}

/** For the same reason no monitor waits longer than its own rhythm can explain. */
function awake(monitor: MonitorState, longestMs: number, tickMs: number): MonitorState {
  return monitor.nextDueMs > tickMs + longestMs ? { ...monitor, nextDueMs: tickMs } : monitor;
}

function leased(
  gateways: Readonly<Record<string, GatewayState>>,
  assignments: readonly Assignment[],
  { tickMs, invocation }: BeginRequest,
  { nowMs, run }: BeginWorld,
): Record<string, GatewayState> {
  const next = { ...gateways };
  for (const { gatewayId, monitorIds } of assignments) {
    const gateway = entryOf(next, gatewayId);
    if (!gateway) continue;
    const lease = { tickMs, invocation, run, untilMs: nowMs + LEASE_MS, owed: [...monitorIds] };
    next[gatewayId] = { ...gateway, lease };
  }
  return next;
}

/** The state as the present configuration wants it: new members, no removed ones, renamed ones, changed identities. */
function reconcile(state: LedgerState, world: BeginWorld): Omit<Began, "answer"> {
  const { config, identities, nowMs } = world;
  const stored = state.journal.gateways;
  const kept = keepWanted(
    state,
    config.gateways.flatMap((gateway) => gateway.monitors),
    nowMs,
  );
  const { incidents, resolved } = applyChanges(state.incidents, kept);
  const gateways: Record<string, GatewayState> = {};
  const monitors: Record<string, MonitorState> = {};
  for (const gateway of config.gateways) {
    const identity = entryOf(identities, gateway.id) ?? "";
    const before = inherited(gateway, stored, config, identity);
    gateways[gateway.id] = sane(before, identity, new Set(gateway.monitors.map(({ id }) => id)), world);
    for (const monitor of gateway.monitors) {
      const at = gatewayUntilNow(monitor, state.monitors, stored);
      const known = kept.monitors[monitor.id] ?? newMonitor(nowMs);
      monitors[monitor.id] = asOf(known, at?.identity, identity);
    }
  }
  const told = (incident: Incident): Incident => {
    const before = state.incidents[incident.id]?.gatewayId ?? "";
    const now = entryOf(identities, incident.gatewayId ?? "") ?? "";
    const isMoved = incident.gatewayId !== null && !isSameAddress(entryOf(stored, before)?.identity, now);
    return isMoved ? withPublicFailures(incident, withoutWords) : incident;
  };
  return {
    state: {
      monitors: unlessSame(state.monitors, monitors),
      incidents: unlessSame(state.incidents, mapped(incidents, told)),
      journal: { ...state.journal, gateways },
    },
    resolved: resolved.map(told),
    happenings: kept.happenings,
    changed: kept.isNews,
  };
}

/** What a gateway said at another address may name that address, which nobody here remembers. */
function asOf(monitor: MonitorState, before: string | undefined, now: string): MonitorState {
  const known = before === undefined || before === now ? monitor : withNewIdentity(monitor);
  if (known.diagnosis === null || isSameAddress(before, now)) return known;
  return { ...known, diagnosis: withoutWords(known.diagnosis) };
}

function isSameAddress(before: string | undefined, now: string): boolean {
  return before !== undefined && sameAddress(before, now);
}

function mapped<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([id, value]) => [id, change(value)]));
}

const NOTHING_KNOWN = {
  lease: null,
  heldUntilMs: 0,
  quickOwed: 0,
  suspect: false,
  unreachedSinceMs: null,
  canaries: FREE_LANE,
} as const;

function sane(
  before: GatewayState | undefined,
  identity: string,
  monitorIds: ReadonlySet<string>,
  { nowMs, run }: BeginWorld,
): GatewayState {
  if (!before) return { ...NOTHING_KNOWN, identity };
  // What is still under way with another key or at another address says nothing about this one.
  const held = before.identity === identity ? before.lease : null;
  const owed = held?.owed.filter((id) => monitorIds.has(id)) ?? [];
  const lease = held && owed.length > 0 && held.untilMs <= nowMs + LEASE_MS ? held : null;
  const died = lease !== null && (lease.untilMs <= nowMs || lease.run !== run);
  const isHere = sameAddress(before.identity, identity);
  return {
    ...before,
    identity,
    lease: lease === null || died ? null : { ...lease, owed },
    suspect: before.suspect || died,
    heldUntilMs: isHere && before.heldUntilMs <= nowMs + DAY_MS ? before.heldUntilMs : 0,
    unreachedSinceMs: isHere ? before.unreachedSinceMs : null,
  };
}
