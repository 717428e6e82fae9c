/** The eight documents of Atlassian's Statuspage API v2, with incidents and maintenance. Pure. */
import { type Announcement, openAnnouncements, overSince } from "../domain/announcement.ts";
import { worstHealth } from "../domain/health.ts";
import { concerns } from "../domain/schedule.ts";
import {
  compareInstants,
  failedSince,
  type GatewayDocument,
  type IncidentDocument,
  keyedWindows,
  type MonitorDocument,
  nameInGateway,
  providerOf,
  type StatusDocument,
  type TimelineEntryDocument,
  type WindowDocument,
  windowNow,
} from "../history/documents.ts";
import { type Health, HEALTHS } from "../protocol/diagnosis.ts";
import type {
  Component,
  ComponentStatus,
  Incident,
  IncidentStatus,
  Maintenance,
  MaintenanceStatus,
  PageStatus,
} from "./answers.ts";
import { isHeld, isWaiting, type Moment, monitorStanding, type Standing } from "../history/standing.ts";

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
  /** By each present or former id of a monitor. */
  readonly monitors: ReadonlyMap<string, Component>;
  readonly gatewayNames: ReadonlyMap<string | null, string>;
}

function knownOf({ status, formerly, baseUrl }: StatuspageSource, { components }: Rows): Known {
  const monitors = new Map(
    components
      .filter(({ group }) => !group)
      .flatMap((component) =>
        [component.id, ...(formerly[component.id] ?? [])].map((id) => [id, component] as const),
      ),
  );
  const gatewayNames = new Map(status.gateways.map(({ id, name }) => [id, name]));
  return { pageId: new URL(baseUrl).host, baseUrl, monitors, gatewayNames };
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
    // A removed monitor has none.
    components: [...new Set(incident.monitors.flatMap((of) => known.monitors.get(of) ?? []))],
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

function componentsIn(gateways: readonly string[], { monitors }: Known): Component[] {
  return [...new Set(monitors.values())].filter(({ group_id }) => concerns(gateways, group_id ?? ""));
}

/** `blocked` is no outage. */
const IMPACTS = {
  down: "major",
  blocked: "minor",
  degraded: "minor",
  unknown: "minor",
  up: "none",
} as const satisfies Record<Health, Incident["impact"]>;

/** `Acme - models: Blocked (insufficient_balance)`. */
function nameOf(incident: IncidentDocument, { monitors, gatewayNames }: Known): string {
  const { gateway, cause, health } = incident;
  const why = cause === null ? "" : ` (${cause})`;
  if (gateway === null) return `The monitoring itself: no gateway could be reached${why}`;
  const [only = gateway, ...others] = incident.monitors;
  const component = monitors.get(only);
  const name = gatewayNames.get(component?.group_id ?? gateway) ?? gateway;
  const ofGateway = others.length > 0 ? name : component ? `${name} - ${component.name}` : only;
  const provider = providerOf(incident);
  const subject = provider ? `${provider.name}, behind ${provider.gateways}` : ofGateway;
  return `${subject}: ${capital(health)}${why}`;
}

function statusAt({ acknowledgedAt, resolvedAt }: IncidentDocument, at: string): IncidentStatus {
  if (resolvedAt !== null && at >= resolvedAt) return "resolved";
  return acknowledgedAt !== null && at >= acknowledgedAt ? "identified" : "investigating";
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

function bodyOf({ type, health, cause, text }: TimelineEntryDocument): string {
  // A gateway that publishes only its health publishes no texts.
  if (type !== "opened" && type !== "updated") return text || `${capital(type)}.`;
  const why = cause === null ? "" : ` (${cause})`;
  const blocked = health === "blocked" ? "This is no outage of the gateway." : "";
  return [`${capital(health ?? "failing")}${why}.`, blocked, text].filter((part) => part !== "").join(" ");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
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

/** What the documents are made of: what was published, as the public may see it. */
export interface StatuspageSource {
  readonly status: StatusDocument;
  /** First the open ones. */
  readonly incidents: readonly IncidentDocument[];
  /** Planned maintenance, with what is over, in the order by which its keys are made. */
  readonly maintenance: readonly WindowDocument[];
  readonly announcements: readonly Announcement[];
  /** By a monitor's id, the ids that it had before. */
  readonly formerly: Readonly<Record<string, readonly string[]>>;
  /** Where readers find the pages, without a slash at its end; its host is the id of the Statuspage. */
  readonly baseUrl: string;
  readonly nowMs: number;
}

const COMPONENT_STATUS = {
  up: "operational",
  degraded: "degraded_performance",
  down: "major_outage",
  blocked: "degraded_performance",
  unknown: "degraded_performance",
  stale: "degraded_performance",
  paused: "degraded_performance",
  maintenance: "under_maintenance",
} as const satisfies Record<Standing, ComponentStatus>;

/** There is no status for what waits: a canary then stands as it was last seen, and its description says so. */
function componentStanding(monitor: MonitorDocument, moment: Moment): Standing {
  const standing = monitorStanding(monitor, moment);
  return standing === "unknown" && isWaiting(monitor) ? (monitor.lastStatus ?? standing) : standing;
}

/** Null where there is nothing to explain. @param window the planned maintenance that its gateway is in; null: none. */
function reasonOf(standing: Standing, monitor: MonitorDocument, window: WindowDocument | null) {
  const { diagnosis, lastStatus, pausedAt } = monitor;
  const last = lastStatus === null ? "" : ` The last result was: ${lastStatus}.`;
  if (isHeld(monitor) && HEALTHS.some((health) => health === standing))
    return `It is not checked now.${last}`;
  const because = diagnosis === null ? "" : ` ${diagnosis.cause}: ${diagnosis.advice}`;
  const reasons: Readonly<Record<Standing, string | null>> = {
    up: null,
    degraded: `Degraded.${because}`,
    down: `Down.${because}`,
    blocked: `Blocked: the monitor cannot see whether the gateway works. This is no outage of the gateway.${because}`,
    unknown: `Unknown: no fresh result.${last}`,
    stale: `The checks have stopped: no fresh result.${last}`,
    paused: `Paused since ${pausedAt}: it is not checked.`,
    maintenance: window && `Planned maintenance until ${window.to}: ${window.title}`,
  };
  return reasons[standing];
}

const NOTHING = "Nothing is monitored yet";

/** `2 of 5 monitors are not up`; null: all are up. */
function countWords(standings: readonly Standing[]): string | null {
  const total = standings.length;
  if (total === 0) return NOTHING;
  const others = standings.filter((standing) => standing !== "up").length;
  if (others === total && standings.includes("stale"))
    return "The checks have stopped: nothing is known of now";
  const monitors = total === 1 ? "monitor" : "monitors";
  return others === 0 ? null : `${others} of ${total} ${monitors} ${others === 1 ? "is" : "are"} not up`;
}

function pageStatus(standings: readonly Standing[], { notice, gaps }: StatusDocument): PageStatus {
  const isWhole = gaps === undefined;
  const seen = isWhole ? standings : [...standings, "unknown" as const];
  const indicator = indicatorOf(seen.map((standing) => COMPONENT_STATUS[standing]));
  // Readers know these words for "nothing is wrong".
  const told = countWords(standings) ?? (isWhole ? "All Systems Operational" : "All that can be read is up");
  const words = isWhole ? told : `${told}; some gateways are missing, for they cannot be read now`;
  return { indicator, description: notice === null ? words : `${words} (${notice})` };
}

/** Where there is no component nothing is known to work. */
function indicatorOf(statuses: readonly ComponentStatus[]): PageStatus["indicator"] {
  if (statuses.length > 0 && statuses.every((one) => one === "major_outage")) return "critical";
  return INDICATORS[worstStatus(statuses)];
}

/** The worst first, each with the indicator of a page that has nothing worse. */
const INDICATORS = {
  major_outage: "major",
  partial_outage: "minor",
  degraded_performance: "minor",
  under_maintenance: "maintenance",
  operational: "none",
} as const satisfies Record<ComponentStatus, PageStatus["indicator"]>;

/** The status of a group or a page; without components it is not known to work. */
function worstStatus(statuses: readonly ComponentStatus[]): ComponentStatus {
  const worstFirst = Object.keys(INDICATORS) as readonly ComponentStatus[];
  return worstFirst.find((status) => statuses.includes(status)) ?? "degraded_performance";
}

/** Each group before its components. */
interface Rows {
  readonly components: readonly Component[];
  readonly standings: readonly Standing[];
}

function rowsOf(source: StatuspageSource): Rows {
  const groups = source.status.gateways.map((gateway, index) => groupOf(gateway, index + 1, source));
  return {
    components: groups.flatMap(({ components }) => components),
    standings: groups.flatMap(({ standings }) => standings),
  };
}

function groupOf(gateway: GatewayDocument, position: number, source: StatuspageSource): Rows {
  const { generatedAt } = source.status;
  const stale = gateway.stale ?? source.status.stale;
  const window = windowNow(source.status.maintenance, gateway.id, source.nowMs);
  const moment = { stale, isPlanned: window !== null };
  const pageId = new URL(source.baseUrl).host;
  const rows = gateway.monitors.map((monitor, index) => {
    const standing = componentStanding(monitor, moment);
    const place = { page_id: pageId, group_id: gateway.id, position: index + 1 };
    return { standing, component: { ...componentOf(monitor, gateway, standing, window), ...place } };
  });
  const components = rows.map(({ component }) => component);
  const standings = rows.map(({ standing }) => standing);
  const group: Component = {
    id: gateway.id,
    name: gateway.name,
    status: worstStatus(components.map(({ status }) => status)),
    created_at: components.map(({ created_at }) => created_at).sort()[0] ?? generatedAt,
    updated_at: latest(components.map(({ updated_at }) => updated_at)) ?? generatedAt,
    position,
    description: countWords(standings),
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: pageId,
    group: true,
    only_show_if_degraded: false,
    components: components.map(({ id }) => id),
  };
  // Of a gateway whose monitors are not known yet nothing is known to work.
  return { components: [group, ...components], standings: rows.length === 0 ? ["unknown"] : standings };
}

function componentOf(
  monitor: MonitorDocument,
  gateway: GatewayDocument,
  standing: Standing,
  window: WindowDocument | null,
): Omit<Component, "page_id" | "group_id" | "position"> {
  const { id, since, pausedAt } = monitor;
  const began = standing === "maintenance" ? window?.from : pausedAt;
  return {
    id,
    name: nameInGateway(monitor, gateway),
    status: COMPONENT_STATUS[standing],
    // When it was set up is not recorded.
    created_at: since,
    updated_at: latest([since, ...(began === undefined ? [] : [began])]) ?? since,
    description: reasonOf(standing, monitor, window),
    showcase: true,
    start_date: null,
    group: false,
    only_show_if_degraded: false,
  };
}

/** Of instants as they are published everywhere, whose order is that of their letters. */
function latest(instants: readonly string[]): string | undefined {
  return [...instants].sort().at(-1);
}
