/**
 * What giving gateways away and taking them over have in common. Each step is one write; who says when is `mover.ts`.
 */
import type { Calendar } from "../domain/calendar.ts";
import type { Archive } from "./archive.ts";
import type { LedgerMemory } from "./memory.ts";
import type { Moves } from "./moves.ts";
import type { Outcome } from "./outcome.ts";
import type { Territory } from "./territory.ts";

export interface HandingWorld {
  readonly memory: LedgerMemory;
  readonly territory: Territory;
  readonly shard: number;
  readonly calendar: Calendar;
  /** As `LedgerWorld.run`. */
  readonly run: string | null;
  now(): number;
  commit(outcome: Outcome, more?: (stores: { readonly archive: Archive }) => void): void;
  /** Closes what can be closed of history by then. */
  closeHistory(nowMs: number): void;
}

/** Nothing of it is told: for people nothing has happened. */
export const SILENT = { happenings: [], resolved: [], changed: true, tickMs: null, isLast: false } as const;

export function commitMoves(
  { memory, commit }: Pick<HandingWorld, "memory" | "commit">,
  change: Partial<Moves>,
): void {
  const { state } = memory;
  const moves = { ...state.moves, ...change };
  commit({ ...SILENT, changed: false, state: { ...state, moves } });
}

export function only<Value>(
  record: Readonly<Record<string, Value>>,
  keeps: (id: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => keeps(id)));
}
