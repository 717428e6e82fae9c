/**
 * What a probe does to incidents: thresholds, changes of the cause, flapping, maintenance, reminders, and one
 * incident for all monitors of a gateway that cannot be reached. Pure.
 */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { HOUR_MS } from "./calendar.ts";
import { NO_CHANGES, type Changes, type EventReason, type IncidentHappening } from "./incident.ts";
import { isFailing } from "./health.ts";
import {
  flapIncident,
  incidentId,
  isNewIn,
  joinIncident,
  leadOf,
  leaveIncident,
  membersOf,
  openIncident,
  resolveIncident,
  steadyIncident,
  updateIncident,
  withFailure,
  type Incident,
} from "./incident.ts";
import { noteModels, watchModels, type ModelsChange } from "./model-watch.ts";
import type { MonitorState } from "./monitor-state.ts";
import { reachOf, type ProbeOutcome } from "./probe-outcome.ts";
import { SILENT_TICKS } from "./silence.ts";

/** Who is watched, and what is open. */
export interface Members {
  readonly monitors: Readonly<Record<string, MonitorState>>;
  readonly incidents: Readonly<Record<string, Incident>>;
}

/** A configured monitor, as far as its alarms go. */
export interface AlarmConfig extends AlarmRules {
  readonly id: string;
  readonly gatewayId: string;
  readonly expect: readonly string[];
  /** Null: it asks for the list of models. */
  readonly canary: object | null;
}

export interface JudgedProbe {
  /** Judged by history and by the monitoring's own network. */
  readonly outcome: ProbeOutcome;
  /** A window concerned the gateway when it began. */
  readonly inMaintenance: boolean;
}

export interface Moved extends Changes {
  readonly monitor: MonitorState;
}

/**
 * @param members as they were before the probe.
 * @param state the monitor's own, after `applyOutcome`.
 */
export function moveByProbe(
  members: Members,
  state: MonitorState,
  monitor: AlarmConfig,
  { outcome, inMaintenance }: JudgedProbe,
): Moved {
  if (state.pausedAtMs !== null) return { monitor: state, ...NO_CHANGES };
  const incident = incidentOf(members, monitor.id, state);
  const wasFlapping = incident !== null && state.flapping !== null;
  const before = { isOpen: wasFlapping ? state.flapping === "open" : incident !== null };
  const atMs = outcome.startedAtMs;
  const hasVerdict = outcome.diagnosis.health !== "unknown";
  const fails = isFailing(outcome.diagnosis.health);
  const hasFailed = fails && !inMaintenance;
  const isSeen = hasFailed && incident !== null && isLeadsFailure({ members, monitor, outcome }, incident);
  const failsOtherwise =
    isSeen && !isSameMatter(incident.latestFailure?.diagnosis ?? incident, outcome.diagnosis);
  const probe = { atMs, hasVerdict, fails, failsOtherwise, inMaintenance };
  const now = swing(state, { ...before, isFlapping: wasFlapping }, monitor, probe);
  const counts = hasVerdict && !inMaintenance;
  const context = { members, state, monitor, outcome, now, counts, hasFailed, isSeen };
  const step = incident === null ? start(context) : goOn(context, incident);
  const models = watchModels(state.models, outcome, { ...monitor, mayTell: !now.isFlapping, inMaintenance });
  return {
    ...withModels(step, context, models.change),
    monitor: {
      ...state,
      incidentId: step.incidentId,
      swings: now.swings,
      flapping: now.isFlapping ? (now.isOpen ? "open" : "closed") : null,
      models: models.watch,
      modelNotes: noteModels(state.modelNotes, { atMs, count: outcome.modelCount }, models.change),
    },
  };
}

/** Null also where its record is gone, or does not name the monitor. */
export function incidentOf(members: Members, monitorId: string, state: MonitorState): Incident | null {
  const incident = state.incidentId === null ? undefined : members.incidents[state.incidentId];
  return incident && membersOf(incident).includes(monitorId) ? incident : null;
}

interface Context {
  readonly members: Members;
  readonly state: MonitorState;
  readonly monitor: AlarmConfig;
  readonly outcome: ProbeOutcome;
  readonly now: Swing;
  /** The probe had a verdict, and not in maintenance. */
  readonly counts: boolean;
  /** It counts, and failed. */
  readonly hasFailed: boolean;
  /** It is for the incident that the monitor is in to say how this probe failed. */
  readonly isSeen: boolean;
}

type Probe = Pick<Context, "members" | "monitor" | "outcome">;

/** Changes, and the incident that the monitor is in after them. */
interface Step extends Changes {
  readonly incidentId: string | null;
}

/** The monitor had no incident. */
function start(context: Context): Step {
  if (!context.now.isOpen) return { ...NO_CHANGES, incidentId: null };
  const { monitor, outcome } = context;
  const shared = isUnreached(context) ? unreachedOf(context) : null;
  if (shared === null) return opened(context, []);
  return quiet(context, joinIncident(shared, monitor.id, outcome.startedAtMs));
}

/** The monitor was in an incident already. */
function goOn(context: Context, incident: Incident): Step {
  const { now, hasFailed } = context;
  if (now.isFlapping) return flapping(context, incident);
  if (!now.isOpen) return recovered(context, incident);
  return hasFailed ? failing(context, incident) : quiet(context, incident);
}

/** The monitor flaps; what is new in the incident is told all the same, for it may be another's turn. */
function flapping(context: Context, incident: Incident): Step {
  const { monitor, outcome, now, isSeen } = context;
  const { diagnosis, startedAtMs: atMs } = outcome;
  if (leadOf(incident) !== monitor.id) return quiet(context, incident);
  const latest = isSeen ? withFailure(incident, outcome) : incident;
  const isNew = isSeen && now.isOpen && isNewIn(incident, diagnosis);
  const known = isNew ? updateIncident(latest, diagnosis, atMs) : latest;
  if (!incident.flapping && context.counts) {
    return told(context, "flapping", flapIncident(known, monitor.flapping ?? 0, atMs));
  }
  return isNew ? told(context, "cause", known) : quiet(context, known);
}

function failing(context: Context, incident: Incident): Step {
  const { state, monitor, outcome } = context;
  const atMs = outcome.startedAtMs;
  const unreached = isUnreached(context);
  if (incident.unreached && !unreached && membersOf(incident).length > 1) {
    return opened(context, [left(context, incident, "fails for another reason now")]);
  }
  if (!context.isSeen) return quiet(context, incident);
  const seen = { ...withFailure(incident, outcome), unreached };
  const isOther = !isSameMatter(seen, outcome.diagnosis);
  if (seen.flapping && state.failedInARow >= monitor.open) {
    const steady = steadyIncident(seen, state.failingSinceMs, atMs);
    return told(context, "steady", isOther ? updateIncident(steady, outcome.diagnosis, atMs) : steady);
  }
  const isNews = seen.flapping ? isNewIn(seen, outcome.diagnosis) : isOther;
  return isNews
    ? told(context, "cause", updateIncident(seen, outcome.diagnosis, atMs))
    : quiet(context, seen);
}

function recovered(context: Context, incident: Incident): Step {
  if (membersOf(incident).length > 1) {
    return { ...quiet(context, left(context, incident, "works again")), incidentId: null };
  }
  const resolved = resolveIncident(incident, context.outcome.startedAtMs);
  return { ...happened(context, "incident.resolved", null, resolved), incidentId: null };
}

/** @param others that changed at the same time. */
function opened(context: Context, others: readonly Incident[]): Step {
  const { members, state, monitor, outcome, now } = context;
  const atMs = outcome.startedAtMs;
  const subject = { gatewayId: monitor.gatewayId, monitorIds: [monitor.id], name: monitor.id };
  const fresh = {
    ...openIncident(subject, outcome.diagnosis, outcome, atMs),
    unreached: isUnreached(context),
    id: freeId(members, monitor.id, atMs),
    firstFailedAtMs: state.failingSinceMs,
  };
  const incident = now.isFlapping ? flapIncident(fresh, monitor.flapping ?? 0, atMs) : fresh;
  const step = happened(context, "incident.opened", now.isFlapping ? "flapping" : null, incident);
  return { ...step, incidents: [...others, incident] };
}

/** An id carries a second: a monitor that leaves an incident in the second of its opening needs another one. */
function freeId({ incidents }: Members, monitorId: string, atMs: number): string {
  let idMs = atMs;
  while (incidentId(monitorId, idMs) in incidents) idMs += 1000;
  return incidentId(monitorId, idMs);
}

function left({ monitor, outcome }: Context, incident: Incident, how: string): Incident {
  return leaveIncident(
    incident,
    { monitorId: monitor.id, text: `${monitor.id} ${how}.` },
    outcome.startedAtMs,
  );
}

function told(context: Context, reason: "cause" | "flapping" | "steady", incident: Incident): Step {
  return happened(context, "incident.updated", reason, incident);
}

function happened(
  { monitor, outcome }: Context,
  type: IncidentHappening["type"],
  reason: EventReason | null,
  incident: Incident,
): Step {
  const happening = {
    type,
    reason,
    atMs: outcome.startedAtMs,
    gatewayId: monitor.gatewayId,
    monitorId: monitor.id,
    incident,
    diagnosis: outcome.diagnosis,
  };
  return { incidents: [incident], happenings: [happening], isNews: true, incidentId: incident.id };
}

/** What shows in the timeline is news for readers, though nobody is told. */
function quiet({ members }: Context, incident: Incident): Step {
  const before = members.incidents[incident.id];
  return {
    incidents: incident === before ? [] : [incident],
    happenings: [],
    isNews: incident.timeline !== before?.timeline,
    incidentId: incident.id,
  };
}

function withModels(step: Step, { monitor, outcome }: Context, models: ModelsChange | null): Changes {
  const { incidents, happenings, isNews } = step;
  if (models === null) return { incidents, happenings, isNews };
  const happening = {
    type: "models.changed",
    atMs: outcome.startedAtMs,
    gatewayId: monitor.gatewayId,
    monitorId: monitor.id,
    diagnosis: outcome.diagnosis,
    models,
  } as const;
  return { incidents, happenings: [...happenings, happening], isNews };
}

/** Of a failed probe, unless the gateway's own incident says it already. */
function isLeadsFailure(probe: Probe, incident: Incident): boolean {
  if (leadOf(incident) !== probe.monitor.id) return false;
  return incident.unreached || !isUnreached(probe) || unreachedOf(probe) === null;
}

/** The open incident of the gateway that cannot be reached. */
function unreachedOf({ members, monitor }: Probe): Incident | null {
  const open = Object.values(members.incidents);
  return open.find(({ gatewayId, unreached }) => unreached && gatewayId === monitor.gatewayId) ?? null;
}

/** That a generation got no answer in time says nothing of the gateway's other monitors: a canary's incident is its own. */
function isUnreached({ monitor, outcome }: Pick<Probe, "monitor" | "outcome">): boolean {
  return monitor.canary === null && reachOf(outcome.diagnosis) === "unreached";
}

/** What an event tells of a failure: as long as it is the same, nothing is news. */
export type Matter = Pick<KeptDiagnosis, "cause" | "owner" | "health">;

function isSameMatter(a: Matter, b: Matter): boolean {
  return a.cause === b.cause && a.owner === b.owner && a.health === b.health;
}

export interface AlarmRules {
  /** Failed probes in a row that open an incident, and good ones that close it. */
  readonly open: number;
  readonly close: number;
  /** More changes an hour than this are flapping; null: nothing is. */
  readonly flapping: number | null;
}

/** The monitor by its thresholds, whatever is told of it. */
export interface Swing {
  readonly isOpen: boolean;
  readonly isFlapping: boolean;
  readonly swings: readonly number[];
}

export interface SwingProbe {
  readonly atMs: number;
  readonly hasVerdict: boolean;
  readonly fails: boolean;
  /** It brought another cause, owner or health than was last seen, told or not. */
  readonly failsOtherwise: boolean;
  /** What changes in a window is no change here; flapping may end in it. */
  readonly inMaintenance: boolean;
}

/**
 * A change is an opening, a closing, or another failure while it is open. Flapping begins with the change that makes more
 * than `flapping` within an hour, and ends with a verdict at which the last hour has at most half as many; but not with a
 * failed probe while the thresholds say closed, for that would resolve an incident by a failure.
 * @param state with the counters after the probe.
 */
export function swing(
  state: Pick<MonitorState, "failedInARow" | "goodInARow" | "swings">,
  before: { readonly isOpen: boolean; readonly isFlapping: boolean },
  rules: AlarmRules,
  probe: SwingProbe,
): Swing {
  const isOpen = probe.hasVerdict ? byThresholds(state, before.isOpen, rules) : before.isOpen;
  const mayEnd = probe.hasVerdict && (isOpen || !probe.fails);
  if (rules.flapping === null) return { isOpen, isFlapping: before.isFlapping && !mayEnd, swings: [] };
  const isChange = isOpen !== before.isOpen || (isOpen && probe.failsOtherwise);
  const hasChanged = isChange && !probe.inMaintenance;
  const swings = (hasChanged ? [...state.swings, probe.atMs] : state.swings)
    // A clock that was set back leaves changes in the future.
    .filter((atMs) => atMs <= probe.atMs && atMs > probe.atMs - HOUR_MS)
    // The newest decide: older ones would make them no fewer.
    .slice(-(rules.flapping + 1));
  const isFlapping = before.isFlapping
    ? swings.length * 2 > rules.flapping || !mayEnd
    : hasChanged && swings.length > rules.flapping;
  return { isOpen, isFlapping, swings };
}

function byThresholds(
  { failedInARow, goodInARow }: Pick<MonitorState, "failedInARow" | "goodInARow">,
  wasOpen: boolean,
  { open, close }: AlarmRules,
): boolean {
  return wasOpen ? goodInARow < close : failedInARow >= open;
}

export interface ReminderRule {
  /** Null: never. */
  readonly remindEveryMs: number | null;
  readonly inMaintenance: boolean;
  readonly isSeenFailing: boolean;
}

/**
 * Its last probe failed, and the next is not so late that what it saw may be over.
 * @param heldUntilMs the gateway asked for no probe before this instant.
 */
export function isSeenFailing(
  { health, nextDueMs }: Pick<MonitorState, "health" | "nextDueMs">,
  heldUntilMs: number,
  { nowMs, tickIntervalMs }: { readonly nowMs: number; readonly tickIntervalMs: number },
): boolean {
  const lateMs = nowMs - Math.max(nextDueMs, heldUntilMs);
  return isFailing(health) && lateMs < SILENT_TICKS * tickIntervalMs;
}

/**
 * Called at each tick.
 * @param ruleOf by the monitor that leads the incident; null: there is no such monitor. The monitoring's own incident has
 *   no lead, and no reminders.
 */
export function remind(
  incidents: Readonly<Record<string, Incident>>,
  ruleOf: (monitorId: string) => ReminderRule | null,
  nowMs: number,
): Changes {
  const due = Object.values(incidents).filter((incident) => isDue(incident, ruleOf, nowMs));
  const happenings = due.map((incident) => reminder(incident, nowMs));
  return { incidents: happenings.map(({ incident }) => incident), happenings, isNews: false };
}

function reminder(before: Incident, atMs: number): IncidentHappening {
  const incident: Incident = { ...before, toldAtMs: atMs };
  return {
    type: "incident.updated",
    reason: "reminder",
    atMs,
    gatewayId: incident.gatewayId,
    monitorId: null,
    incident,
    diagnosis: incident.latestFailure?.diagnosis ?? null,
  };
}

function isDue(
  incident: Incident,
  ruleOf: (monitorId: string) => ReminderRule | null,
  nowMs: number,
): boolean {
  const lead = leadOf(incident);
  const rule = lead === null ? null : ruleOf(lead);
  if (rule === null || rule.remindEveryMs === null || rule.inMaintenance || !rule.isSeenFailing) return false;
  if (incident.acknowledgedAtMs !== null || incident.resolvedAtMs !== null) return false;
  // A clock that ran ahead and came back must not silence it for as long.
  return Math.abs(nowMs - (incident.toldAtMs ?? incident.openedAtMs)) >= rule.remindEveryMs;
}
