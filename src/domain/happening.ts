/** What a transition says of what happened, and the kinds of events that people are told of. Pure. */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import type { Incident } from "./incident.ts";
import type { ModelsChange } from "./model-watch.ts";

export interface IncidentHappening {
  readonly type: "incident.opened" | "incident.updated" | "incident.resolved";
  readonly reason: EventReason | null;
  readonly atMs: number;
  /** Null where the incident is the monitoring's own. */
  readonly gatewayId: string | null;
  /** The monitor that brought it, by a probe or by leaving; null: none did. */
  readonly monitorId: string | null;
  /** As it is after. */
  readonly incident: Incident;
  /** Of the probe that brought it; of a reminder the latest failure's. Null: there is none. */
  readonly diagnosis: KeptDiagnosis | null;
}

export interface ModelsHappening {
  readonly type: "models.changed";
  readonly atMs: number;
  readonly gatewayId: string;
  readonly monitorId: string;
  /** Of the probe that brought it; null: none did. */
  readonly diagnosis: KeptDiagnosis | null;
  readonly models: ModelsChange;
}

export interface SilenceHappening {
  readonly type: "monitoring.stalled" | "monitoring.resumed";
  readonly atMs: number;
  /** The last tick before the silence; null where the clock was set back behind it. */
  readonly lastTickMs: number | null;
}

export type Happening = IncidentHappening | ModelsHappening | SilenceHappening;

/** What a transition changed. */
export interface Changes {
  /** New and changed ones, each once; one with `resolvedAtMs` is no longer open. */
  readonly incidents: readonly Incident[];
  /** In the order in which they are to be told. */
  readonly happenings: readonly Happening[];
  /** Readers should see it soon. */
  readonly isNews: boolean;
}

export const NO_CHANGES: Changes = { incidents: [], happenings: [], isNews: false };

export type OpenIncidents = Readonly<Record<string, Incident>>;

/** The incidents that are open after the changes (the very same record where none changed), and those that ended. */
export function applyChanges(
  open: OpenIncidents,
  changes: Pick<Changes, "incidents">,
): { readonly incidents: OpenIncidents; readonly resolved: readonly Incident[] } {
  const resolved = changes.incidents.filter(({ resolvedAtMs }) => resolvedAtMs !== null);
  if (changes.incidents.length === 0) return { incidents: open, resolved };
  const incidents = { ...open };
  for (const incident of changes.incidents) incidents[incident.id] = incident;
  for (const { id } of resolved) delete incidents[id];
  return { incidents, resolved };
}

/** What happens by itself. */
export const HAPPENING_TYPES = [
  "incident.opened",
  "incident.updated",
  "incident.resolved",
  "models.changed",
  "monitoring.stalled",
  "monitoring.resumed",
] as const;
export type HappeningType = (typeof HAPPENING_TYPES)[number];

/** `test` is sent by a person, to whom it was told to go. */
export const EVENT_TYPES = [...HAPPENING_TYPES, "test"] as const;

export const EVENT_REASONS = ["cause", "reminder", "flapping", "steady", "removed", "paused"] as const;
/** Why an incident is told of once more, or how it ended; null: the type says it all. */
export type EventReason = (typeof EVENT_REASONS)[number];
