/**
 * What is said of an incident as a whole: by all that happened in it, not by its end alone. Pure.
 */
import type { IncidentDocument, TimelineEntryDocument } from "../../history/documents.ts";
import type { Cause, Health } from "../../protocol/diagnosis.ts";
import { monitorName, gatewayName, type View } from "./view.ts";
import { causeWords, HEALTH_WORDS } from "./words.ts";

/** `uncertain`: open when the checks stopped. `removed`: its monitor left, and nobody saw it recover. */
export type Phase = "open" | "uncertain" | "resolved" | "removed";

export function phaseOf({ resolvedAt, timeline }: IncidentDocument, isStale: boolean): Phase {
  if (resolvedAt === null) return isStale ? "uncertain" : "open";
  return timeline.at(-1)?.type === "removed" ? "removed" : "resolved";
}

export function isOver(phase: Phase): boolean {
  return phase === "resolved" || phase === "removed";
}

/** What it is about, and what was or is the matter there. */
export function titleOf(
  incident: IncidentDocument,
  view: View,
): { readonly subject: string; readonly matter: string } {
  const { gateway, monitors } = incident;
  const subject =
    monitors.length > 0
      ? monitors.map((id) => monitorName(view, id)).join(", ")
      : gateway === null
        ? "The monitoring itself"
        : gatewayName(view, gateway);
  return { subject, matter: matterOf(incident) };
}

function matterOf(incident: IncidentDocument): string {
  const failures = failuresOf(incident);
  const first = failures[0];
  const last = failures.at(-1);
  if (incident.cause === null) return healthsOf(incident, ", later ");
  const now = causeWords(incident.cause, last?.sent ?? null);
  if (!first || first.cause === null || first.cause === incident.cause) return now;
  return `${causeWords(first.cause, first.sent)}; later: ${now}`;
}

/** `Resolved (was Down, then Blocked)`. */
export function endedWords(incident: IncidentDocument, phase: Phase): string {
  return `${phase === "removed" ? "Removed" : "Resolved"} (was ${healthsOf(incident, ", then ")})`;
}

function healthsOf(incident: IncidentDocument, between: string): string {
  const healths = stagesOf(incident).flatMap(({ health }) => health ?? []);
  return [...new Set(healths)].map((health) => HEALTH_WORDS[health]).join(between);
}

export function phaseSentence(phase: Phase): string {
  switch (phase) {
    case "open":
      return "This incident is open.";
    case "uncertain":
      return "This incident was open when the checks stopped; it may be over by now.";
    case "resolved":
      return "This incident is resolved.";
    case "removed":
      return "This incident ended because its monitor was removed; that it recovered was never seen.";
  }
}

/** How the monitor's view changed, or that nothing was out at all; empty where the mark says everything. */
export function courseOf(incident: IncidentDocument, phase: Phase): string {
  const earlier = stagesOf(incident).filter(({ health }) => health !== incident.health);
  if (earlier.length > 0) {
    const before = new Map(earlier.map((stage) => [stage.health, stageWords(stage)]));
    return `${lastWords(incident.health, phase)}; before that: ${[...before.values()].join(", ")}.`;
  }
  if (incident.health !== "blocked") return "";
  return phase === "open"
    ? "The monitor cannot see whether the gateway works. This is no outage of the gateway."
    : "The monitor could not see whether the gateway worked. That was no outage of the gateway.";
}

export const MENDING = "The last check was good; the incident ends when good checks go on.";

function lastWords(health: Health, phase: Phase): string {
  const word = HEALTH_WORDS[health].toLowerCase();
  if (phase === "open") return `It is ${word} now`;
  return `It was ${word} ${phase === "uncertain" ? "when the checks stopped" : "at the end"}`;
}

function stageWords({ health, cause, sent }: Stage): string {
  if (health === null) return "not recorded";
  const word = HEALTH_WORDS[health].toLowerCase();
  return cause === null ? word : `${word} (${causeWords(cause, sent)})`;
}

interface Stage {
  /** Null: older records do not tell. */
  readonly health: Health | null;
  readonly cause: Cause | null;
  readonly sent: boolean | null;
}

function stagesOf(incident: IncidentDocument): readonly Stage[] {
  const failures = failuresOf(incident);
  if (failures.length === 0) return [{ health: incident.health, cause: incident.cause, sent: null }];
  const last = failures.length - 1;
  return failures.map(({ health, cause, sent }, index) => {
    // The incident's own health is that of its latest failure.
    return { health: health ?? (index === last ? incident.health : null), cause, sent };
  });
}

export function latestFailure(incident: IncidentDocument): TimelineEntryDocument | null {
  return failuresOf(incident).at(-1) ?? null;
}

function failuresOf({ timeline }: IncidentDocument): readonly TimelineEntryDocument[] {
  return timeline.filter(isFailure);
}

export function isFailure({ type }: TimelineEntryDocument): boolean {
  return type === "opened" || type === "updated";
}
