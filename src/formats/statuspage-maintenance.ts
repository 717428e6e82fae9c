/**
 * Planned maintenance as Statuspage tells it. Pure.
 */
import { concerns } from "../domain/maintenance.ts";
import type { WindowDocument } from "../history/documents.ts";
import { keyedWindows } from "../history/windows.ts";
import type { Known } from "./statuspage-incidents.ts";
import {
  type Maintenance,
  type MaintenanceStatus,
  type StatuspageSource,
  updateOf,
} from "./statuspage-shapes.ts";

/** In the order in which they begin. */
export function maintenancesOf({ maintenance, nowMs }: StatuspageSource, known: Known): Maintenance[] {
  return keyedWindows(maintenance)
    .map(({ key, window }) => maintenanceOf(window, key, nowMs, known))
    .sort((a, b) => Date.parse(a.scheduled_for) - Date.parse(b.scheduled_for));
}

function maintenanceOf(window: WindowDocument, id: string, nowMs: number, known: Known): Maintenance {
  const { from, to, title } = window;
  const status = statusOf(window, nowMs);
  const steps: readonly { status: MaintenanceStatus; at: string; body: string }[] = [
    { status: "scheduled", at: from, body: `Planned from ${from} to ${to}.` },
    { status: "in_progress", at: from, body: `Under way until ${to}.` },
    { status: "completed", at: to, body: "Its time is over." },
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
    incident_updates: reached
      .map((step) => updateOf(id, { id: `${id}-${step.status}`, affected: null, ...step }))
      .reverse(),
    components: [...new Set([...known.monitors.values()].map(({ component }) => component))].filter(
      ({ group_id }) => group_id !== null && concerns(window.gateways, group_id),
    ),
    scheduled_for: from,
    scheduled_until: to,
  };
}

function statusOf({ from, to }: WindowDocument, nowMs: number): MaintenanceStatus {
  if (nowMs >= Date.parse(to)) return "completed";
  return nowMs >= Date.parse(from) ? "in_progress" : "scheduled";
}
