/**
 * The start of a tick: what the configuration changed, what is due, who may probe it. Idempotent on the scheduled
 * time: a second firing gets nothing to do unless a key or an address is new, a repeated call of the same invocation gets
 * the same answer. Pure.
 */
import type { Config } from "../config/config.ts";
import { assign, type Assignment, type GatewayState, LEASE_MS } from "../domain/assignment.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { type Incident, removeIncident } from "../domain/incident.ts";
import { type MonitorState, newMonitor, withNewIdentity } from "../domain/monitor-state.ts";
import type { BeginAnswer, BeginRequest } from "../domain/tick.ts";
import { refusedInterval } from "../domain/schedule.ts";
import { type LedgerState, type SeenTick, unlessSame } from "./state.ts";
import { watchClock } from "./steady-clock.ts";

/** What stands for a gateway's base URL and key; a change of either is a new identity. */
export type Identities = Readonly<Record<string, string>>;

export interface Began {
  readonly state: LedgerState;
  readonly answer: BeginAnswer;
  /** Incidents that ended because their monitor left the configuration. */
  readonly resolved: readonly Incident[];
}

const NOTHING: BeginAnswer = { duplicate: true, assignments: [], putOff: 0 };

/** A twin of a tick fires within minutes: more need not be remembered. */
const TICKS_REMEMBERED = 30;

export interface BeginWorld {
  readonly config: Config;
  readonly identities: Identities;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
}

export function beginTick(state: LedgerState, request: BeginRequest, world: BeginWorld): Began {
  const { nowMs, tickIntervalMs } = world;
  const known = knownTicks(state.journal.ticks, nowMs);
  const firings = known.filter(({ tickMs }) => tickMs === request.tickMs);
  const own = firings.find(({ invocation }) => invocation === request.invocation);
  if (own) return { state, answer: repeat(own), resolved: [] };
  if (firings.length > 0 && !bringsNews(state, world)) return { state, answer: NOTHING, resolved: [] };
  const reconciled = reconcile(state, world);
  const { monitors, journal } = reconciled.state;
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
  });
  const tick: SeenTick = { ...request, assignments: assignments.map(mutable), putOff };
  return {
    state: {
      ...reconciled.state,
      journal: {
        ...journal,
        lastTickMs: newestTick(journal.lastTickMs, request.tickMs, nowMs),
        clock: watchClock(journal.clock, nowMs, tickIntervalMs),
        ticks: [tick, ...known.map((older) => remembered(older, request.tickMs))].slice(0, TICKS_REMEMBERED),
        gateways: leased(journal.gateways, assignments, request, world),
      },
    },
    answer: { duplicate: false, assignments, putOff },
    resolved: reconciled.resolved,
  };
}

/** A key or an address that is new since: who has just mended the configuration waits for no further tick. */
function bringsNews({ journal }: LedgerState, world: BeginWorld): boolean {
  return world.config.gateways.some(
    ({ id }) => journal.gateways[id]?.identity !== (world.identities[id] ?? ""),
  );
}

/** Once its leases are over, nobody may act on a tick's assignments any more: that it began is all that counts. */
function remembered(tick: SeenTick, nextTickMs: number): SeenTick {
  return tick.tickMs + LEASE_MS > nextTickMs || tick.assignments.length === 0
    ? tick
    : { ...tick, assignments: [] };
}

function repeat(tick: SeenTick): BeginAnswer {
  return { duplicate: false, assignments: tick.assignments, putOff: tick.putOff };
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
    const gateway = next[gatewayId];
    if (!gateway) continue;
    const lease = { tickMs, invocation, run, untilMs: nowMs + LEASE_MS, owed: [...monitorIds] };
    next[gatewayId] = { ...gateway, lease };
  }
  return next;
}

/** The state as the present configuration wants it: new members, no removed ones, changed identities. */
function reconcile(
  state: LedgerState,
  world: BeginWorld,
): { state: LedgerState; resolved: readonly Incident[] } {
  const gateways: Record<string, GatewayState> = {};
  const monitors: Record<string, MonitorState> = {};
  for (const gateway of world.config.gateways) {
    const before = state.journal.gateways[gateway.id];
    const identity = world.identities[gateway.id] ?? "";
    const ids = new Set(gateway.monitors.map(({ id }) => id));
    gateways[gateway.id] = sane(before, identity, ids, world);
    for (const { id } of gateway.monitors) {
      const monitor = state.monitors[id] ?? newMonitor(world.nowMs);
      monitors[id] = before && before.identity !== identity ? withNewIdentity(monitor) : monitor;
    }
  }
  const { kept, removed } = splitIncidents(state.incidents, monitors);
  return {
    state: {
      monitors: unlessSame(state.monitors, monitors),
      incidents: unlessSame(state.incidents, kept),
      journal: { ...state.journal, gateways },
    },
    resolved: removed.map((incident) => removeIncident(incident, world.nowMs)),
  };
}

function sane(
  before: GatewayState | undefined,
  identity: string,
  monitorIds: ReadonlySet<string>,
  { nowMs, run }: BeginWorld,
): GatewayState {
  if (!before) return { identity, lease: null, heldUntilMs: 0, quickOwed: 0, suspect: false };
  // What is still under way with another key or at another address says nothing about this one.
  const held = before.identity === identity ? before.lease : null;
  const owed = held?.owed.filter((id) => monitorIds.has(id)) ?? [];
  const lease = held && owed.length > 0 && held.untilMs <= nowMs + LEASE_MS ? held : null;
  const died = lease !== null && (lease.untilMs <= nowMs || lease.run !== run);
  const heldUntilMs =
    before.heldUntilMs <= nowMs + DAY_MS && sameAddress(before.identity, identity) ? before.heldUntilMs : 0;
  return {
    ...before,
    identity,
    lease: lease === null || died ? null : { ...lease, owed },
    suspect: before.suspect || died,
    heldUntilMs,
  };
}

/** An identity is `<address>:<key>`: a Retry-After binds the address, whatever the key. */
function sameAddress(before: string, now: string): boolean {
  return before.split(":", 1)[0] === now.split(":", 1)[0];
}

function splitIncidents(
  incidents: Readonly<Record<string, Incident>>,
  monitors: Readonly<Record<string, MonitorState>>,
): { kept: Record<string, Incident>; removed: Incident[] } {
  const kept: Record<string, Incident> = {};
  const removed: Incident[] = [];
  for (const incident of Object.values(incidents)) {
    const orphaned = incident.gatewayId !== null && !incident.monitorIds.some((id) => id in monitors);
    if (orphaned) removed.push(incident);
    else kept[incident.id] = incident;
  }
  return { kept, removed };
}
