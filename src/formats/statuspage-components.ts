/**
 * Gateways as group rows, their monitors as the components. Ids are those by which gateways and monitors are known
 * everywhere. Pure.
 */
import type { GatewayDocument, MonitorDocument, WindowDocument } from "../history/documents.ts";
import { nameInGateway } from "../history/monitor-names.ts";
import type { Standing } from "../history/standing.ts";
import { windowNow } from "../history/windows.ts";
import type { Component, StatuspageSource } from "./statuspage-shapes.ts";
import {
  COMPONENT_STATUS,
  componentStanding,
  countWords,
  reasonOf,
  worstStatus,
} from "./statuspage-standing.ts";

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
