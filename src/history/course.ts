/** The courses of monitors in the snapshot, a column for each value: a page reads only what it draws. Pure. */
import type { CourseStep } from "../domain/rollup.ts";
import { type Cause, type Health, HEALTHS } from "../protocol/diagnosis.ts";

/** Each column has `COURSE_STEPS` places. */
export interface CourseColumns {
  /** Milliseconds; null where no probe was good. */
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  /** A digit for each step, the health's place in `HEALTHS`; `-`: no probe counted. */
  readonly health: string;
  /** Of the steps whose cause is not `ok`. */
  readonly causes: readonly (readonly [step: number, cause: Cause])[];
}

/** @param isHealthOnly whether causes stay unpublished. */
export function packCourse(steps: readonly CourseStep[], isHealthOnly: boolean): CourseColumns {
  const causes = steps.flatMap(({ cause }, index): (readonly [number, Cause])[] =>
    cause === null || cause === "ok" || isHealthOnly ? [] : [[index, cause]],
  );
  return {
    p50: steps.map(({ p50 }) => p50),
    p95: steps.map(({ p95 }) => p95),
    health: steps.map(({ health }) => (health === null ? "-" : HEALTHS.indexOf(health))).join(""),
    causes,
  };
}

export function healthAt({ health }: CourseColumns, step: number): Health | null {
  return HEALTHS[Number(health[step])] ?? null;
}

/** Null: it was `ok`, or is not published. */
export function causeAt({ causes }: CourseColumns, step: number): Cause | null {
  return causes.find(([at]) => at === step)?.[1] ?? null;
}

/** Steps in a row with the same health. */
export interface Run {
  readonly health: Exclude<Health, "up">;
  readonly first: number;
  readonly last: number;
}

/** The runs that were neither up nor without a probe, oldest first. */
export function runsOf(course: CourseColumns): readonly Run[] {
  const runs: Run[] = [];
  const steps = course.health;
  for (let first = 0, last = 0; first < steps.length; first = last + 1) {
    last = first;
    while (steps[last + 1] === steps[first]) last += 1;
    const health = healthAt(course, first);
    if (health !== null && health !== "up") runs.push({ health, first, last });
  }
  return runs;
}
