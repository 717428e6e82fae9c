/** The course of an incident: since when, and how it failed, stretch by stretch. Pure. */
import type { IncidentDocument, TimelineEntryDocument } from "../history/documents.ts";
import type { Cause, Health } from "../protocol/diagnosis.ts";

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
