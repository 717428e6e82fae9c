/**
 * What the thresholds alone say of a monitor, and whether that, or why it fails, changes too often to be told each time.
 * Pure.
 */
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import { HOUR_MS } from "./calendar.ts";
import type { MonitorState } from "./monitor-state.ts";

/** What an event tells of a failure: as long as it is the same, nothing is news. */
export type Matter = Pick<KeptDiagnosis, "cause" | "owner" | "health">;

export function isSameMatter(a: Matter, b: Matter): boolean {
  return a.cause === b.cause && a.owner === b.owner && a.health === b.health;
}

export interface AlarmRules {
  /** Failed probes in a row that open an incident, and good ones that close it. */
  readonly open: number;
  readonly close: number;
  /** More changes an hour than this are flapping; null: nothing is. */
  readonly flapping: number | null;
}

/** The monitor by its thresholds, whatever is told of it. */
export interface Swing {
  readonly isOpen: boolean;
  readonly isFlapping: boolean;
  readonly swings: readonly number[];
}

export interface SwingProbe {
  readonly atMs: number;
  readonly hasVerdict: boolean;
  readonly fails: boolean;
  /** It brought another cause, owner or health than was last seen, told or not. */
  readonly failsOtherwise: boolean;
  /** What changes in a window is no change here; flapping may end in it. */
  readonly inMaintenance: boolean;
}

/**
 * A change is an opening, a closing, or another failure while it is open. Flapping begins with the change that makes more
 * than `flapping` within an hour, and ends with a verdict at which the last hour has at most half as many; but not with a
 * failed probe while the thresholds say closed, for that would resolve an incident by a failure.
 * @param state with the counters after the probe.
 */
export function swing(
  state: Pick<MonitorState, "failedInARow" | "goodInARow" | "swings">,
  before: { readonly isOpen: boolean; readonly isFlapping: boolean },
  rules: AlarmRules,
  probe: SwingProbe,
): Swing {
  const isOpen = probe.hasVerdict ? byThresholds(state, before.isOpen, rules) : before.isOpen;
  const mayEnd = probe.hasVerdict && (isOpen || !probe.fails);
  if (rules.flapping === null) return { isOpen, isFlapping: before.isFlapping && !mayEnd, swings: [] };
  const isChange = isOpen !== before.isOpen || (isOpen && probe.failsOtherwise);
  const hasChanged = isChange && !probe.inMaintenance;
  const swings = (hasChanged ? [...state.swings, probe.atMs] : state.swings)
    // A clock that was set back leaves changes in the future.
    .filter((atMs) => atMs <= probe.atMs && atMs > probe.atMs - HOUR_MS)
    // The newest decide: older ones would make them no fewer.
    .slice(-(rules.flapping + 1));
  const isFlapping = before.isFlapping
    ? swings.length * 2 > rules.flapping || !mayEnd
    : hasChanged && swings.length > rules.flapping;
  return { isOpen, isFlapping, swings };
}

function byThresholds(
  { failedInARow, goodInARow }: Pick<MonitorState, "failedInARow" | "goodInARow">,
  wasOpen: boolean,
  { open, close }: AlarmRules,
): boolean {
  return wasOpen ? goodInARow < close : failedInARow >= open;
}
