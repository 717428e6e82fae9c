/**
 * The start of a tick: what the configuration changed, what is due, who may probe it. A second firing of a tick
 * gets nothing to do unless a key or an address is new; a repeated call of the same invocation gets the same
 * answer. Pure.
 */
import type { Config, MonitorConfig } from "../../config/config.ts";
import {
  LEASE_MS,
  LONGEST_LANE_LEASE_MS,
  assign,
  type Assignment,
  type GatewayState,
} from "../../domain/assignment.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { isSeenFailing, remind, type ReminderRule } from "../../domain/incident-rules.ts";
import { NO_CHANGES, applyChanges, type Happening, type Incident } from "../../domain/incident.ts";
import { forgetNetwork, isNetworkOut, type OwnNetworkMoved } from "../../domain/own-network.ts";
import { inMaintenance, type MaintenanceWindow } from "../../domain/schedule.ts";
import { keptLost, tickCame } from "../../domain/silence.ts";
import type { BeginAnswer, BeginRequest } from "../../domain/tick.ts";
import { isSteady, watchClock } from "../history/steady-clock.ts";
import { isExcused } from "../record/own-sight.ts";
import { entryOf, type LedgerState, type PlannedWindow, type SeenTick } from "../state/state.ts";
import { presentGateways, reconcile, type Identities } from "./apply-config.ts";
import { dueOf, loseRuns, planCanaries, sendCanaries } from "./canary-plan.ts";
import { ranAhead, stateWithoutFuture } from "./clock-ahead.ts";

/** What a Ledger by itself answers. */
export type Orders = Omit<BeginAnswer, "shards">;

export interface Began {
  readonly state: LedgerState;
  readonly answer: Orders;
  /** Incidents that ended because their monitor left the configuration. */
  readonly resolved: readonly Incident[];
  /** What people may have to be told, in order. */
  readonly happenings: readonly Happening[];
  /** An incident changed: readers should see it soon. */
  readonly changed: boolean;
}

/** A twin of a tick fires within minutes: more need not be remembered. */
const TICKS_REMEMBERED = 30;

export interface BeginWorld {
  /** With the gateways of this Ledger. */
  readonly config: Config;
  /** All that are known, planned in the configuration or since. */
  readonly maintenance: readonly MaintenanceWindow[];
  readonly identities: Identities;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
}

/** @param whole the configuration with the gateways of all shards. */
export function beginTick(
  before: LedgerState,
  request: BeginRequest,
  given: BeginWorld,
  whole: Config = given.config,
): Began {
  const world = { ...given, maintenance: withPresentGateways(given.maintenance, whole) };
  const { nowMs, tickIntervalMs } = world;
  const state = ranAhead(before, nowMs)
    ? stateWithoutFuture(before, given.config, Math.min(request.tickMs, nowMs))
    : before;
  const known = state.journal.ticks;
  const firings = known.filter(({ tickMs }) => tickMs === request.tickMs);
  const own = firings.find(({ invocation }) => invocation === request.invocation);
  if (own) return unchanged(state, repeat(own));
  if (firings.length > 0 && !bringsNews(state, world)) return unchanged(state, twin(state, request));
  const reconciled = reconcile(state, world);
  const { journal } = reconciled.state;
  const network = networkAt(reconciled.state, world);
  const { incidents, resolved } = applyChanges(reconciled.state.incidents, network);
  const watched = tickCame(journal.watch, nowMs, tickIntervalMs);
  const reminded = remind(incidents, (id) => reminderRule(id, reconciled.state, world), nowMs);
  const ordered = giveOrders(reconciled.state, request, world);
  const tick: SeenTick = { ...request, ...storable(ordered.answer) };
  return {
    state: {
      ...ordered.state,
      incidents: applyChanges(incidents, reminded).incidents,
      journal: {
        ...ordered.state.journal,
        ownNetwork: network.state,
        watch: watched.watch,
        lost: [...keptLost(journal.lost, nowMs)],
        planned: keptWindows(journal, { ...world, config: whole }),
        lastTickMs: Math.max(journal.lastTickMs ?? 0, request.tickMs),
        clock: watchClock(journal.clock, nowMs, tickIntervalMs),
        ticks: [tick, ...known.map((older) => remembered(older, request.tickMs))].slice(0, TICKS_REMEMBERED),
      },
    },
    answer: ordered.answer,
    resolved: [...reconciled.resolved, ...resolved],
    happenings: [watched, reconciled, network, reminded].flatMap(({ happenings }) => happenings),
    changed: reconciled.changed || ordered.changed || network.isNews || watched.happenings.length > 0,
  };
}

interface Ordered {
  /** With who probes what noted in it. */
  readonly state: LedgerState;
  readonly answer: Orders;
  readonly changed: boolean;
}

function giveOrders(before: LedgerState, request: BeginRequest, world: BeginWorld): Ordered {
  const lost = loseRuns(before, request, world);
  const plan = planCanaries(lost.state, request, world);
  const { monitors, journal } = plan.state;
  const { tickMs } = request;
  const lists = world.config.gateways
    .flatMap((gateway) => gateway.monitors)
    .flatMap((monitor) => {
      const { id, gatewayId } = monitor;
      const state = monitors[id];
      if (!state || monitor.canary !== null) return [];
      const nextDueMs = dueOf(monitor, state, undefined, { tickMs, tickIntervalMs: world.tickIntervalMs });
      return [{ monitorId: id, gatewayId, state: { ...state, nextDueMs } }];
    });
  const excused = (id: string): boolean => isExcused(id, { journal }, world, world.nowMs);
  const tick = { tickMs, nowMs: world.nowMs, limit: world.config.maxProbesPerTick, isExcused: excused };
  const { assignments, canaries, putOff } = assign(lists, journal.gateways, tick, plan.errands);
  const gateways = leased(journal.gateways, assignments, request, world);
  const sent = sendCanaries(plan.state, gateways, canaries, { request, world });
  return {
    state: {
      ...plan.state,
      canaries: sent.canaries,
      journal: { ...journal, gateways: { ...sent.gateways } },
    },
    answer: {
      duplicate: false,
      unfinished: false,
      assignments,
      canaries: sent.assignments,
      putOff: putOff + plan.putOff,
    },
    changed: lost.changed || plan.changed,
  };
}

/** Unfinished: what the first was to bring never came, and nobody else was asked for it since. */
function twin({ journal }: LedgerState, { tickMs }: BeginRequest): Orders {
  const leases = Object.values(journal.gateways).map(({ lease }) => lease);
  const unfinished = leases.some((lease) => lease?.tickMs === tickMs && lease.owed.length > 0);
  return { duplicate: true, unfinished, assignments: [], canaries: [], putOff: 0 };
}

function unchanged(state: LedgerState, answer: Orders): Began {
  return { state, answer, resolved: [], happenings: [], changed: false };
}

/** What is out is forgotten when fewer than two gateways are left that could show it. */
function networkAt({ monitors, journal, incidents }: LedgerState, world: BeginWorld): OwnNetworkMoved {
  const network = journal.ownNetwork;
  const { gateways } = world.config;
  if (!isNetworkOut(network) && gateways.length > 0) return { ...NO_CHANGES, state: network };
  const isAsked = ({ id, canary }: MonitorConfig): boolean =>
    canary === null && entryOf(monitors, id)?.pausedAtMs == null;
  const telling = gateways.filter(
    (gateway) => gateway.monitors.some(isAsked) && !isExcused(gateway.id, { journal }, world, world.nowMs),
  );
  if (telling.length > 1) return { ...NO_CHANGES, state: network };
  return forgetNetwork(network, incidents[network.incidentId ?? ""] ?? null, world.nowMs);
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
  const { heldUntilMs: listMs = 0, canaries } = entryOf(journal.gateways, monitor.gatewayId) ?? {};
  const heldUntilMs = monitor.canary === null ? listMs : Math.max(listMs, canaries?.heldUntilMs ?? 0);
  return {
    remindEveryMs: monitor.remindEveryMs,
    inMaintenance: inMaintenance(maintenance, monitor.gatewayId, nowMs),
    isSeenFailing: isSeenFailing(state, heldUntilMs, { nowMs, tickIntervalMs }),
  };
}

/** A key or an address that is new since: who has just fixed the configuration waits for no further tick. */
function bringsNews({ journal }: LedgerState, world: BeginWorld): boolean {
  return world.config.gateways.some(
    ({ id }) => entryOf(journal.gateways, id)?.identity !== (entryOf(world.identities, id) ?? ""),
  );
}

/** Once its leases are over, nobody may act on a tick's assignments any more: that it began is all that counts. */
function remembered(tick: SeenTick, nextTickMs: number): SeenTick {
  const areListsOver = tick.tickMs + LEASE_MS <= nextTickMs && tick.assignments.length > 0;
  const areCanariesOver = tick.tickMs + LONGEST_LANE_LEASE_MS <= nextTickMs && tick.canaries.length > 0;
  if (!areListsOver && !areCanariesOver) return tick;
  return {
    ...tick,
    assignments: areListsOver ? [] : tick.assignments,
    canaries: areCanariesOver ? [] : tick.canaries,
  };
}

function repeat({ assignments, canaries, putOff }: SeenTick): Orders {
  return { duplicate: false, unfinished: false, assignments, canaries, putOff };
}

function storable({ assignments, canaries, putOff }: Orders): Omit<SeenTick, keyof BeginRequest> {
  return {
    assignments: assignments.map((of) => ({ ...of, monitorIds: [...of.monitorIds] })),
    canaries: canaries.map(({ gatewayId, errands }) => ({ gatewayId, errands: [...errands] })),
    putOff,
  };
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

interface KnownWorld {
  readonly config: Config;
  readonly nowMs: number;
  readonly tickIntervalMs: number;
}

/** Maintenance that was planned for a gateway goes with it to its new name. */
function withPresentGateways<Window extends { readonly gateways: readonly string[] }>(
  windows: readonly Window[],
  config: Config,
): (Window & { gateways: string[] })[] {
  const namesOf = presentGateways(config);
  return windows.map((window) => ({ ...window, gateways: namesOf(window.gateways) }));
}

/** So long is it told that there was maintenance, and of so many windows: readers look at what was lately. */
const OVER_KEPT_MS = 30 * DAY_MS;
const MOST_OVER_KEPT = 20;

/** What is long over goes, where the clock can be trusted with it. */
function keptWindows({ planned, clock }: LedgerState["journal"], world: KnownWorld): PlannedWindow[] {
  const { config, nowMs, tickIntervalMs } = world;
  const known = withPresentGateways(planned, config);
  if (!isSteady(clock, nowMs, tickIntervalMs)) return known;
  const over = known.filter(({ toMs }) => toMs <= nowMs).sort((a, b) => b.toMs - a.toMs);
  const kept = new Set(over.slice(0, MOST_OVER_KEPT).filter(({ toMs }) => toMs > nowMs - OVER_KEPT_MS));
  return known.filter((window) => window.toMs > nowMs || kept.has(window));
}
