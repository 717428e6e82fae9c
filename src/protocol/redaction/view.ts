/**
 * A view of a text: the same text read in another way, which knows for each of its characters where it stands in the
 * original, so that what is found in it is a range of the original. Pure; linear in the text.
 */

import { type Edit, type Range, applyEdits } from "./ranges.ts";

export interface View {
  readonly text: string;
  /** Where the range [start, end) of this view, which is not empty, lies in the original. */
  readonly locate: (start: number, end: number) => Range;
}

/** A view that was made by edits; `origin` has the offset in the source of each unit and of the end. */
export interface RewrittenView extends View {
  readonly origin: Uint32Array;
}

export function plainView(text: string): View {
  return { text, locate: (start, end) => ({ start, end }) };
}

/** The view with edits applied, which are in order and do not overlap. */
export function rewritten(source: View, edits: readonly Edit[]): RewrittenView {
  const text = applyEdits(source.text, edits);
  const origin = originsOf(source.text, text.length, edits);
  const locate = (start: number, end: number): Range => {
    let last = end;
    while (last < text.length && origin[last] === origin[end - 1]) last += 1;
    return source.locate(origin[start] ?? 0, origin[last] ?? source.text.length);
  };
  return { text, origin, locate };
}

function originsOf(source: string, length: number, edits: readonly Edit[]): Uint32Array {
  const origin = new Uint32Array(length + 1);
  let written = 0;
  let copied = 0;
  const copyTo = (end: number): void => {
    for (; copied < end; copied += 1, written += 1) origin[written] = copied;
  };
  for (const { start, end, by } of edits) {
    copyTo(start);
    origin.fill(start, written, written + by.length);
    written += by.length;
    copied = end;
  }
  copyTo(source.length + 1);
  return origin;
}

/** What is left of the view without all that `dropped` matches; its offsets are worked out when they are asked for. */
export function reduced(source: View, dropped: RegExp): View {
  let kept: Uint32Array | null = null;
  const text = source.text.replaceAll(dropped, "");
  return {
    text,
    locate: (start, end) => {
      kept ??= keptOffsets(source.text, text.length, dropped);
      return source.locate(kept[start] ?? 0, (kept[end - 1] ?? 0) + 1);
    },
  };
}

function keptOffsets(source: string, length: number, dropped: RegExp): Uint32Array {
  const kept = new Uint32Array(length);
  let written = 0;
  let at = 0;
  const keepTo = (end: number): void => {
    for (; at < end; at += 1, written += 1) kept[written] = at;
  };
  for (const match of source.matchAll(dropped)) {
    keepTo(match.index);
    at = match.index + match[0].length;
  }
  keepTo(source.length);
  return kept;
}
