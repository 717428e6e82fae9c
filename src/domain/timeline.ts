/**
 * What happened in an incident, entry by entry, bounded in length. Pure.
 */
import type { Cause, KeptDiagnosis, Health, Owner } from "../protocol/diagnosis.ts";

export const TIMELINE_TYPES = [
  "opened",
  "updated",
  "joined",
  "left",
  "flapping",
  "steady",
  "resolved",
  "removed",
  "paused",
] as const;
/**
 * `joined` and `left`: another monitor of the gateway. `steady`: it flaps no more, and goes on. `resolved`, `removed` and
 * `paused` end it; only the first of them says that it was seen to be over.
 */
export type TimelineType = (typeof TIMELINE_TYPES)[number];

export interface TimelineEntry {
  readonly atMs: number;
  readonly type: TimelineType;
  readonly cause: Cause;
  readonly text: string;
  /** As it was from then on; null where nothing failed any more, and in records older than the field. */
  readonly health: Health | null;
  /** Who had to act from then on; null as `health`. */
  readonly owner: Owner | null;
  /** Was a request sent at all? Null as `health`. */
  readonly sent: boolean | null;
}

export function failingEntry(
  type: "opened" | "updated",
  diagnosis: KeptDiagnosis,
  atMs: number,
): TimelineEntry {
  const { cause, advice, health, owner, ok, layer } = diagnosis;
  return { atMs, type, cause, text: advice, health, owner, sent: ok || layer !== null };
}

/** Nothing failed from then on, as far as anybody looked. */
export const NO_FAILURE = { health: null, owner: null, sent: null } as const;

/** A cause that changes at every probe must not grow the incident without bound: the oldest changes go first. */
const LONGEST_TIMELINE = 40;

/**
 * The opening stays, and so does each cause, each owner and each health that ever was: who was told of it then is told of
 * its end. There are fewer of them than entries.
 */
export function withEntry(
  timeline: readonly TimelineEntry[],
  entry: TimelineEntry,
): readonly TimelineEntry[] {
  const entries = [...timeline, entry];
  while (entries.length > LONGEST_TIMELINE) {
    const spare = entries.findIndex((_, index) => index > 0 && isSpare(entries, index));
    entries.splice(Math.max(spare, 1), 1);
  }
  return entries;
}

function isSpare(entries: readonly TimelineEntry[], index: number): boolean {
  const others = entries.filter((_, other) => other !== index);
  const entry = entries[index];
  return (
    others.some(({ cause }) => cause === entry?.cause) &&
    others.some(({ owner }) => owner === entry?.owner) &&
    others.some(({ health }) => health === entry?.health)
  );
}
