/**
 * The clock ran ahead and was set back: what was stored under it would hold things up until time has caught up with it.
 * History and incidents stay, for it may be the clock of now that is wrong. Pure.
 */
import type { Config } from "../../config/config.ts";
import type { OpenTask } from "../../domain/canary.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { DOCUMENTS, entryOf, type LedgerState } from "../state/state.ts";

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
export function stateWithoutFuture(state: LedgerState, config: Config, nowMs: number): LedgerState {
  const { monitors, incidents, canaries, directory } = state;
  const journal = DOCUMENTS.journal.parse(withoutFuture(state.journal, nowMs));
  const members = withoutFuture({ monitors, incidents: {}, canaries }, nowMs);
  const past = DOCUMENTS.members.parse(members);
  const known = Object.entries(past.canaries).map(([id, canary]) => {
    const task = entryOf(canaries, id)?.task ?? null;
    return [id, { ...canary, task: task && taskFromNow(task, deadlineOf(id, config), nowMs) }] as const;
  });
  const { planned, watch } = state.journal;
  return {
    journal: { ...journal, planned: [...planned], watch, ticks: [] },
    monitors: past.monitors,
    incidents,
    canaries: Object.fromEntries(known),
    directory,
  };
}

function taskFromNow(task: OpenTask, deadlineMs: number, nowMs: number): OpenTask {
  return task.createdAtMs <= nowMs ? task : { ...task, createdAtMs: nowMs, deadlineMs: nowMs + deadlineMs };
}

/** 0: nothing of that name asks about a task any more. */
function deadlineOf(id: string, { gateways }: Config): number {
  const monitor = gateways.flatMap(({ monitors }) => monitors).find((of) => of.id === id);
  return monitor?.canary?.task?.deadlineMs ?? 0;
}
