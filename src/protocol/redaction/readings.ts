/**
 * All the ways to read one text: without its escapes, as the eye sees it, and what stands in it in base64 or
 * hexadecimal, read in the same ways again. Pure; linear in the text, for the number of views of a place is bounded.
 */

import { encodedViews, unwrappedView, visibleView } from "./spellings.ts";
import { type RewrittenView, type View, plainView } from "./view.ts";
import { viewsWithoutEscapes } from "./views.ts";

export interface Readings {
  /** Without its outermost escapes; null when there are none. */
  readonly first: RewrittenView | null;
  /** All that differ from the text itself. */
  readonly views: readonly View[];
  /** Without line breaks, where a secret may go on in the next line. */
  readonly unwrapped: readonly View[];
}

/** base64 of base64 occurs; deeper nesting costs more than it finds. */
const MAX_DEPTH = 2;

export function readingsOf(text: string): Readings {
  const source = plainView(text);
  const decoded = viewsWithoutEscapes(source);
  const views: View[] = [];
  const unwrapped: View[] = [];
  collect(source, decoded, MAX_DEPTH, views, unwrapped);
  return { first: decoded[0] ?? null, views, unwrapped };
}

function collect(
  source: View,
  decoded: readonly View[],
  depth: number,
  views: View[],
  unwrapped: View[],
): void {
  const deepest = decoded.at(-1) ?? source;
  const visible = visibleView(deepest);
  views.push(...decoded);
  if (visible !== null) views.push(visible);
  const legible = visible ?? deepest;
  const whole = unwrappedView(legible);
  if (whole !== null) unwrapped.push(whole);
  if (depth === 0) return;
  for (const encoded of encodedViews(legible)) {
    views.push(encoded);
    collect(encoded, viewsWithoutEscapes(encoded), depth - 1, views, unwrapped);
  }
}
