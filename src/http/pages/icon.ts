/**
 * The icon of a page: the mark of how all stands, so that a tab tells it. Pure.
 */
import type { Headline } from "./headline.ts";
import { SHAPES } from "./shapes.ts";

export function iconOf(tone: Headline["tone"]): string {
  const shown = tone === "stale" ? "unknown" : tone;
  const path = `<path fill="${COLOURS[shown]}" fill-rule="evenodd" d="${SHAPES[shown]}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** Seen well on light and on dark. */
const COLOURS = {
  up: "#2da44e",
  degraded: "#bf8700",
  down: "#e5534b",
  blocked: "#db6d28",
  unknown: "#8b949e",
  maintenance: "#388bfd",
} as const satisfies Record<Exclude<Headline["tone"], "stale">, string>;
