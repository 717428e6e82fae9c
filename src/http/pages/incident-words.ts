/**
 * What is said of an incident as a whole: by all that happened in it, not by its end alone. Pure.
 */
import { MINUTE_MS } from "../../domain/calendar.ts";
import { NETWORK_CAUSES } from "../../domain/probe-outcome.ts";
import {
  failedSince,
  type IncidentDocument,
  membersOf,
  type TimelineEntryDocument,
} from "../../history/documents.ts";
import type { Cause, Health } from "../../protocol/diagnosis.ts";
import { gatewayName, monitorName, type View } from "./view.ts";
import type { Messages } from "./i18n/messages.ts";
import { causeWords, spanWords, tense } from "./words.ts";

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

type Ending = Exclude<Phase, "open" | "uncertain">;

export function isOver(phase: Phase): phase is Ending {
  return phase !== "open" && phase !== "uncertain";
}

/**
 * What it is about, and after that what was or is the matter there: `Acme · models` and `: The balance is used up`, or
 * `Acme` and ` cannot be reached: The connection failed`.
 */
export function titleOf(
  incident: IncidentDocument,
  view: View,
): { readonly subject: string; readonly matter: string } {
  const { gateway, cause, resolvedAt } = incident;
  const { words } = view;
  const { itself, matter, unreached, reachesNone } = words.incident;
  // Who works again says nothing of the gateway any more; of what is over it is told how it was.
  const [first, ...others] = membersOf(incident);
  if (gateway !== null && first !== undefined && others.length === 0) {
    return { subject: monitorName(view, first), matter: matter(matterOf(incident, words)) };
  }
  const subject = gateway === null ? itself : gatewayName(view, gateway);
  // Nothing but a gateway that cannot be reached is shared; it may be reached since, and fail otherwise.
  if (cause === null || !NETWORK_CAUSES.has(cause))
    return { subject, matter: matter(matterOf(incident, words)) };
  const told = tense(gateway === null ? reachesNone : unreached, resolvedAt === null);
  return { subject, matter: told(causeWords(cause, null, words)) };
}

function matterOf(incident: IncidentDocument, words: Messages): string {
  const { later, laterHealth } = words.incident;
  const stages = stagesOf(incident);
  const [first] = stages;
  if (incident.cause === null) return healthsOf(incident, laterHealth, words);
  const now = causeWords(incident.cause, stages.at(-1)?.sent ?? null, words);
  if (!first || first.cause === null || first.cause === incident.cause) return now;
  return later(causeWords(first.cause, first.sent, words), now);
}

/** How long it lasted, and from when on where that is not its opening. Empty while it is open. */
export function lengthWords(incident: IncidentDocument, words: Messages): string {
  return incident.resolvedAt === null ? "" : lengthTo(Date.parse(incident.resolvedAt), incident, words);
}

/** How long it has lasted. Whole minutes: a page that differs every second cannot be kept by a cache. Empty before the first. */
export function lengthSoFar(incident: IncidentDocument, { nowMs, words }: View): string {
  const sinceMs = Date.parse(failedSince(incident));
  const minutes = Math.floor((nowMs - sinceMs) / MINUTE_MS);
  return minutes > 0 ? lengthTo(sinceMs + minutes * MINUTE_MS, incident, words) : "";
}

function lengthTo(endMs: number, incident: IncidentDocument, words: Messages): string {
  const since = failedSince(incident);
  const length = spanWords(Date.parse(since), endMs, words);
  return since === incident.openedAt ? length : words.incident.countedFrom(length);
}

/** `Resolved (was Down, then Blocked)`. */
export function endedWords(incident: IncidentDocument, phase: Ending, words: Messages): string {
  const { ended, endedWas, thenHealth } = words.incident;
  return endedWas(ended[phase], healthsOf(incident, thenHealth, words));
}

function healthsOf(incident: IncidentDocument, between: string, { shown }: Messages): string {
  const healths = stagesOf(incident).flatMap(({ health }) => health ?? []);
  return [...new Set(healths)].map((health) => shown[health]).join(between);
}

export function phaseSentence(phase: Phase, { monitors }: IncidentDocument, words: Messages): string {
  const { phases } = words.incident;
  if (monitors.length <= 1) return phases[phase];
  return phases[phase === "removed" ? "lastRemoved" : phase === "paused" ? "lastPaused" : phase];
}

/** How the monitor's view changed, or that nothing was out at all; empty where the mark says everything. */
export function changeWords(incident: IncidentDocument, phase: Phase, words: Messages): string {
  const { course, blocked } = words.incident;
  const earlier = stagesOf(incident).filter(({ health }) => health !== incident.health);
  if (earlier.length > 0) {
    const before = new Map(earlier.map((stage) => [stage.health, stageWords(stage, words)]));
    return course(lastWords(incident, phase, words), [...before.values()].join(words.comma));
  }
  return incident.health === "blocked" ? tense(blocked, phase === "open") : "";
}

/** Whose turn it is. Where no gateway at all can be reached, that is nobody else's network. */
export function turnWords(
  { gateway, owner }: Pick<IncidentDocument, "gateway" | "owner">,
  { owners, ownNetwork }: Messages,
): string | null {
  if (owner === null) return null;
  return gateway === null && owner === "network" ? ownNetwork : owners[owner];
}

/** Empty where it does not flap. */
export function flappingWords({ flapping }: IncidentDocument, phase: Phase, words: Messages): string {
  return flapping ? tense(words.incident.flapping, phase === "open") : "";
}

function lastWords({ health, timeline }: IncidentDocument, phase: Phase, words: Messages): string {
  const { last } = words.incident;
  const word = words.within[health];
  const turn = timeline.findLast(({ type }) => type === "flapping" || type === "steady");
  if (turn?.type === "flapping") return last.told(word);
  if (phase === "open") return last.now(word);
  return phase === "uncertain" ? last.stopped(word) : last.ended(word);
}

function stageWords({ health, cause, sent }: Stage, words: Messages): string {
  const { stage, notRecorded } = words.incident;
  if (health === null) return notRecorded;
  const word = words.within[health];
  return cause === null ? word : stage(word, causeWords(cause, sent, words));
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

/** The earliest of its monitors'; null where none is planned any more. */
export function nextCheckOf(incident: IncidentDocument, view: View): string | null {
  const planned = membersOf(incident).flatMap((id) => view.monitors.get(id)?.monitor.nextProbeAt ?? []);
  return planned.sort()[0] ?? null;
}
