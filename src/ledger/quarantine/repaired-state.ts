/**
 * The state after something of it was lost, so that nobody is told anything twice or falsely: monitors find their
 * incidents again and incidents their monitors, numbers go on, and what a canary spent is counted anew. Pure.
 */
import type { Config } from "../../config/config.ts";
import { type Calendar, HOUR_MS } from "../../domain/calendar.ts";
import { NEW_CANARY, countRequests, countUse, type CanaryState } from "../../domain/canary.ts";
import { type Incident, membersOf, openedAtOf, openIncident } from "../../domain/incident.ts";
import { isFailing } from "../../domain/health.ts";
import { gatewayOf } from "../../domain/monitor-id.ts";
import { type MonitorState, newMonitor } from "../../domain/monitor-state.ts";
import type { Sample } from "../../domain/probe-outcome.ts";
import { isOfNetwork, type NetworkName } from "../../domain/own-network.ts";
import type { Members } from "../../domain/incident-rules.ts";
import { entryOf, type Journal, type LedgerState } from "../state/state.ts";

export interface Repairing {
  readonly config: Config;
  readonly archive: {
    readonly recent: { between(fromMs: number, toMs: number): ReadonlyMap<string, readonly Sample[]> };
  };
  readonly calendar: Calendar;
  readonly nowMs: number;
  /** Paths of what was lost: a document, a member of one, an entry of that. */
  readonly lost: readonly string[];
}

export function repairState(state: LedgerState, repairing: Repairing): LedgerState {
  const members = withRebuilt(linked(state, repairing), repairing.nowMs);
  return {
    ...state,
    ...members,
    canaries: withSpending(state, repairing),
    journal: repairJournal(state.journal, members.incidents, repairing),
  };
}

/** Every monitor that is in an incident names it, and is named by it. */
export function fitsTogether({ monitors, incidents }: Members): boolean {
  const isNamed = Object.entries(monitors).every(([id, { incidentId }]) => {
    if (incidentId === null) return true;
    const incident = entryOf(incidents, incidentId);
    return incident !== undefined && membersOf(incident).includes(id);
  });
  const isNaming = Object.entries(incidents).every(([id, incident]) => {
    if (incident.gatewayId === null) return incident.id === id;
    const isTheirs = membersOf(incident).every((member) => entryOf(monitors, member)?.incidentId === id);
    return incident.id === id && isTheirs;
  });
  return isNamed && isNaming;
}

/** A monitor whose record is gone is in its incident still, and nothing is claimed of it until it is probed. */
function linked(state: Members, { config, nowMs }: Repairing): Members {
  const configured = new Set<string>();
  for (const { id, formerly } of config.gateways.flatMap((of) => of.monitors)) {
    for (const name of [id, ...formerly]) configured.add(name);
  }
  const monitors: Record<string, MonitorState> = { ...state.monitors };
  const incidents: Record<string, Incident> = {};
  for (const [key, stored] of Object.entries(state.incidents)) {
    const id = Object.values(monitors).some(({ incidentId }) => incidentId === key) ? key : stored.id;
    if (stored.gatewayId === null) {
      incidents[id] = { ...stored, id };
      continue;
    }
    const pointing = Object.keys(monitors).filter((monitorId) => monitors[monitorId]?.incidentId === id);
    const staying = membersOf(stored).filter((monitorId) => {
      const known = entryOf(monitors, monitorId);
      if (known === undefined) return configured.has(monitorId);
      return known.incidentId === null || !Object.hasOwn(state.incidents, known.incidentId);
    });
    const fitting = [
      ...new Set([...membersOf(stored).filter((of) => pointing.includes(of)), ...staying, ...pointing]),
    ];
    const memberIds = fitting.length === 0 ? membersOf(stored) : fitting;
    incidents[id] = {
      ...stored,
      id,
      monitorIds: [...new Set([...stored.monitorIds, ...memberIds])],
      memberIds,
    };
    for (const monitorId of memberIds) {
      monitors[monitorId] = { ...(entryOf(monitors, monitorId) ?? newMonitor(nowMs)), incidentId: id };
    }
  }
  return { monitors, incidents };
}

/** An incident whose record is gone is made again of what its monitors know: who was told of it is told of its end. */
function withRebuilt(state: Members, nowMs: number): Members {
  const monitors: Record<string, MonitorState> = {};
  const incidents: Record<string, Incident> = { ...state.incidents };
  for (const [id, monitor] of Object.entries(state.monitors)) {
    const { incidentId, diagnosis } = monitor;
    monitors[id] = monitor;
    if (incidentId === null || Object.hasOwn(state.incidents, incidentId)) continue;
    const openedAtMs = openedAtOf(incidentId);
    if (openedAtMs === null || diagnosis === null || !isFailing(diagnosis.health)) {
      monitors[id] = { ...monitor, incidentId: null, swings: [], flapping: null };
      continue;
    }
    const before = entryOf(incidents, incidentId);
    const monitorIds = [...(before?.monitorIds ?? []), id];
    const subject = { gatewayId: gatewayOf(id), monitorIds, name: id };
    const made = before ?? openIncident(subject, diagnosis, null, openedAtMs);
    incidents[incidentId] = { ...made, id: incidentId, monitorIds, memberIds: monitorIds, toldAtMs: nowMs };
  }
  return { monitors, incidents };
}

/** Of a canary whose record is gone, its samples tell; one request more may have been under way. */
function withSpending({ canaries }: LedgerState, repairing: Repairing): LedgerState["canaries"] {
  const { config, archive, calendar, nowMs, lost } = repairing;
  if (!lost.some((path) => path === "members" || path.startsWith("members/canaries"))) return canaries;
  const startMs = calendar.startOfDay(calendar.dayOf(nowMs));
  const recent = archive.recent.between(startMs - 24 * HOUR_MS, nowMs + HOUR_MS);
  const known: Record<string, CanaryState> = { ...canaries };
  for (const { id, canary } of config.gateways.flatMap(({ monitors }) => monitors)) {
    const samples = recent.get(id) ?? [];
    if (canary === null || Object.hasOwn(canaries, id) || samples.length === 0) continue;
    known[id] = spent(samples, calendar, nowMs);
  }
  return known;
}

function spent(samples: readonly Sample[], calendar: Calendar, nowMs: number): CanaryState {
  let days = countRequests([], calendar.dayOf(nowMs), 1);
  for (const { atMs, attempts, generation } of samples) {
    const day = calendar.dayOf(atMs);
    days = countRequests(days, day, attempts);
    if (generation !== null) days = countUse(days, day, generation);
  }
  const lastMs = samples.at(-1)?.atMs ?? nowMs;
  return { ...NEW_CANARY, days, askedAtMs: lastMs, lastTaskMs: lastMs };
}

function repairJournal(journal: Journal, incidents: LedgerState["incidents"], repairing: Repairing): Journal {
  const { lost, nowMs } = repairing;
  const openOf = (name: NetworkName): string | null =>
    Object.values(incidents).find((incident) => isOfNetwork(incident, name))?.id ?? null;
  const isCountLost = lost.some((path) => path === "journal" || path.startsWith("journal/publishing"));
  // There was never more than one publish in a second.
  const sequence = isCountLost ? Math.floor(nowMs / 1000) : journal.publishing.sequence;
  return {
    ...journal,
    ownNetwork: { ...journal.ownNetwork, incidentId: openOf("monitoring") },
    vantageNetwork: { ...journal.vantageNetwork, incidentId: openOf("vantage-points") },
    publishing: { ...journal.publishing, sequence, urgent: true },
  };
}
