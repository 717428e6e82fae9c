/**
 * Whether the clock can be trusted for steps that cannot be undone. After a jump, hours after it are not closed and nothing is
 * deleted until the clock has run evenly. That takes a day after a jump back or far ahead, and an hour after a shorter jump
 * ahead, which may be a pause of the ticks overnight. If the clock ran ahead and is set back, stored times in the future would
 * delay everything, so they are set to now. History and incidents stay, since the present clock may be the wrong one. Pure.
 */
import type { OpenTask } from "../../domain/canary.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { DOCUMENTS, type Journal, type LedgerState } from "../state/state.ts";

/** Clocks of different machines differ by less than this. */
const DIFFER_MS = 5 * MINUTE_MS;
const LONGEST_PAUSE_MS = 2 * DAY_MS;
const AFTER_A_PAUSE_MS = HOUR_MS;

export function watchClock(
  before: Journal["clock"],
  nowMs: number,
  tickIntervalMs: number,
): Journal["clock"] {
  if (before.lastMs === 0) return { lastMs: nowMs, steadyMs: nowMs, beforeMs: 0 };
  const stepMs = nowMs - before.lastMs;
  const isEven = isNear(before, nowMs, tickIntervalMs);
  const isPause = stepMs > 0 && stepMs <= LONGEST_PAUSE_MS;
  const waitMs = isPause ? AFTER_A_PAUSE_MS : DAY_MS;
  // A later, shorter wait does not replace a longer one.
  const steadyMs = isEven ? before.steadyMs : Math.max(before.steadyMs, nowMs + waitMs);
  const beforeMs = steadyMs === before.steadyMs || stepMs < 0 ? before.beforeMs : before.lastMs;
  return { lastMs: nowMs, steadyMs: Math.min(steadyMs, nowMs + DAY_MS), beforeMs };
}

export function isSteady(watch: Journal["clock"], nowMs: number, tickIntervalMs: number): boolean {
  return isNear(watch, nowMs, tickIntervalMs) && nowMs >= watch.steadyMs;
}

function isNear({ lastMs }: Journal["clock"], nowMs: number, tickIntervalMs: number): boolean {
  return nowMs >= lastMs - DIFFER_MS && nowMs <= lastMs + Math.max(HOUR_MS, 3 * tickIntervalMs);
}

export function ranAhead({ journal }: LedgerState, nowMs: number): boolean {
  return journal.clock.lastMs > nowMs + DIFFER_MS;
}

/** A copy (through JSON) in which future instants become now. Instants are the numbers whose names end in `Ms`. */
export function withoutFuture(record: unknown, nowMs: number): unknown {
  return JSON.parse(JSON.stringify(record), (name, value: unknown) =>
    typeof value === "number" && name.endsWith("Ms") ? Math.min(value, nowMs) : value,
  );
}

/** Everything is due at once, and tasks get their full time again. `watch` stays: it shows when a silence began. */
export function stateWithoutFuture(state: LedgerState, nowMs: number): LedgerState {
  const { monitors, canaries } = state;
  const journal = DOCUMENTS.journal().parse(withoutFuture(state.journal, nowMs));
  const past = DOCUMENTS.members().parse(withoutFuture({ monitors, incidents: {}, canaries }, nowMs));
  const known = Object.entries(past.canaries).map(([id, canary]) => {
    const task = canaries[id]?.task ?? null;
    return [id, { ...canary, task: task && taskOfNow(task, nowMs) }] as const;
  });
  const { clock, planned, watch } = state.journal;
  return {
    ...state,
    journal: { ...journal, clock, planned: [...planned], watch, ticks: [] },
    monitors: past.monitors,
    canaries: Object.fromEntries(known),
  };
}

function taskOfNow(task: OpenTask, nowMs: number): OpenTask {
  const { createdAtMs, deadlineMs } = task;
  if (createdAtMs <= nowMs) return task;
  return { ...task, createdAtMs: nowMs, deadlineMs: nowMs + deadlineMs - createdAtMs };
}
