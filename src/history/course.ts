/**
 * The courses of monitors as the snapshot carries them: a text a column, which packs well and is read only where it is
 * shown. Pure.
 */
import { COURSE_STEPS, type CourseStep } from "../domain/course.ts";
import { type Cause, HEALTHS } from "../protocol/diagnosis.ts";

export interface PackedCourse {
  /** Milliseconds with commas between them; nothing for none. */
  readonly p50: string;
  readonly p95: string;
  /** A digit a step, its place in the list of the protocol; `-`: no probe counted. */
  readonly health: string;
  /** By the place of the step, where it is not simply `ok`. */
  readonly causes: readonly (readonly [step: number, cause: Cause])[];
}

/** @param isHealthOnly whether causes stay unpublished. */
export function packCourse(steps: readonly CourseStep[], isHealthOnly: boolean): PackedCourse {
  const causes = steps.flatMap(({ cause }, index): (readonly [number, Cause])[] =>
    cause === null || cause === "ok" || isHealthOnly ? [] : [[index, cause]],
  );
  return {
    p50: steps.map(({ p50 }) => p50 ?? "").join(),
    p95: steps.map(({ p95 }) => p95 ?? "").join(),
    health: steps.map(({ health }) => (health === null ? "-" : HEALTHS.indexOf(health))).join(""),
    causes,
  };
}

/** Always `COURSE_STEPS`, whatever was packed. */
export function unpackCourse({ p50, p95, health, causes }: PackedCourse): readonly CourseStep[] {
  const medians = p50.split(",");
  const highs = p95.split(",");
  const known = new Map(causes);
  const steps: CourseStep[] = [];
  for (let index = 0; index < COURSE_STEPS; index += 1) {
    steps.push({
      p50: numberOf(medians[index]),
      p95: numberOf(highs[index]),
      health: HEALTHS[Number(health[index])] ?? null,
      cause: known.get(index) ?? null,
    });
  }
  return steps;
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
