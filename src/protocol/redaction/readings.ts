/**
 * All the ways to read one text: without its escapes, as the eye sees it, and what stands in it in base64 or
 * hexadecimal, read in the same ways again. Pure; linear in the text, for the number of views of a place is bounded.
 */

import { encodedViews, letterViews, visibleView } from "./spellings.ts";
import { type RewrittenView, type View, plainView } from "./view.ts";
import { viewsWithoutEscapes } from "./views.ts";

export interface Readings {
  /** Without its outermost escapes; null when there are none. */
  readonly first: RewrittenView | null;
  /** All that differ from the text itself. */
  readonly views: readonly View[];
  /** The letters and digits alone, of the text and of what is encoded in it. */
  readonly letters: () => readonly View[];
}

/** base64 of base64 occurs; deeper nesting costs more than it finds. */
const MAX_DEPTH = 2;

export function readingsOf(text: string): Readings {
  const source = plainView(text);
  const decoded = viewsWithoutEscapes(source);
  const views: View[] = [];
  const legible: View[] = [];
  collect(source, decoded, MAX_DEPTH, views, legible);
  return { first: decoded[0] ?? null, views, letters: () => legible.flatMap(letterViews) };
}

function collect(
  source: View,
  decoded: readonly View[],
  depth: number,
  views: View[],
  legible: View[],
): void {
  const deepest = decoded.at(-1) ?? source;
  const visible = visibleView(deepest);
  views.push(...decoded);
  if (visible !== null) views.push(visible);
  legible.push(visible ?? deepest);
  if (depth === 0) return;
  for (const encoded of encodedViews(visible ?? deepest)) {
    views.push(encoded);
    collect(encoded, viewsWithoutEscapes(encoded), depth - 1, views, legible);
  }
}
