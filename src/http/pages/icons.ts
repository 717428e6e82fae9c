/** The shape of each state, and the icon of a page in the browser's tab. Pure. */
import type { Shown } from "./i18n/messages.ts";
import type { Headline } from "./view.ts";

/** Disc, triangle, square with a cross, diamond with a bar, arrow upwards, ring, two bars, hexagon. */
export const SHAPES: Readonly<Record<Shown, string>> = {
  up: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z",
  degraded: "M8 1.5l7 13h-14z",
  down: "M2 2h12v12h-12zM5.2 4L4 5.2L6.8 8L4 10.8L5.2 12L8 9.2L10.8 12L12 10.8L9.2 8L12 5.2L10.8 4L8 6.8z",
  blocked: "M8 .5l7.5 7.5l-7.5 7.5l-7.5-7.5zM4.8 7h6.4v2h-6.4z",
  recovering: "M8 1.5l6.5 6.5h-4v6.5h-5v-6.5h-4z",
  unknown: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM8 4.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6z",
  paused: "M3 2h3.5v12h-3.5zM9.5 2h3.5v12h-3.5z",
  maintenance: "M8 1l6.2 3.5v7l-6.2 3.5l-6.2-3.5v-7zM8 3.4l-4.1 2.3v4.6l4.1 2.3l4.1-2.3v-4.6z",
};

export function iconOf(tone: Headline["tone"]): string {
  const shown = toneShown(tone);
  const path = `<path fill="${COLOURS[shown]}" fill-rule="evenodd" d="${SHAPES[shown]}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A stale page does not know the state. */
export function toneShown(tone: Headline["tone"]): keyof typeof COLOURS {
  return tone === "stale" ? "unknown" : tone;
}

export const COLOURS = {
  up: "#2da44e",
  degraded: "#bf8700",
  down: "#e5534b",
  blocked: "#8f66e8",
  recovering: "#bf8700",
  unknown: "#8b949e",
  maintenance: "#388bfd",
} as const satisfies Record<Exclude<Headline["tone"], "stale">, string>;
