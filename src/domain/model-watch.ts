/** Expected models that vanish from a list and return, once several lists confirm it; and notes of all changes. Pure. */
import * as z from "zod/mini";
import { objectOnce, once } from "./schema.ts";
import type { ProbeOutcome } from "./probe-outcome.ts";
import { instantMs, type Stored } from "./stored.ts";

const ids = once(() => z.array(z.string()));

export const modelWatchSchema = objectOnce(() => ({
  /** The missing models as last reported. */
  told: ids(),
  /** Since when any are reported missing; null: none are. */
  toldSinceMs: z.nullable(instantMs()),
  /** The missing models of the last lists, if they differ from `told`; and how many lists in a row said so. */
  seen: ids(),
  inARow: z.int(),
}));
export type ModelWatch = Stored<typeof modelWatchSchema>;

export const ALL_THERE: ModelWatch = { told: [], toldSinceMs: null, seen: [], inARow: 0 };

export const modelsChangeSchema = objectOnce(() => ({
  vanished: ids(),
  returned: ids(),
  missing: ids(),
}));
export type ModelsChange = Stored<typeof modelsChangeSchema>;

export interface ModelRules {
  /** How many lists in a row must confirm that a model vanished; and, if none did, that some returned. */
  readonly open: number;
  readonly close: number;
  readonly expect: readonly string[];
  /** If false, changes are counted and reported later. */
  readonly mayTell: boolean;
  /** If true, models that vanish do not count; reported ones that return do. */
  readonly inMaintenance: boolean;
}

export const MODELS_OVER: ModelsChange = { vanished: [], returned: [], missing: [] };

/** A probe without a list changes nothing. If no reported model is still expected, the alert about them ends. */
export function watchModels(
  watch: ModelWatch,
  outcome: Pick<ProbeOutcome, "startedAtMs" | "modelCount" | "missingModels">,
  rules: ModelRules,
): { readonly watch: ModelWatch; readonly change: ModelsChange | null } {
  if (outcome.modelCount === null) return { watch, change: null };
  const expected = (models: readonly string[]) => models.filter((model) => rules.expect.includes(model));
  const missing = expected(outcome.missingModels);
  const told = expected(watch.told);
  const vanished = without(missing, told);
  const returned = without(told, missing);
  const differs = vanished.length + returned.length > 0;
  const isAgain = areSame(expected(watch.seen), missing);
  const counts = differs && !(rules.inMaintenance && vanished.length > 0);
  const next = counts ? { seen: missing, inARow: isAgain ? watch.inARow + 1 : 1 } : { seen: [], inARow: 0 };
  const isOver = told.length === 0 && watch.told.length > 0;
  if (rules.mayTell && counts && next.inARow >= (vanished.length > 0 ? rules.open : rules.close)) {
    const toldSinceMs = watch.told.length === 0 ? outcome.startedAtMs : watch.toldSinceMs;
    const after = missing.length === 0 ? ALL_THERE : { ...ALL_THERE, told: missing, toldSinceMs };
    return { watch: after, change: { vanished, returned, missing } };
  }
  if (rules.mayTell && isOver) return { watch: { ...ALL_THERE, ...next }, change: MODELS_OVER };
  return { watch: { ...watch, ...next, told: isOver ? watch.told : told }, change: null };
}

function without(models: readonly string[], others: readonly string[]): readonly string[] {
  return models.filter((model) => !others.includes(model));
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return without(a, b).length === 0 && without(b, a).length === 0;
}

export const modelNoteSchema = objectOnce(() => ({
  atMs: instantMs(),
  /** How many models the list had since then. */
  count: z.int(),
  /** Expected ones, as they were reported; at most `NAMES_NOTED`. */
  vanished: ids(),
  returned: ids(),
}));
export type ModelNote = Stored<typeof modelNoteSchema>;

const NOTES_KEPT = 8;
export const NAMES_NOTED = 10;

/** @param notes oldest first. If nothing changed, the same array is returned. @param count null: the probe got no list. */
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
