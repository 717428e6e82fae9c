/** The course of a monitor, packed and read again. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { COURSE_STEPS, type CourseStep } from "../../src/domain/rollup.ts";
import { causeAt, type CourseColumns, healthAt, packCourse, runsOf } from "../../src/history/course.ts";
import { CAUSES, HEALTHS } from "../../src/protocol/diagnosis.ts";

const latency = fc.option(fc.integer({ min: 0, max: 600_000 }));

const anyStep: fc.Arbitrary<CourseStep> = fc.record({
  p50: latency,
  p95: latency,
  health: fc.option(fc.constantFrom(...HEALTHS)),
  cause: fc.option(fc.constantFrom(...CAUSES)),
});

const anyCourse = fc.array(anyStep, { minLength: COURSE_STEPS, maxLength: COURSE_STEPS });

function readAgain(steps: readonly CourseStep[], isHealthOnly: boolean): readonly CourseStep[] {
  const course = JSON.parse(JSON.stringify(packCourse(steps, isHealthOnly))) as CourseColumns;
  return steps.map((_, step) => ({
    p50: course.p50[step] ?? null,
    p95: course.p95[step] ?? null,
    health: healthAt(course, step),
    cause: causeAt(course, step),
  }));
}

test("what was packed is read as it was; that all was well needs no word", () => {
  fc.assert(
    fc.property(anyCourse, (steps) => {
      expect(readAgain(steps, false)).toEqual(
        steps.map((step) => (step.cause === "ok" ? { ...step, cause: null } : step)),
      );
    }),
  );
});

test("where the health alone is published no cause is in it", () => {
  fc.assert(
    fc.property(anyCourse, (steps) => {
      expect(packCourse(steps, true).causes).toEqual([]);
      expect(readAgain(steps, true)).toEqual(steps.map((step) => ({ ...step, cause: null })));
    }),
  );
});

test("runs are the longest stretches of one health that were judged, and not as up", () => {
  fc.assert(
    fc.property(anyCourse, (steps) => {
      const runs = runsOf(packCourse(steps, false));
      const each = runs.flatMap(({ health, first, last }) =>
        Array.from({ length: last - first + 1 }, (_, at) => [first + at, health]),
      );
      const judged = steps.flatMap(({ health }, step) => (health === null ? [] : [[step, health]]));
      expect(each).toEqual(judged.filter(([, health]) => health !== "up"));
      for (const [index, { health, first }] of runs.entries()) {
        const before = runs[index - 1];
        expect(before?.last === first - 1 && before.health === health).toBe(false);
      }
    }),
  );
});
