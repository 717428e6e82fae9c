/**
 * The clock ran ahead and was set back: what was stored under it would hold things up until time has caught up with it.
 * History and incidents stay, for it may be the clock of now that is wrong. Pure.
 */
import type { OpenTask } from "../../domain/canary.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { DOCUMENTS, type LedgerState } from "../state/state.ts";

/** Clocks of different machines differ by less. */
const AHEAD_MS = 5 * MINUTE_MS;

export function ranAhead({ journal }: LedgerState, nowMs: number): boolean {
  return journal.clock.lastMs > nowMs + AHEAD_MS;
}

/** A copy as JSON has it, in which each instant of the future is now: every number whose name ends in `Ms`. */
export function withoutFuture(record: unknown, nowMs: number): unknown {
  return JSON.parse(JSON.stringify(record), (name, value: unknown) =>
    typeof value === "number" && name.endsWith("Ms") ? Math.min(value, nowMs) : value,
  );
}

/** Everything is due at once. A task gets its whole time anew; of a silence the tick that begins knows when it began. */
export function stateWithoutFuture(state: LedgerState, nowMs: number): LedgerState {
  const { monitors, canaries } = state;
  const journal = DOCUMENTS.journal.parse(withoutFuture(state.journal, nowMs));
  const past = DOCUMENTS.members.parse(withoutFuture({ monitors, incidents: {}, canaries }, nowMs));
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
