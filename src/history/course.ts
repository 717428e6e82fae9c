/**
 * The courses of monitors as the snapshot carries them: a text a column, which packs well and is read only where it is
 * shown. Pure.
 */
import * as z from "zod/mini";
import { COURSE_STEPS, type CourseStep } from "../domain/course.ts";
import { CAUSES, HEALTHS } from "../protocol/diagnosis.ts";

export const packedCourseSchema = z.object({
  /** Milliseconds with commas between them; nothing for none. */
  p50: z.string(),
  p95: z.string(),
  /** A digit a step, its place in the list of the protocol; `-`: no probe counted. */
  health: z.string(),
  /** By the place of the step, where it is not simply `ok`. */
  causes: z.array(z.tuple([z.int(), z.enum(CAUSES)])),
});
export type PackedCourse = z.infer<typeof packedCourseSchema>;

/** @param isHealthOnly whether causes stay unpublished. */
export function packCourse(steps: readonly CourseStep[], isHealthOnly: boolean): PackedCourse {
  const causes = steps.flatMap(({ cause }, index): PackedCourse["causes"] =>
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
  return Array.from({ length: COURSE_STEPS }, (_, index) => ({
    p50: numberOf(medians[index]),
    p95: numberOf(highs[index]),
    health: HEALTHS[Number(health[index])] ?? null,
    cause: known.get(index) ?? null,
  }));
}

function numberOf(text: string | undefined): number | null {
  const number = Number(text);
  return text === undefined || text === "" || !Number.isFinite(number) ? null : number;
}
