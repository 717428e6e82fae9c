/** Writes what readers see to KV: a snapshot, then waiting segments, as far as each is due. Failed writes are repeated later. */
import type { Config } from "../../config/config.ts";
import { publishingPace, type PublishingPace } from "../../config/plan-limits.ts";
import { keptAnnouncements } from "../../domain/announcement.ts";
import { HOUR_MS, MINUTE_MS, calendarOf, hourStart, instant, type Calendar } from "../../domain/calendar.ts";
import { inTime } from "../../domain/permits.ts";
import { courseStart } from "../../domain/rollup.ts";
import type { ModelNote } from "../../domain/model-watch.ts";
import { type CourseColumns, packCourse } from "../../history/course.ts";
import {
  monthOf,
  periodEnd,
  SEGMENT_KINDS,
  SEGMENT_LIFE_MS,
  segmentExpiration,
  segmentKey,
  snapshotKey,
  type Period,
  type SegmentKind,
} from "../../history/keys.ts";
import { compress } from "../../history/packing.ts";
import { packEach, packRollups, packSamples } from "../../history/segment.ts";
import { reading, readSnapshot } from "../../history/reader.ts";
import { packSnapshot, type RenderedPage, type SnapshotTail, unpackTail } from "../../history/snapshot.ts";
import { formerIds, gatewaysWithCauses } from "../begin/apply-config.ts";
import {
  isSettled,
  SETTLING_MS,
  unsettledFromMs,
  type Archive,
  type RollupRow,
  type SegmentState,
} from "../history/archive.ts";
import { byMonitor, openDays } from "../history/compaction.ts";
import type { Directory } from "../directory.ts";
import { type LedgerSettings, type Published, warnOfLedger } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";
import { windowsOf, type Journal, type LedgerState } from "../state/state.ts";
import { publishedIncident } from "./incident-document.ts";
import { allWindowsView, statusView } from "./status-document.ts";

const KV_PAUSE_MS = 30_000;

const LONGEST_WRITE_MS = 10_000;

export class Publication {
  readonly #settings: LedgerSettings;
  readonly #directory: Directory;
  readonly #memory: LedgerMemory;
  readonly #calendar: Calendar;
  readonly #configured: Pick<
    SnapshotTail,
    "withCauses" | "timeZone" | "formerly" | "url" | "language" | "places"
  >;
  #kvPausedUntilMs = 0;
  readonly #pace: PublishingPace;

  constructor(settings: LedgerSettings, memory: LedgerMemory, directory: Directory) {
    const { config } = settings;
    this.#settings = settings;
    this.#directory = directory;
    this.#memory = memory;
    this.#calendar = calendarOf(config.timeZone);
    this.#pace = settings.pace ?? publishingPace(config);
    const places = Object.fromEntries(config.gateways.map(({ id }, place) => [id, place]));
    const withCauses = gatewaysWithCauses(config);
    const { timeZone, url, language } = config;
    const formerly = formerIds(config);
    this.#configured = { withCauses, timeZone, url, language, formerly, places };
  }

  /** If the data of an earlier Ledger were lost, the new one takes the names of segments from the last snapshot. Never rejects. */
  async inherit(): Promise<void> {
    const { kv, shard } = this.#settings;
    const isKnown = (): boolean => this.#noted.sequence > 0;
    const read = isKnown() ? null : await readSnapshot(kv, shard);
    if (read === null || !read.ok) return;
    const { value } = read;
    const { generatedMs, sequence } = value.metadata;
    const tail = await reading(() => unpackTail(value));
    // Another call may have been faster.
    if (!tail.ok || isKnown()) return;
    const { segments } = tail.value;
    // Segments that a snapshot names have settled.
    const storedMs = Math.min(generatedMs, this.#now()) - SETTLING_MS;
    this.#memory.transact(({ archive }) => {
      for (const kind of SEGMENT_KINDS) {
        for (const period of segments[kind]) archive.nameSegment(kind, period, storedMs);
      }
    });
    this.#note({ ...this.#noted, sequence });
    warnOfLedger("no state found for what was published: it starts again, and history in KV stays");
  }

  /** Never rejects. */
  async tellKv(): Promise<void> {
    if (this.#isKvPaused()) return;
    try {
      try {
        await this.#publishIfDue();
      } finally {
        // Also if KV never takes the snapshot because it is too large.
        await this.#storeSegments();
      }
    } catch (error) {
      this.#kvPausedUntilMs = this.#now() + KV_PAUSE_MS;
      warnOfLedger("publishing failed and is tried again", error);
    }
  }

  /** When `tellKv` next has something to do that cannot wait for a tick; null: nothing. */
  nextWakeMs(): number | null {
    const nowMs = this.#now();
    if (!this.#noted.urgent) return null;
    return Math.max(
      nextPublishMs(this.#noted, nowMs, this.#pace),
      this.#isKvPaused() ? this.#kvPausedUntilMs : nowMs,
      nowMs,
    );
  }

  #isKvPaused(): boolean {
    return this.#now() < this.#kvPausedUntilMs;
  }

  async #storeSegments(): Promise<void> {
    const waiting = [...this.#memory.archive.segments].filter(([, { storedMs }]) => storedMs === null);
    for (const [name, segment] of waiting) {
      const body = this.#memory.archive.tables.segmentBody(name);
      if (body === null) continue;
      await this.#written(this.#writeSegment(segment, body));
      const storedMs = this.#now();
      this.#memory.transact(({ archive }) => {
        archive.tables.markStored(name, storedMs);
        archive.segments.set(name, { ...segment, storedMs });
      });
    }
  }

  #written(write: Promise<void>): Promise<void> {
    return inTime(write, this.#settings.timeoutSignal(LONGEST_WRITE_MS));
  }

  async #writeSegment({ kind, period }: SegmentState, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const { kv, shard } = this.#settings;
    const expiration = segmentExpiration(kind, period, this.#now());
    await kv.put(segmentKey(shard, kind, period), await compress(body), { expiration });
  }

  /** A publish that fails does not count, but its number is used up. */
  async #publishIfDue(): Promise<void> {
    const { kv, shard } = this.#settings;
    const nowMs = this.#now();
    const before = this.#noted;
    if (nowMs < nextPublishMs(before, nowMs, this.#pace)) return;
    this.#note(beginPublish(before, nowMs, this.#pace));
    try {
      const published = this.#published(nowMs);
      const { status, tail, facts } = published;
      const { bytes, metadata } = await packSnapshot(status, tail, facts, await this.#page(published, nowMs));
      await this.#written(kv.put(snapshotKey(shard), bytes, { metadata }));
      // Nothing waits for a collector.
      void this.#settings.exportMetrics?.(published);
    } catch (error) {
      const { sequence, urgent } = this.#noted;
      this.#note({ ...before, sequence, urgent: urgent || before.urgent });
      throw error;
    }
  }

  #now(): number {
    return this.#settings.now();
  }

  get #noted(): Journal["publishing"] {
    return this.#memory.state.journal.publishing;
  }

  #note(publishing: Journal["publishing"]): void {
    const { state } = this.#memory;
    this.#memory.commit({ ...state, journal: { ...state.journal, publishing } });
  }

  #published(nowMs: number): Published {
    const { tickIntervalMs } = this.#settings;
    const { archive, state } = this.#memory;
    const config = this.#directory.own;
    const read = { pages: state.journal.pages, nowMs };
    const { client, config: whole } = this.#settings;
    const incidents = [...Object.values(state.incidents), ...archive.shownResolved(nowMs)]
      .sort((a, b) => b.openedAtMs - a.openedAtMs)
      .map((incident) => publishedIncident(incident, { config: whole, client, read }));
    const openIncidents = incidents
      .map(({ incident }) => incident)
      .filter(({ resolvedAt }) => resolvedAt === null);
    const context = {
      config,
      state,
      archive,
      calendar: this.#calendar,
      nowMs,
      tickIntervalMs,
      openIncidents,
    };
    const tail = {
      segments: readableSegments(archive, nowMs),
      live: livePart(archive, nowMs, this.#calendar),
      incidents,
      ...lastDay(config, archive, state, nowMs),
      maintenance: allWindowsView(windowsOf(config, state, nowMs), nowMs),
      announcements: keptAnnouncements(state.announcements, nowMs),
      lost: state.journal.lost,
      ...this.#configured,
    };
    const { lastTickMs, publishing } = state.journal;
    const facts = {
      lastTickMs,
      tickMs: tickIntervalMs,
      generatedMs: nowMs,
      sequence: publishing.sequence,
      shards: this.#directory.shards,
      quarantined: this.#memory.quarantine.count(),
    };
    return { status: statusView(context), tail, facts };
  }

  /** With several shards, no Ledger can render the whole page. An error in it must not keep the status from readers. */
  async #page(published: Published, nowMs: number): Promise<RenderedPage | null> {
    if (this.#directory.shards > 1) return null;
    try {
      return await this.#settings.renderPage(published, nowMs);
    } catch (error) {
      warnOfLedger("the page was not rendered", error);
      return null;
    }
  }
}

const URGENT_INTERVAL_MS = 5000;

export function nextPublishMs(
  { lastMs, urgent, immediate, day }: Journal["publishing"],
  nowMs: number,
  pace: PublishingPace,
): number {
  if (lastMs > nowMs) return nowMs;
  const usedToday = day === dayOf(nowMs) ? immediate : 0;
  const usualMs = usualPublishMs(lastMs, pace);
  return urgent && usedToday < pace.urgentADay ? Math.min(lastMs + URGENT_INTERVAL_MS, usualMs) : usualMs;
}

/** Counts from the start of the minute, so that a tick whose answers come slightly sooner than the last one's still publishes. */
function usualPublishMs(lastMs: number, { usualMs }: PublishingPace): number {
  return Math.floor(lastMs / MINUTE_MS) * MINUTE_MS + usualMs;
}

/** It is stored before KV has the snapshot. If the object dies then, the news come with the next regular snapshot. */
export function beginPublish(
  before: Journal["publishing"],
  nowMs: number,
  pace: PublishingPace,
): Journal["publishing"] {
  const sameDay = before.day === dayOf(nowMs);
  const early = nowMs < usualPublishMs(before.lastMs, pace);
  return {
    sequence: before.sequence + 1,
    lastMs: nowMs,
    day: dayOf(nowMs),
    immediate: (sameDay ? before.immediate : 0) + (early ? 1 : 0),
    urgent: false,
  };
}

function dayOf(nowMs: number): string {
  return instant(nowMs).slice(0, 10);
}

/** A segment that KV will drop within this time is no longer named. */
const LEAVING_MS = HOUR_MS;

/** The names of the segments that readers may rely on. */
function readableSegments(archive: Archive, nowMs: number): SnapshotTail["segments"] {
  const names: Record<SegmentKind, Period[]> = { hour: [], day: [], month: [] };
  for (const segment of archive.segments.values()) {
    const { kind, period } = segment;
    const leavesMs = periodEnd(kind, period) + SEGMENT_LIFE_MS[kind] - LEAVING_MS;
    if (isSettled(segment, nowMs) && nowMs < leavesMs) names[kind].push(period);
  }
  for (const periods of Object.values(names)) periods.sort();
  return names;
}

function livePart(archive: Archive, nowMs: number, calendar: Calendar): SnapshotTail["live"] {
  const unsettled = (rows: ReadonlyMap<Period, RollupRow>, segmentOf: (period: Period) => string) =>
    [...rows]
      .filter(([period]) => !isSettled(archive.segments.get(segmentOf(period)), nowMs))
      .map(([, row]) => row);
  const closedHours = unsettled(archive.hourRollups, (hour) => `day/${hour.slice(0, 10)}`);
  const closedDays = unsettled(archive.dayRollups, (day) => `month/${monthOf(day)}`);
  const hours = [...closedHours, ...openHours(archive, nowMs)];
  const days = [...closedDays, ...openDays(archive, nowMs, calendar).map(([, row]) => row)];
  const samples = archive.recent.between(unsettledFromMs(archive, nowMs), Number.MAX_SAFE_INTEGER);
  return {
    samples: Object.fromEntries(packEach(samples, packSamples)),
    hours: Object.fromEntries(packEach(byMonitor(hours), packRollups)),
    days: Object.fromEntries(packEach(byMonitor(days), packRollups)),
  };
}

/** The course of each monitor in the last 24 hours, and the changes of its list of models. */
function lastDay(
  { gateways }: Config,
  archive: Archive,
  { monitors }: LedgerState,
  nowMs: number,
): Pick<SnapshotTail, "halfHours" | "modelNotes"> {
  const courses: Record<string, CourseColumns> = {};
  const modelNotes: Record<string, readonly ModelNote[]> = {};
  for (const gateway of gateways) {
    const isHealthOnly = gateway.publish === "health";
    for (const { id } of gateway.monitors) {
      courses[id] = packCourse(archive.recent.course(id, nowMs), isHealthOnly);
      const notes = monitors[id]?.modelNotes ?? [];
      if (notes.length > 0 && !isHealthOnly) modelNotes[id] = notes;
    }
  }
  return { halfHours: { fromMs: courseStart(nowMs), byMonitor: courses }, modelNotes };
}

function openHours(archive: Archive, nowMs: number): RollupRow[] {
  const rows: RollupRow[] = [];
  const fromMs = archive.through?.hoursMs ?? hourStart(nowMs);
  for (let hourMs = fromMs; hourMs <= nowMs; hourMs += HOUR_MS) {
    rows.push(archive.recent.rolledUp(hourMs, hourMs + HOUR_MS));
  }
  return rows;
}
