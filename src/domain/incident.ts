/**
 * Incidents: a stretch in which monitors failed, each change that one can undergo, its timeline and the notes of
 * people. When it changes is decided in incident-rules.ts. Pure.
 */
import type { Cause, Health, KeptDiagnosis, Owner } from "../protocol/diagnosis.ts";
import { instant, timeWords } from "./calendar.ts";
import type { Matter } from "./incident-rules.ts";
import { reachOf, type ProbeOutcome } from "./probe-outcome.ts";

export interface Incident {
  readonly id: string;
  /** Null where the incident is the monitoring's own. */
  readonly gatewayId: string | null;
  /** All that it ever concerned, in the order in which they came. */
  readonly monitorIds: readonly string[];
  /** Those that are still in it; the first of them leads. Null in records older than the field: all. See `membersOf`. */
  readonly memberIds: readonly string[] | null;
  /** What was last told, as `owner` and `health`. */
  readonly cause: Cause;
  readonly owner: Owner;
  readonly health: Health;
  /** The gateway cannot be reached: other monitors of it that cannot either join instead of opening their own. */
  readonly unreached: boolean;
  /**
   * Its lead changed so often that nothing is told but reminders and what is new in it (see `isNewIn`), until it is seen
   * to fail steadily.
   */
  readonly flapping: boolean;
  /** The first of the failures in a row that opened it; null where that is not known. */
  readonly firstFailedAtMs: number | null;
  readonly openedAtMs: number;
  readonly resolvedAtMs: number | null;
  /** When anything was last told about it; null in records older than the field. */
  readonly toldAtMs: number | null;
  /** A person has seen it: it is reminded of no more. */
  readonly acknowledgedAtMs: number | null;
  readonly timeline: readonly TimelineEntry[];
  readonly notes: readonly { readonly atMs: number; readonly text: string }[];
  /** What the reports `<incident>-1` and `<incident>-2` tell; null where the incident is the monitoring's own. */
  readonly firstFailure: ProbeOutcome | null;
  readonly latestFailure: ProbeOutcome | null;
}

/** The monitors that are in it now. */
export function membersOf({ memberIds, monitorIds }: Incident): readonly string[] {
  return memberIds ?? monitorIds;
}

/** The monitor whose causes it tells; null: it has no member. */
export function leadOf(incident: Incident): string | null {
  return membersOf(incident)[0] ?? null;
}

/**
 * The id carries the UTC second of the opening, so that an archive can be searched by it. The dot stands in no id of
 * a gateway or a monitor: two monitors never share an incident's id.
 */
export function incidentId(monitorId: string, atMs: number): string {
  const stamp = instant(atMs).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase();
  return `${monitorId.replaceAll("/", ".")}-${stamp}z`;
}

/** The gateway with which the incident opened, whatever it is called since; null: it is the monitoring's own. */
export function gatewayAtOpening(id: string): string | null {
  const [gateway = id, ...more] = id.split(".");
  return more.length === 0 ? null : gateway;
}

/** The instant that an incident's id carries; null for anything else. */
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
  return {
    id: incidentId(subject.name, atMs),
    gatewayId: subject.gatewayId,
    monitorIds: subject.monitorIds,
    memberIds: subject.monitorIds,
    cause: diagnosis.cause,
    owner: diagnosis.owner,
    health: diagnosis.health,
    unreached: subject.gatewayId !== null && reachOf(diagnosis) === "unreached",
    flapping: false,
    firstFailedAtMs: null,
    openedAtMs: atMs,
    resolvedAtMs: null,
    toldAtMs: atMs,
    acknowledgedAtMs: null,
    timeline: [failingEntry("opened", diagnosis, atMs)],
    notes: [],
    firstFailure: failure,
    latestFailure: failure,
  };
}

export function updateIncident(incident: Incident, diagnosis: KeptDiagnosis, atMs: number): Incident {
  return {
    ...incident,
    cause: diagnosis.cause,
    owner: diagnosis.owner,
    health: diagnosis.health,
    toldAtMs: atMs,
    timeline: withEntry(incident.timeline, failingEntry("updated", diagnosis, atMs)),
  };
}

/** Whether such a cause, such an owner or such a health was never told of it: who is to act may know of nothing yet. */
export function isNewIn(incident: Incident, { cause, owner, health }: Matter): boolean {
  const told = [incident, ...incident.timeline];
  return !(
    told.some((before) => before.cause === cause) &&
    told.some((before) => before.owner === owner) &&
    told.some((before) => before.health === health)
  );
}

/** The latest failure, whether or not it changed anything. */
export function withFailure(incident: Incident, failure: ProbeOutcome): Incident {
  return { ...incident, latestFailure: failure };
}

/** @param changes an hour that are allowed; there were more. */
export function flapIncident(incident: Incident, changes: number, atMs: number): Incident {
  const text = `More than ${changes} changes within an hour: until it is steady, nothing is told but reminders and what is new.`;
  return { ...noted(incident, "flapping", text, atMs), flapping: true, toldAtMs: atMs };
}

/** @param failingSinceMs the first of the failures in a row; null: not known. */
export function steadyIncident(incident: Incident, failingSinceMs: number | null, atMs: number): Incident {
  const since = failingSinceMs === null ? "" : `: each check since ${timeWords(failingSinceMs)} failed`;
  const text = `It is steady again, and goes on${since}.`;
  return { ...noted(incident, "steady", text, atMs), flapping: false, toldAtMs: atMs };
}

export function joinIncident(incident: Incident, monitorId: string, atMs: number): Incident {
  const { monitorIds } = incident;
  return {
    ...noted(incident, "joined", `${monitorId} does not reach the gateway either.`, atMs),
    monitorIds: monitorIds.includes(monitorId) ? monitorIds : [...monitorIds, monitorId],
    memberIds: [...membersOf(incident), monitorId],
  };
}

/**
 * Without one of several members; the next leads where the lead is gone. Who was told that it flaps waits for word of it:
 * that ends when the next lead is seen to fail steadily. Where that one flaps, its next probe tells.
 */
export function leaveIncident(
  incident: Incident,
  leaving: { readonly monitorId: string; readonly text: string },
  atMs: number,
): Incident {
  const memberIds = membersOf(incident).filter((id) => id !== leaving.monitorId);
  return { ...noted(incident, "left", leaving.text, atMs), memberIds };
}

const ENDINGS = {
  resolved: "The last probes succeeded.",
  removed: "The monitor was removed from the configuration.",
  paused: "The monitor was paused.",
} as const;

export function resolveIncident(incident: Incident, atMs: number): Incident {
  return endIncident(incident, "resolved", atMs);
}

/** With its last member. `removed` and `paused`: that it recovered was never seen. */
export function endIncident(
  incident: Incident,
  how: keyof typeof ENDINGS,
  atMs: number,
  text: string = ENDINGS[how],
): Incident {
  const entry = { atMs, type: how, cause: incident.cause, text, ...NO_FAILURE };
  return {
    ...incident,
    memberIds: [],
    flapping: false,
    resolvedAtMs: atMs,
    toldAtMs: atMs,
    timeline: withEntry(incident.timeline, entry),
  };
}

/** An entry that changes nothing of who fails, and why. */
function noted(incident: Incident, type: TimelineType, text: string, atMs: number): Incident {
  const { cause, health, owner } = incident;
  const sent = incident.timeline.findLast((entry) => entry.sent !== null)?.sent ?? null;
  const entry = { atMs, type, cause, text, health, owner, sent };
  return { ...incident, timeline: withEntry(incident.timeline, entry) };
}

export const TIMELINE_TYPES = [
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
/**
 * `joined` and `left`: another monitor of the gateway. `steady`: it flaps no more, and goes on. `resolved`, `removed` and
 * `paused` end it; only the first of them says that it was seen to be over.
 */
export type TimelineType = (typeof TIMELINE_TYPES)[number];

export interface TimelineEntry {
  readonly atMs: number;
  readonly type: TimelineType;
  readonly cause: Cause;
  readonly text: string;
  /** As it was from then on; null where nothing failed any more, and in records older than the field. */
  readonly health: Health | null;
  /** Who had to act from then on; null as `health`. */
  readonly owner: Owner | null;
  /** Was a request sent at all? Null as `health`. */
  readonly sent: boolean | null;
}

function failingEntry(type: "opened" | "updated", diagnosis: KeptDiagnosis, atMs: number): TimelineEntry {
  const { cause, advice, health, owner, ok, layer } = diagnosis;
  return { atMs, type, cause, text: advice, health, owner, sent: ok || layer !== null };
}

/** Nothing failed from then on, as far as anybody looked. */
const NO_FAILURE = { health: null, owner: null, sent: null } as const;

/** A cause that changes at every probe must not grow the incident without bound: the oldest changes go first. */
const LONGEST_TIMELINE = 40;

/**
 * The opening stays, and so does each cause, each owner and each health that ever was: who was told of it then is told of
 * its end. There are fewer of them than entries.
 */
function withEntry(timeline: readonly TimelineEntry[], entry: TimelineEntry): readonly TimelineEntry[] {
  const entries = [...timeline, entry];
  while (entries.length > LONGEST_TIMELINE) {
    const spare = entries.findIndex((_, index) => index > 0 && isSpare(entries, index));
    entries.splice(Math.max(spare, 1), 1);
  }
  return entries;
}

function isSpare(entries: readonly TimelineEntry[], index: number): boolean {
  const others = entries.filter((_, other) => other !== index);
  const entry = entries[index];
  return (
    others.some(({ cause }) => cause === entry?.cause) &&
    others.some(({ owner }) => owner === entry?.owner) &&
    others.some(({ health }) => health === entry?.health)
  );
}

export const MAX_NOTES = 20;
/** In characters, not in UTF-16 units. */
export const MAX_NOTE_LENGTH = 500;

/** The first time counts. */
export function acknowledgeIncident(incident: Incident, atMs: number): Incident {
  return incident.acknowledgedAtMs === null ? { ...incident, acknowledgedAtMs: atMs } : incident;
}

/**
 * Spaces around the text are dropped; nothing is ever cut.
 * @param note its text has 1 to `MAX_NOTE_LENGTH` characters, as the entrance has made sure.
 * @returns null: the incident has as many as it may have.
 */
export function addNote(
  incident: Incident,
  note: { readonly atMs: number; readonly text: string },
): Incident | null {
  if (incident.notes.length >= MAX_NOTES) return null;
  return { ...incident, notes: [...incident.notes, { atMs: note.atMs, text: note.text.trim() }] };
}
