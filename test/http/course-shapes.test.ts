/** The lines of charts: pages are read in page-day. */
import { expect, test } from "vitest";
import { type CourseStep, EMPTY_STEP } from "../../src/domain/rollup.ts";
import { packCourse } from "../../src/history/course.ts";
import { linePath, topOf } from "../../src/http/pages/shapes.ts";

const PLANE = { stepWidth: 10, height: 100, topMs: 100 };
const [FAST, MIDDLE] = [40, 50].map(good) as [CourseStep, CourseStep];
const NONE = EMPTY_STEP;
const DOWN: CourseStep = { ...EMPTY_STEP, health: "down" };
const UNKNOWN: CourseStep = { ...EMPTY_STEP, health: "unknown" };

function good(p50: number): CourseStep {
  return { p50, p95: 2 * p50, health: "up", cause: null };
}

test.each<[title: string, steps: readonly CourseStep[], path: string]>([
  ["nothing is no line", [NONE, NONE], ""],
  ["one value is a dot", [NONE, FAST], "M15 60h0"],
  ["values are joined", [FAST, MIDDLE, good(20)], "M5 60l10 -10l10 30"],
  ["over a half hour without a probe too", [FAST, NONE, MIDDLE], "M5 60l20 -10"],
  ["over an hour and a half without one", [FAST, NONE, NONE, NONE, MIDDLE], "M5 60l40 -10"],
  ["not over hours", [FAST, NONE, NONE, NONE, NONE, MIDDLE], "M5 60h0M55 50h0"],
  ["not over a failure", [FAST, DOWN, MIDDLE, MIDDLE], "M5 60h0M25 50l10 0"],
  ["over what had no verdict", [FAST, UNKNOWN, MIDDLE], "M5 60l20 -10"],
  ["what exceeds the top stays inside", [good(500), good(0)], "M5 0l10 100"],
])("%s", (_, steps, path) => {
  expect(linePath(packCourse(steps, false), "p50", PLANE)).toBe(path);
});

test.each([
  [[0], 1],
  [[1], 1],
  [[1.5], 2],
  [[812, 100], 1000],
  [[1001], 2000],
  [[4999], 5000],
  [[5001], 10_000],
  [[], null],
])("the top of %j is %i ms", (values, top) => {
  expect(topOf([null, ...values])).toBe(top);
});
