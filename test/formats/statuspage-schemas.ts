/**
 * The shapes of Statuspage's API v2, written from its documentation and not from the code: each key has to be there, and
 * none besides.
 */
import * as z from "zod";

const at = z.iso.datetime({ precision: 3 });
const name = z.string().min(1);
const id = z.string().regex(/^\S+$/u);
const address = z.url({ protocol: /^https?$/u });
const WELL_OR_NOT = ["operational", "degraded_performance", "partial_outage", "major_outage"] as const;
const componentStatus = z.enum([...WELL_OR_NOT, "under_maintenance"]);

const page = z.strictObject({ id, name, url: address, time_zone: name, updated_at: at });

const indicator = z.enum(["none", "minor", "major", "critical", "maintenance"]);
const status = z.strictObject({ indicator, description: name });

const dated = { id, created_at: at, updated_at: at };
const row = {
  ...dated,
  name,
  page_id: id,
  status: componentStatus,
  position: z.int().positive(),
  description: name.nullable(),
  showcase: z.boolean(),
  start_date: z.iso.date().nullable(),
  only_show_if_degraded: z.boolean(),
};
const group = z.strictObject({ ...row, group: z.literal(true), group_id: z.null(), components: z.array(id) });
const leaf = z.strictObject({ ...row, group: z.literal(false), group_id: id.nullable() });
const component = z.discriminatedUnion("group", [group, leaf]);

const affected = z.strictObject({ code: id, name, old_status: componentStatus, new_status: componentStatus });

const updateOf = <Status extends z.ZodType>(of: Status) =>
  z.strictObject({
    ...dated,
    status: of,
    body: name,
    incident_id: id,
    display_at: at,
    affected_components: z.array(affected).min(1).nullable(),
    deliver_notifications: z.boolean(),
    custom_tweet: z.string().nullable(),
    tweet_id: z.number().nullable(),
  });

const happening = <Status extends z.ZodType, Impact extends z.ZodType>(of: Status, impact: Impact) => ({
  ...dated,
  name,
  page_id: id,
  status: of,
  impact,
  started_at: at,
  monitoring_at: at.nullable(),
  resolved_at: at.nullable(),
  shortlink: address,
  incident_updates: z.array(updateOf(of)).min(1),
  components: z.array(component),
});

const incident = z.strictObject(
  happening(
    z.enum(["investigating", "identified", "monitoring", "resolved", "postmortem"]),
    z.enum(["none", "minor", "major", "critical"]),
  ),
);

const maintenance = z.strictObject({
  ...happening(z.enum(["scheduled", "in_progress", "verifying", "completed"]), z.literal("maintenance")),
  scheduled_for: at,
  scheduled_until: at,
});

const incidents = z.array(incident);
const scheduled_maintenances = z.array(maintenance);

const components = z.array(component);

export const SUMMARY = z.strictObject({ page, status, components, incidents, scheduled_maintenances });
export type Summary = z.infer<typeof SUMMARY>;
export const STATUS = z.strictObject({ page, status });
export const COMPONENTS = z.strictObject({ page, components });
export const INCIDENTS = z.strictObject({ page, incidents });
export const MAINTENANCES = z.strictObject({ page, scheduled_maintenances });
