/** The eight documents of Atlassian's Statuspage API v2, with incidents and maintenance. Pure. */
import { type Announcement, openAnnouncements, overSince } from "../domain/announcement.ts";
import { worstHealth } from "../domain/health.ts";
import { concerns } from "../domain/schedule.ts";
import {
  compareInstants,
  failedSince,
  keyedWindows,
  type IncidentDocument,
  type TimelineEntryDocument,
  type WindowDocument,
} from "../history/documents.ts";
import type { Health } from "../protocol/diagnosis.ts";
import type { Component, Incident, IncidentStatus, Maintenance, MaintenanceStatus } from "./answers.ts";
import {
  fullName,
  latest,
  pageIdOf,
  pageStatus,
  rowsOf,
  type Rows,
  type StatuspageSource,
} from "./statuspage-components.ts";

/** The most incidents in the list of all of them, and the most maintenances in any list. */
export const LONGEST_LIST = 50;

/** By their paths below `/api/v2/`. */
export const STATUSPAGE_DOCUMENTS = [
  "summary",
  "status",
  "components",
  "incidents",
  "incidents/unresolved",
  "scheduled-maintenances",
  "scheduled-maintenances/active",
  "scheduled-maintenances/upcoming",
] as const;
export type StatuspageDocument = (typeof STATUSPAGE_DOCUMENTS)[number];

export function statuspageDocument(name: StatuspageDocument, source: StatuspageSource): object {
  const { baseUrl, incidents, status: published } = source;
  const rows = rowsOf(source);
  const { components } = rows;
  const known = knownOf(source, rows);
  const { title, timeZone, generatedAt } = published;
  const page = { id: known.pageId, name: title, url: baseUrl, time_zone: timeZone, updated_at: generatedAt };
  const status = pageStatus(rows.standings, published);
  const told = (some: readonly IncidentDocument[], announced: readonly Announcement[]) =>
    some
      .map((incident) => incidentOf(incident, known))
      .concat(announced.map((one) => announcedOf(one, source.nowMs, known)))
      .sort((a, b) => compareInstants(b.created_at, a.created_at));
  const unfinished = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  const unresolved = () => told(unfinished, openAnnouncements(source.announcements, source.nowMs));
  /** The next one matters most. */
  const next = (...statuses: readonly MaintenanceStatus[]) =>
    maintenancesOf(source, known)
      .filter((one) => statuses.includes(one.status))
      .slice(0, LONGEST_LIST);
  const newest = () =>
    maintenancesOf(source, known)
      .sort((a, b) => compareInstants(b.scheduled_for, a.scheduled_for))
      .slice(0, LONGEST_LIST);
  const parts: Readonly<Record<StatuspageDocument, () => object>> = {
    summary: () => ({
      components,
      incidents: unresolved(),
      scheduled_maintenances: next("in_progress", "scheduled"),
      status,
    }),
    status: () => ({ status }),
    components: () => ({ components }),
    // Open ones come first, then the latest that ended.
    incidents: () => ({ incidents: told(incidents.slice(0, LONGEST_LIST), source.announcements) }),
    "incidents/unresolved": () => ({ incidents: unresolved() }),
    "scheduled-maintenances": () => ({ scheduled_maintenances: newest() }),
    "scheduled-maintenances/active": () => ({ scheduled_maintenances: next("in_progress") }),
    "scheduled-maintenances/upcoming": () => ({ scheduled_maintenances: next("scheduled") }),
  };
  return { page, ...parts[name]() };
}

interface Known {
  readonly pageId: string;
  readonly baseUrl: string;
  /** By each present or former id of a monitor. `fullName` contains the gateway's name. */
  readonly monitors: ReadonlyMap<string, { readonly component: Component; readonly fullName: string }>;
  readonly gatewayNames: ReadonlyMap<string, string>;
}

function knownOf(source: StatuspageSource, { components }: Rows): Known {
  const { status, formerly, baseUrl } = source;
  const rows = new Map(components.map((component) => [component.id, component]));
  const monitors = new Map<string, { component: (typeof components)[number]; fullName: string }>();
  for (const gateway of status.gateways) {
    for (const monitor of gateway.monitors) {
      const component = rows.get(monitor.id);
      if (!component) continue;
      const known = { component, fullName: fullName(gateway, monitor) };
      for (const id of [monitor.id, ...(formerly[monitor.id] ?? [])]) monitors.set(id, known);
    }
  }
  const gatewayNames = new Map(status.gateways.map(({ id, name }) => [id, name]));
  return { pageId: pageIdOf(source), baseUrl, monitors, gatewayNames };
}

function incidentOf(incident: IncidentDocument, known: Known): Incident {
  const { id, openedAt, resolvedAt, acknowledgedAt } = incident;
  const updates = updatesOf(id, toldOf(incident));
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

/** What an administrator wrote. An announcement has no status there: while it is open, it is being watched. */
function announcedOf(announcement: Announcement, nowMs: number, known: Known): Incident {
  const { id, kind, title, gateways, until } = announcement;
  const over = overSince(announcement, nowMs);
  const told = announcement.updates.map(({ at, status, body }, index): Told<IncidentStatus> => ({
    id: `${id}-${index}`,
    at,
    status: status ?? "monitoring",
    body,
  }));
  if (over !== null && over === until)
    told.push({ id: `${id}-over`, at: over, status: "resolved", body: OVER });
  const updates = updatesOf(id, told);
  const [first = "", last = first] = [updates.at(-1)?.created_at, updates[0]?.created_at];
  return {
    id,
    name: title,
    status: over === null ? (updates[0]?.status ?? "monitoring") : "resolved",
    created_at: first,
    updated_at: last,
    monitoring_at: null,
    resolved_at: over,
    impact: kind === "incident" ? "minor" : "none",
    shortlink: `${known.baseUrl}/`,
    started_at: first,
    page_id: known.pageId,
    incident_updates: updates,
    components: componentsIn(gateways, known),
  };
}

const OVER = "It is over.";

/** All if none is named. */
function componentsIn(gateways: readonly string[], { monitors }: Known): Component[] {
  return [...new Set([...monitors.values()].map(({ component }) => component))].filter(
    ({ group_id }) => group_id !== null && concerns(gateways, group_id),
  );
}

/** `blocked` is no outage. */
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

/** A removed monitor has no component. */
function componentsOf(incident: IncidentDocument, { monitors }: Known): Component[] {
  return [...new Set(incident.monitors.flatMap((id) => monitors.get(id)?.component ?? []))];
}

interface Told<Status> {
  readonly id: string;
  readonly at: string;
  readonly status: Status;
  readonly body: string;
}

/** The newest first. Which components changed is not said, and nothing is delivered through Statuspage itself. */
function updatesOf<Status extends string>(incidentId: string, told: readonly Told<Status>[]) {
  const counts = new Map<string, number>();
  const sorted = told.toSorted((a, b) => compareInstants(a.at, b.at));
  const updates = sorted.map(({ id, at, status, body }) => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return {
      id: count === 1 ? id : `${id}-${count}`,
      status,
      body,
      incident_id: incidentId,
      created_at: at,
      updated_at: at,
      display_at: at,
      affected_components: null,
      deliver_notifications: false as const,
      custom_tweet: null,
      tweet_id: null,
    };
  });
  return updates.reverse();
}

function toldOf(incident: IncidentDocument): Told<IncidentStatus>[] {
  const { acknowledgedAt, notes, timeline } = incident;
  const told = [
    ...timeline.map((entry) => ({ kind: entry.type, at: entry.at, body: bodyOf(entry) })),
    ...(acknowledgedAt === null ? [] : [{ kind: "seen", at: acknowledgedAt, body: "Somebody has seen it." }]),
    ...notes.map(({ at, text }) => ({ kind: "note", at, body: text })),
  ];
  // The id is made from kind and instant, so it stays the same when others come or go.
  return told.map(({ kind, ...one }) =>
    Object.assign(one, {
      id: `${incident.id}-${kind.replaceAll(/[^a-z]/gu, "")}-${Date.parse(one.at).toString(36)}`,
      status: statusAt(incident, one.at),
    }),
  );
}

/** For entries without text: those of a gateway that publishes only its health. */
const ENTRY_WORDS: ReadonlyMap<string, string> = new Map([
  ["joined", "Another monitor joined."],
  ["left", "A monitor left."],
  ["flapping", "It began to flap."],
  ["steady", "It flaps no more, and goes on."],
  ["resolved", "The last checks were good."],
  ["removed", "The monitor was removed. No recovery was seen."],
  ["paused", "The monitor was paused. No recovery was seen."],
]);

function bodyOf({ type, health, cause, text }: TimelineEntryDocument): string {
  const words = text === "" ? (ENTRY_WORDS.get(type) ?? "") : text;
  if (ENTRY_WORDS.has(type)) return words;
  const how = health === null ? "Failing" : HEALTH_WORDS[health];
  const why = cause === null ? "" : ` (${cause})`;
  const blocked = health === "blocked" ? "This is no outage of the gateway." : "";
  return [`${how}${why}.`, blocked, words].filter((part) => part !== "").join(" ");
}

/** In the order in which they begin. */
function maintenancesOf({ maintenance, nowMs }: StatuspageSource, known: Known): Maintenance[] {
  return keyedWindows(maintenance)
    .map(({ key, window }) => maintenanceOf(window, key, nowMs, known))
    .sort((a, b) => compareInstants(a.scheduled_for, b.scheduled_for));
}

function maintenanceOf(window: WindowDocument, id: string, nowMs: number, known: Known): Maintenance {
  const { from, to, title } = window;
  const status = statusOf(window, nowMs);
  const steps: readonly Told<MaintenanceStatus>[] = [
    { id: `${id}-scheduled`, status: "scheduled", at: from, body: `Planned from ${from} to ${to}.` },
    { id: `${id}-in_progress`, status: "in_progress", at: from, body: `Under way until ${to}.` },
    { id: `${id}-completed`, status: "completed", at: to, body: OVER },
  ];
  const reached = steps.slice(0, steps.findIndex((step) => step.status === status) + 1);
  return {
    id,
    name: title,
    status,
    // When it was planned is not recorded.
    created_at: from,
    updated_at: reached.at(-1)?.at ?? from,
    monitoring_at: null,
    resolved_at: status === "completed" ? to : null,
    impact: "maintenance",
    shortlink: `${known.baseUrl}/`,
    started_at: from,
    page_id: known.pageId,
    incident_updates: updatesOf(id, reached),
    components: componentsIn(window.gateways, known),
    scheduled_for: from,
    scheduled_until: to,
  };
}

function statusOf({ from, to }: WindowDocument, nowMs: number): MaintenanceStatus {
  if (nowMs >= Date.parse(to)) return "completed";
  return nowMs >= Date.parse(from) ? "in_progress" : "scheduled";
}
