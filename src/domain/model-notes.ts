/**
 * What lately changed in a monitor's list of models: how many there are, and expected ones that vanished or returned. Pure.
 */
import type { ModelsChange } from "./model-watch.ts";

export interface ModelNote {
  readonly atMs: number;
  /** How many there were from then on. */
  readonly count: number;
  /** Expected ones, as they were told; at most `NAMES_NOTED`. */
  readonly vanished: readonly string[];
  readonly returned: readonly string[];
}

/** The newest are kept. */
export const NOTES_KEPT = 8;
export const NAMES_NOTED = 10;

/**
 * @param notes oldest first: the first is of the first list that was seen. The very same come back where nothing changed.
 * @param count models in the list of this probe; null: it brought none.
 */
export function noteModels(
  notes: readonly ModelNote[],
  { atMs, count }: { readonly atMs: number; readonly count: number | null },
  change: ModelsChange | null,
): readonly ModelNote[] {
  const { vanished, returned } = change ?? { vanished: [], returned: [] };
  const isNews = notes.at(-1)?.count !== count || vanished.length + returned.length > 0;
  if (count === null || !isNews) return notes;
  const named = (models: readonly string[]) => models.slice(0, NAMES_NOTED);
  const note = { atMs, count, vanished: named(vanished), returned: named(returned) };
  return [...notes, note].slice(-NOTES_KEPT);
}
