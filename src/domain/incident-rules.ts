/**
 * What a probe does to incidents: thresholds, changes of the cause, flapping, maintenance, reminders, and one
 * incident for all monitors of a gateway that cannot be reached. Pure.
 */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { HOUR_MS } from "./calendar.ts";
import { isFailing } from "./health.ts";
import {
  endIncident,
  flapIncident,
  joinIncident,
  leadOf,
  leaveIncident,
  NO_CHANGES,
  openIncident,
  steadyIncident,
  tell,
  updateIncident,
  type EventReason,
  type Incident,
  type IncidentHappening,
  type Transition,
} from "./incident.ts";
import { noteModels, watchModels, type ModelsChange } from "./model-watch.ts";
import type { MonitorState } from "./monitor-state.ts";
import { reachOf, type ProbeOutcome } from "./probe-outcome.ts";

/** Who is watched, and what is open. */
export interface Members {
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly incidents: Readonly<Record<string, Incident>>;
}

/** A configured monitor, as far as its alarms go. */
export interface AlarmConfig {
  readonly id: string;
  readonly gatewayId: string;
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

/**
 * @param members as they were before the probe.
 * @param state the monitor's own, after `applyOutcome`.
 * @param probe judged by history and by the monitoring's own network; in maintenance: when it began.
 */
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
  const isSeen = hasFailed && incident !== null && isLeadsFailure({ members, monitor, outcome }, incident);
  const counts = health !== "unknown" && !inMaintenance;
  const probe = { members, state, monitor, outcome, counts, hasFailed, isSeen };
  const now = standingAfter(probe, incident);
  const changes =
    incident === null ? start(probe, now) : reminding(probe, goOn(probe, now, incident), incident);
  const models = watchModels(state.models, outcome, { ...monitor, mayTell: !now.isFlapping, inMaintenance });
  const noted = { atMs: outcome.startedAtMs, count: outcome.modelCount };
  return {
    ...withModels(changes, probe, models.change),
    monitor: {
      ...state,
      incidentId: incidentAfter(changes, monitor.id, incident),
      swings: now.swings,
      flapping: now.isFlapping ? (now.isOpen ? "open" : "closed") : null,
      models: models.watch,
      modelNotes: noteModels(state.modelNotes, noted, models.change),
    },
  };
}

/** Null also where its record is gone, or does not name the monitor. */
export function incidentOf(members: Members, monitorId: string, state: MonitorState): Incident | null {
  const incident = state.incidentId === null ? undefined : members.incidents[state.incidentId];
  return incident && incident.memberIds.includes(monitorId) ? incident : null;
}

/** @param before the one that the monitor was in. */
function incidentAfter({ incidents }: Transition, monitorId: string, before: Incident | null): string | null {
  const after =
    incidents.length === 0 ? before : incidents.find((incident) => incident.memberIds.includes(monitorId));
  return after?.id ?? null;
}

interface Probe {
  readonly members: Members;
  readonly state: MonitorState;
  readonly monitor: AlarmConfig;
  readonly outcome: ProbeOutcome;
  /** It had a verdict, and not in maintenance. */
  readonly counts: boolean;
  /** It counts, and failed. */
  readonly hasFailed: boolean;
  /** It is for the incident that the monitor is in to say how this probe failed. */
  readonly isSeen: boolean;
}

/** The monitor by its thresholds, whatever its incident says. */
interface Standing {
  readonly isOpen: boolean;
  readonly isFlapping: boolean;
  /** The changes of the last hour, no more than decide whether it flaps. */
  readonly swings: readonly number[];
}

/**
 * A change is an opening, a closing, or another failure while it is open; none in maintenance. Flapping begins with the change
 * that makes more than `flapping` within an hour, and ends with a verdict at which the last hour has at most half as many;
 * but not with a failed probe while the thresholds say closed, for that would resolve an incident by a failure.
 */
function standingAfter(probe: Probe, incident: Incident | null): Standing {
  const { state, monitor, outcome, isSeen } = probe;
  const { diagnosis, startedAtMs: atMs } = outcome;
  const wasFlapping = incident !== null && state.flapping !== null;
  const wasOpen = wasFlapping ? state.flapping === "open" : incident !== null;
  const hasVerdict = diagnosis.health !== "unknown";
  const isOpen = hasVerdict ? isOpenBy(state, monitor, wasOpen) : wasOpen;
  const mayEnd = hasVerdict && (isOpen || !isFailing(diagnosis.health));
  if (monitor.flapping === null) return { isOpen, isFlapping: wasFlapping && !mayEnd, swings: [] };
  const failsOtherwise =
    isSeen && incident !== null && !isSameMatter(incident.latestFailure?.diagnosis ?? incident, diagnosis);
  const hasChanged = probe.counts && (isOpen !== wasOpen || (isOpen && failsOtherwise));
  const swings = (hasChanged ? [...state.swings, atMs] : state.swings)
    // A clock that was set back leaves changes in the future.
    .filter((changedMs) => changedMs <= atMs && changedMs > atMs - HOUR_MS)
    // The newest decide: older ones would make them no fewer.
    .slice(-(monitor.flapping + 1));
  const isFlapping = wasFlapping
    ? swings.length * 2 > monitor.flapping || !mayEnd
    : hasChanged && swings.length > monitor.flapping;
  return { isOpen, isFlapping, swings };
}

function isOpenBy(
  { failedInARow, goodInARow }: MonitorState,
  { open, close }: AlarmConfig,
  wasOpen: boolean,
): boolean {
  return wasOpen ? goodInARow < close : failedInARow >= open;
}

/** The monitor had no incident. */
function start(probe: Probe, now: Standing): Transition {
  if (!now.isOpen) return NO_CHANGES;
  const shared = isUnreached(probe) ? unreachedOf(probe) : null;
  if (shared === null) return opened(probe, now, []);
  return quiet(probe, joinIncident(shared, probe.monitor.id, probe.outcome.startedAtMs));
}

/** The monitor was in an incident already. */
function goOn(probe: Probe, now: Standing, incident: Incident): Transition {
  if (now.isFlapping) return flapping(probe, incident);
  if (!now.isOpen) return recovered(probe, incident);
  return probe.hasFailed ? failing(probe, now, incident) : quiet(probe, incident);
}

/** With a reminder, where the failed probe brings no other message. */
function reminding(probe: Probe, changes: Transition, before: Incident): Transition {
  const { remindEveryMs } = probe.monitor;
  const atMs = probe.outcome.startedAtMs;
  const isQuiet = probe.isSeen && changes.happenings.length === 0 && before.acknowledgedAtMs === null;
  // A clock that ran ahead and was set back must not silence it for as long.
  const agoMs = Math.abs(atMs - before.toldAtMs);
  if (!isQuiet || remindEveryMs === null || agoMs < remindEveryMs) return changes;
  const incident = { ...(changes.incidents[0] ?? before), toldAtMs: atMs };
  return { ...updated(probe, "reminder", incident), isNews: changes.isNews };
}

/** One message, then silence. */
function flapping(probe: Probe, incident: Incident): Transition {
  const { monitor, outcome, counts, isSeen } = probe;
  if (leadOf(incident) !== monitor.id) return quiet(probe, incident);
  const latest = isSeen ? { ...incident, latestFailure: outcome } : incident;
  if (incident.flapping || !counts) return quiet(probe, latest);
  return updated(probe, "flapping", flapIncident(latest, monitor.flapping ?? 0, outcome.startedAtMs));
}

function failing(probe: Probe, now: Standing, incident: Incident): Transition {
  const { state, monitor, outcome, isSeen } = probe;
  const { diagnosis, startedAtMs: atMs } = outcome;
  const unreached = isUnreached(probe);
  if (incident.unreached && !unreached && incident.memberIds.length > 1) {
    return opened(probe, now, [left(probe, incident, "fails for another reason now")]);
  }
  if (!isSeen) return quiet(probe, incident);
  const seen = { ...incident, latestFailure: outcome, unreached };
  const isSteady = seen.flapping && state.failedInARow >= monitor.open;
  if (seen.flapping && !isSteady) return quiet(probe, seen);
  const after = isSteady ? steadyIncident(seen, state.failingSinceMs, atMs) : seen;
  const isOther = !isSameMatter(after, diagnosis);
  if (!isSteady && !isOther) return quiet(probe, seen);
  const known = isOther ? updateIncident(after, diagnosis, atMs) : after;
  return updated(probe, isSteady ? "steady" : "cause", known);
}

function recovered(probe: Probe, incident: Incident): Transition {
  if (incident.memberIds.length > 1) {
    return quiet(probe, left(probe, incident, "works again"));
  }
  return happened(
    probe,
    "incident.resolved",
    null,
    endIncident(incident, "resolved", probe.outcome.startedAtMs),
  );
}

/** @param others that changed at the same time. */
function opened(probe: Probe, now: Standing, others: readonly Incident[]): Transition {
  const { state, monitor, outcome } = probe;
  const atMs = outcome.startedAtMs;
  const subject = { gatewayId: monitor.gatewayId, monitorIds: [monitor.id], name: monitor.id };
  const fresh = {
    ...openIncident(subject, outcome.diagnosis, outcome, atMs),
    unreached: isUnreached(probe),
    firstFailedAtMs: state.failingSinceMs,
  };
  const incident = now.isFlapping ? flapIncident(fresh, monitor.flapping ?? 0, atMs) : fresh;
  const changes = happened(probe, "incident.opened", now.isFlapping ? "flapping" : null, incident);
  return { ...changes, incidents: [...others, incident] };
}

function left({ monitor, outcome }: Probe, incident: Incident, how: string): Incident {
  return leaveIncident(incident, monitor.id, how, outcome.startedAtMs);
}

function happened(
  { monitor, outcome }: Probe,
  type: IncidentHappening["type"],
  reason: EventReason | null,
  incident: Incident,
): Transition {
  return tell(incident, { type, reason, monitorId: monitor.id, diagnosis: outcome.diagnosis });
}

function updated(probe: Probe, reason: EventReason, incident: Incident): Transition {
  return happened(probe, "incident.updated", reason, incident);
}

/** Nothing is sent. What shows in the timeline is news for readers of the pages all the same. */
function quiet({ members }: Probe, incident: Incident): Transition {
  const before = members.incidents[incident.id];
  const isNews = incident.timeline !== before?.timeline;
  return { incidents: incident === before ? [] : [incident], happenings: [], isNews };
}

function withModels(
  changes: Transition,
  { monitor, outcome }: Probe,
  models: ModelsChange | null,
): Transition {
  if (models === null) return changes;
  const { diagnosis, startedAtMs: atMs } = outcome;
  const { gatewayId, id: monitorId } = monitor;
  const happening = { type: "models.changed", atMs, gatewayId, monitorId, diagnosis, models } as const;
  return { ...changes, happenings: [...changes.happenings, happening] };
}

/** Of a failed probe, unless the gateway's own incident says it already. */
function isLeadsFailure(probe: Subject, incident: Incident): boolean {
  if (leadOf(incident) !== probe.monitor.id) return false;
  return incident.unreached || !isUnreached(probe) || unreachedOf(probe) === null;
}

type Subject = Pick<Probe, "members" | "monitor" | "outcome">;

/** The open incident of the gateway that cannot be reached. */
function unreachedOf({ members, monitor }: Subject): Incident | null {
  const open = Object.values(members.incidents);
  return open.find(({ gatewayId, unreached }) => unreached && gatewayId === monitor.gatewayId) ?? null;
}

/** That a generation got no answer in time says nothing of the gateway's other monitors: a canary's incident is its own. */
function isUnreached({ monitor, outcome }: Subject): boolean {
  return monitor.canary === null && reachOf(outcome.diagnosis) === "unreached";
}

/** As long as these are the same, nothing is news. */
type Matter = Pick<KeptDiagnosis, "cause" | "owner" | "health">;

function isSameMatter(a: Matter, b: Matter): boolean {
  return a.cause === b.cause && a.owner === b.owner && a.health === b.health;
}
