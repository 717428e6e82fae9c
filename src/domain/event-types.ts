/** The kinds of events that people are told of. Pure data. */

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
export type EventType = (typeof EVENT_TYPES)[number];

export const EVENT_REASONS = ["cause", "reminder", "flapping", "steady", "removed", "paused"] as const;
/** Why an incident is told of once more, or how it ended; null: the type says it all. */
export type EventReason = (typeof EVENT_REASONS)[number];
