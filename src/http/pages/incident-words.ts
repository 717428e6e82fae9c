/**
 * What is said of an incident as a whole: by all that happened in it, not by its end alone. Pure.
 */
import { span } from "../../domain/calendar.ts";
import { NETWORK_CAUSES } from "../../domain/reach.ts";
import { type IncidentDocument, membersOf, type TimelineEntryDocument } from "../../history/documents.ts";
import type { Cause, Health } from "../../protocol/diagnosis.ts";
import { gatewayName, monitorName, type View } from "./view.ts";
import { causeWords, HEALTH_WORDS, OWNER_WORDS } from "./words.ts";

/**
 * `uncertain`: open when the checks stopped. `removed`, `paused`: its last monitor was, and nobody saw it recover. `unseen`:
 * the monitoring's own, which nobody could tell any more.
 */
export type Phase = "open" | "uncertain" | "resolved" | "removed" | "paused" | "unseen";

export function phaseOf({ gateway, resolvedAt, timeline }: IncidentDocument, isStale: boolean): Phase {
  if (resolvedAt === null) return isStale ? "uncertain" : "open";
  const last = timeline.at(-1)?.type;
  if (last === "removed" && gateway === null) return "unseen";
  return last === "removed" || last === "paused" ? last : "resolved";
}

export function isOver(phase: Phase): phase is keyof typeof ENDED_WORDS {
  return phase in ENDED_WORDS;
}

export const ENDED_WORDS = {
  resolved: "Resolved",
  removed: "Monitor removed",
  paused: "Monitor paused",
  unseen: "Ended unseen",
} as const;

/**
 * What it is about, and after that what was or is the matter there: `Acme · models` and `: The balance is used up`, or
 * `Acme` and ` cannot be reached: The connection failed`.
 */
export function titleOf(
  incident: IncidentDocument,
  view: View,
): { readonly subject: string; readonly matter: string } {
  const { gateway, cause, resolvedAt } = incident;
  // Who works again says nothing of the gateway any more; of what is over it is told how it was.
  const [first, ...others] = membersOf(incident);
  if (gateway !== null && first !== undefined && others.length === 0) {
    return { subject: monitorName(view, first), matter: `: ${matterOf(incident)}` };
  }
  const subject = gateway === null ? "The monitoring itself" : gatewayName(view, gateway);
  // Nothing but a gateway that cannot be reached is shared; it may be reached since, and fail otherwise.
  if (cause === null || !NETWORK_CAUSES.has(cause)) return { subject, matter: `: ${matterOf(incident)}` };
  const [can, cannot] = resolvedAt === null ? ["can", "cannot"] : ["could", "could not"];
  const verb = gateway === null ? `${can} reach no gateway` : `${cannot} be reached`;
  return { subject, matter: ` ${verb}: ${causeWords(cause, null)}` };
}

function matterOf(incident: IncidentDocument): string {
  const stages = stagesOf(incident);
  const [first] = stages;
  if (incident.cause === null) return healthsOf(incident, ", later ");
  const now = causeWords(incident.cause, stages.at(-1)?.sent ?? null);
  if (!first || first.cause === null || first.cause === incident.cause) return now;
  return `${causeWords(first.cause, first.sent)}; later: ${now}`;
}

/** The first failed probe, where that is known: it failed before anything was opened. */
export function failedSince({ firstFailureAt, openedAt }: IncidentDocument): string {
  return firstFailureAt !== null && firstFailureAt < openedAt ? firstFailureAt : openedAt;
}

/** How long it lasted, and from when on where that is not its opening. Empty while it is open. */
export function lengthWords(incident: IncidentDocument): string {
  const { openedAt, resolvedAt } = incident;
  if (resolvedAt === null) return "";
  const since = failedSince(incident);
  const length = span(Date.parse(since), Date.parse(resolvedAt));
  return since === openedAt ? length : `${length}, counted from the first failed check`;
}

/** `Resolved (was Down, then Blocked)`. */
export function endedWords(incident: IncidentDocument, phase: keyof typeof ENDED_WORDS): string {
  return `${ENDED_WORDS[phase]} (was ${healthsOf(incident, ", then ")})`;
}

function healthsOf(incident: IncidentDocument, between: string): string {
  const healths = stagesOf(incident).flatMap(({ health }) => health ?? []);
  return [...new Set(healths)].map((health) => HEALTH_WORDS[health]).join(between);
}

/** @param several whether it concerned more than one monitor. */
export function phaseSentence(phase: Phase, several: boolean): string {
  switch (phase) {
    case "open":
      return "This incident is open.";
    case "uncertain":
      return "This incident was open when the checks stopped; it may be over by now.";
    case "resolved":
      return "This incident is resolved.";
    case "removed":
    case "paused":
      return `This incident ended because its ${several ? "last " : ""}monitor was ${phase}; that it recovered was never seen.`;
    case "unseen":
      return "This incident ended because fewer than two gateways were left to tell it by; that it recovered was never seen.";
  }
}

/** How the monitor's view changed, or that nothing was out at all; empty where the mark says everything. */
export function courseOf(incident: IncidentDocument, phase: Phase): string {
  const earlier = stagesOf(incident).filter(({ health }) => health !== incident.health);
  if (earlier.length > 0) {
    const before = new Map(earlier.map((stage) => [stage.health, stageWords(stage)]));
    return `${lastWords(incident, phase)}; before that: ${[...before.values()].join(", ")}.`;
  }
  if (incident.health !== "blocked") return "";
  return phase === "open"
    ? "The monitor cannot see whether the gateway works. This is no outage of the gateway."
    : "The monitor could not see whether the gateway worked. That was no outage of the gateway.";
}

/** Whose turn it is. Where no gateway at all can be reached, that is nobody else's network. */
export function turnWords({ gateway, owner }: IncidentDocument): string | null {
  if (owner === null) return null;
  return gateway === null && owner === "network" ? "whoever runs the monitoring" : OWNER_WORDS[owner];
}

export const MENDING = "The last check was good; the incident ends when good checks go on.";

/** Empty where it does not flap. */
export function flappingWords({ flapping }: IncidentDocument, phase: Phase): string {
  if (!flapping) return "";
  return phase === "open"
    ? "Flapping: checks succeed and fail by turns, so often that their changes are not told one by one."
    : "Flapping: checks succeeded and failed by turns when they stopped.";
}

function lastWords({ health, timeline }: IncidentDocument, phase: Phase): string {
  const word = HEALTH_WORDS[health].toLowerCase();
  const turn = timeline.findLast(({ type }) => type === "flapping" || type === "steady");
  if (turn?.type === "flapping") return `It was ${word} when that was last told`;
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

/** Entries that tell no failure say how it was then too; of a timeline that was cut they may be all that is left. */
function stagesOf(incident: IncidentDocument): readonly Stage[] {
  const failures = incident.timeline.filter((entry) => isFailure(entry) || entry.health !== null);
  if (failures.length === 0) return [{ health: incident.health, cause: incident.cause, sent: null }];
  const last = failures.length - 1;
  return failures.map(({ health, cause, sent }, index) => {
    // The incident's own health is that of its latest failure.
    return { health: health ?? (index === last ? incident.health : null), cause, sent };
  });
}

/** Null also where the timeline has lost what told of the present cause. */
export function latestFailure({ timeline, cause }: IncidentDocument): TimelineEntryDocument | null {
  const latest = timeline.findLast(isFailure);
  return latest?.cause === cause ? latest : null;
}

export function isFailure({ type }: TimelineEntryDocument): boolean {
  return type === "opened" || type === "updated";
}

/** What is not told in its own word. */
export const ENTRY_WORDS: ReadonlyMap<string, string> = new Map([
  ["joined", "another monitor joined"],
  ["left", "a monitor left"],
  ["flapping", "began to flap"],
  ["steady", "flaps no more"],
]);
