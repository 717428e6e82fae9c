/**
 * What a snapshot says of one monitor's last day beyond its status: the course, the newest probes, changes of its models.
 */
import { COURSE_STEPS, EMPTY_STEP } from "../domain/course.ts";
import type { ModelNote } from "../domain/model-notes.ts";
import { type CourseColumns, packCourse } from "../history/course.ts";
import { type Read, reading } from "../history/reader.ts";
import { unpackKnownSamples } from "../history/segment.ts";
import type { SnapshotTail } from "../history/snapshot.ts";
import type { DryTail } from "./publication.ts";
import { type ProbePoint, probePoint } from "./points.ts";
import { isHealthOnly } from "./visible.ts";

export interface Course extends CourseColumns {
  /** When the first step begins. */
  readonly fromMs: number;
}

/**
 * As the public may see it.
 * @param tail that of the shard that shows it; null: none does.
 */
export function courseOf(monitorId: string, tail: DryTail | null): Course {
  if (tail === null) return { ...NOTHING_SEEN, fromMs: 0 };
  const { fromMs, byMonitor } = tail.halfHours;
  const columns = Object.hasOwn(byMonitor, monitorId) ? byMonitor[monitorId] : undefined;
  const course = { ...(columns ?? NOTHING_SEEN), fromMs };
  return isHealthOnly(monitorId, tail) ? { ...course, causes: [] } : course;
}

const NOTHING_SEEN = packCourse(
  Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP),
  true,
);

/** Newest first, as the public may see them. */
export async function recentProbes(
  monitorId: string,
  tail: SnapshotTail,
  most: number,
): Promise<Read<readonly ProbePoint[]>> {
  const bytes = Object.hasOwn(tail.live.samples, monitorId) ? tail.live.samples[monitorId] : undefined;
  const samples = await reading(async () => (bytes === undefined ? [] : unpackKnownSamples(bytes)));
  if (!samples.ok) return samples;
  const healthOnly = isHealthOnly(monitorId, tail);
  const newest = samples.value.toReversed().slice(0, most);
  return { ok: true, value: newest.map((sample) => probePoint(sample, healthOnly)) };
}

/** Oldest first; none where the gateway publishes its health alone. */
export function modelNotesOf(monitorId: string, tail: DryTail): readonly ModelNote[] {
  const { modelNotes } = tail;
  if (isHealthOnly(monitorId, tail) || !Object.hasOwn(modelNotes, monitorId)) return [];
  return modelNotes[monitorId] ?? [];
}
