/** Schemas of routes, of Statuspage's API v2, as written here, and of shields.io's badge: only for tests and the description. */
import * as z from "zod/mini";
import { STATUSES } from "../domain/announcement.ts";
import type { Stored } from "../domain/stored.ts";
import { CAUSES, HEALTHS, TURNS } from "../protocol/diagnosis.ts";

const text = z.nullable(z.string());
const at = z.string();
const componentStatus = z.enum([
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
]);

export const pageSchema = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  time_zone: z.string(),
  updated_at: at,
});

export const pageStatusSchema = z.object({
  indicator: z.enum(["none", "minor", "major", "critical", "maintenance"]),
  description: z.string(),
});

export const componentSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: componentStatus,
  created_at: at,
  updated_at: at,
  position: z.int(),
  description: text,
  showcase: z.boolean(),
  start_date: z.null(),
  group_id: text,
  page_id: z.string(),
  group: z.boolean(),
  only_show_if_degraded: z.literal(false),
  /** Of a group row alone: the ids of its components. */
  components: z.exactOptional(z.array(z.string())),
});

const incidentStatus = z.enum(STATUSES);
const maintenanceStatus = z.enum(["scheduled", "in_progress", "completed"]);

function updateSchema<Status extends z.ZodMiniType<string>>(status: Status) {
  return z.object({
    id: z.string(),
    status,
    body: z.string(),
    incident_id: z.string(),
    created_at: at,
    updated_at: at,
    display_at: at,
    affected_components: z.null(),
    deliver_notifications: z.literal(false),
    custom_tweet: z.null(),
    tweet_id: z.null(),
  });
}

const incidentUpdateSchema = updateSchema(incidentStatus);
const maintenanceUpdateSchema = updateSchema(maintenanceStatus);

const happening = {
  id: z.string(),
  name: z.string(),
  created_at: at,
  updated_at: at,
  monitoring_at: z.null(),
  resolved_at: text,
  shortlink: z.string(),
  started_at: at,
  page_id: z.string(),
  components: z.array(componentSchema),
};

export const incidentSchema = z.object({
  ...happening,
  status: incidentStatus,
  impact: z.enum(["none", "minor", "major"]),
  incident_updates: z.array(incidentUpdateSchema),
});

export const maintenanceSchema = z.object({
  ...happening,
  status: maintenanceStatus,
  impact: z.literal("maintenance"),
  incident_updates: z.array(maintenanceUpdateSchema),
  scheduled_for: at,
  scheduled_until: at,
});

export type PageStatus = z.infer<typeof pageStatusSchema>;
export type Component = z.infer<typeof componentSchema>;
export type ComponentStatus = Component["status"];
export type Incident = z.infer<typeof incidentSchema>;
export type IncidentStatus = Incident["status"];
export type Maintenance = z.infer<typeof maintenanceSchema>;
export type MaintenanceStatus = Maintenance["status"];

const page = pageSchema;
const components = z.array(componentSchema);
const incidents = z.array(incidentSchema);
const scheduled_maintenances = z.array(maintenanceSchema);
const status = pageStatusSchema;

export const summarySchema = z.object({ page, components, incidents, scheduled_maintenances, status });
export const pageStatusAnswerSchema = z.object({ page, status });
export const componentsAnswerSchema = z.object({ page, components });
export const incidentsAnswerSchema = z.object({ page, incidents });
export const maintenancesAnswerSchema = z.object({ page, scheduled_maintenances });

export const shieldsSchema = z.object({
  schemaVersion: z.literal(1),
  label: z.string(),
  message: z.string(),
  color: z.string(),
  isError: z.optional(z.literal(true)),
});

const milliseconds = z.nullable(z.number());

export const routeEntrySchema = z.object({
  gateway: z.string(),
  name: z.string(),
  endpoint: text,
  monitor: z.string(),
  protocol: text,
  status: z.enum(HEALTHS),
  proved: z.boolean(),
  cause: z.nullable(z.enum(CAUSES)),
  turn: z.nullable(z.enum(TURNS)),
  until: text,
  checkedAt: text,
  firstTokenMs: milliseconds,
  taskMs: milliseconds,
  latencyMs: milliseconds,
  price: z.nullable(
    z.object({ currency: z.string(), input: z.number(), output: z.number(), request: z.number() }),
  ),
  reasons: z.readonly(z.array(z.string())),
});
export type RouteEntry = Stored<typeof routeEntrySchema>;

export const routeAnswerSchema = z.object({
  model: z.string(),
  protocol: text,
  generatedAt: at,
  trustUntil: text,
  gateways: z.array(routeEntrySchema),
  unavailable: z.array(routeEntrySchema),
  reasons: z.array(z.string()),
});
export type RouteAnswer = Stored<typeof routeAnswerSchema>;
