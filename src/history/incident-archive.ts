/**
 * Incidents in the order in which they ended: the snapshot bears the open and the newest ones, segments the older.
 * Work is bounded a call.
 */
import { calendarOf, DAY_MS, HOUR_MS } from "../domain/calendar.ts";
import { openedAtOf } from "../domain/incident.ts";
import type { PublishedIncident } from "./documents.ts";
import { dayPeriodStart, hourPeriodStart, type Period, type SegmentKind } from "./keys.ts";
import { type KvReader, type Read, type ReadFailure, readSegment } from "./reader.ts";
import type { SnapshotTail } from "./snapshot.ts";

/** So many resolved incidents travel in the snapshot, where there are so many. */
export const NEWEST_INCIDENTS = 50;

/** Incidents a page; more only where several were resolved at one instant. */
export const INCIDENTS_A_PAGE = 40;

const READS_A_PAGE = 24;
/** A month of days, and a day of hours would be 55; months are one each. */
const READS_A_SEARCH = 56;
const READS_AT_ONCE = 6;

export interface IncidentPage {
  /** On the first page the open ones, by their opening; then those resolved, the latest first. */
  readonly incidents: readonly PublishedIncident[];
  /** Where the next page begins: what was resolved before this instant. Null: there is nothing older. */
  readonly nextMs: number | null;
  /** Segments that ought to be readable and are not, now. */
  readonly gaps: readonly { readonly period: Period; readonly failure: ReadFailure }[];
}

export async function readIncidents(
  kv: KvReader,
  tail: SnapshotTail,
  query: { shard: number; beforeMs: number | null },
): Promise<Read<IncidentPage>> {
  const beforeMs = query.beforeMs ?? Number.POSITIVE_INFINITY;
  const found = new Map(resolvedOf(tail).map((incident) => [idOf(incident), incident]));
  const gaps: IncidentPage["gaps"][number][] = [];
  let completeMs = tailCompleteFrom(tail);
  const older = coverOf(tail).filter(({ startMs }) => startMs < Math.min(completeMs, beforeMs));
  let unread = completeMs === Number.NEGATIVE_INFINITY ? [] : older.toReversed();
  for (let reads = 0; reads < READS_A_PAGE && unread.length > 0; reads += READS_AT_ONCE) {
    if (between(found, completeMs, beforeMs).length > INCIDENTS_A_PAGE) break;
    const batch = unread.slice(0, READS_AT_ONCE);
    for (const { period, read } of await readAll(kv, query.shard, batch)) {
      if (read.ok) for (const incident of read.value) found.set(idOf(incident), incident);
      else if (read.failure.kind === "outage") return read;
      else gaps.push({ period, failure: read.failure });
    }
    unread = unread.slice(batch.length);
    completeMs = unread.length === 0 ? Number.NEGATIVE_INFINITY : (batch.at(-1)?.startMs ?? completeMs);
  }
  const open = query.beforeMs === null ? tail.incidents.filter(({ incident }) => !incident.resolvedAt) : [];
  const { page, nextMs } = cut(between(found, completeMs, beforeMs), completeMs);
  return { ok: true, value: { incidents: [...open.sort(byOpening), ...page], nextMs, gaps } };
}

/** Null: there is no such incident, or it is out of reach. */
export async function findIncident(
  kv: KvReader,
  tail: SnapshotTail,
  query: { shard: number; id: string },
): Promise<Read<PublishedIncident | null>> {
  const known = tail.incidents.find((incident) => idOf(incident) === query.id);
  if (known) return { ok: true, value: known };
  const openedMs = openedAtOf(query.id);
  const completeMs = tailCompleteFrom(tail);
  if (openedMs === null || openedMs >= completeMs) return { ok: true, value: null };
  const candidates = coverOf(tail)
    .filter(({ startMs, endMs }) => endMs > openedMs && startMs < completeMs)
    .slice(0, READS_A_SEARCH);
  let failure: ReadFailure | null = null;
  for (let start = 0; start < candidates.length; start += READS_AT_ONCE) {
    for (const { read } of await readAll(kv, query.shard, candidates.slice(start, start + READS_AT_ONCE))) {
      const incident = read.ok ? read.value.find((candidate) => idOf(candidate) === query.id) : undefined;
      if (incident) return { ok: true, value: incident };
      if (!read.ok) failure = read.failure;
    }
  }
  // What could not be read may hold it: that it does not exist would be a guess.
  return failure === null ? { ok: true, value: null } : { ok: false, failure };
}

function idOf({ incident }: PublishedIncident): string {
  return incident.id;
}

function resolvedMsOf({ incident }: PublishedIncident): number {
  return incident.resolvedAt === null ? Number.POSITIVE_INFINITY : Date.parse(incident.resolvedAt);
}

function byOpening(a: PublishedIncident, b: PublishedIncident): number {
  return Date.parse(b.incident.openedAt) - Date.parse(a.incident.openedAt);
}

function resolvedOf(tail: SnapshotTail): PublishedIncident[] {
  return tail.incidents.filter(({ incident }) => incident.resolvedAt !== null);
}

/** From this instant on the snapshot bears every resolved incident; at the oldest one's it may lack a twin. */
function tailCompleteFrom(tail: SnapshotTail): number {
  const resolved = resolvedOf(tail).map(resolvedMsOf);
  return resolved.length < NEWEST_INCIDENTS ? Number.NEGATIVE_INFINITY : Math.min(...resolved) + 1;
}

/** Resolved in `[fromMs, toMs)`, the latest first. */
function between(
  incidents: ReadonlyMap<string, PublishedIncident>,
  fromMs: number,
  toMs: number,
): PublishedIncident[] {
  return [...incidents.values()]
    .filter((incident) => resolvedMsOf(incident) >= fromMs && resolvedMsOf(incident) < toMs)
    .sort((a, b) => resolvedMsOf(b) - resolvedMsOf(a) || (idOf(a) < idOf(b) ? -1 : 1));
}

function cut(
  incidents: readonly PublishedIncident[],
  completeMs: number,
): { page: readonly PublishedIncident[]; nextMs: number | null } {
  const last = incidents[INCIDENTS_A_PAGE - 1];
  if (last) {
    const lastMs = resolvedMsOf(last);
    const page = incidents.filter((incident) => resolvedMsOf(incident) >= lastMs);
    if (page.length < incidents.length || completeMs !== Number.NEGATIVE_INFINITY) {
      return { page, nextMs: lastMs };
    }
  }
  return { page: incidents, nextMs: completeMs === Number.NEGATIVE_INFINITY ? null : completeMs };
}

interface Covering {
  readonly kind: SegmentKind;
  readonly period: Period;
  readonly startMs: number;
  readonly endMs: number;
}

/** The fewest named segments that hold every archived incident, oldest first: months, then days, then hours. */
function coverOf({ segments, timeZone }: SnapshotTail): Covering[] {
  const calendar = calendarOf(timeZone);
  const months = segments.month.map((period): Covering => {
    const [year = 0, month = 0] = period.split("-").map(Number);
    const following = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
    const startMs = calendar.startOfDay(`${period}-01`);
    return { kind: "month", period, startMs, endMs: calendar.startOfDay(following) };
  });
  const days = segments.day.map((period): Covering => {
    const startMs = dayPeriodStart(period);
    return { kind: "day", period, startMs, endMs: startMs + DAY_MS };
  });
  const hours = segments.hour.map((period): Covering => {
    const startMs = hourPeriodStart(period);
    return { kind: "hour", period, startMs, endMs: startMs + HOUR_MS };
  });
  const needed = [...months];
  for (const finer of [days, hours]) {
    needed.push(...finer.filter((inner) => !needed.some((outer) => isInside(inner, outer))));
  }
  return needed.sort((a, b) => a.startMs - b.startMs);
}

function isInside(inner: Covering, outer: Covering): boolean {
  return inner.startMs >= outer.startMs && inner.endMs <= outer.endMs;
}

async function readAll(
  kv: KvReader,
  shard: number,
  segments: readonly Covering[],
): Promise<{ period: Period; read: Read<readonly PublishedIncident[]> }[]> {
  return Promise.all(
    segments.map(async ({ kind, period }) => {
      const read = await readSegment(kv, shard, kind, period);
      return { period, read: read.ok ? { ok: true as const, value: read.value.incidents } : read };
    }),
  );
}
