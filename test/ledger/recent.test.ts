/** The samples of the last day in memory. */
import { expect, test } from "vitest";
import {
  COURSE_STEP_MS,
  COURSE_STEPS,
  courseStart,
  courseStep,
  EMPTY_STEP,
} from "../../src/domain/rollup.ts";
import { RecentSamples } from "../../src/ledger/history/archive.ts";
import { sampleAt } from "../history/published-history.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12, 10);

test("a course has a step for each half hour of the last day, empty where nothing was probed", () => {
  const startMs = courseStart(NOW_MS);
  const recent = new RecentSamples();
  const samples = [-1, 0, 1, COURSE_STEP_MS, NOW_MS - startMs].map((afterMs) =>
    sampleAt(startMs + afterMs, {}),
  );
  for (const sample of samples) recent.add("a/models", sample);
  const course = recent.course("a/models", NOW_MS);
  expect(course).toHaveLength(COURSE_STEPS);
  expect([course[0], course[1], course.at(-1)]).toEqual(
    [samples.slice(1, 3), samples.slice(3, 4), samples.slice(4)].map(courseStep),
  );
  expect(new Set(course.slice(2, -1))).toEqual(new Set([EMPTY_STEP]));
  expect(recent.course("b/models", NOW_MS)).toEqual(Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP));
});
