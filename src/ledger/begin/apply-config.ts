/** Fits the state to the present configuration: new, removed and renamed monitors, another key or address. */
import type { CanaryConfig, Config, GatewayConfig, MonitorConfig } from "../../config/config.ts";
import { gatewaysBefore } from "../../config/plan-limits.ts";
import { FREE_LANE, type CanaryLane, type GatewayState } from "../../domain/tick.ts";
import {
  type CanaryState,
  NEW_CANARY,
  withNewAddress,
  withNewKey,
  withoutTask,
} from "../../domain/canary.ts";
import { applyChanges, type Incident } from "../../domain/incident.ts";
import { EXERCISES } from "../../protocol/audit.ts";
import { keepWanted } from "../../domain/incident-rules.ts";
import {
  changeRegions,
  gatewayOf,
  keepRegions,
  newMonitor,
  partsOfSeries,
  withNewIdentity,
  type MonitorState,
} from "../../domain/monitor-state.ts";
import { stableHash } from "../../domain/schedule.ts";
import { sha256Hex } from "../../history/packing.ts";
import { withPublicFailures, withoutWords } from "../publish/public-text.ts";
import {
  entryOf,
  unlessSame,
  type Journal,
  type LedgerState,
  type Step,
  type Stepped,
} from "../state/state.ts";

/** By a gateway's id, digests `<address>:<key>`. By a canary's full id, a digest of its own key. */
export type Identities = Readonly<Record<string, string>>;

export interface BeginWorld extends Step {
  readonly identities: Identities;
  /** The id of this run, if only one can exist at a time (`npm start`); else null. */
  readonly run: string | null;
}

type Applying = Pick<BeginWorld, "config" | "identities" | "nowMs" | "run">;

export function reconcile(state: LedgerState, world: Applying): Stepped {
  const { config, identities, nowMs } = world;
  const stored = state.journal.gateways;
  const wanted = config.gateways.flatMap((gateway) => gateway.monitors);
  const kept = keepWanted(state, wanted, nowMs);
  const { incidents, resolved } = applyChanges(state.incidents, kept);
  const nameOf = presentName(config);
  const gateways: Record<string, GatewayState> = {};
  const monitors: Record<string, MonitorState> = {};
  const canaries: Record<string, CanaryState> = {};
  for (const gateway of config.gateways) {
    const identity = entryOf(identities, gateway.id) ?? "";
    const before = inherited(gateway, stored, identity, nameOf);
    gateways[gateway.id] = sane(before, identity, gateway, world);
    for (const monitor of gateway.monitors) {
      const idBefore = kept.idsBefore.get(monitor.id);
      const at = idBefore === undefined ? undefined : entryOf(stored, gatewayOf(idBefore))?.identity;
      const known = asOf(kept.monitors[monitor.id] ?? newMonitor(nowMs), at, identity);
      const canaryBefore = state.canaries[idBefore ?? monitor.id] ?? null;
      const request = requestOf(monitor, identities);
      const asked = isSameRequest(canaryBefore, request) ? known : withNewIdentity(known);
      const regions = keepRegions(asked.regions, gateway.regions);
      monitors[monitor.id] = regions === asked.regions ? asked : { ...asked, regions };
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
  const present = Object.fromEntries(Object.entries(incidents).map(([id, incident]) => [id, told(incident)]));
  return {
    state: {
      ...state,
      monitors: unlessSame(state.monitors, monitors),
      canaries: unlessSame(state.canaries, canaries),
      incidents: unlessSame(state.incidents, present),
      journal: { ...state.journal, gateways },
    },
    resolved: resolved.map(told),
    happenings: kept.happenings,
    changed: kept.isNews,
  };
}

/** Messages from the old address may contain it, and only the present address is removed from texts. So they are dropped. */
function asOf(monitor: MonitorState, before: string | undefined, now: string): MonitorState {
  const known = before === undefined || before === now ? monitor : withNewIdentity(monitor);
  if (isSameAddress(before, now)) return known;
  const regions = changeRegions(known.regions, (region) => ({
    ...region,
    diagnosis: region.diagnosis && withoutWords(region.diagnosis),
  }));
  return { ...known, diagnosis: known.diagnosis && withoutWords(known.diagnosis), regions };
}

type Request = Pick<CanaryState, "asks" | "keyIdentity">;

function requestOf({ id, canary }: MonitorConfig, identities: Identities): Request | null {
  return canary && { asks: asksOf(canary), keyIdentity: entryOf(identities, id) ?? null };
}

function isSameRequest(before: Request | null, now: Request | null): boolean {
  if (before === null || now === null) return before === now;
  return (before.asks ?? now.asks) === now.asks && before.keyIdentity === now.keyIdentity;
}

/** After a change of the request, old failures are no reason to wait, and old answers are not compared. */
function withRequest(canary: CanaryState, now: Request, nowMs: number): CanaryState {
  if (isSameRequest(canary, now)) return canary.asks === now.asks ? canary : { ...canary, ...now };
  const isOther = canary.asks !== null && canary.asks !== now.asks;
  return {
    ...(asksAlike(canary.asks, now.asks) ? withNewKey(canary) : withNewAddress(canary, nowMs)),
    ...(isOther && { served: null, audit: null }),
    ...now,
  };
}

/** Fits the canary to the present key and address. A task of another address is not polled. */
function canaryAsOf(
  canary: CanaryState,
  { task }: NonNullable<MonitorConfig["canary"]>,
  { at, identity, nowMs }: { at: string | undefined; identity: string; nowMs: number },
): CanaryState {
  const isKnown = at === undefined || at === identity;
  const moved = isSameAddress(at, identity) ? withNewKey(canary) : withNewAddress(canary, nowMs);
  const known = isKnown ? canary : moved;
  return task === null ? withoutTask(known) : known;
}

const NOTHING_KNOWN = {
  lease: null,
  heldUntilMs: 0,
  quickOwed: 0,
  suspect: false,
  unreachedSinceMs: null,
  canaries: FREE_LANE,
  seenModels: null,
} as const;

function sane(
  before: GatewayState | undefined,
  identity: string,
  { monitors }: GatewayConfig,
  world: Applying,
): GatewayState {
  if (!before) return { ...NOTHING_KNOWN, identity };
  // Probes that are still running with another key or address say nothing about this one.
  const isSame = before.identity === identity;
  const isHere = isSameAddress(before.identity, identity);
  const ids = new Set(monitors.map(({ id }) => id));
  const saneLane = ({ lease, heldUntilMs }: CanaryLane) => {
    const owed = isSame && lease !== null ? lease.owed.filter((id) => ids.has(id)) : [];
    const known = lease !== null && owed.length > 0 ? { ...lease, owed } : null;
    const died = known !== null && (known.untilMs <= world.nowMs || known.run !== world.run);
    return { died, lane: { lease: died ? null : known, heldUntilMs: isHere ? heldUntilMs : 0 } };
  };
  const lists = saneLane(before);
  return {
    ...before,
    ...lists.lane,
    identity,
    // If a canary's invocation died, the gateway is not suspect: canaries take long anyway.
    suspect: before.suspect || lists.died,
    unreachedSinceMs: isHere ? before.unreachedSinceMs : null,
    canaries: saneLane(before.canaries).lane,
    seenModels: isSame ? before.seenModels : null,
  };
}

/** An identity is `<address>:<key>`: a Retry-After holds for the address, with any key. */
function isSameAddress(before: string | undefined, now: string): boolean {
  return before?.split(":", 1)[0] === now.split(":", 1)[0];
}

/** A gateway's state before, or that of a former gateway with the same address whose monitors it carries on. */
function inherited(
  gateway: GatewayConfig,
  stored: Journal["gateways"],
  identity: string,
  nameOf: (monitorId: string) => string,
): GatewayState | undefined {
  const former = gatewaysBefore(gateway)
    .flatMap((id) => entryOf(stored, id) ?? [])
    .filter((of) => isSameAddress(of.identity, identity));
  const known = entryOf(stored, gateway.id) ?? former.find((of) => of.identity === identity) ?? former[0];
  if (known === undefined) return undefined;
  const present = ({ lease, heldUntilMs }: CanaryLane): CanaryLane => {
    return { lease: lease && { ...lease, owed: lease.owed.map(nameOf) }, heldUntilMs };
  };
  return { ...known, ...present(known), canaries: present(known.canaries) };
}

export function formerIds({ gateways }: Config): Record<string, string[]> {
  const renamed = gateways.flatMap(({ monitors }) => monitors).filter(({ formerly }) => formerly.length > 0);
  return Object.fromEntries(renamed.map(({ id, formerly }) => [id, [...formerly]]));
}

/** The present id of a monitor, or the present name of its series of a region. */
export function presentName(config: Config): (monitorId: string) => string {
  const names = new Map<string, string>();
  for (const [id, former] of Object.entries(formerIds(config))) for (const old of former) names.set(old, id);
  return (series) => {
    const { monitorId, suffix } = partsOfSeries(series);
    return `${names.get(monitorId) ?? monitorId}${suffix}`;
  };
}

/** What the public may see of a gateway's records. For a former gateway, all that carry on its monitors must allow it. */
export function publishOf(config: Config, gatewayId: string): GatewayConfig["publish"] {
  return sharedBy(heirsOf(config).get(gatewayId) ?? []);
}

export function gatewaysWithCauses(config: Config): string[] {
  return Array.from(heirsOf(config)).flatMap(([id, heirs]) => (sharedBy(heirs) === "causes" ? [id] : []));
}

function sharedBy(gateways: readonly GatewayConfig[]): GatewayConfig["publish"] {
  return gateways.length > 0 && gateways.every(({ publish }) => publish === "causes") ? "causes" : "health";
}

/** By a gateway's id, itself; by a former gateway's id, the gateways that carry on its monitors. */
function heirsOf({ gateways }: Config): ReadonlyMap<string, readonly GatewayConfig[]> {
  const heirs = new Map<string, GatewayConfig[]>(gateways.map((gateway) => [gateway.id, [gateway]]));
  const living = new Set(heirs.keys());
  for (const gateway of gateways) {
    for (const old of gatewaysBefore(gateway)) {
      if (!living.has(old)) heirs.set(old, [...(heirs.get(old) ?? []), gateway]);
    }
  }
  return heirs;
}

/** The salt is this Ledger's own, so that nobody can look up a digest. */
export async function identify(config: Config, salt: string, secret: (name: string) => string | null) {
  const digestOf = (apiKey: string): Promise<string> => sha256Hex(`${salt} key ${secret(apiKey) ?? ""}`, 8);
  const gateways = config.gateways.map(async ({ id, baseUrl, apiKey }) => {
    const address = await sha256Hex(`${salt} address ${baseUrl}`, 8);
    return [id, `${address}:${await digestOf(apiKey)}`] as const;
  });
  const canaries = config.gateways
    .flatMap(({ monitors }) => monitors)
    .flatMap(({ id, canary }) => (canary?.hasOwnKey ? [{ id, apiKey: canary.apiKey }] : []))
    .map(async ({ id, apiKey }) => [id, await digestOf(apiKey)] as const);
  return Object.fromEntries(await Promise.all([...gateways, ...canaries]));
}

/** `<how a task is polled>:<the request, and what its answer must contain>`. */
function asksOf(canary: CanaryConfig): string {
  const { kind, task, request, isStreamed, evidence, pointers, expect, timeoutMs, audit } = canary;
  const asked = audit === null ? [] : EXERCISES.map(({ name }) => name);
  const own = [kind, request, isStreamed, evidence, pointers, expect, timeoutMs, ...asked];
  return `${digest([kind, task?.path])}:${digest(own)}`;
}

/** Whether a task that was created before can be polled now. Null: the request is not known. */
function asksAlike(before: string | null, now: string | null): boolean {
  return before === null || before.split(":", 1)[0] === now?.split(":", 1)[0];
}

function digest(value: unknown): string {
  return stableHash(JSON.stringify(value)).toString(16);
}
