/**
 * Shapes of a monitor's last 24 hours: lines of latency, and what failed below or behind them. Coordinates are whole
 * numbers, lines are relative, runs are one rectangle: a page has many of these. Pure.
 */
import { isFailing } from "../../../domain/health.ts";
import { causeAt, type CourseColumns, healthAt, stepsNotUp } from "../../../history/course.ts";
import type { Cause, Health } from "../../../protocol/diagnosis.ts";

/** A line goes on over so many half hours without a probe; a monitor may be checked as seldom. */
const MOST_BRIDGED = 4;

export interface Plane {
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

/** Neighbours of one health and cause. */
export interface CourseRun {
  readonly health: Exclude<Health, "up">;
  readonly cause: Cause | null;
  readonly first: number;
  readonly last: number;
}

/** What was not up, oldest first. */
export function troubleRuns(course: CourseColumns): readonly CourseRun[] {
  const runs: CourseRun[] = [];
  for (const step of stepsNotUp(course)) {
    const health = healthAt(course, step);
    if (health === null || health === "up") continue;
    const cause = causeAt(course, step);
    const run = runs.at(-1);
    const isSame = run !== undefined && run.last === step - 1 && run.health === health && run.cause === cause;
    if (isSame) runs[runs.length - 1] = { ...run, last: step };
    else runs.push({ health, cause, first: step, last: step });
  }
  return runs;
}

/** Of a run, from `top` to `bottom`. */
export function runPath({ first, last }: CourseRun, stepWidth: number, top: number, bottom: number): string {
  return `M${first * stepWidth} ${top}h${(last - first + 1) * stepWidth}v${bottom - top}H${first * stepWidth}z`;
}

/** A round number of milliseconds that no value exceeds: 1, 2 or 5 times a power of ten. Null without any value. */
export function topOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const most = Math.max(...known);
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5].map((digit) => digit * power).find((top) => top >= most) ?? 10 * power;
}
