/** The lines and marks of charts. */
import { expect, test } from "vitest";
import { type CourseStep, EMPTY_STEP } from "../../src/domain/course.ts";
import { packCourse } from "../../src/history/course.ts";
import { linePath, runPath, topOf, troubleRuns } from "../../src/http/pages/course-shapes.ts";
import type { Shown } from "../../src/http/pages/words/catalogue.ts";
import type { Cause, Health } from "../../src/protocol/diagnosis.ts";

const PLANE = { stepWidth: 10, height: 100, topMs: 100 };

function good(p50: number): CourseStep {
  return { p50, p95: 2 * p50, health: "up", cause: null };
}

function bad(health: Health, cause: Cause | null = null): CourseStep {
  return { ...EMPTY_STEP, health, cause };
}

test.each<[title: string, steps: readonly CourseStep[], path: string]>([
  ["nothing is no line", [EMPTY_STEP, EMPTY_STEP], ""],
  ["one value is a dot", [EMPTY_STEP, good(40)], "M15 60h0"],
  ["values are joined", [good(40), good(50), good(20)], "M5 60l10 -10l10 30"],
  ["over a half hour without a probe too", [good(40), EMPTY_STEP, good(50)], "M5 60l20 -10"],
  [
    "over an hour and a half without one",
    [good(40), EMPTY_STEP, EMPTY_STEP, EMPTY_STEP, good(50)],
    "M5 60l40 -10",
  ],
  ["not over hours", [good(40), EMPTY_STEP, EMPTY_STEP, EMPTY_STEP, EMPTY_STEP, good(50)], "M5 60h0M55 50h0"],
  ["not over a failure", [good(40), bad("down"), good(50), good(50)], "M5 60h0M25 50l10 0"],
  ["over what had no verdict", [good(40), bad("unknown"), good(50)], "M5 60l20 -10"],
  ["what exceeds the top stays inside", [good(500), good(0)], "M5 0l10 100"],
])("%s", (_, steps, path) => {
  expect(linePath(packCourse(steps, false), "p50", PLANE)).toBe(path);
});

test("what failed alike, side by side, is one run", () => {
  const steps = [
    bad("down", "timeout"),
    bad("down", "timeout"),
    bad("down", "api_error"),
    good(1),
    bad("down", "api_error"),
    EMPTY_STEP,
    bad("blocked"),
  ];
  const runs = troubleRuns(packCourse(steps, false), "up");
  expect(runs.map(({ health, cause, first, last }) => [health, cause, first, last])).toEqual([
    ["down", "timeout", 0, 1],
    ["down", "api_error", 2, 2],
    ["down", "api_error", 4, 4],
    ["blocked", null, 6, 6],
  ]);
  expect(runPath({ health: "down", cause: null, first: 2, last: 3 }, 10, 5, 20)).toBe("M20 5h20v15H20z");
});

test.each<[title: string, standing: Shown | null, steps: readonly CourseStep[], last: number]>([
  ["that lasts goes on to the edge", "blocked", [bad("blocked"), EMPTY_STEP, EMPTY_STEP], 2],
  ["after which it was up has ended", "blocked", [bad("blocked"), good(1), EMPTY_STEP], 0],
  ["of another health than now has ended", "down", [bad("blocked"), EMPTY_STEP, EMPTY_STEP], 0],
  ["of a paused monitor has ended", "paused", [bad("blocked"), EMPTY_STEP, EMPTY_STEP], 0],
  ["is not known to last where the checks have stopped", null, [bad("unknown"), EMPTY_STEP, EMPTY_STEP], 0],
])("a run %s", (_, standing, steps, last) => {
  expect(troubleRuns(packCourse(steps, false), standing).map((run) => [run.first, run.last])).toEqual([
    [0, last],
  ]);
});

test.each([
  [[0], 1],
  [[1], 1],
  [[1.5], 2],
  [[812, 100], 1000],
  [[1001], 2000],
  [[4999], 5000],
  [[5001], 10_000],
])("the top of %j is %i ms", (values, top) => {
  expect(topOf([null, ...values])).toBe(top);
});

test("without a value there is no top", () => {
  expect(topOf([null, null])).toBeNull();
});
