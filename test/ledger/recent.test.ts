/** The samples of the last day in memory: the course that is asked for again and again. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { COURSE_STEP_MS, courseStart, courseStep } from "../../src/domain/rollup.ts";
import { RecentSamples } from "../../src/ledger/history/archive.ts";
import { sampleAt } from "../history/published-history.ts";

const START = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

test("a course that was asked for before is the same as one that is made anew", () => {
  const step = {
    ask: fc.boolean(),
    at: fc.integer({ min: 0, max: 40 * 60 }),
    latencyMs: fc.option(fc.integer({ min: 1, max: 999 })),
    drop: fc.boolean(),
    span: fc.integer({ min: 0, max: 40 * 60 }),
  };
  const steps = fc.array(fc.record(step), { maxLength: 60 });
  const add = { ask: false, at: 0, latencyMs: 100, drop: false, span: 0 };
  const asked = { ...add, ask: true };
  /** A probe comes into a half hour that was asked for. */
  const example = [asked, add, asked, { ...add, at: 1, latencyMs: null }, asked];
  /** A clock that ran ahead left a probe behind. */
  const forgotten = [
    { ...add, at: 60 },
    { ...asked, at: 60 },
    { ...add, drop: true },
    { ...asked, at: 60 },
  ];
  fc.assert(
    fc.property(steps, (played) => {
      const recent = new RecentSamples();
      let samples: ReturnType<typeof sampleAt>[] = [];
      for (const { ask, at, latencyMs, drop, span } of played) {
        const atMs = START + at * MINUTE;
        if (drop) {
          const untilMs = atMs + span * MINUTE;
          recent.keep(atMs, untilMs);
          samples = samples.filter((sample) => sample.atMs >= atMs && sample.atMs <= untilMs);
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
          const failure = { health: "down", cause: "timeout" } as const;
          const sample = sampleAt(atMs, { latencyMs, ...(latencyMs === null && failure) });
          recent.add("g/m", sample);
          samples.push(sample);
        }
      }
    }),
    { examples: [[example], [forgotten]] },
  );
});
