/** A monitor's last day for tests: its course, its newest probes and what its list of models did, as they are published. */
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { COURSE_STEPS, type CourseStep, courseStart, EMPTY_STEP } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { packCourse } from "../../src/history/course.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { sampleAt } from "../history/published-history.ts";
import { NOW_MS } from "./documents.ts";

/** 48 half hours that were up, but for those that are named by their place; the first begins at 12:30 the day before. */
export function stepsOf(others: Readonly<Record<number, Partial<CourseStep>>> = {}): readonly CourseStep[] {
  return Array.from({ length: COURSE_STEPS }, (_, index) => {
    const other = others[index];
    if (other === undefined) return { p50: 400 + index, p95: 800 + index, health: "up", cause: "ok" };
    return { ...EMPTY_STEP, ...other };
  });
}

/** A day with five stretches of trouble, and one without a check. */
export const TROUBLED = stepsOf({
  20: { health: "down", cause: "timeout" },
  21: { health: "down", cause: "timeout" },
  22: { health: "down", cause: "upstream_unavailable" },
  30: { health: "blocked", cause: "insufficient_balance" },
  40: {},
  47: { health: "degraded", cause: "slow", p50: 2400, p95: 4800 },
});

export function courseTail(steps: readonly CourseStep[]): Pick<SnapshotTail, "halfHours"> {
  return {
    halfHours: { fromMs: courseStart(NOW_MS), byMonitor: { "acme/models": packCourse(steps, false) } },
  };
}

/** Given oldest first, a minute apart, the last one a minute ago. */
export function probesTail(
  probes: readonly Partial<Sample>[],
  id = "acme/models",
): Pick<SnapshotTail, "live"> {
  const samples = probes.map((probe, index) => sampleAt(NOW_MS - (probes.length - index) * MINUTE_MS, probe));
  return { live: { samples: { [id]: packSamples(samples) }, hours: {}, days: {} } };
}
