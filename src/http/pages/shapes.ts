/**
 * Paths of SVG: a shape for each health, and the line of latency of 24 hours with bands of what failed. Whole numbers and
 * relative lines keep pages small. Pure.
 */
import { isFailing } from "../../domain/health.ts";
import { type CourseColumns, healthAt, type Run, runsOf } from "../../history/course.ts";
import type { Shown } from "./i18n/messages.ts";
import type { Headline } from "./view.ts";

/** Disc, triangle, square with a cross, diamond with a bar, ring, two bars, hexagon. */
export const SHAPES: Readonly<Record<Shown, string>> = {
  up: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z",
  degraded: "M8 1.5l7 13h-14z",
  down: "M2 2h12v12h-12zM5.2 4L4 5.2L6.8 8L4 10.8L5.2 12L8 9.2L10.8 12L12 10.8L9.2 8L12 5.2L10.8 4L8 6.8z",
  blocked: "M8 .5l7.5 7.5l-7.5 7.5l-7.5-7.5zM4.8 7h6.4v2h-6.4z",
  unknown: "M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM8 4.2a3.8 3.8 0 1 1 0 7.6a3.8 3.8 0 1 1 0-7.6z",
  paused: "M3 2h3.5v12h-3.5zM9.5 2h3.5v12h-3.5z",
  maintenance: "M8 1l6.2 3.5v7l-6.2 3.5l-6.2-3.5v-7zM8 3.4l-4.1 2.3v4.6l4.1 2.3l4.1-2.3v-4.6z",
};

export function iconOf(tone: Headline["tone"]): string {
  const shown = tone === "stale" ? "unknown" : tone;
  const path = `<path fill="${COLOURS[shown]}" fill-rule="evenodd" d="${SHAPES[shown]}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

const COLOURS = {
  up: "#2da44e",
  degraded: "#bf8700",
  down: "#e5534b",
  blocked: "#8f66e8",
  unknown: "#8b949e",
  maintenance: "#388bfd",
} as const satisfies Record<Exclude<Headline["tone"], "stale">, string>;

/** A line goes on over so many half hours without a probe. */
const MOST_BRIDGED = 4;

interface Plane {
  readonly stepWidth: number;
  readonly height: number;
  /** Milliseconds at the top. */
  readonly topMs: number;
}

/** Through the middle of each step that has a value; it breaks at failures and long gaps. A single point is a dot. */
export function linePath(course: CourseColumns, of: "p50" | "p95", plane: Plane): string {
  const { stepWidth, height, topMs } = plane;
  let path = "";
  let lastIndex = Number.NEGATIVE_INFINITY;
  let lastY = 0;
  let isBroken = false;
  let isDot = false;
  const values = course[of];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    if (value === null) {
      isBroken ||= isFailingAt(course, index);
      continue;
    }
    const y = Math.round(height - (Math.min(value, topMs) / topMs) * height);
    const steps = index - lastIndex;
    const goesOn = !isBroken && steps <= MOST_BRIDGED;
    if (goesOn) path += `l${steps * stepWidth} ${y - lastY}`;
    else path += `${isDot ? "h0" : ""}M${(index + 0.5) * stepWidth} ${y}`;
    isDot = !goesOn;
    isBroken = false;
    lastIndex = index;
    lastY = y;
  }
  return isDot ? `${path}h0` : path;
}

function isFailingAt(course: CourseColumns, step: number): boolean {
  const health = healthAt(course, step);
  return health !== null && isFailing(health);
}

/** The worse, the higher: colour is not the only sign. Shares of the height, from the top. */
const TOPS = { down: 0, degraded: 1 / 3, blocked: 5 / 9, unknown: 5 / 6 } as const satisfies Record<
  Run["health"],
  number
>;

export function bands(course: CourseColumns, { stepWidth, height }: Plane): string {
  return runsOf(course)
    .map(({ health, first, last }) => {
      const top = Math.round(TOPS[health] * height);
      const path = `M${first * stepWidth} ${top}h${(last - first + 1) * stepWidth}v${height - top}H${first * stepWidth}z`;
      return `<path class="run ${health}" d="${path}"/>`;
    })
    .join("");
}

export function drawn(name: string, path: string): string {
  return path === "" ? "" : `<path class="${name}" d="${path}"/>`;
}

/** 1, 2 or 5 times a power of ten, in milliseconds; no value exceeds it. Null without any value. */
export function topOf(values: readonly (number | null)[]): number | null {
  const most = Math.max(...values.map((value) => value ?? -1));
  if (most < 0) return null;
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5].map((digit) => digit * power).find((top) => top >= most) ?? 10 * power;
}
