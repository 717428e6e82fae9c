/** Incidents, their changes, and the events that report them. `incident-rules.ts` says when they change. Pure. */
import * as z from "zod/mini";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { HOUR_MS, instant, timeWords } from "./calendar.ts";
import type { ModelsChange } from "./model-watch.ts";
import { gatewayOf } from "./monitor-state.ts";
import { NETWORK_CAUSES, type ProbeOutcome } from "./probe-outcome.ts";
import { objectOnce } from "./schema.ts";
import {
  type Stored,
  causeSchema,
  healthSchema,
  instantMs,
  outcomeSchema,
  ownerSchema,
  text as textSchema,
} from "./stored.ts";

/** `joined`, `left`: another monitor. `steady`: it fails without flapping. Of those that end it, only `resolved` saw a recovery. */
const TIMELINE_TYPES = [
  "opened",
  "updated",
  "joined",
  "left",
  "flapping",
  "steady",
  "resolved",
  "removed",
  "paused",
] as const;

const entrySchema = objectOnce(() => ({
  atMs: instantMs(),
  type: z.enum(TIMELINE_TYPES),
  cause: causeSchema(),
  text: z.string(),
  /** Its health from then on; null: nothing fails any more. */
  health: z.nullable(healthSchema()),
  /** Its owner from then on; null as `health`. */
  owner: z.nullable(ownerSchema()),
  /** Was a request sent at all? Null as `health`. */
  sent: z.nullable(z.boolean()),
  /** Only pages show it: no message was sent. */
  pageOnly: z.optional(z.boolean()),
}));
export type TimelineEntry = Stored<typeof entrySchema>;

/** What people did about it, not what happened to it. */
const actionSchema = objectOnce(() => ({
  atMs: instantMs(),
  type: z.enum(["acknowledged", "silenced", "checked"]),
  /** The name that the person gave; null: none. */
  by: textSchema(),
  /** Of `silenced`: null until it is resolved. */
  untilMs: z.nullable(instantMs()),
}));
export type IncidentAction = Stored<typeof actionSchema>;

export const incidentSchema = objectOnce(() => ({
  id: z.string(),
  /** That of the lead, as others with the same provider may join it. Null: the incident is the monitoring's own. */
  gatewayId: z.nullable(z.string()),
  /** All its members ever, in the order in which they joined. */
  monitorIds: z.array(z.string()),
  /** Its present members, or its last one; the first leads. */
  memberIds: z.array(z.string()),
  /** As the lead failed last; so are `owner` and `health`. */
  cause: causeSchema(),
  owner: ownerSchema(),
  health: healthSchema(),
  /** It opened and closed so often that only reminders are sent until it fails steadily. */
  flapping: z.boolean(),
  /** The first of the failures in a row that opened it; null where that is not known. */
  firstFailedAtMs: z.nullable(instantMs()),
  openedAtMs: instantMs(),
  resolvedAtMs: z.nullable(instantMs()),
  toldAtMs: instantMs(),
  /** When someone acknowledged it, which stops reminders. */
  acknowledgedAtMs: z.nullable(instantMs()),
  timeline: z.array(entrySchema()),
  /** Oldest first. The instant of a note is its id, so no two are equal. */
  notes: z.array(z.object({ atMs: instantMs(), text: z.string(), isPublic: z._default(z.boolean(), true) })),
  /** Oldest first. */
  actions: z._default(z.array(actionSchema()), () => []),
  /** What the reports `<incident>-1` and `<incident>-2` show; null: the incident is the monitoring's own. */
  firstFailure: z.nullable(outcomeSchema()),
  latestFailure: z.nullable(outcomeSchema()),
}));
export type Incident = Stored<typeof incidentSchema>;

export function isProviders({ owner }: Pick<Matter, "owner">): boolean {
  return owner === "upstream";
}

export function gatewaysIn(monitorIds: readonly string[]): readonly string[] {
  return [...new Set(monitorIds.map(gatewayOf))];
}

/** The monitor whose causes it shows; null: it has no member. */
export function leadOf({ memberIds }: Incident): string | null {
  return memberIds[0] ?? null;
}

/** Archives are searched by the second in it. Ids of gateways and monitors have no dot, so that no two incidents share an id. */
export function incidentId(monitorId: string, atMs: number): string {
  const stamp = instant(atMs).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase();
  return `${monitorId.replaceAll("/", ".")}-${stamp}z`;
}

/** The gateway that the incident opened with, by its id of that time; null: it is the monitoring's own. */
export function gatewayAtOpening(id: string): string | null {
  const [gateway = id, ...more] = id.split(".");
  return more.length === 0 ? null : gateway;
}

export function openedAtOf(id: string): number | null {
  const stamp = /-(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)z$/u.exec(id);
  if (stamp === null) return null;
  const [, year, month, day, hour, minute, second] = stamp;
  const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

export function openIncident(
  subject: { gatewayId: string | null; monitorIds: readonly string[]; name: string },
  diagnosis: KeptDiagnosis,
  failure: ProbeOutcome | null,
  atMs: number,
): Incident {
  const { cause, owner, health, advice } = diagnosis;
  const incident: Incident = {
    id: incidentId(subject.name, atMs),
    gatewayId: subject.gatewayId,
    monitorIds: subject.monitorIds,
    memberIds: subject.monitorIds,
    cause,
    owner,
    health,
    flapping: false,
    firstFailedAtMs: null,
    openedAtMs: atMs,
    resolvedAtMs: null,
    toldAtMs: atMs,
    acknowledgedAtMs: null,
    timeline: [],
    notes: [],
    actions: [],
    firstFailure: failure,
    latestFailure: failure,
  };
  return withEntry(incident, { type: "opened", text: advice, atMs }, wasSent(diagnosis));
}

/** @param isReported whether a message says so. */
export function updateIncident(
  incident: Incident,
  diagnosis: KeptDiagnosis,
  atMs: number,
  isReported: boolean,
): Incident {
  const { cause, owner, health, advice } = diagnosis;
  const updated = { ...incident, cause, owner, health, toldAtMs: isReported ? atMs : incident.toldAtMs };
  const entry = { type: "updated", text: advice, atMs, ...(!isReported && { pageOnly: true }) } as const;
  return withEntry(updated, entry, wasSent(diagnosis));
}

/** What was the matter when it was last sent. */
export function lastReported({
  timeline,
  ...incident
}: Incident): Pick<TimelineEntry, "cause" | "owner" | "health"> {
  return timeline.findLast(isReport) ?? incident;
}

/** Whether a message said what was the matter then. */
function isReport({ type, pageOnly }: TimelineEntry): boolean {
  return (type === "opened" || type === "updated") && pageOnly !== true;
}

/** What a reader must know of a failure. */
export type Matter = Pick<KeptDiagnosis, "cause" | "owner" | "health">;

export function isSameMatter(a: Matter, b: Pick<TimelineEntry, keyof Matter>): boolean {
  return a.cause === b.cause && a.owner === b.owner && a.health === b.health;
}

/** Whether a failure is that of the incident. One that several gateways had is their provider's. */
export function belongs(incident: Incident, matter: Matter): boolean {
  const isShared = isProviders(incident) && gatewaysIn(incident.monitorIds).length > 1;
  return isShared ? isProviders(matter) : failsLike(incident, matter);
}

/** As last sent, or as its lead failed last. That a gateway cannot be reached shows in several ways. */
function failsLike(incident: Incident, matter: Matter): boolean {
  return [incident, incident.latestFailure?.diagnosis ?? incident].some(
    (of) => isSameMatter(of, matter) || (NETWORK_CAUSES.has(of.cause) && NETWORK_CAUSES.has(matter.cause)),
  );
}

/** Causes that take turns are sent once an hour each. */
export function wasReportedLately({ timeline }: Incident, matter: Matter, atMs: number): boolean {
  return timeline.some(
    (entry) => isReport(entry) && isSameMatter(matter, entry) && Math.abs(atMs - entry.atMs) < HOUR_MS,
  );
}

/** @param changes how many an hour are allowed. */
export function flapIncident(incident: Incident, changes: number, atMs: number): Incident {
  const text = `More than ${changes} changes within an hour: until it is steady, only reminders are sent.`;
  return withEntry({ ...incident, flapping: true, toldAtMs: atMs }, { type: "flapping", text, atMs });
}

/** @param failingSinceMs the first of the failures in a row; null: not known. */
export function steadyIncident(incident: Incident, failingSinceMs: number | null, atMs: number): Incident {
  const since = failingSinceMs === null ? "" : `: each check since ${timeWords(failingSinceMs)} failed`;
  const text = `No longer flapping, but still failing${since}.`;
  return withEntry({ ...incident, flapping: false, toldAtMs: atMs }, { type: "steady", text, atMs });
}

/** @param how it fails: `fails in the same way`. */
export function joinIncident(incident: Incident, monitorId: string, how: string, atMs: number): Incident {
  const monitorIds = [...new Set([...incident.monitorIds, monitorId])];
  const memberIds = [...incident.memberIds, monitorId];
  return withEntry(
    { ...incident, monitorIds, memberIds },
    { type: "joined", text: `${monitorId} ${how}.`, atMs },
  );
}

/** If it was the first member, the next one takes its place. @param how it left: `works again`. */
export function leaveIncident(incident: Incident, monitorId: string, how: string, atMs: number): Incident {
  const memberIds = incident.memberIds.filter((id) => id !== monitorId);
  const [gatewayId = incident.gatewayId] = gatewaysIn(memberIds);
  // What another gateway failed with may hold its private address, and only the lead's is removed.
  const failures = gatewayId === incident.gatewayId ? {} : { firstFailure: null, latestFailure: null };
  return withEntry(
    { ...incident, memberIds, gatewayId, ...failures },
    { type: "left", text: `${monitorId} ${how}.`, atMs },
  );
}

const ENDINGS = {
  resolved: "The last probes succeeded.",
  removed: "The monitor was removed from the configuration.",
  paused: "The monitor was paused.",
} as const;

export function endIncident(
  incident: Incident,
  type: keyof typeof ENDINGS,
  atMs: number,
  text: string = ENDINGS[type],
): Incident {
  const ended = { ...incident, flapping: false, resolvedAtMs: atMs, toldAtMs: atMs };
  return withEntry(ended, { type, text, atMs });
}

function wasSent({ ok, layer }: KeptDiagnosis): boolean {
  return ok || layer !== null;
}

/** @param sent default: as before; ignored when it is over. */
function withEntry(
  incident: Incident,
  entry: Pick<TimelineEntry, "type" | "text" | "atMs" | "pageOnly">,
  sent = incident.timeline.findLast((before) => before.sent !== null)?.sent ?? null,
): Incident {
  const { cause, health, owner, timeline, resolvedAtMs } = incident;
  const failing = resolvedAtMs === null ? { health, owner, sent } : { health: null, owner: null, sent: null };
  return { ...incident, timeline: bounded([...timeline, { ...entry, cause, ...failing }]) };
}

/** If the cause changes at every probe, the oldest changes are dropped. */
const LONGEST_TIMELINE = 40;

/** Keeps the opening, and each cause, owner and health: a channel that heard of one must hear of the end. */
function bounded(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const entries = [...timeline];
  while (entries.length > LONGEST_TIMELINE) {
    const isSpareAt = (one: TimelineEntry, index: number): boolean => index > 0 && isSpare(one, entries);
    const pageOnly = entries.findIndex((one, index) => one.pageOnly === true && isSpareAt(one, index));
    entries.splice(pageOnly > 0 ? pageOnly : Math.max(entries.findIndex(isSpareAt), 1), 1);
  }
  return entries;
}

function isSpare(entry: TimelineEntry, entries: readonly TimelineEntry[]): boolean {
  const told = ["cause", "owner", "health"] as const;
  return told.every((name) => entries.some((other) => other !== entry && other[name] === entry[name]));
}

export const MAX_NOTES = 20;
/** In characters, not in UTF-16 units. */
export const MAX_NOTE_LENGTH = 500;

/** The first time counts. */
export function acknowledgeIncident(incident: Incident, by: string | null, atMs: number): Incident {
  if (incident.acknowledgedAtMs !== null) return incident;
  const action = { type: "acknowledged", by, atMs, untilMs: null } as const;
  return { ...withAction(incident, action), acknowledgedAtMs: atMs };
}

const MOST_ACTIONS = 40;

/** The oldest check goes first: a silence among the actions holds. */
export function withAction(incident: Incident, action: IncidentAction): Incident {
  const actions = [...incident.actions, action];
  if (actions.length <= MOST_ACTIONS) return { ...incident, actions };
  const oldest = actions.findIndex(({ type }) => type === "checked");
  return { ...incident, actions: actions.toSpliced(Math.max(oldest, 0), 1) };
}

/** When the latest silence ends; infinity: when the incident is resolved. Null: nobody silenced it. */
export function silentUntilMs({ actions }: Pick<Incident, "actions">): number | null {
  const silence = actions.findLast(({ type }) => type === "silenced");
  return silence ? (silence.untilMs ?? Number.POSITIVE_INFINITY) : null;
}

/** @returns null: it already has as many notes as it may have. */
export function addNote(incident: Incident, note: Incident["notes"][number]): Incident | null {
  const { notes } = incident;
  if (notes.length >= MAX_NOTES) return null;
  const atMs = Math.max(note.atMs, (notes.at(-1)?.atMs ?? 0) + 1);
  return { ...incident, notes: [...notes, { ...note, atMs, text: note.text.trim() }] };
}

/** @returns null: there is no such note. */
export function deleteNote(incident: Incident, atMs: number): Incident | null {
  const notes = incident.notes.filter((note) => note.atMs !== atMs);
  return notes.length === incident.notes.length ? null : { ...incident, notes };
}

export interface IncidentHappening {
  readonly type: "incident.opened" | "incident.updated" | "incident.resolved";
  readonly reason: EventReason | null;
  readonly atMs: number;
  /** The monitor that brought it, by a probe or by leaving; null: none did. */
  readonly monitorId: string | null;
  /** After the change. */
  readonly incident: Incident;
  /** Of the probe that brought it; null: none did. */
  readonly diagnosis: KeptDiagnosis | null;
}

export interface ModelsHappening {
  readonly type: "models.changed";
  readonly atMs: number;
  readonly gatewayId: string;
  readonly monitorId: string;
  readonly diagnosis: KeptDiagnosis | null;
  readonly models: ModelsChange;
}

export interface SilenceHappening {
  readonly type: "monitoring.stalled" | "monitoring.resumed";
  readonly atMs: number;
  /** The last tick before the silence; null where the clock was set back behind it. */
  readonly lastTickMs: number | null;
}

export interface PausesHappening {
  readonly type: "pauses.reminder";
  readonly atMs: number;
  readonly pauses: readonly LastingPause[];
}

/** As its reader gets it: a monitor that a person paused, until when (null: until it is resumed), and the person's name. */
export const pauseSchema = objectOnce(() => ({
  monitor: z.string(),
  sinceMs: instantMs(),
  untilMs: z.nullable(instantMs()),
  by: textSchema(),
}));
export type LastingPause = Stored<typeof pauseSchema>;

export type Happening = IncidentHappening | ModelsHappening | SilenceHappening | PausesHappening;

/** What a step of the rules changed, and the events that report it. */
export interface Transition {
  /** New and changed ones, each once; one with `resolvedAtMs` is no longer open. */
  readonly incidents: readonly Incident[];
  /** In the order in which they are reported. */
  readonly happenings: readonly Happening[];
  /** Readers should see it soon. */
  readonly isNews: boolean;
}

export function tell(incident: Incident, told: Omit<IncidentHappening, "atMs" | "incident">): Transition {
  const happening = { ...told, atMs: incident.toldAtMs, incident };
  return { incidents: [incident], happenings: [happening], isNews: true };
}

export const NO_CHANGES: Transition = { incidents: [], happenings: [], isNews: false };

export type OpenIncidents = Readonly<Record<string, Incident>>;

/** The incidents that are open after the changes (the very same record where none changed), and those that ended. */
export function applyChanges(
  open: OpenIncidents,
  changes: Pick<Transition, "incidents">,
): { readonly incidents: OpenIncidents; readonly resolved: readonly Incident[] } {
  const resolved = changes.incidents.filter(({ resolvedAtMs }) => resolvedAtMs !== null);
  if (changes.incidents.length === 0) return { incidents: open, resolved };
  const incidents = { ...open };
  for (const incident of changes.incidents) incidents[incident.id] = incident;
  for (const { id } of resolved) delete incidents[id];
  return { incidents, resolved };
}

export const HAPPENING_TYPES = [
  "incident.opened",
  "incident.updated",
  "incident.resolved",
  "models.changed",
  "monitoring.stalled",
  "monitoring.resumed",
  "pauses.reminder",
] as const;

/** `test` is sent by a person, to the channels that the person names. */
export const EVENT_TYPES = [...HAPPENING_TYPES, "test"] as const;

export const EVENT_REASONS = ["cause", "reminder", "flapping", "steady", "removed", "paused"] as const;
/** Why an incident is reported again, or how it ended; null: the type says it all. */
export type EventReason = (typeof EVENT_REASONS)[number];
