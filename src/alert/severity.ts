/** How bad an event is, and how an incident went so far. Pure. */
import type { IncidentDocument, TimelineEntryDocument } from "../history/documents.ts";
import type { Cause, Health } from "../protocol/diagnosis.ts";
import type { AlertEvent } from "./alert-event.ts";

/** The words of PagerDuty; `good`: something is over. */
export type Severity = "critical" | "error" | "warning" | "info" | "good";

/** A blocked monitor is no outage of the gateway: it presses its key's owner, and wakes nobody else. */
const OF_HEALTH: Readonly<Record<Health, Severity>> = {
  down: "critical",
  blocked: "error",
  // Nothing is seen any more.
  unknown: "error",
  degraded: "warning",
  up: "info",
};

export function severityOf(event: AlertEvent): Severity {
  switch (event.type) {
    case "incident.opened":
    case "incident.updated":
      if (isFlapping(event) && !beganByFailure(event)) return "warning";
      return OF_HEALTH[event.incident?.health ?? event.diagnosis?.health ?? "unknown"];
    case "incident.resolved":
      // Nobody saw it recover.
      return event.reason === "removed" || event.reason === "paused" ? "info" : "good";
    case "models.changed":
      // Nobody saw them return.
      return isUnwatched(event) ? "info" : isOver(event) ? "good" : "warning";
    case "monitoring.stalled":
      // Whatever happens now, nobody is told.
      return "critical";
    case "monitoring.resumed":
      return "good";
    case "test":
      return "info";
  }
}

/** How it stands when the message is read nobody knows. */
export function isFlapping({ incident, reason }: AlertEvent): boolean {
  return reason === "flapping" || incident?.flapping === true;
}

/** A reminder's failure is an old one. */
function beganByFailure({ reason, diagnosis }: AlertEvent): boolean {
  return reason === "flapping" && diagnosis !== null && diagnosis.health !== "up";
}

/** Whether nothing is left to do. */
export function isOver({ type, models }: Pick<AlertEvent, "type" | "models">): boolean {
  return (
    type === "incident.resolved" ||
    type === "monitoring.resumed" ||
    (type === "models.changed" && (models === null || models.missing.length === 0))
  );
}

/** Models that were missing, and nobody looks for them any more. */
export function isUnwatched({ type, models }: AlertEvent): boolean {
  if (type !== "models.changed") return false;
  const { vanished = [], returned = [], missing = [] } = models ?? {};
  return vanished.length + returned.length + missing.length === 0;
}

/** In which nothing changed of what is told. */
export interface Stretch {
  readonly fromMs: number | null;
  /** Null: older records do not tell. */
  readonly health: Health | null;
  readonly cause: Cause | null;
  readonly sent: boolean | null;
  readonly flaps: boolean;
}

/** Oldest first. */
export function stretchesOf(incident: IncidentDocument): readonly Stretch[] {
  const stretches: Stretch[] = [];
  for (const { type, at, health, cause, sent } of incident.timeline) {
    if (!TURNS.has(type)) continue;
    const before = stretches.at(-1);
    const flaps = type === "flapping";
    const isSame = before?.flaps === flaps && before.health === health && before.cause === cause;
    if (isSame && before.sent === sent) continue;
    const fromMs = before === undefined ? openedAtMs(incident) : instantOf(at);
    stretches.push({ fromMs, health, cause, sent, flaps });
  }
  return stretches;
}

const TURNS: ReadonlySet<string> = new Set(["opened", "updated", "flapping", "steady"]);

/** What was the matter from then on, oldest first. The other entries change nothing of it. */
export function failuresOf({ timeline }: IncidentDocument): readonly TimelineEntryDocument[] {
  return timeline.filter(({ type }) => type === "opened" || type === "updated");
}

export function latestFailure(incident: IncidentDocument): TimelineEntryDocument | null {
  return failuresOf(incident).at(-1) ?? null;
}

/** Whether the gateway was never seen to fail. */
export function wasOnlyBlocked(incident: IncidentDocument): boolean {
  return (
    incident.health === "blocked" &&
    failuresOf(incident).every(({ health }) => health === "blocked" || health === null)
  );
}

/** When it began; null where the document does not tell. */
export function openedAtMs({ firstFailureAt, openedAt }: IncidentDocument): number | null {
  return instantOf(firstFailureAt ?? openedAt);
}

/** Since when it has its health; null where the document does not tell. */
export function healthSinceMs(incident: IncidentDocument): number | null {
  const stretches = stretchesOf(incident);
  const other = stretches.findLastIndex(({ health }) => health !== null && health !== incident.health);
  return (stretches[other + 1] ?? { fromMs: openedAtMs(incident) }).fromMs;
}

/** Since when it flaps; null where the document does not tell. */
export function flapsSinceMs({ timeline }: IncidentDocument): number | null {
  return instantOf(timeline.findLast(({ type }) => type === "flapping")?.at ?? "");
}

/** Since when it fails steadily, in words; empty where the document does not tell. */
export function steadyWords({ timeline }: IncidentDocument): string {
  return timeline.findLast(({ type }) => type === "steady")?.text ?? "";
}

function instantOf(at: string): number | null {
  const atMs = Date.parse(at);
  return Number.isNaN(atMs) ? null : atMs;
}
