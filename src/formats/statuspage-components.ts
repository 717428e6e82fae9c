/** Components of the Statuspage API, and how they stand. Pure. */
import type { Announcement } from "../domain/announcement.ts";
import {
  nameInGateway,
  windowNow,
  type GatewayDocument,
  type IncidentDocument,
  type MonitorDocument,
  type StatusDocument,
  type WindowDocument,
} from "../history/documents.ts";
import { isHeld, isWaiting, monitorStanding, type Moment, type Standing } from "../history/standing.ts";
import { HEALTHS } from "../protocol/diagnosis.ts";
import type { Component, ComponentStatus, PageStatus } from "./answers.ts";

/** What the documents are made of: what was published, as the public may see it. */
export interface StatuspageSource {
  readonly status: StatusDocument;
  /** The open ones, then those that ended, the latest first. */
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
function reasonOf(
  standing: Standing,
  monitor: MonitorDocument,
  window: WindowDocument | null,
): string | null {
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

/** The worst first. */
const WORDS = {
  down: "down",
  blocked: "with a blocked view",
  degraded: "degraded",
  unknown: "without fresh evidence",
  stale: "whose checks have stopped",
  paused: "paused",
  maintenance: "in planned maintenance",
} as const satisfies Partial<Record<Standing, string>>;

const NOTHING = "Nothing is monitored yet";

/** `1 of 5 monitors down, 2 with a blocked view`; null: all are up. */
function countWords(standings: readonly Standing[]): string | null {
  const total = standings.length;
  if (total === 0) return NOTHING;
  const areStopped = standings.every((one) => one === "stale" || one === "unknown");
  if (areStopped && standings.includes("stale")) return "The checks have stopped: nothing is known of now";
  const monitors = total === 1 ? "monitor" : "monitors";
  const parts = Object.entries(WORDS).flatMap(([standing, words]) => {
    const count = standings.filter((one) => one === standing).length;
    return count === 0 ? [] : [{ count, words }];
  });
  if (parts.length === 0) return null;
  return parts
    .map(({ count, words }, index) => `${count}${index === 0 ? ` of ${total} ${monitors}` : ""} ${words}`)
    .join(", ");
}

export function pageStatus(standings: readonly Standing[], { notice, gaps }: StatusDocument): PageStatus {
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

export interface Rows {
  /** Each group before its components. */
  readonly components: readonly Component[];
  readonly standings: readonly Standing[];
}

export function rowsOf(source: StatuspageSource): Rows {
  const groups = source.status.gateways.map((gateway, index) => groupOf(gateway, index + 1, source));
  return {
    components: groups.flatMap(({ components }) => components),
    standings: groups.flatMap(({ standings }) => standings),
  };
}

export function pageIdOf({ baseUrl }: StatuspageSource): string {
  return new URL(baseUrl).host;
}

/** `Acme - chat · gpt-4o`. */
export function fullName(gateway: GatewayDocument, monitor: MonitorDocument): string {
  return `${gateway.name} - ${nameInGateway(monitor, gateway)}`;
}

function groupOf(gateway: GatewayDocument, position: number, source: StatuspageSource): Rows {
  const { generatedAt } = source.status;
  const stale = gateway.stale ?? source.status.stale;
  const window = windowNow(source.status.maintenance, gateway.id, source.nowMs);
  const moment = { stale, isPlanned: window !== null };
  const pageId = pageIdOf(source);
  const rows = gateway.monitors.map((monitor, index) => {
    const standing = componentStanding(monitor, moment);
    const place = { page_id: pageId, group_id: gateway.id, position: index + 1 };
    return { standing, component: { ...componentOf(monitor, gateway, standing, window), ...place } };
  });
  const components = rows.map(({ component }) => component);
  const group: Component = {
    id: gateway.id,
    name: gateway.name,
    status: worstStatus(components.map(({ status }) => status)),
    created_at: components.map(({ created_at }) => created_at).sort()[0] ?? generatedAt,
    updated_at: latest(components.map(({ updated_at }) => updated_at)) ?? generatedAt,
    position,
    description: countWords(rows.map(({ standing }) => standing)),
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: pageId,
    group: true,
    only_show_if_degraded: false,
    components: components.map(({ id }) => id),
  };
  // Of a gateway whose monitors are not known yet nothing is known to work.
  const standings = rows.length === 0 ? ["unknown" as const] : rows.map(({ standing }) => standing);
  return { components: [group, ...components], standings };
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
export function latest(instants: readonly string[]): string | undefined {
  return [...instants].sort().at(-1);
}
