/** The samples of the last day in memory: the course that is asked for again and again. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { COURSE_STEP_MS, courseStart, courseStep } from "../../src/domain/course.ts";
import { RecentSamples } from "../../src/ledger/recent.ts";
import { sampleAt } from "../history/published-history.ts";

const START = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

test("a course that was asked for before is the same as one that is made anew", () => {
  const minutes = fc.integer({ min: 0, max: 40 * 60 });
  const steps = fc.array(
    fc.record({
      ask: fc.boolean(),
      at: minutes,
      latencyMs: fc.integer({ min: 1, max: 999 }),
      drop: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (played) => {
      const recent = new RecentSamples();
      let samples: ReturnType<typeof sampleAt>[] = [];
      for (const { ask, at, latencyMs, drop } of played) {
        const atMs = START + at * MINUTE;
        if (drop) {
          recent.dropBefore(atMs);
          samples = samples.filter((sample) => sample.atMs >= atMs);
        } else if (ask) {
          const fromMs = courseStart(atMs);
          const course = recent.course("g/m", atMs);
          expect(course).toEqual(
            Array.from({ length: 48 }, (_, index) => {
              const stepMs = fromMs + index * COURSE_STEP_MS;
              return courseStep(
                samples.filter((of) => of.atMs >= stepMs && of.atMs < stepMs + COURSE_STEP_MS),
              );
            }),
          );
        } else {
          const sample = sampleAt(atMs, { latencyMs });
          recent.add("g/m", sample);
          samples.push(sample);
        }
      }
    }),
  );
});

test("a probe that comes into a half hour that was asked for counts in it", () => {
  const recent = new RecentSamples();
  const asked = (): unknown => {
    const step = recent.course("g/m", START).at(-1);
    return [step?.p50, step?.health];
  };
  recent.add("g/m", sampleAt(START, { latencyMs: 100 }));
  expect(asked()).toEqual([100, "up"]);
  recent.add("g/m", sampleAt(START + MINUTE, { health: "down", cause: "timeout", latencyMs: null }));
  expect(asked()).toEqual([100, "down"]);
});

test("a monitor without samples has an empty course", () => {
  expect(
    new RecentSamples().course("g/m", START).every(({ health, p50 }) => health === null && p50 === null),
  ).toBe(true);
});
