/**
 * Shapes of a monitor's last 24 hours: lines of latency, and what failed behind them. Coordinates are whole numbers, lines are
 * relative, runs are one rectangle: a page has many of these. Pure.
 */
import { isFailing } from "../../../domain/health.ts";
import { type CourseColumns, healthAt, stepsNotUp } from "../../../history/course.ts";
import type { Health } from "../../../protocol/diagnosis.ts";

/** A line goes on over so many half hours without a probe; a monitor may be checked as seldom. */
const MOST_BRIDGED = 4;

interface Plane {
  /** Of one step. */
  readonly stepWidth: number;
  readonly height: number;
  /** Milliseconds at the top. */
  readonly topMs: number;
}

/**
 * The path of a line through the middle of each step that has a value; it breaks where a step failed, and over long
 * gaps. A point by itself is a dot.
 */
export function linePath(course: CourseColumns, of: "p50" | "p95", plane: Plane): string {
  const { stepWidth, height, topMs } = plane;
  let path = "";
  let lastIndex = Number.NEGATIVE_INFINITY;
  let lastY = 0;
  let isBroken = false;
  let isDot = false;
  for (const [index, value] of course[of].entries()) {
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

/** Steps in a row of one health. */
interface Run {
  readonly health: Exclude<Health, "up">;
  readonly first: number;
  readonly last: number;
}

/** What was not up, oldest first. */
export function runsOf(course: CourseColumns): readonly Run[] {
  const runs: Run[] = [];
  for (const step of stepsNotUp(course)) {
    const health = healthAt(course, step);
    if (health === null || health === "up") continue;
    const run = runs.at(-1);
    const isSame = run?.last === step - 1 && run.health === health;
    if (isSame) runs[runs.length - 1] = { ...run, last: step };
    else runs.push({ health, first: step, last: step });
  }
  return runs;
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

/** A round number of milliseconds that no value exceeds: 1, 2 or 5 times a power of ten. Null without any value. */
export function topOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const most = Math.max(...known);
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5].map((digit) => digit * power).find((top) => top >= most) ?? 10 * power;
}
