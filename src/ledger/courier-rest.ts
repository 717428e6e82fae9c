/**
 * How long a channel rests after a try that could not be noted, by a failure of storage or of our own: longer each time,
 * for nothing else keeps its tries apart. Pure.
 */
import { HOUR_MS } from "../domain/calendar.ts";

const SHORTEST_MS = 30_000;
const LONGEST_MS = HOUR_MS;

export interface Rest {
  readonly untilMs: number;
  readonly ms: number;
  /** `Books.recoveries` when it began: storage that works again ends it. */
  readonly recoveries: number;
}

/** @param before the one that ended with this try; null: the last try could be noted. */
export function nextRest(before: Rest | null, nowMs: number, recoveries: number): Rest {
  const ms = before === null ? SHORTEST_MS : Math.min(2 * before.ms, LONGEST_MS);
  return { untilMs: nowMs + ms, ms, recoveries };
}

/** Past, or now: it is over. */
export function restUntilMs(rest: Rest | null, nowMs: number, recoveries: number): number {
  if (rest === null || rest.recoveries !== recoveries) return nowMs;
  // A clock that ran ahead and came back must not make the rest longer.
  return rest.untilMs <= nowMs + rest.ms ? rest.untilMs : nowMs;
}
