/**
 * Incidents, with an update for each entry of the timeline, each note and that it was seen. Pure.
 */
import { worstHealth } from "../domain/health.ts";
import {
  compareInstants,
  failedSince,
  type IncidentDocument,
  type TimelineEntryDocument,
} from "../history/documents.ts";
import type { Health } from "../protocol/diagnosis.ts";
import { latest } from "./statuspage-components.ts";
import {
  type AffectedComponent,
  type Component,
  type ComponentStatus,
  type Incident,
  type IncidentStatus,
  type Update,
  updateOf,
} from "./statuspage-shapes.ts";
import { COMPONENT_STATUS } from "./statuspage-standing.ts";

/** What incidents refer to. */
export interface Known {
  readonly pageId: string;
  readonly baseUrl: string;
  /** By each id that a monitor has or had, with its name as it is told by itself. */
  readonly monitors: ReadonlyMap<string, { readonly component: Component; readonly fullName: string }>;
  readonly gatewayNames: ReadonlyMap<string, string>;
}

export function incidentOf(incident: IncidentDocument, known: Known): Incident {
  const { id, openedAt, resolvedAt, acknowledgedAt } = incident;
  const updates = updatesOf(incident, known);
  const healths = incident.timeline.flatMap(({ health }) => health ?? []);
  return {
    id,
    name: nameOf(incident, known),
    status: statusAt(incident, resolvedAt ?? acknowledgedAt ?? openedAt),
    created_at: openedAt,
    updated_at: latest([openedAt, ...updates.map(({ created_at }) => created_at)]) ?? openedAt,
    monitoring_at: null,
    resolved_at: resolvedAt,
    impact: IMPACTS[worstHealth([incident.health, ...healths])],
    shortlink: `${known.baseUrl}/incidents/${encodeURIComponent(id)}`,
    started_at: failedSince(incident),
    page_id: known.pageId,
    incident_updates: updates,
    components: componentsOf(incident, known),
  };
}

/** What is blocked is nobody's outage. */
const IMPACTS = {
  down: "major",
  blocked: "minor",
  degraded: "minor",
  unknown: "minor",
  up: "none",
} as const satisfies Record<Health, Incident["impact"]>;

const HEALTH_WORDS = {
  down: "Down",
  blocked: "Blocked",
  degraded: "Degraded",
  unknown: "Unknown",
  up: "Up",
} as const satisfies Record<Health, string>;

/** `Acme - models: Down, later Blocked (insufficient_balance)`. */
function nameOf(incident: IncidentDocument, { monitors, gatewayNames }: Known): string {
  const { gateway, cause, health, timeline } = incident;
  const why = cause === null ? "" : ` (${cause})`;
  if (gateway === null) return `The monitoring itself: no gateway could be reached${why}`;
  const [only = gateway, ...others] = incident.monitors;
  const subject =
    others.length === 0 ? (monitors.get(only)?.fullName ?? only) : (gatewayNames.get(gateway) ?? gateway);
  const earlier = timeline.flatMap((entry) => entry.health ?? []).filter((before) => before !== health);
  const healths = new Set([...earlier, health]);
  return `${subject}: ${[...healths].map((one) => HEALTH_WORDS[one]).join(", later ")}${why}`;
}

function statusAt({ acknowledgedAt, resolvedAt }: IncidentDocument, at: string): IncidentStatus {
  if (resolvedAt !== null && at >= resolvedAt) return "resolved";
  return acknowledgedAt !== null && at >= acknowledgedAt ? "identified" : "investigating";
}

/** A monitor that is gone has no component. */
function componentsOf(incident: IncidentDocument, { monitors }: Known): Component[] {
  return [...new Set(incident.monitors.flatMap((id) => monitors.get(id)?.component ?? []))];
}

interface Told {
  /** Tells it from others of the same instant. */
  readonly kind: string;
  readonly at: string;
  readonly body: string;
  readonly affected: readonly AffectedComponent[] | null;
}

/** An update's id is made of what it tells of and when: that others come or go does not change it. */
function updatesOf(incident: IncidentDocument, known: Known): Update<IncidentStatus>[] {
  const { id, acknowledgedAt, notes } = incident;
  const seen: Told[] =
    acknowledgedAt === null
      ? []
      : [{ kind: "seen", at: acknowledgedAt, body: "Somebody has seen it.", affected: null }];
  const noted = notes.map(({ at, text }): Told => ({ kind: "note", at, body: text, affected: null }));
  const all = [...toldOf(incident, known), ...seen, ...noted].sort((a, b) => compareInstants(a.at, b.at));
  const counts = new Map<string, number>();
  const updates = all.map(({ kind, at, body, affected }) => {
    const own = `${id}-${kind.replaceAll(/[^a-z]/gu, "")}-${Date.parse(at).toString(36)}`;
    const count = (counts.get(own) ?? 0) + 1;
    counts.set(own, count);
    const numbered = count === 1 ? own : `${own}-${count}`;
    return updateOf(id, { id: numbered, status: statusAt(incident, at), body, at, affected });
  });
  return updates.reverse();
}

function toldOf(incident: IncidentDocument, known: Known): Told[] {
  const [only, ...others] = componentsOf(incident, known);
  // Which of several changed is not recorded.
  const alone = incident.monitors.length === 1 && others.length === 0 ? only : undefined;
  let before: ComponentStatus | null = null;
  return incident.timeline.map((entry) => {
    const now = statusAfter(entry);
    // That it was well before it failed was not seen here.
    const change = now && { old_status: before ?? now, new_status: now };
    before = now;
    const affected =
      alone && change && CHANGES.has(entry.type)
        ? [{ code: alone.id, name: known.monitors.get(alone.id)?.fullName ?? alone.name, ...change }]
        : null;
    return { kind: entry.type, at: entry.at, body: bodyOf(entry), affected };
  });
}

/** Entries that tell how it stands from then on. */
const CHANGES: ReadonlySet<string> = new Set(["opened", "updated", "resolved"]);

/** Null: not recorded. */
function statusAfter({ type, health }: TimelineEntryDocument): ComponentStatus | null {
  if (type === "resolved") return COMPONENT_STATUS.up;
  return health === null ? null : COMPONENT_STATUS[health];
}

/** Of a gateway that publishes its health alone the entries have no words. */
const ENTRY_WORDS: ReadonlyMap<string, string> = new Map([
  ["joined", "Another monitor joined."],
  ["left", "A monitor left."],
  ["flapping", "It began to flap."],
  ["steady", "It flaps no more, and goes on."],
  ["resolved", "The last checks were good."],
  ["removed", "The monitor was removed; that it recovered was never seen."],
  ["paused", "The monitor was paused; that it recovered was never seen."],
]);

function bodyOf({ type, health, cause, text }: TimelineEntryDocument): string {
  const words = text === "" ? (ENTRY_WORDS.get(type) ?? "") : text;
  if (ENTRY_WORDS.has(type)) return words;
  const how = health === null ? "Failing" : HEALTH_WORDS[health];
  const why = cause === null ? "" : ` (${cause})`;
  const blocked = health === "blocked" ? "This is no outage of the gateway." : "";
  return [`${how}${why}.`, blocked, words].filter((part) => part !== "").join(" ");
}
