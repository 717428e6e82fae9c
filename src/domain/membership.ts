/**
 * What a change of the configuration, or a person's pause, does to monitors and their incidents: renamed ones take both
 * along, removed and paused ones leave. Pure.
 */
import {
  endIncident,
  type Happening,
  type Incident,
  leaveIncident,
  tell,
  type Transition,
} from "./incident.ts";
import { incidentOf, type Members, type MonitorTransition } from "./incident-rules.ts";
import { ALL_THERE, MODELS_OVER } from "./model-watch.ts";
import { gatewayOf, type MonitorState } from "./monitor-state.ts";

/** A configured monitor, as far as it is told from others. */
export interface WantedMonitor {
  readonly id: string;
  readonly gatewayId: string;
  /** Full ids that it had before, in no order. */
  readonly formerly: readonly string[];
}

export interface Kept extends Transition {
  /** All monitors that were known and are wanted, under the ids that they have now. */
  readonly monitors: Readonly<Record<string, MonitorState>>;
  /** By those ids: the ids under which they were known until now. */
  readonly idsBefore: ReadonlyMap<string, string>;
}

/**
 * The members as the configuration wants them. What a monitor had under a former id it keeps, unless it is known under
 * its present one already, or the former is another's now. An incident moves to another gateway with the first of its members
 * that is still watched. What was told of models ends under the id that it was told of: who keeps that open would else wait
 * for ever.
 */
export function keepWanted(members: Members, wanted: readonly WantedMonitor[], atMs: number): Kept {
  const gatewaysNow = new Map(wanted.map(({ id, gatewayId }) => [id, gatewayId]));
  const idsBefore = knownAs(members.monitors, wanted, gatewaysNow);
  const names = new Map(Array.from(idsBefore, ([id, before]) => [before, id]));
  const monitors: Record<string, MonitorState> = {};
  for (const [id, before] of idsBefore) {
    const monitor = members.monitors[before];
    if (monitor) monitors[id] = before === id ? monitor : withNothingTold(monitor);
  }
  const incidents: Incident[] = [];
  const happenings: Happening[] = [];
  for (const before of Object.values(members.incidents)) {
    if (before.gatewayId === null) continue;
    const incident = withNames(before, names, gatewaysNow);
    const leaving = incident.memberIds.filter(
      (id) => monitors[id] === undefined || gatewaysNow.get(id) !== incident.gatewayId,
    );
    for (const id of leaving) if (monitors[id]) monitors[id] = { ...monitors[id], ...NO_INCIDENT };
    const after = leaving.reduce((left, id) => leave(left, id, "removed", atMs), incident);
    if (after !== before) incidents.push(after);
    happenings.push(...ended(after, "removed", leaving.at(-1) ?? null));
  }
  const gone = Object.entries(members.monitors).filter(([id]) => names.get(id) !== id);
  happenings.push(...gone.flatMap(([id, monitor]) => modelsOver(id, monitor, atMs)));
  return { monitors, idsBefore, incidents, happenings, isNews: incidents.length > 0 };
}

/** It is not probed from now on, and nothing is claimed of it. */
export function pauseMonitor(members: Members, monitorId: string, atMs: number): MonitorTransition | null {
  const before = members.monitors[monitorId];
  if (!before || before.pausedAtMs !== null) return null;
  const monitor: MonitorState = {
    ...before,
    ...NO_INCIDENT,
    health: "unknown",
    sinceMs: before.health === "unknown" ? before.sinceMs : atMs,
    diagnosis: null,
    failedInARow: 0,
    goodInARow: 0,
    failingSinceMs: null,
    refusalsInARow: 0,
    models: ALL_THERE,
    pausedAtMs: atMs,
    regions: {},
  };
  const ofModels = modelsOver(monitorId, before, atMs);
  const incident = incidentOf(members, monitorId, before);
  if (incident === null) return { monitor, incidents: [], happenings: ofModels, isNews: true };
  const after = leave(incident, monitorId, "paused", atMs);
  const ofIncident = ended(after, "paused", monitorId);
  return { monitor, incidents: [after], happenings: [...ofIncident, ...ofModels], isNews: true };
}

/** It is due at once. */
export function resumeMonitor(monitor: MonitorState): MonitorState {
  return { ...monitor, pausedAtMs: null, nextDueMs: 0 };
}

/** Under a new id what is missing is told anew, once it is confirmed. */
function withNothingTold(monitor: MonitorState): MonitorState {
  return monitor.models.told.length === 0 ? monitor : { ...monitor, models: ALL_THERE };
}

function modelsOver(monitorId: string, { models }: MonitorState, atMs: number): readonly Happening[] {
  if (models.told.length === 0) return [];
  const gatewayId = gatewayOf(monitorId);
  return [{ type: "models.changed", atMs, gatewayId, monitorId, diagnosis: null, models: MODELS_OVER }];
}

const NO_INCIDENT = { incidentId: null, swings: [], flapping: null } as const;

/** By present id: the id under which a monitor is known, its own or a former one that nobody else has. */
function knownAs(
  monitors: Members["monitors"],
  wanted: readonly WantedMonitor[],
  configured: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id, formerly } of wanted) {
    const isFree = (old: string): boolean => old in monitors && !configured.has(old) && !taken.has(old);
    const before = id in monitors ? id : formerly.find(isFree);
    if (before === undefined) continue;
    known.set(id, before);
    taken.add(before);
  }
  return known;
}

function withNames(
  incident: Incident,
  names: ReadonlyMap<string, string>,
  gatewaysNow: ReadonlyMap<string, string>,
): Incident {
  const nameOf = (id: string): string => names.get(id) ?? id;
  const monitorIds = incident.monitorIds.map(nameOf);
  const memberIds = incident.memberIds.map(nameOf);
  const watched = memberIds.find((id) => gatewaysNow.has(id));
  const gatewayId = (watched === undefined ? undefined : gatewaysNow.get(watched)) ?? incident.gatewayId;
  const isSame = monitorIds.every((id, index) => id === incident.monitorIds[index]);
  return isSame && gatewayId === incident.gatewayId
    ? incident
    : { ...incident, monitorIds, memberIds, gatewayId };
}

const LEAVING = { removed: "is not watched here any more", paused: "was paused" } as const;

/** The incident without the monitor; over where it was the last. */
function leave(incident: Incident, monitorId: string, how: "removed" | "paused", atMs: number): Incident {
  if (incident.memberIds.length <= 1) return endIncident(incident, how, atMs);
  return leaveIncident(incident, monitorId, LEAVING[how], atMs);
}

/** What is told where the incident is over. */
function ended(
  incident: Incident,
  reason: "removed" | "paused",
  monitorId: string | null,
): readonly Happening[] {
  if (incident.resolvedAtMs === null) return [];
  return tell(incident, { type: "incident.resolved", reason, monitorId, diagnosis: null }).happenings;
}
