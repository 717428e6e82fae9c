/**
 * The start of a tick: applies the configuration, decides what is due, and leases the gateways. A second firing of a tick gets
 * nothing to do, unless a key or an address is new. A repeated call of the same invocation gets the same answer. Pure.
 */
import type { MonitorConfig } from "../../config/config.ts";
import {
  LEASE_MS,
  assign,
  type Assignment,
  type GatewayState,
  type Lease,
  type BeginAnswer,
  type BeginRequest,
} from "../../domain/tick.ts";
import { errandOf, zoneDay } from "../../domain/canary.ts";
import { DAY_MS, HOUR_MS } from "../../domain/calendar.ts";
import { NO_CHANGES, applyChanges } from "../../domain/incident.ts";
import { endPauses } from "../../domain/monitor-state.ts";
import {
  forgetNetwork,
  isNetworkOut,
  type OwnNetworkMoved,
  keptLost,
  remindOfPauses,
  tickCame,
} from "../../domain/monitoring.ts";
import {
  entryOf,
  isExcused,
  type Journal,
  type LedgerState,
  type PlannedWindow,
  type SeenTick,
  type Step,
  type Stepped,
} from "../state/state.ts";
import { reconcile, type BeginWorld } from "./apply-config.ts";
import { PAGES_A_TICK } from "../../config/plan-limits.ts";
import { askPages } from "../../domain/upstream.ts";
import { dueOf, planCanaries, sendCanaries } from "./canary-plan.ts";
import { isSteady, ranAhead, stateWithoutFuture, watchClock } from "./clock.ts";

export type Orders = Omit<BeginAnswer, "shards">;

export interface Began extends Stepped {
  readonly answer: Orders;
}

/** For each lane. A second firing of a tick comes within minutes, so this is enough. */
const TICKS_REMEMBERED = 30;

export function beginTick(before: LedgerState, request: BeginRequest, world: BeginWorld): Began {
  const { nowMs } = world;
  const pastMs = Math.min(request.tickMs, nowMs);
  const state = ranAhead(before, nowMs) ? stateWithoutFuture(before, pastMs) : before;
  const { tickMs, invocation, lane = 0 } = request;
  const firings = state.journal.ticks.filter((known) => known.tickMs === tickMs && known.lane === lane);
  const own = firings.find((known) => known.invocation === invocation);
  if (own) return unchanged(state, repeat(state, own, world));
  const isFirst = firings.length === 0;
  // Only lane 0 applies a new key or address. Until then, the other lanes leave everything to the next tick.
  if (bringsNews(state, world) ? lane > 0 : !isFirst) return unchanged(state, twin(state, firings));
  return lane === 0 ? beginFirstLane(state, request, world) : beginLane(state, request, world);
}

function beginFirstLane(state: LedgerState, request: BeginRequest, world: BeginWorld): Began {
  const { nowMs, tickIntervalMs } = world;
  const monitors = endPauses(state.monitors, nowMs);
  const reconciled = reconcile({ ...state, monitors }, world);
  const { journal } = reconciled.state;
  const network = networkAt(reconciled.state, world);
  const { incidents, resolved } = applyChanges(reconciled.state.incidents, network);
  const watched = tickCame(journal.watch, nowMs, tickIntervalMs);
  const ordered = giveOrders(reconciled.state, request, world);
  const named = world.config.gateways.flatMap(({ upstream }) => upstream.map(({ status }) => status));
  const asked = askPages(journal.pages, named, { tickMs: request.tickMs, limit: PAGES_A_TICK });
  return {
    state: {
      ...ordered.state,
      incidents,
      journal: {
        ...ordered.state.journal,
        ownNetwork: network.state,
        watch: watched.watch,
        lost: [...keptLost(journal.lost, nowMs)],
        pages: asked.pages,
        planned: keptWindows(journal, world),
        lastTickMs: Math.max(journal.lastTickMs ?? 0, request.tickMs),
        clock: watchClock(journal.clock, nowMs, tickIntervalMs),
        ticks: withTick(journal.ticks, request, ordered.putOff, world),
      },
    },
    answer: { ...ordered.answer, pages: asked.due },
    resolved: [...reconciled.resolved, ...resolved],
    happenings: [
      ...[watched, reconciled, network].flatMap(({ happenings }) => happenings),
      ...(isReminderDue(journal, world) ? remindOfPauses(reconciled.state.monitors, nowMs) : []),
    ],
    changed:
      monitors !== state.monitors ||
      reconciled.changed ||
      ordered.changed ||
      network.isNews ||
      watched.happenings.length > 0,
  };
}

/** When people are at work. */
const REMINDER_HOUR = 9;

function isReminderDue({ clock }: Journal, { config, nowMs }: BeginWorld): boolean {
  const dayOf = (atMs: number): string => zoneDay(config, atMs - REMINDER_HOUR * HOUR_MS);
  return clock.lastMs !== 0 && dayOf(clock.lastMs) < dayOf(nowMs);
}

/** Lane 0 has already done what is done once in a tick. */
function beginLane(state: LedgerState, request: BeginRequest, world: BeginWorld): Began {
  const { state: ordered, answer, changed } = giveOrders(state, request, world);
  const asked = [
    ...answer.assignments.flatMap(({ monitorIds }) => monitorIds),
    ...answer.canaries.flatMap(({ errands }) => errands),
  ];
  const known = ordered.journal.ticks.map((tick) =>
    tick.tickMs === request.tickMs && tick.lane === 0
      ? { ...tick, putOff: Math.max(0, tick.putOff - asked.length) }
      : tick,
  );
  const ticks = withTick(known, request, 0, world);
  return {
    ...unchanged({ ...ordered, journal: { ...ordered.journal, ticks } }, answer),
    changed,
  };
}

function withTick(
  known: readonly SeenTick[],
  { tickMs, invocation, lane = 0 }: BeginRequest,
  putOff: number,
  { config }: BeginWorld,
): SeenTick[] {
  return [{ tickMs, invocation, lane, putOff }, ...known].slice(0, TICKS_REMEMBERED * config.lanes);
}

function giveOrders(before: LedgerState, request: BeginRequest, world: BeginWorld) {
  const plan = planCanaries(before, request, world);
  const { monitors, journal } = plan.state;
  const { tickMs } = request;
  const lists = world.config.gateways
    .flatMap((gateway) => gateway.monitors)
    .flatMap((monitor) => {
      const { id, gatewayId } = monitor;
      const state = monitors[id];
      if (!state || monitor.canary !== null || state.pausedAtMs !== null) return [];
      const dueMs = dueOf(monitor, state, undefined, tickMs, world);
      return [{ monitorId: id, gatewayId, dueMs, latencyMs: state.lastProbe?.latencyMs ?? 0 }];
    });
  const tick = {
    tickMs,
    nowMs: world.nowMs,
    limit: world.config.maxProbesPerTick,
    hasLanes: world.config.lanes > 1,
    isExcused: (id: string) => isExcused(id, { journal }, world.maintenance, world.nowMs),
  };
  const { assignments, canaries, putOff, lanes } = assign(lists, journal.gateways, tick, plan.errands);
  const gateways = leased(journal.gateways, assignments, request, world);
  const sent = sendCanaries(plan.state, gateways, canaries, request, world);
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
      lanes: (request.lane ?? 0) === 0 ? Math.min(world.config.lanes - 1, lanes) : 0,
    },
    putOff,
    changed: plan.changed,
  };
}

/** A second firing. `unfinished`: results of the first are missing, and no later tick was asked for them. */
function twin({ journal }: LedgerState, firings: readonly SeenTick[]): Orders {
  const unfinished = Object.values(journal.gateways).some(({ lease }) =>
    firings.some((known) => lease !== null && isOf(lease, known) && lease.owed.length > 0),
  );
  return { duplicate: true, unfinished, assignments: [], canaries: [], lanes: 0 };
}

function isOf(lease: Lease, { tickMs, invocation }: BeginRequest): boolean {
  return lease.tickMs === tickMs && lease.invocation === invocation;
}

/** The same assignments again, without those whose results came. Other lanes are not started again: their monitors stay due. */
function repeat({ journal, canaries }: LedgerState, own: SeenTick, world: BeginWorld): Orders {
  const owedBy = (lease: Lease | null): readonly string[] =>
    lease !== null && isOf(lease, own) && lease.untilMs > world.nowMs ? lease.owed : [];
  const gateways = Object.entries(journal.gateways);
  const pages = Object.entries(journal.pages).filter(([, { askedMs }]) => askedMs === own.tickMs);
  return {
    pages: own.lane === 0 ? pages.map(([page]) => page) : [],
    duplicate: false,
    unfinished: false,
    assignments: gateways.flatMap(([gatewayId, { lease, quickOwed, suspect }]) => {
      const monitorIds = owedBy(lease);
      const excused = isExcused(gatewayId, { journal }, world.maintenance, world.nowMs);
      return monitorIds.length === 0
        ? []
        : [{ gatewayId, hangs: quickOwed > 0, suspect, excused, monitorIds }];
    }),
    canaries: gateways.flatMap(([gatewayId, gateway]) => {
      const errands = owedBy(gateway.canaries.lease).flatMap((monitorId) => {
        const canary = entryOf(canaries, monitorId);
        return canary ? errandOf(monitorId, canary, canary.run?.attempts ?? 1) : [];
      });
      return errands.length === 0 ? [] : [{ gatewayId, errands }];
    }),
    lanes: 0,
  };
}

function unchanged(state: LedgerState, answer: Orders): Began {
  return { state, answer, resolved: [], happenings: [], changed: false };
}

/** Forgets that the network has failed if fewer than two gateways are left that could show it. */
function networkAt({ monitors, journal, incidents }: LedgerState, world: BeginWorld): OwnNetworkMoved {
  const network = journal.ownNetwork;
  const { gateways } = world.config;
  if (!isNetworkOut(network) && gateways.length > 0) return { ...NO_CHANGES, state: network };
  const isAsked = ({ id, canary }: MonitorConfig): boolean =>
    canary === null && entryOf(monitors, id)?.pausedAtMs == null;
  const telling = gateways.filter(
    (gateway) =>
      gateway.monitors.some(isAsked) && !isExcused(gateway.id, { journal }, world.maintenance, world.nowMs),
  );
  if (telling.length > 1) return { ...NO_CHANGES, state: network };
  return forgetNetwork(network, incidents[network.incidentId ?? ""] ?? null, world.nowMs);
}

/** Whether a key or an address is new: a fix of the configuration takes effect in this tick. */
function bringsNews({ journal }: LedgerState, world: BeginWorld): boolean {
  return world.config.gateways.some(
    ({ id }) => entryOf(journal.gateways, id)?.identity !== (entryOf(world.identities, id) ?? ""),
  );
}

function leased(
  gateways: Readonly<Record<string, GatewayState>>,
  assignments: readonly Assignment[],
  { tickMs, invocation }: BeginRequest,
  { nowMs, run }: BeginWorld,
): Record<string, GatewayState> {
  const changed: Record<string, GatewayState> = {};
  for (const { gatewayId, monitorIds } of assignments) {
    const gateway = entryOf(gateways, gatewayId);
    if (!gateway) continue;
    const lease = { tickMs, invocation, run, untilMs: nowMs + LEASE_MS, owed: [...monitorIds] };
    changed[gatewayId] = { ...gateway, lease };
  }
  return { ...gateways, ...changed };
}

const OVER_KEPT_MS = 30 * DAY_MS;

/** Drops windows that ended long ago, if the clock can be trusted. */
function keptWindows({ planned, clock }: Journal, { nowMs, tickIntervalMs }: Step): PlannedWindow[] {
  if (!isSteady(clock, nowMs, tickIntervalMs)) return [...planned];
  return planned.filter(({ toMs }) => toMs > nowMs - OVER_KEPT_MS);
}
