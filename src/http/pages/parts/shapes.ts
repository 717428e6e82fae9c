/**
 * The shapes by which healths are told apart without colours, in a square of 16. Pure.
 */
import type { Shown } from "../i18n/messages.ts";
import type { Headline } from "./headline.ts";

/** Disc, triangle, square, diamond, ring, two bars, hourglass. */
export const SHAPES: Readonly<Record<Shown, string>> = {
  up: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14z",
  degraded: "M8 1l7.5 14h-15z",
  down: "M1 1h14v14h-14z",
  blocked: "M8 0l8 8l-8 8l-8-8z",
  unknown: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM8 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8z",
  paused: "M2 1h4v14h-4zM10 1h4v14h-4z",
  maintenance: "M2 1h12l-4.5 7l4.5 7h-12l4.5-7z",
};

/** The icon of a page: the mark of how all stands, so that a tab tells it. */
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
