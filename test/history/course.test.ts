/** The course of a monitor, packed and read again. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { COURSE_STEPS, type CourseStep, EMPTY_STEP } from "../../src/domain/course.ts";
import { packCourse, type PackedCourse, unpackCourse } from "../../src/history/course.ts";
import { CAUSES, HEALTHS } from "../../src/protocol/diagnosis.ts";

const latency = fc.option(fc.integer({ min: 0, max: 600_000 }));

const anyStep: fc.Arbitrary<CourseStep> = fc.record({
  p50: latency,
  p95: latency,
  health: fc.option(fc.constantFrom(...HEALTHS)),
  cause: fc.option(fc.constantFrom(...CAUSES)),
});

const anyCourse = fc.array(anyStep, { minLength: COURSE_STEPS, maxLength: COURSE_STEPS });

test("what was packed is read as it was; that all was well needs no word", () => {
  fc.assert(
    fc.property(anyCourse, (steps) => {
      const read = unpackCourse(JSON.parse(JSON.stringify(packCourse(steps, false))) as PackedCourse);
      expect(read).toEqual(steps.map((step) => (step.cause === "ok" ? { ...step, cause: null } : step)));
    }),
  );
});

test("where the health alone is published no cause is in it", () => {
  fc.assert(
    fc.property(anyCourse, (steps) => {
      const packed = packCourse(steps, true);
      expect(packed.causes).toEqual([]);
      expect(unpackCourse(packed)).toEqual(steps.map((step) => ({ ...step, cause: null })));
    }),
  );
});

test("whatever is stored, as many steps come out as a course has", () => {
  expect(unpackCourse({ p50: "", p95: "x,1,,-", health: "9?", causes: [[7, "timeout"]] })).toEqual(
    Array.from({ length: COURSE_STEPS }, (_, index) => ({
      ...EMPTY_STEP,
      p95: index === 1 ? 1 : null,
      cause: index === 7 ? "timeout" : null,
    })),
  );
});
