/**
 * What is said of an incident as a whole. Pure.
 */
import {
  failedSince,
  type IncidentDocument,
  membersOf,
  type TimelineEntryDocument,
} from "../../../history/documents.ts";
import type { Messages } from "../i18n/messages.ts";
import { gatewayName, isStopped, monitorName, type View } from "../parts/view.ts";
import { causeWords, spanWords } from "../parts/format.ts";

/**
 * `removed`, `paused`: its last monitor was, and nobody saw it recover. `unseen`: the monitoring's own, which nobody could
 * tell any more.
 */
export type Phase = "open" | "resolved" | "removed" | "paused" | "unseen";

export function phaseOf({ gateway, resolvedAt, timeline }: IncidentDocument): Phase {
  if (resolvedAt === null) return "open";
  const last = timeline.at(-1)?.type;
  if (last === "removed" && gateway === null) return "unseen";
  return last === "removed" || last === "paused" ? last : "resolved";
}

/** What it is about, and what is the matter there: `Acme · models` and `The balance is used up`. */
export function titleOf(
  incident: IncidentDocument,
  view: View,
): { readonly subject: string; readonly matter: string } {
  const { gateway, cause, health } = incident;
  const { words } = view;
  // Who works again says nothing of the gateway any more.
  const [first, ...others] = membersOf(incident);
  const isOfOne = gateway !== null && first !== undefined && others.length === 0;
  const subject = isOfOne
    ? monitorName(view, first)
    : gateway === null
      ? words.incident.itself
      : gatewayName(view, gateway);
  const sent = latestFailure(incident)?.sent ?? null;
  return { subject, matter: cause === null ? words.shown[health] : causeWords(cause, sent, words) };
}

/** How long it lasted, and from when on where that is not its opening. Empty while it is open. */
export function lengthWords(incident: IncidentDocument, words: Messages): string {
  const { openedAt, resolvedAt } = incident;
  if (resolvedAt === null) return "";
  const since = failedSince(incident);
  const length = spanWords(Date.parse(since), Date.parse(resolvedAt), words);
  return since === openedAt ? length : words.incident.countedFrom(length);
}

/** How it stands, in sentences that change with it alone; after its mark. */
export function standingWords(incident: IncidentDocument, view: View): string {
  const { words } = view;
  return joined([isKnownOpen(incident, view) && words.incident.open, courseWords(incident, words)], words);
}

/** When the checks have stopped, it may be over. */
export function isKnownOpen({ gateway, resolvedAt }: IncidentDocument, view: View): boolean {
  return resolvedAt === null && !isStopped(gateway, view);
}

/** What its mark does not say: empty of most. */
export function courseWords(incident: IncidentDocument, words: Messages): string {
  const { neverSeen, flapping, blocked } = words.incident;
  const phase = phaseOf(incident);
  const isEndUnseen = phase !== "open" && phase !== "resolved";
  return joined(
    [
      isEndUnseen && neverSeen,
      phase === "open" && incident.flapping && flapping,
      isNoOutage(incident) && blocked,
    ],
    words,
  );
}

/** Empty where it is not recovering. It changes from check to check. */
export function recoveringWords(incident: IncidentDocument, view: View): string {
  return isRecovering(view, incident) ? view.words.incident.recovering : "";
}

function joined(parts: readonly (string | false)[], { gap }: Messages): string {
  return parts.filter(Boolean).join(gap);
}

/** It was never seen to be anything but blocked. */
function isNoOutage({ health, timeline }: IncidentDocument): boolean {
  return health === "blocked" && timeline.every((entry) => (entry.health ?? health) === health);
}

/** Open, though the last check was good: one good check does not end an incident, and none does in maintenance. */
function isRecovering({ monitors, planned }: View, incident: IncidentDocument): boolean {
  const { gateway, resolvedAt } = incident;
  if (resolvedAt !== null || (gateway !== null && planned.has(gateway))) return false;
  const healths = membersOf(incident).map((id) => monitors.get(id)?.monitor.status);
  return healths.length > 0 && healths.every((health) => health === "up");
}

/** Whose turn it is. Where no gateway at all can be reached, that is nobody else's network. */
export function turnWords(
  { gateway, owner }: Pick<IncidentDocument, "gateway" | "owner">,
  { owners, ownNetwork }: Messages,
): string | null {
  if (owner === null) return null;
  return gateway === null && owner === "network" ? ownNetwork : owners[owner];
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
