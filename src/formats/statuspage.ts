/**
 * The eight documents of Atlassian's Statuspage API v2, for programs that read such pages. Pure.
 */
import {
  fullName,
  pageIdOf,
  pageStatus,
  rowsOf,
  type Rows,
  type StatuspageSource,
} from "./statuspage-components.ts";
import { incidentOf, maintenancesOf, type Known } from "./statuspage-incidents.ts";
import type { Incident, Maintenance, MaintenanceStatus, Page } from "./answers.ts";

/** So many incidents does a list of all tell, and so many maintenances any list. */
export const LONGEST_LIST = 50;

export type StatuspageDocument =
  | "summary"
  | "status"
  | "components"
  | "incidents"
  | "unresolved incidents"
  | "maintenances"
  | "active maintenances"
  | "upcoming maintenances";

export function statuspageDocument(name: StatuspageDocument, source: StatuspageSource): object {
  const page = pageOf(source);
  const rows = rowsOf(source);
  const { components } = rows;
  const status = pageStatus(rows.standings, source.status);
  const known = knownOf(source, rows);
  // Of what is to come the next matters most.
  const maintenances = (...statuses: readonly MaintenanceStatus[]): Maintenance[] =>
    maintenancesOf(source, known)
      .filter((maintenance) => statuses.includes(maintenance.status))
      .slice(0, LONGEST_LIST);
  switch (name) {
    case "summary":
      return {
        page,
        components,
        incidents: unresolvedOf(source, known),
        scheduled_maintenances: maintenances("in_progress", "scheduled"),
        status,
      };
    case "status":
      return { page, status };
    case "components":
      return { page, components };
    case "incidents":
      return { page, incidents: newestOf(source, known) };
    case "unresolved incidents":
      return { page, incidents: unresolvedOf(source, known) };
    case "maintenances":
      return { page, scheduled_maintenances: newestMaintenances(source, known) };
    case "active maintenances":
      return { page, scheduled_maintenances: maintenances("in_progress") };
    case "upcoming maintenances":
      return { page, scheduled_maintenances: maintenances("scheduled") };
  }
}

function pageOf(source: StatuspageSource): Page {
  const { title, timeZone, generatedAt } = source.status;
  return {
    id: pageIdOf(source),
    name: title,
    url: source.baseUrl,
    time_zone: timeZone,
    updated_at: generatedAt,
  };
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

function unresolvedOf({ incidents }: StatuspageSource, known: Known): Incident[] {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null);
  return open.map((incident) => incidentOf(incident, known)).sort(byOpening);
}

/** Every open one, as far as there is room, and the latest that ended. */
function newestOf({ incidents }: StatuspageSource, known: Known): Incident[] {
  return incidents
    .slice(0, LONGEST_LIST)
    .map((incident) => incidentOf(incident, known))
    .sort(byOpening);
}

function newestMaintenances(source: StatuspageSource, known: Known): Maintenance[] {
  return maintenancesOf(source, known)
    .sort((a, b) => Date.parse(b.scheduled_for) - Date.parse(a.scheduled_for))
    .slice(0, LONGEST_LIST);
}

function byOpening(a: Incident, b: Incident): number {
  return Date.parse(b.created_at) - Date.parse(a.created_at);
}
