/**
 * The shapes of Atlassian's Statuspage API v2, each with every key it ever has. Pure data.
 */
import type { IncidentDocument, StatusDocument, WindowDocument } from "../history/documents.ts";

/** What the documents are made of: what was published, as the public may see it. */
export interface StatuspageSource {
  readonly status: StatusDocument;
  /** The open ones, then those that ended, the latest first. */
  readonly incidents: readonly IncidentDocument[];
  /** Planned maintenance, with what is over, in the order by which its keys are made. */
  readonly maintenance: readonly WindowDocument[];
  /** By a monitor's id, the ids that it had before. */
  readonly formerly: Readonly<Record<string, readonly string[]>>;
  /** Where readers find the pages, without a slash at its end; its host is the id of the Statuspage. */
  readonly baseUrl: string;
  readonly nowMs: number;
}

export type ComponentStatus =
  | "operational"
  | "degraded_performance"
  | "partial_outage"
  | "major_outage"
  | "under_maintenance";

export type Indicator = "none" | "minor" | "major" | "critical" | "maintenance";

export interface Page {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly time_zone: string;
  readonly updated_at: string;
}

export interface PageStatus {
  readonly indicator: Indicator;
  readonly description: string;
}

export interface Component {
  readonly id: string;
  readonly name: string;
  readonly status: ComponentStatus;
  readonly created_at: string;
  readonly updated_at: string;
  readonly position: number;
  /** Why it is not operational. */
  readonly description: string | null;
  readonly showcase: boolean;
  readonly start_date: null;
  readonly group_id: string | null;
  readonly page_id: string;
  readonly group: boolean;
  readonly only_show_if_degraded: false;
  /** Of a group row alone: the ids of its components. */
  readonly components?: readonly string[];
}

export interface AffectedComponent {
  readonly code: string;
  readonly name: string;
  readonly old_status: ComponentStatus;
  readonly new_status: ComponentStatus;
}

export interface Update<Status extends string> {
  readonly id: string;
  readonly status: Status;
  readonly body: string;
  readonly incident_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly display_at: string;
  readonly affected_components: readonly AffectedComponent[] | null;
  readonly deliver_notifications: false;
  readonly custom_tweet: null;
  readonly tweet_id: null;
}

interface Happening<Status extends string, Impact extends string> {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly created_at: string;
  readonly updated_at: string;
  readonly monitoring_at: null;
  readonly resolved_at: string | null;
  readonly impact: Impact;
  readonly shortlink: string;
  readonly started_at: string;
  readonly page_id: string;
  /** The newest first. */
  readonly incident_updates: readonly Update<Status>[];
  readonly components: readonly Component[];
}

export type IncidentStatus = "investigating" | "identified" | "resolved";
export type Incident = Happening<IncidentStatus, "none" | "minor" | "major">;

export type MaintenanceStatus = "scheduled" | "in_progress" | "completed";
export interface Maintenance extends Happening<MaintenanceStatus, "maintenance"> {
  readonly scheduled_for: string;
  readonly scheduled_until: string;
}

/** @param what an update is told by; nothing is delivered by Statuspage's own ways. */
export function updateOf<Status extends string>(
  incidentId: string,
  what: {
    id: string;
    status: Status;
    body: string;
    at: string;
    affected: Update<Status>["affected_components"];
  },
): Update<Status> {
  const { id, status, body, at, affected } = what;
  return {
    id,
    status,
    body,
    incident_id: incidentId,
    created_at: at,
    updated_at: at,
    display_at: at,
    affected_components: affected,
    deliver_notifications: false,
    custom_tweet: null,
    tweet_id: null,
  };
}
