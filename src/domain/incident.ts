/**
 * Incidents: a stretch in which a monitor failed, from the probe that made it certain to the one that ended it. Pure.
 */
import type { Cause, Diagnosis, Health, Owner } from "../protocol/diagnosis.ts";
import { instant } from "./calendar.ts";
import type { MonitorState } from "./monitor-state.ts";
import type { ProbeOutcome } from "./probe-outcome.ts";

export type TimelineType = "opened" | "updated" | "resolved" | "removed";

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

export interface Incident {
  readonly id: string;
  /** Null where the incident is the monitoring's own. */
  readonly gatewayId: string | null;
  readonly monitorIds: readonly string[];
  readonly cause: Cause;
  readonly owner: Owner;
  readonly health: Health;
  /** The first of the failures in a row that opened it; null where that is not known. */
  readonly firstFailedAtMs: number | null;
  readonly openedAtMs: number;
  readonly resolvedAtMs: number | null;
  readonly timeline: readonly TimelineEntry[];
  readonly notes: readonly { readonly atMs: number; readonly text: string }[];
  /** What the reports `<incident>-1` and `<incident>-2` tell; null where the incident is the monitoring's own. */
  readonly firstFailure: ProbeOutcome | null;
  readonly latestFailure: ProbeOutcome | null;
}

export interface Thresholds {
  readonly open: number;
  readonly close: number;
}

export type IncidentChange = "open" | "update" | "resolve" | "none";

/**
 * When the failures in a row began that a failure now goes on with.
 * @param before the monitor's state before it; null where that does not tell.
 */
export function firstFailureMs(before: MonitorState, atMs: number): number | null {
  if (before.failedInARow === 0) return atMs;
  // Of several, the first may have had another health, and `sinceMs` is when the present one began.
  return before.failedInARow === 1 && before.health !== "unknown" ? before.sinceMs : null;
}

/** What the monitor's state after a probe means for its incident. */
export function incidentChange(
  state: MonitorState,
  open: Incident | null,
  thresholds: Thresholds,
): IncidentChange {
  if (state.health === "unknown" || state.diagnosis === null) return "none";
  if (open === null) return state.failedInARow >= thresholds.open ? "open" : "none";
  if (state.goodInARow >= thresholds.close) return "resolve";
  const changed = open.cause !== state.diagnosis.cause || open.health !== state.health;
  return state.failedInARow > 0 && changed ? "update" : "none";
}

/**
 * The id carries the UTC second of the opening, so that an archive can be searched by it. The dot stands in no id of
 * a gateway or a monitor: two monitors never share an incident's id.
 */
export function incidentId(monitorId: string, atMs: number): string {
  const stamp = instant(atMs).slice(0, 19).replaceAll(/[-:]/gu, "").toLowerCase();
  return `${monitorId.replaceAll("/", ".")}-${stamp}z`;
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
  diagnosis: Diagnosis,
  failure: ProbeOutcome | null,
  atMs: number,
): Incident {
  return {
    id: incidentId(subject.name, atMs),
    gatewayId: subject.gatewayId,
    monitorIds: subject.monitorIds,
    cause: diagnosis.cause,
    owner: diagnosis.owner,
    health: diagnosis.health,
    firstFailedAtMs: null,
    openedAtMs: atMs,
    resolvedAtMs: null,
    timeline: [failingEntry("opened", diagnosis, atMs)],
    notes: [],
    firstFailure: failure,
    latestFailure: failure,
  };
}

export function updateIncident(incident: Incident, diagnosis: Diagnosis, atMs: number): Incident {
  return withEntry(
    { ...incident, cause: diagnosis.cause, owner: diagnosis.owner, health: diagnosis.health },
    failingEntry("updated", diagnosis, atMs),
  );
}

function failingEntry(type: "opened" | "updated", diagnosis: Diagnosis, atMs: number): TimelineEntry {
  const { cause, advice, health, owner, ok, layer } = diagnosis;
  return { atMs, type, cause, text: advice, health, owner, sent: ok || layer !== null };
}

/** The latest failure, whether or not it changed anything. */
export function withFailure(incident: Incident, failure: ProbeOutcome): Incident {
  return { ...incident, latestFailure: failure };
}

export function resolveIncident(incident: Incident, atMs: number): Incident {
  return withEntry(
    { ...incident, resolvedAtMs: atMs },
    { atMs, type: "resolved", cause: incident.cause, text: "The last probes succeeded.", ...NO_FAILURE },
  );
}

/** The monitor left the configuration: nobody will ever see it recover. */
export function removeIncident(incident: Incident, atMs: number): Incident {
  return withEntry(
    { ...incident, resolvedAtMs: atMs },
    {
      atMs,
      type: "removed",
      cause: incident.cause,
      text: "The monitor was removed from the configuration.",
      ...NO_FAILURE,
    },
  );
}

const NO_FAILURE = { health: null, owner: null, sent: null } as const;

/** A cause that changes at every probe must not grow the incident without bound: the oldest changes go first. */
const LONGEST_TIMELINE = 40;

function withEntry(incident: Incident, entry: TimelineEntry): Incident {
  const [opened, ...later] = [...incident.timeline, entry];
  const kept = later.slice(-(LONGEST_TIMELINE - 1));
  return { ...incident, timeline: opened === undefined ? kept : [opened, ...kept] };
}
