/**
 * Shapes of a monitor's last 24 hours: lines of latency, and what failed below or behind them. Coordinates are whole
 * numbers, lines are relative, runs are one rectangle: a page has many of these. Pure.
 */
import type { CourseStep } from "../../domain/course.ts";
import { isFailing } from "../../domain/health.ts";
import type { Cause, Health } from "../../protocol/diagnosis.ts";

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
export function linePath(steps: readonly CourseStep[], of: "p50" | "p95", plane: Plane): string {
  const { stepWidth, height, topMs } = plane;
  let path = "";
  let last: { readonly index: number; readonly y: number } | null = null;
  let isBroken = true;
  let isDot = false;
  for (const [index, step] of steps.entries()) {
    const value = step[of];
    if (value === null) {
      isBroken ||= step.health !== null && isFailing(step.health);
      continue;
    }
    const y = Math.round(height - (Math.min(value, topMs) / topMs) * height);
    const goesOn: boolean = last !== null && !isBroken && index - last.index <= MOST_BRIDGED;
    if (goesOn && last !== null) path += `l${(index - last.index) * stepWidth} ${y - last.y}`;
    else path += `${isDot ? "h0" : ""}M${(index + 0.5) * stepWidth} ${y}`;
    isDot = !goesOn;
    isBroken = false;
    last = { index, y };
  }
  return isDot ? `${path}h0` : path;
}

/** Neighbours of one health and cause. */
export interface CourseRun {
  readonly health: Exclude<Health, "up">;
  readonly cause: Cause | null;
  readonly first: number;
  readonly last: number;
}

/** What was not up, oldest first. */
export function troubleRuns(steps: readonly CourseStep[]): readonly CourseRun[] {
  const runs: CourseRun[] = [];
  for (const [index, { health, cause }] of steps.entries()) {
    if (health === null || health === "up") continue;
    const run = runs.at(-1);
    const isSame =
      run !== undefined && run.last === index - 1 && run.health === health && run.cause === cause;
    if (isSame) runs[runs.length - 1] = { ...run, last: index };
    else runs.push({ health, cause, first: index, last: index });
  }
  return runs;
}

/** Of a run, from `top` to `bottom`. */
export function runPath({ first, last }: CourseRun, stepWidth: number, top: number, bottom: number): string {
  return `M${first * stepWidth} ${top}h${(last - first + 1) * stepWidth}v${bottom - top}H${first * stepWidth}z`;
}

/** A round number of milliseconds that no value exceeds: 1, 2 or 5 times a power of ten. Null without any value. */
export function topOf(steps: readonly CourseStep[], of: "p50" | "p95"): number | null {
  const most = steps.reduce((top, step) => Math.max(top, step[of] ?? -1), -1);
  if (most < 0) return null;
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  return [1, 2, 5].map((digit) => digit * power).find((top) => top >= most) ?? 10 * power;
}
