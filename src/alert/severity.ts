/** How much an event presses, and whether it ends what another began. Pure. */
import type { Health } from "../protocol/diagnosis.ts";
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
      if (isFlapping(event) && !failsNow(event)) return "warning";
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

/** Whether it fails and works by turns: how it stands when it is read nobody knows. */
export function isFlapping({ incident, reason }: AlertEvent): boolean {
  return reason === "flapping" || incident?.flapping === true;
}

/** A reminder's failure is an old one. */
function failsNow({ reason, diagnosis }: AlertEvent): boolean {
  return (reason === "flapping" || reason === "cause") && diagnosis !== null && diagnosis.health !== "up";
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

const RANKS: readonly Severity[] = ["critical", "error", "warning", "info", "good"];

/** The one that presses most, the earliest of several. */
export function worstOf(events: readonly AlertEvent[]): AlertEvent | null {
  const rank = (event: AlertEvent): number => RANKS.indexOf(severityOf(event));
  return events.reduce<AlertEvent | null>(
    (worst, event) => (worst === null || rank(event) < rank(worst) ? event : worst),
    null,
  );
}
