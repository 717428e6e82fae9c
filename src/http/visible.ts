/** What the public may see of stored records, and the last day of a monitor. Pure. */
import { instant } from "../domain/calendar.ts";
import { uptimeOf, worstOf } from "../domain/health.ts";
import type { ModelNote } from "../domain/model-watch.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import type { Sample } from "../domain/probe-outcome.ts";
import { COURSE_STEPS, EMPTY_STEP, type Rollup } from "../domain/rollup.ts";
import { packCourse, type CourseColumns } from "../history/course.ts";
import { compareInstants, type IncidentDocument, type PublishedIncident } from "../history/documents.ts";
import type { SharedTail } from "../history/merge.ts";
import { unpackSamples } from "../history/segment.ts";
import type { DryTail, SnapshotTail } from "../history/snapshot.ts";
import type { ProbePoint, RollupPoint } from "./answers.ts";

/** Also if a former gateway of the monitor publishes nothing but health: samples do not say which gateway they are of. */
export function isHealthOnly(
  monitorId: string,
  { withCauses, formerly }: Pick<SharedTail, "withCauses" | "formerly">,
): boolean {
  return [monitorId, ...(formerly[monitorId] ?? [])].some((id) => !withCauses.includes(gatewayOf(id)));
}

/** The incidents of the snapshot: first the open ones, newest opening first, then the resolved ones, latest end first. */
export function visibleIncidents(tail: SharedTail): IncidentDocument[] {
  return tail.incidents
    .map((published) => visibleIncident(published, tail).incident)
    .sort(
      (a, b) =>
        compareInstants(b.resolvedAt ?? OPEN, a.resolvedAt ?? OPEN) ||
        compareInstants(b.openedAt, a.openedAt),
    );
}

/** Sorts after every instant. */
const OPEN = "~";

export function visibleIncident(published: PublishedIncident, tail: SharedTail): PublishedIncident {
  const { gateway, monitors } = published.incident;
  const gateways = gateway === null ? [] : [gateway, ...monitors.map(gatewayOf)];
  if (gateways.every((id) => tail.withCauses.includes(id))) return published;
  return { incident: withoutCauses(published.incident), reports: [], fullReports: published.fullReports };
}

const HIDDEN = { cause: null, text: "", owner: null, turn: null, sent: null };

function withoutCauses(incident: IncidentDocument): IncidentDocument {
  const { provider: _, upstreams: _upstreams, ...shown } = incident;
  return {
    ...shown,
    cause: null,
    owner: null,
    turn: null,
    timeline: incident.timeline.map((entry) => Object.assign({}, entry, HIDDEN)),
    report: null,
  };
}

export interface Course extends CourseColumns {
  /** When the first step begins. */
  readonly fromMs: number;
}

/** @param tail of the shard that shows the monitor; null: no shard does. */
export function courseOf(monitorId: string, tail: DryTail | null): Course {
  if (tail === null) return { ...NOTHING_SEEN, fromMs: 0 };
  const { fromMs, byMonitor } = tail.halfHours;
  const course = { ...(byMonitor[monitorId] ?? NOTHING_SEEN), fromMs };
  return isHealthOnly(monitorId, tail) ? { ...course, causes: [] } : course;
}

const NOTHING_SEEN = packCourse(
  Array.from({ length: COURSE_STEPS }, () => EMPTY_STEP),
  true,
);

/** Newest first, as the public may see them. */
export function recentProbes(monitorId: string, tail: SnapshotTail, most: number): readonly ProbePoint[] {
  const bytes = tail.live.samples[monitorId];
  const samples = bytes === undefined ? [] : unpackSamples(bytes);
  const healthOnly = isHealthOnly(monitorId, tail);
  return samples
    .toReversed()
    .slice(0, most)
    .map((sample) => probePoint(sample, healthOnly));
}

/** Oldest first; none if the gateway publishes only its health. */
export function modelNotesOf(monitorId: string, tail: DryTail): readonly ModelNote[] {
  return isHealthOnly(monitorId, tail) ? [] : (tail.modelNotes[monitorId] ?? []);
}

/** @param healthOnly leaves out the HTTP status, which would show the cause. */
export function probePoint(sample: Sample, healthOnly: boolean): ProbePoint {
  const { health, latencyMs, attempts, waitedMs, inMaintenance, generation } = sample;
  return {
    at: instant(sample.atMs),
    health,
    cause: healthOnly ? null : sample.cause,
    latencyMs,
    attempts,
    waitedMs,
    httpStatus: healthOnly ? null : sample.httpStatus,
    inMaintenance,
    generation: generation && withCost(generation),
  };
}

export function rollupPoint(rollup: Rollup, healthOnly: boolean): RollupPoint {
  const { counts, latencyMs: latency, attempts, generation } = rollup;
  return {
    at: instant(rollup.fromMs),
    health: worstOf(counts),
    cause: healthOnly ? null : rollup.cause,
    latencyMs: latency?.p50 ?? null,
    attempts,
    counts,
    uptime: uptimeOf(counts),
    latency,
    generation: generation && withCost(generation),
  };
}

const MICROS = 1_000_000;

function withCost<Figures extends { readonly costMicros: number | null }>({
  costMicros,
  ...figures
}: Figures) {
  return { ...figures, cost: costMicros === null ? null : costMicros / MICROS };
}
