/**
 * The state as the present configuration wants it: new members, no removed ones, renamed ones, another key or address. Pure.
 */
import type { Config, GatewayConfig, MonitorConfig } from "../config/config.ts";
import {
  type CanaryLane,
  FREE_LANE,
  type GatewayState,
  type Lease,
  LEASE_MS,
  LONGEST_LANE_LEASE_MS,
} from "../domain/assignment.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { type CanaryState, NEW_CANARY } from "../domain/canary.ts";
import { withNewAddress, withNewKey, withSaneTask } from "../domain/canary-run.ts";
import { applyChanges, type Happening } from "../domain/happening.ts";
import type { Incident } from "../domain/incident.ts";
import { keepWanted } from "../domain/membership.ts";
import { type MonitorState, newMonitor, withNewIdentity } from "../domain/monitor-state.ts";
import { changeRegions, keepRegions } from "../domain/region-state.ts";
import { asksAlike, asksOf } from "./canary-asks.ts";
import { withoutWords, withPublicFailures } from "./public-text.ts";
import { entryOf, type LedgerState, unlessSame } from "./state.ts";
import { gatewayUntilNow, inherited, sameAddress } from "./succession.ts";

/**
 * What stands for a gateway's base URL and key, by its id; a change of either is a new identity. By the full id of a canary: for
 * a key of its own.
 */
export type Identities = Readonly<Record<string, string>>;

export interface ReconciliationWorld {
  readonly config: Config;
  readonly identities: Identities;
  readonly nowMs: number;
  /** As `BeginWorld.run`. */
  readonly run: string | null;
}

interface Reconciled {
  readonly state: LedgerState;
  /** Incidents that ended because their monitor left the configuration. */
  readonly resolved: readonly Incident[];
  readonly happenings: readonly Happening[];
  readonly changed: boolean;
}

export function reconcile(state: LedgerState, world: ReconciliationWorld): Reconciled {
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
  const canaries: Record<string, CanaryState> = {};
  const keptCanaries = renamed(state.canaries, kept.nameOf);
  for (const gateway of config.gateways) {
    const identity = entryOf(identities, gateway.id) ?? "";
    const before = inherited(gateway, stored, config, identity);
    gateways[gateway.id] = sane(before, identity, gateway, world);
    for (const monitor of gateway.monitors) {
      const at = gatewayUntilNow(monitor, state.monitors, stored)?.identity;
      const known = asOf(kept.monitors[monitor.id] ?? newMonitor(nowMs), at, identity);
      const canaryBefore = keptCanaries[monitor.id] ?? null;
      const request = requestOf(monitor, identities);
      const asked = isSameRequest(canaryBefore, request) ? known : withNewIdentity(known);
      monitors[monitor.id] = ofRegions(asked, gateway);
      if (!monitor.canary || !request) continue;
      const canary = withRequest(canaryBefore ?? NEW_CANARY, request, nowMs);
      canaries[monitor.id] = canaryAsOf(canary, monitor.canary, { at, identity, nowMs });
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
      ...state,
      monitors: unlessSame(state.monitors, monitors),
      canaries: unlessSame(state.canaries, canaries),
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
  if (isSameAddress(before, now)) return known;
  const regions = changeRegions(known.regions, (region) => ({
    ...region,
    diagnosis: region.diagnosis && withoutWords(region.diagnosis),
  }));
  return { ...known, diagnosis: known.diagnosis && withoutWords(known.diagnosis), regions };
}

function ofRegions(monitor: MonitorState, gateway: GatewayConfig): MonitorState {
  const regions = keepRegions(monitor.regions, gateway.regions);
  return regions === monitor.regions ? monitor : { ...monitor, regions };
}

type Request = Pick<CanaryState, "asks" | "keyIdentity">;

/** Null: it asks for the list. */
function requestOf({ id, canary }: MonitorConfig, identities: Identities): Request | null {
  return canary && { asks: asksOf(canary), keyIdentity: entryOf(identities, id) ?? null };
}

function isSameRequest(before: Request | null, now: Request | null): boolean {
  if (before === null || now === null) return before === now;
  return (before.asks ?? now.asks) === now.asks && before.keyIdentity === now.keyIdentity;
}

/** What another request met is no reason to wait, and its task may not be asked about in the way of this one. */
function withRequest(canary: CanaryState, now: Request, nowMs: number): CanaryState {
  if (isSameRequest(canary, now)) return canary.asks === now.asks ? canary : { ...canary, ...now };
  return {
    ...(asksAlike(canary.asks, now.asks) ? withNewKey(canary) : withNewAddress(canary, nowMs)),
    ...now,
  };
}

/** With the key and at the address of now; the task of another address is not asked about here. */
function canaryAsOf(
  canary: CanaryState,
  { task }: NonNullable<MonitorConfig["canary"]>,
  { at, identity, nowMs }: { at: string | undefined; identity: string; nowMs: number },
): CanaryState {
  const known =
    at === undefined || at === identity
      ? canary
      : sameAddress(at, identity)
        ? withNewKey(canary)
        : withNewAddress(canary, nowMs);
  return withSaneTask(known, task?.deadlineMs ?? null, nowMs);
}

function renamed(
  canaries: LedgerState["canaries"],
  nameOf: (monitorId: string) => string,
): Record<string, CanaryState> {
  const named: Record<string, CanaryState> = {};
  for (const [id, canary] of Object.entries(canaries)) named[nameOf(id)] = canary;
  return named;
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
  unreachedFrom: {},
  canaries: FREE_LANE,
  seenModels: null,
} as const;

function sane(
  before: GatewayState | undefined,
  identity: string,
  { monitors, regions }: GatewayConfig,
  world: ReconciliationWorld,
): GatewayState {
  if (!before) return { ...NOTHING_KNOWN, identity };
  // What is still under way with another key or at another address says nothing about this one.
  const isSame = before.identity === identity;
  const ids = new Set(monitors.map(({ id }) => id));
  const lease = isSame ? owedBy(before.lease, ids, world.nowMs + LEASE_MS) : null;
  const died = lease !== null && hasDied(lease, world);
  const isHere = sameAddress(before.identity, identity);
  return {
    ...before,
    identity,
    lease: died ? null : lease,
    suspect: before.suspect || died,
    heldUntilMs: isHere ? saneHold(before, world) : 0,
    unreachedSinceMs: isHere ? before.unreachedSinceMs : null,
    unreachedFrom: isHere ? keepRegions(before.unreachedFrom, regions) : {},
    canaries: saneLane(before.canaries, ids, { isSame, isHere }, world),
    seenModels: isSame ? before.seenModels : null,
  };
}

/** That a canary's invocation died is not held against the gateway: what takes long is its nature. */
function saneLane(
  lane: CanaryLane,
  ids: ReadonlySet<string>,
  { isSame, isHere }: { readonly isSame: boolean; readonly isHere: boolean },
  world: ReconciliationWorld,
): CanaryLane {
  const lease = isSame ? owedBy(lane.lease, ids, world.nowMs + LONGEST_LANE_LEASE_MS) : null;
  return {
    lease: lease !== null && hasDied(lease, world) ? null : lease,
    heldUntilMs: isHere ? saneHold(lane, world) : 0,
  };
}

/** Null where nothing is owed, or where it was given by a clock that ran ahead. */
function owedBy(lease: Lease | null, ids: ReadonlySet<string>, longestMs: number): Lease | null {
  const owed = lease?.owed.filter((id) => ids.has(id)) ?? [];
  return lease !== null && owed.length > 0 && lease.untilMs <= longestMs ? { ...lease, owed } : null;
}

function hasDied(lease: Lease, { nowMs, run }: ReconciliationWorld): boolean {
  return lease.untilMs <= nowMs || lease.run !== run;
}

function saneHold({ heldUntilMs }: { readonly heldUntilMs: number }, { nowMs }: ReconciliationWorld): number {
  return heldUntilMs <= nowMs + DAY_MS ? heldUntilMs : 0;
}
