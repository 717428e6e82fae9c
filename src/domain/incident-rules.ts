/** What a probe, a pause or a configuration does to incidents. Monitors that fail alike share one, also behind one provider. Pure. */
import { turnOf } from "../protocol/causes.ts";
import type { KeptDiagnosis, Operator } from "../protocol/diagnosis.ts";
import { HOUR_MS } from "./calendar.ts";
import { isFailing, isWorse } from "./health.ts";
import {
  belongs,
  endIncident,
  flapIncident,
  gatewaysIn,
  isProviders,
  joinIncident,
  lastReported,
  leadOf,
  leaveIncident,
  NO_CHANGES,
  openIncident,
  silentUntilMs,
  steadyIncident,
  tell,
  updateIncident,
  wasReportedLately,
  isSameMatter,
  type EventReason,
  type Happening,
  type Incident,
  type IncidentHappening,
  type Matter,
  type Transition,
} from "./incident.ts";
import { ALL_THERE, MODELS_OVER, noteModels, watchModels, type ModelsChange } from "./model-watch.ts";
import { gatewayOf, withoutEvidence, type MonitorState } from "./monitor-state.ts";
import { NETWORK_CAUSES, type ProbeOutcome } from "./probe-outcome.ts";

export interface Members {
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly incidents: Readonly<Record<string, Incident>>;
}

/** A configured monitor, as far as its alarms go. */
export interface AlarmConfig {
  readonly id: string;
  readonly gatewayId: string;
  /** Other gateways with the same provider behind them. */
  readonly siblings: readonly string[];
  readonly operator: Operator;
  readonly expect: readonly string[];
  /** Null: it asks for the list of models. */
  readonly canary: object | null;
  /** Failed probes in a row that open an incident, and good ones that close it. */
  readonly open: number;
  readonly close: number;
  /** More changes an hour than this are flapping; null: nothing is. */
  readonly flapping: number | null;
  /** How long after its last message an incident is repeated; null: never. */
  readonly remindEveryMs: number | null;
}

export interface MonitorTransition extends Transition {
  readonly monitor: MonitorState;
}

/** @param state after `applyOutcome`. @param probe judged by history and the own network; in maintenance: when it began. */
export function moveByProbe(
  members: Members,
  state: MonitorState,
  monitor: AlarmConfig,
  { outcome, inMaintenance }: { readonly outcome: ProbeOutcome; readonly inMaintenance: boolean },
): MonitorTransition {
  if (state.pausedAtMs !== null) return { monitor: state, ...NO_CHANGES };
  const incident = incidentOf(members, monitor.id, state);
  const { health } = outcome.diagnosis;
  const hasFailed = isFailing(health) && !inMaintenance;
  const counts = health !== "unknown" && !inMaintenance;
  const probe = { members, state, monitor, outcome, counts, hasFailed };
  const now = standingAfter(probe, incident);
  const changes =
    incident === null
      ? start(probe, now)
      : hushed(probe, reminding(probe, goOn(probe, now, incident), incident), incident);
  const models = watchModels(state.models, outcome, { ...monitor, mayTell: !now.isFlapping, inMaintenance });
  const noted = { atMs: outcome.startedAtMs, count: outcome.modelCount };
  const after =
    changes.incidents.length === 0
      ? incident
      : changes.incidents.find(
          ({ memberIds, resolvedAtMs }) => resolvedAtMs === null && memberIds.includes(monitor.id),
        );
  return {
    ...changes,
    happenings: [
      ...changes.happenings,
      ...modelsChanged(monitor.id, models.change, outcome.startedAtMs, outcome.diagnosis),
    ],
    monitor: {
      ...state,
      incidentId: after?.id ?? null,
      swings: now.swings,
      flapping: now.isFlapping ? (now.isOpen ? "open" : "closed") : null,
      models: models.watch,
      modelNotes: noteModels(state.modelNotes, noted, models.change),
    },
  };
}

/** Null also where its record is gone, or does not name the monitor. */
function incidentOf(members: Members, monitorId: string, state: MonitorState): Incident | null {
  const incident = state.incidentId === null ? undefined : members.incidents[state.incidentId];
  return incident && incident.memberIds.includes(monitorId) ? incident : null;
}

interface Probe {
  readonly members: Members;
  readonly state: MonitorState;
  readonly monitor: AlarmConfig;
  readonly outcome: ProbeOutcome;
  /** It had a verdict, and not in maintenance. */
  readonly counts: boolean;
  readonly hasFailed: boolean;
}

/** The monitor by its thresholds, whatever its incident says. */
interface Standing {
  readonly isOpen: boolean;
  readonly isFlapping: boolean;
  /** The changes of the last hour, no more than decide whether it flaps. */
  readonly swings: readonly number[];
}

/**
 * A change is an opening or a closing; none in maintenance. Flapping begins with the change that makes more than `flapping`
 * within an hour, and ends with a verdict at which the last hour has at most half as many. A failed probe does not end it
 * while the thresholds say closed: that would resolve an incident by a failure.
 */
function standingAfter(probe: Probe, incident: Incident | null): Standing {
  const { state, monitor, outcome } = probe;
  const { diagnosis, startedAtMs: atMs } = outcome;
  const wasFlapping = incident !== null && state.flapping !== null;
  const wasOpen = wasFlapping ? state.flapping === "open" : incident !== null;
  const hasVerdict = diagnosis.health !== "unknown";
  const isOpenBy = wasOpen ? state.goodInARow < monitor.close : state.failedInARow >= monitor.open;
  const isOpen = hasVerdict ? isOpenBy : wasOpen;
  const mayEnd = hasVerdict && (isOpen || !isFailing(diagnosis.health));
  if (monitor.flapping === null) return { isOpen, isFlapping: wasFlapping && !mayEnd, swings: [] };
  const hasChanged = probe.counts && isOpen !== wasOpen;
  const swings = (hasChanged ? [...state.swings, atMs] : state.swings)
    // A clock that was set back leaves changes with times in the future.
    .filter((changedMs) => changedMs <= atMs && changedMs > atMs - HOUR_MS)
    // The newest decide: older ones would make them no fewer.
    .slice(-(monitor.flapping + 1));
  const isFlapping = wasFlapping
    ? swings.length * 2 > monitor.flapping || !mayEnd
    : hasChanged && swings.length > monitor.flapping;
  return { isOpen, isFlapping, swings };
}

function start(probe: Probe, now: Standing): Transition {
  if (!now.isOpen) return NO_CHANGES;
  const shared = incidentLike(probe, now);
  return shared === null ? opened(probe, now, []) : moved(probe, shared, joined(probe, shared));
}

function goOn(probe: Probe, now: Standing, incident: Incident): Transition {
  // What another member fails in without a break does not flap.
  const mayFlap = incident.flapping || incident.memberIds.length === 1;
  if (now.isFlapping && mayFlap) return flapping(probe, incident);
  if (!now.isOpen) return recovered(probe, incident);
  return probe.hasFailed ? failing(probe, now, incident) : quiet(probe, incident);
}

/** With a reminder, where the failed probe brings no other message. */
function reminding(probe: Probe, changes: Transition, before: Incident): Transition {
  const { remindEveryMs } = probe.monitor;
  const atMs = probe.outcome.startedAtMs;
  const isQuiet =
    isSeen(probe, before) && changes.happenings.length === 0 && before.acknowledgedAtMs === null;
  // A clock that ran ahead and was set back must not hold back reminders for that long.
  const agoMs = Math.abs(atMs - before.toldAtMs);
  const isDue = remindEveryMs !== null && agoMs >= remindEveryMs;
  // What the silence kept back is said once it is over.
  const silentMs = silentUntilMs(before) ?? 0;
  const isOutOfSilence = silentMs > before.toldAtMs && silentMs <= atMs;
  if (!isQuiet || !(isDue || isOutOfSilence)) return changes;
  const latest = { ...(changes.incidents[0] ?? before), toldAtMs: atMs };
  const { diagnosis } = probe.outcome;
  const isSame = latest.flapping || isSameMatter(diagnosis, lastReported(latest));
  const incident = isSame ? latest : updateIncident(latest, diagnosis, atMs, true);
  return { ...told(probe, "incident.updated", "reminder", incident), isNews: changes.isNews };
}

function hushed(probe: Probe, changes: Transition, before: Incident): Transition {
  const happenings = changes.happenings.filter(
    (of) => of.type !== "incident.updated" || isWanted(probe, before, of.incident),
  );
  return { ...changes, happenings };
}

/** Nothing is wanted but the end while it is silenced. Once acknowledged: only a worse health or another turn than was sent last. */
function isWanted({ monitor, outcome }: Probe, incident: Incident, { health, owner }: Matter): boolean {
  if ((silentUntilMs(incident) ?? 0) > outcome.startedAtMs) return false;
  const { operator } = monitor;
  const before = lastReported(incident);
  return (
    incident.acknowledgedAtMs === null ||
    isWorse(health, before.health ?? "unknown") ||
    turnOf(owner, operator) !== turnOf(before.owner ?? incident.owner, operator)
  );
}

/** One message, then silence. */
function flapping(probe: Probe, incident: Incident): Transition {
  const { monitor, outcome, counts } = probe;
  const latest = isSeen(probe, incident) ? { ...incident, latestFailure: outcome } : incident;
  if (incident.flapping || !counts) return quiet(probe, latest);
  return told(
    probe,
    "incident.updated",
    "flapping",
    flapIncident(latest, monitor.flapping ?? 0, outcome.startedAtMs),
  );
}

function failing(probe: Probe, now: Standing, incident: Incident): Transition {
  const { members, state, monitor, outcome } = probe;
  const { diagnosis, startedAtMs: atMs } = outcome;
  if (incident.memberIds.length > 1 && !belongs(incident, diagnosis)) {
    const other = incidentLike(probe, now);
    const before = members.monitors[monitor.id]?.diagnosis ?? incident;
    const isShared = gatewaysIn(incident.memberIds).length > 1;
    // The lead changes its own gateway's incident. The others wait for their next check, as the lead may see the change after them.
    if (other !== null || ((isShared || leadOf(incident) !== monitor.id) && !belongs(incident, before))) {
      const left = leaveIncident(incident, monitor.id, "now fails for another reason", atMs);
      if (other === null) return opened(probe, now, [left]);
      const changes = moved(probe, other, joined(probe, other));
      return { ...changes, incidents: [left, ...changes.incidents] };
    }
  }
  if (!isSeen(probe, incident)) return quiet(probe, incident);
  const seen = { ...incident, latestFailure: outcome };
  const isSteady = seen.flapping && state.failedInARow >= monitor.open;
  if (seen.flapping && !isSteady) return quiet(probe, seen);
  const after = isSteady ? steadyIncident(seen, state.failingSinceMs, atMs) : seen;
  const isReported =
    !isSameMatter(diagnosis, lastReported(after)) &&
    (isSteady || !wasReportedLately(after, diagnosis, atMs)) &&
    isWanted(probe, after, diagnosis);
  const isOther = isReported || !isSameMatter(diagnosis, after);
  const known = isOther ? updateIncident(after, diagnosis, atMs, isReported) : after;
  if (!isSteady && !isReported) return quiet(probe, known);
  return told(probe, "incident.updated", isSteady ? "steady" : "cause", known);
}

function recovered(probe: Probe, incident: Incident): Transition {
  const { monitor, outcome } = probe;
  const atMs = outcome.startedAtMs;
  if (incident.memberIds.length > 1) {
    return moved(probe, incident, leaveIncident(incident, monitor.id, "works again", atMs));
  }
  return told(probe, "incident.resolved", null, endIncident(incident, "resolved", atMs));
}

function opened(probe: Probe, now: Standing, others: readonly Incident[]): Transition {
  const { state, monitor, outcome } = probe;
  const atMs = outcome.startedAtMs;
  const subject = { gatewayId: monitor.gatewayId, monitorIds: [monitor.id], name: monitor.id };
  const fresh = {
    ...openIncident(subject, outcome.diagnosis, outcome, atMs),
    firstFailedAtMs: state.failingSinceMs,
  };
  const incident = now.isFlapping ? flapIncident(fresh, monitor.flapping ?? 0, atMs) : fresh;
  const changes = told(probe, "incident.opened", now.isFlapping ? "flapping" : null, incident);
  return { ...changes, incidents: [...others, incident] };
}

function told(
  { monitor, outcome }: Probe,
  type: IncidentHappening["type"],
  reason: EventReason | null,
  incident: Incident,
): Transition {
  return tell(incident, { type, reason, monitorId: monitor.id, diagnosis: outcome.diagnosis });
}

/** Nothing is sent. What shows in the timeline is news for readers of the pages all the same. */
function quiet({ members }: Probe, incident: Incident): Transition {
  const before = members.incidents[incident.id];
  const isNews = incident.timeline !== before?.timeline;
  return { incidents: incident === before ? [] : [incident], happenings: [], isNews };
}

/** A message says that another gateway fails too, or that one works again. */
function moved(probe: Probe, before: Incident, after: Incident): Transition {
  const isSame = gatewaysIn(after.memberIds).length === gatewaysIn(before.memberIds).length;
  if (isSame) return quiet(probe, after);
  return told(probe, "incident.updated", null, { ...after, toldAtMs: probe.outcome.startedAtMs });
}

/** It failed and leads its incident, and not only another incident of the gateway says why. */
function isSeen(probe: Probe, incident: Incident): boolean {
  if (!probe.hasFailed || leadOf(incident) !== probe.monitor.id) return false;
  if (belongs(incident, probe.outcome.diagnosis)) return true;
  return gatewaysIn(incident.memberIds).length === 1 && ownIncidentLike(probe) === null;
}

/** Another open incident of the gateway that fails in the same way. What flaps sends little, so only what flaps too joins it. */
function ownIncidentLike({ members, state, monitor, outcome }: Probe, isFlapping = false): Incident | null {
  const isLike = (of: Incident): boolean =>
    of.id !== state.incidentId &&
    (isFlapping || !of.flapping) &&
    gatewaysIn(of.memberIds).includes(monitor.gatewayId) &&
    belongs(of, outcome.diagnosis);
  return Object.values(members.incidents).find(isLike) ?? null;
}

/** The same, else that of a provider which the gateway shares with all in it. What flaps or is silenced would hide the failure. */
function incidentLike(probe: Probe, { isFlapping }: Standing): Incident | null {
  const { members, monitor, outcome } = probe;
  const own = ownIncidentLike(probe, isFlapping);
  if (own !== null || isFlapping || !isProviders(outcome.diagnosis)) return own;
  const known = new Set([monitor.gatewayId, ...monitor.siblings]);
  const isLike = (of: Incident): boolean =>
    isProviders(of) &&
    !of.flapping &&
    (silentUntilMs(of) ?? 0) <= outcome.startedAtMs &&
    of.id !== probe.state.incidentId &&
    gatewaysIn(of.monitorIds).every((id) => known.has(id));
  return Object.values(members.incidents).find(isLike) ?? null;
}

function joined({ monitor, outcome }: Probe, incident: Incident): Incident {
  const how = NETWORK_CAUSES.has(incident.cause)
    ? "cannot reach the gateway either"
    : "fails in the same way";
  return joinIncident(incident, monitor.id, how, outcome.startedAtMs);
}

// What a change of the configuration, or a pause, does: renamed monitors keep their incident, removed and paused ones leave it.

export interface WantedMonitor {
  readonly id: string;
  readonly gatewayId: string;
  readonly siblings: readonly string[];
  /** Its former full ids, in no order. */
  readonly formerly: readonly string[];
}

export interface Kept extends Transition {
  /** Known monitors that are still configured, by their present ids. */
  readonly monitors: Readonly<Record<string, MonitorState>>;
  /** By present id: the id under which the monitor was known until now. */
  readonly idsBefore: ReadonlyMap<string, string>;
}

/**
 * The members as the configuration wants them. A monitor keeps the state of its former id, unless its present id is already
 * known or another monitor now has the former one. An incident moves to another gateway with the first of its members that
 * is still watched. An alert about missing models ends under the id that it began with, which is the one receivers know.
 */
export function keepWanted(members: Members, wanted: readonly WantedMonitor[], atMs: number): Kept {
  const gatewaysNow = new Map(wanted.map(({ id, gatewayId }) => [id, gatewayId]));
  const idsBefore = knownAs(members.monitors, wanted, gatewaysNow);
  const names = new Map(Array.from(idsBefore, ([id, before]) => [before, id]));
  const monitors: Record<string, MonitorState> = {};
  for (const [id, before] of idsBefore) {
    const monitor = members.monitors[before];
    if (!monitor) continue;
    // Missing models are reported again under the new id, once they are confirmed.
    const isToldAnew = before !== id && monitor.models.told.length > 0;
    monitors[id] = isToldAnew ? { ...monitor, models: ALL_THERE } : monitor;
  }
  const incidents: Incident[] = [];
  const happenings: Happening[] = [];
  for (const before of Object.values(members.incidents)) {
    if (before.gatewayId === null) continue;
    const incident = withNames(before, names, gatewaysNow);
    const { siblings = [] } = wanted.find(({ gatewayId }) => gatewayId === incident.gatewayId) ?? {};
    const together = new Set([incident.gatewayId, ...(isProviders(incident) ? siblings : [])]);
    const leaving = incident.memberIds.filter(
      (id) => monitors[id] === undefined || !together.has(gatewaysNow.get(id) ?? ""),
    );
    for (const id of leaving) if (monitors[id]) monitors[id] = { ...monitors[id], ...NO_INCIDENT };
    const after = leaving.reduce((of, id) => leave(of, id, "removed", atMs), incident);
    if (after !== before) incidents.push(after);
    happenings.push(...ended(after, "removed", leaving.at(-1) ?? null));
  }
  const gone = Object.entries(members.monitors).filter(([id]) => names.get(id) !== id);
  happenings.push(...gone.flatMap(([id, monitor]) => modelsOver(id, monitor, atMs)));
  return { monitors, idsBefore, incidents, happenings, isNews: incidents.length > 0 };
}

/** From now on it is not probed, and its health is unknown. One that is paused takes the new terms. */
export function pauseMonitor(
  members: Members,
  monitorId: string,
  pause: NonNullable<MonitorState["pause"]>,
  atMs: number,
): MonitorTransition | null {
  const before = members.monitors[monitorId];
  if (!before) return null;
  if (before.pausedAtMs !== null) return { monitor: { ...before, pause }, ...NO_CHANGES, isNews: true };
  const monitor: MonitorState = {
    ...withoutEvidence(before, atMs),
    ...NO_INCIDENT,
    failedInARow: 0,
    goodInARow: 0,
    failingSinceMs: null,
    refusalsInARow: 0,
    models: ALL_THERE,
    pausedAtMs: atMs,
    pause,
    regions: {},
  };
  const incident = incidentOf(members, monitorId, before);
  const incidents = incident === null ? [] : [leave(incident, monitorId, "paused", atMs)];
  const ofIncident = incidents.flatMap((after) => ended(after, "paused", monitorId));
  const happenings = [...ofIncident, ...modelsOver(monitorId, before, atMs)];
  return { monitor, incidents, happenings, isNews: true };
}

function modelsOver(monitorId: string, { models }: MonitorState, atMs: number): readonly Happening[] {
  return modelsChanged(monitorId, models.told.length === 0 ? null : MODELS_OVER, atMs, null);
}

function modelsChanged(
  monitorId: string,
  models: ModelsChange | null,
  atMs: number,
  diagnosis: KeptDiagnosis | null,
): readonly Happening[] {
  if (models === null) return [];
  return [{ type: "models.changed", atMs, gatewayId: gatewayOf(monitorId), monitorId, diagnosis, models }];
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
  if (isSame && gatewayId === incident.gatewayId) return incident;
  return { ...incident, monitorIds, memberIds, gatewayId };
}

const LEAVING = { removed: "is no longer monitored", paused: "was paused" } as const;

/** The incident without the monitor; it ends if that was the last one. */
function leave(incident: Incident, monitorId: string, how: "removed" | "paused", atMs: number): Incident {
  if (incident.memberIds.length <= 1) return endIncident(incident, how, atMs);
  return leaveIncident(incident, monitorId, LEAVING[how], atMs);
}

/** The event that says that the incident is over. */
function ended(incident: Incident, reason: "removed" | "paused", monitorId: string | null) {
  if (incident.resolvedAtMs === null) return [];
  return tell(incident, { type: "incident.resolved", reason, monitorId, diagnosis: null }).happenings;
}
