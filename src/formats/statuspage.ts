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
import type { Incident, Maintenance, MaintenanceStatus, Page, PageStatus } from "./answers.ts";

/** So many incidents does a list of all tell, and so many maintenances any list. */
export const LONGEST_LIST = 50;

interface Parts extends Pick<Rows, "components"> {
  readonly page: Page;
  readonly status: PageStatus;
  readonly source: StatuspageSource;
  readonly known: Known;
}

/** By their paths below `/api/v2/`. */
const DOCUMENTS = {
  summary: ({ page, components, status, ...of }) => ({
    page,
    components,
    incidents: unresolvedOf(of),
    scheduled_maintenances: nextMaintenances(of, "in_progress", "scheduled"),
    status,
  }),
  status: ({ page, status }) => ({ page, status }),
  components: ({ page, components }) => ({ page, components }),
  incidents: ({ page, ...of }) => ({ page, incidents: newestOf(of) }),
  "incidents/unresolved": ({ page, ...of }) => ({ page, incidents: unresolvedOf(of) }),
  "scheduled-maintenances": ({ page, ...of }) => ({ page, scheduled_maintenances: newestMaintenances(of) }),
  "scheduled-maintenances/active": ({ page, ...of }) => ({
    page,
    scheduled_maintenances: nextMaintenances(of, "in_progress"),
  }),
  "scheduled-maintenances/upcoming": ({ page, ...of }) => ({
    page,
    scheduled_maintenances: nextMaintenances(of, "scheduled"),
  }),
} as const satisfies Readonly<Record<string, (parts: Parts) => object>>;

export type StatuspageDocument = keyof typeof DOCUMENTS;
export const STATUSPAGE_DOCUMENTS = Object.keys(DOCUMENTS) as readonly StatuspageDocument[];

export function statuspageDocument(name: StatuspageDocument, source: StatuspageSource): object {
  const rows = rowsOf(source);
  return DOCUMENTS[name]({
    page: pageOf(source),
    components: rows.components,
    status: pageStatus(rows.standings, source.status),
    source,
    known: knownOf(source, rows),
  });
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

type Told = Pick<Parts, "source" | "known">;

function unresolvedOf({ source, known }: Told): Incident[] {
  const open = source.incidents.filter(({ resolvedAt }) => resolvedAt === null);
  return open.map((incident) => incidentOf(incident, known)).sort(byOpening);
}

/** Every open one, as far as there is room, and the latest that ended. */
function newestOf({ source, known }: Told): Incident[] {
  const newest = source.incidents.slice(0, LONGEST_LIST);
  return newest.map((incident) => incidentOf(incident, known)).sort(byOpening);
}

/** Of what is to come the next matters most. */
function nextMaintenances({ source, known }: Told, ...statuses: readonly MaintenanceStatus[]): Maintenance[] {
  return maintenancesOf(source, known)
    .filter(({ status }) => statuses.includes(status))
    .slice(0, LONGEST_LIST);
}

function newestMaintenances({ source, known }: Told): Maintenance[] {
  return maintenancesOf(source, known)
    .sort((a, b) => Date.parse(b.scheduled_for) - Date.parse(a.scheduled_for))
    .slice(0, LONGEST_LIST);
}

function byOpening(a: Incident, b: Incident): number {
  return Date.parse(b.created_at) - Date.parse(a.created_at);
}
