/** What changed in a list of models: the count, and expected ones that vanished or returned. */
import { expect, test } from "vitest";
import { NAMES_NOTED, noteModels, NOTES_KEPT, type ModelNote } from "../../src/domain/model-watch.ts";

function noted(counts: readonly (number | null)[]): readonly ModelNote[] {
  return counts.reduce<readonly ModelNote[]>(
    (notes, count, atMs) => noteModels(notes, { atMs, count }, null),
    [],
  );
}

function brief(notes: readonly ModelNote[]): string {
  return notes.map(({ atMs, count }) => `${atMs}:${count}`).join(" ");
}

test.each([
  [[], ""],
  [[null, null], ""],
  [[5, 5, 5], "0:5"],
  [[5, 6, 6, 4], "0:5 1:6 3:4"],
  // A probe that brought no list is no change, nor is the same list behind it.
  [[5, null, 5, null, 7], "0:5 4:7"],
  [[0, 3], "0:0 1:3"],
])("%j is noted as %j", (counts, notes) => {
  expect(brief(noted(counts))).toBe(notes);
});

test("no more than the newest are kept", () => {
  const counts = Array.from({ length: 50 }, (_, count) => count);
  const notes = noted(counts);
  expect(notes).toHaveLength(NOTES_KEPT);
  expect(notes.at(-1)).toMatchObject({ count: 49 });
});

test("what vanished or returned is noted with the count, though that is the same", () => {
  const notes = noted([5]);
  const change = { vanished: ["a"], returned: ["b"], missing: ["a"] };
  expect(noteModels(notes, { atMs: 9, count: 5 }, change).at(-1)).toEqual({
    atMs: 9,
    count: 5,
    vanished: ["a"],
    returned: ["b"],
  });
  expect(noteModels(notes, { atMs: 9, count: 5 }, { vanished: [], returned: [], missing: [] })).toBe(notes);
  const names = Array.from({ length: 100 }, (_, index) => `m${index}`);
  const many = noteModels(notes, { atMs: 9, count: 5 }, { vanished: names, returned: [], missing: names });
  expect(many.at(-1)?.vanished).toHaveLength(NAMES_NOTED);
});
