/** Incidents in the order in which they ended, from the snapshot and older segments. Each call reads a limited number of them. */
import { addDays, calendarOf, DAY_MS, HOUR_MS, type Calendar } from "../domain/calendar.ts";
import { openedAtOf } from "../domain/incident.ts";
import type { PublishedIncident } from "./documents.ts";
import { dayPeriodStart, hourPeriodStart, type Period, type SegmentKind } from "./keys.ts";
import { type KvReader, type PeriodGap, type Read, type ReadFailure, readSegment } from "./reader.ts";
import type { SnapshotTail } from "./snapshot.ts";

/** The most resolved incidents in the snapshot. */
export const NEWEST_INCIDENTS = 50;

/** The incidents of a page. There are more only if several were resolved at the same instant. */
const INCIDENTS_A_PAGE = 40;

/** For each shard: with more shards, each read covers less time. */
const READS_A_PAGE = 24;
/** The days of a month and the hours of a day are 55 segments; each month is one more. */
const READS_A_SEARCH = 56;
const READS_AT_ONCE = 6;

export interface IncidentPage {
  /** On the first page the open ones, newest opening first; then the resolved ones, latest end first. */
  readonly incidents: readonly PublishedIncident[];
  /** The next page has what was resolved before this instant. Null: there is nothing older. */
  readonly nextMs: number | null;
  /** Segments that are named but cannot be read now. */
  readonly gaps: readonly PeriodGap[];
}

/** All incidents that can be found: those of the snapshots, and where the older ones are. */
export interface IncidentArchive {
  readonly incidents: readonly PublishedIncident[];
  readonly timeZone: string;
  readonly shelves: readonly Shelf[];
}

export interface Shelf {
  readonly shard: number;
  readonly segments: SnapshotTail["segments"];
  /** The snapshot has every incident of the shard that ended from this instant on. */
  readonly completeMs: number;
}

export async function readIncidents(
  kv: KvReader,
  archive: IncidentArchive,
  query: { beforeMs: number | null },
): Promise<Read<IncidentPage>> {
  const beforeMs = query.beforeMs ?? Number.POSITIVE_INFINITY;
  const found = new Map(resolvedOf(archive.incidents).map((incident) => [idOf(incident), incident]));
  const gaps: IncidentPage["gaps"][number][] = [];
  let unread = archive.shelves.flatMap((shelf) => unreadOf(shelf, archive.timeZone, beforeMs));
  unread.sort((a, b) => b.endMs - a.endMs || a.shard - b.shard);
  let completeMs = knownFrom(unread);
  const mostReads = READS_A_PAGE * Math.min(archive.shelves.length, 8);
  for (let reads = 0; unread.length > 0; reads += READS_AT_ONCE) {
    if (between(found, completeMs, beforeMs).length > INCIDENTS_A_PAGE) break;
    // The next page must begin earlier than this one.
    if (reads >= mostReads && completeMs < beforeMs) break;
    const batch = unread.slice(0, READS_AT_ONCE);
    for (const { period, read } of await readAll(kv, batch)) {
      if (read.ok) {
        for (const incident of read.value)
          if (!found.has(idOf(incident))) found.set(idOf(incident), incident);
      } else if (read.failure.kind === "outage") return read;
      else gaps.push({ period, failure: read.failure });
    }
    unread = unread.slice(batch.length);
    completeMs = knownFrom(unread);
  }
  const open =
    query.beforeMs === null ? archive.incidents.filter(({ incident }) => !incident.resolvedAt) : [];
  const { page, nextMs } = cut(between(found, completeMs, beforeMs), completeMs);
  return { ok: true, value: { incidents: [...open.sort(byOpening), ...page], nextMs, gaps } };
}

/** From this instant on, no unread segment can add a resolved incident. */
function knownFrom(unread: readonly Covering[]): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...unread.map(({ needsMs }) => needsMs));
}

function unreadOf(shelf: Shelf, timeZone: string, beforeMs: number): Covering[] {
  if (shelf.completeMs === Number.NEGATIVE_INFINITY) return [];
  return coverOf(shelf, timeZone).filter(({ startMs }) => startMs < Math.min(shelf.completeMs, beforeMs));
}

/** Null: there is none, or it is too old. @param likely the shards that have, or had, its gateway. Of the others, less is read. */
export async function findIncident(
  kv: KvReader,
  archive: IncidentArchive,
  query: { readonly id: string; readonly likely: ReadonlySet<number> },
): Promise<Read<PublishedIncident | null>> {
  const known = archive.incidents.find((incident) => idOf(incident) === query.id);
  if (known) return { ok: true, value: known };
  const openedMs = openedAtOf(query.id);
  if (openedMs === null) return { ok: true, value: null };
  const candidates = candidatesFor(archive, openedMs, query.likely);
  let failure: ReadFailure | null = null;
  for (let start = 0; start < candidates.length; start += READS_AT_ONCE) {
    for (const { read } of await readAll(kv, candidates.slice(start, start + READS_AT_ONCE))) {
      const incident = read.ok ? read.value.find((candidate) => idOf(candidate) === query.id) : undefined;
      if (incident) return { ok: true, value: incident };
      if (!read.ok) failure = read.failure;
    }
  }
  // It may be in a segment that could not be read, so nobody can say that it does not exist.
  return failure === null ? { ok: true, value: null } : { ok: false, failure };
}

/** Oldest first, because most incidents end soon after they open. */
function candidatesFor(
  { shelves, timeZone }: IncidentArchive,
  openedMs: number,
  likely: ReadonlySet<number>,
): readonly Covering[] {
  const of = (some: readonly Shelf[]): Covering[] =>
    some
      .flatMap((shelf) => unreadOf(shelf, timeZone, Number.POSITIVE_INFINITY))
      .filter(({ endMs, needsMs }) => endMs > openedMs && needsMs > openedMs)
      .sort((a, b) => a.startMs - b.startMs);
  const first = shelves.filter(({ shard }) => likely.has(shard));
  const others = shelves.filter(({ shard }) => !likely.has(shard));
  return [...of(first).slice(0, READS_A_SEARCH * first.length), ...of(others).slice(0, READS_A_SEARCH)];
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

function resolvedOf(incidents: readonly PublishedIncident[]): PublishedIncident[] {
  return incidents.filter(({ incident }) => incident.resolvedAt !== null);
}

/** Since when a snapshot with these incidents has every resolved one. Others may have ended together with its oldest. */
export function completeFrom(incidents: readonly PublishedIncident[]): number {
  const resolved = resolvedOf(incidents).map(resolvedMsOf);
  return resolved.length < NEWEST_INCIDENTS ? Number.NEGATIVE_INFINITY : Math.min(...resolved) + 1;
}

/** Resolved in `[fromMs, toMs)`, the latest first. */
function between(incidents: ReadonlyMap<string, PublishedIncident>, fromMs: number, toMs: number) {
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
  readonly shard: number;
  readonly kind: SegmentKind;
  readonly period: Period;
  readonly startMs: number;
  readonly endMs: number;
  /** What ended from this instant on is known without reading it. */
  readonly needsMs: number;
}

/** The fewest named segments that hold every archived incident, oldest first: months, then days, then hours. */
function coverOf({ shard, segments, completeMs }: Shelf, timeZone: string): Covering[] {
  const calendar = calendarOf(timeZone);
  const needed: Covering[] = [];
  for (const kind of ["month", "day", "hour"] as const) {
    const finer = segments[kind].map((period) => {
      const [startMs, endMs] = spanOf(kind, period, calendar);
      return { shard, kind, period, startMs, endMs, needsMs: Math.min(endMs, completeMs) };
    });
    const isCovered = ({ startMs, endMs }: Covering): boolean =>
      needed.some((outer) => startMs >= outer.startMs && endMs <= outer.endMs);
    needed.push(...finer.filter((inner) => !isCovered(inner)));
  }
  return needed.sort((a, b) => a.startMs - b.startMs);
}

function spanOf(kind: SegmentKind, period: Period, calendar: Calendar): readonly [number, number] {
  if (kind === "month") {
    const following = addDays(`${period}-28`, 4).slice(0, 7);
    return [calendar.startOfDay(`${period}-01`), calendar.startOfDay(`${following}-01`)];
  }
  const startMs = kind === "day" ? dayPeriodStart(period) : hourPeriodStart(period);
  return [startMs, startMs + (kind === "day" ? DAY_MS : HOUR_MS)];
}

async function readAll(kv: KvReader, segments: readonly Covering[]) {
  return Promise.all(
    segments.map(async ({ shard, kind, period }) => {
      const read = await readSegment(kv, shard, kind, period);
      return { period, read: read.ok ? { ok: true as const, value: read.value.incidents } : read };
    }),
  );
}
