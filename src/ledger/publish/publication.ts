/**
 * Writes what readers see to KV: waiting segments, then a snapshot, as far as each is due. A write that fails is repeated later,
 * and nothing waits for it.
 */
import { publishingPace, type PublishingPace } from "../../config/plan-limits.ts";
import { MINUTE_MS, calendarOf, instant, type Calendar } from "../../domain/calendar.ts";
import type { Incident } from "../../domain/incident.ts";
import type { PublishedIncident } from "../../history/documents.ts";
import { SEGMENT_KINDS, segmentExpiration, segmentKey, snapshotKey } from "../../history/keys.ts";
import { compress } from "../../history/packing.ts";
import { reading, readSnapshot } from "../../history/reader.ts";
import {
  packSnapshot,
  type RenderedPage,
  type SnapshotTail,
  type SnapshotValue,
  unpackStatus,
  unpackTail,
} from "../../history/snapshot.ts";
import { formerIds, gatewaysWithCauses } from "../begin/apply-config.ts";
import { SETTLING_MS, type SegmentState } from "../history/archive.ts";
import type { Directory } from "../directory.ts";
import { inTime, type LedgerSettings, type Published, warnOfLedger } from "../rpc.ts";
import type { LedgerMemory } from "../state/memory.ts";
import { windowsOf, type Journal } from "../state/state.ts";
import { publishedIncident } from "./incident-document.ts";
import { lastDay, livePart, readableSegments, shownIncidents } from "./live-history.ts";
import { allWindowsView, statusView } from "./status-document.ts";

type Publishing = Journal["publishing"];

const KV_PAUSE_MS = 30_000;

/** How long to wait for a KV write that hangs. */
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
  /** The note of the publish that is about to begin or running; null: there is none. */
  #begun: Publishing | null = null;
  #kvPausedUntilMs = 0;
  readonly #pace: PublishingPace;
  readonly #incidents = new WeakMap<Incident, PublishedIncident>();

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

  /**
   * The journal's entry to write together with a change. It records a publish, if one may begin with the change. Call `begun`
   * after the write.
   */
  noteNews(isNews: boolean, mayBegin: boolean): { readonly publishing: Publishing; begun(): void } {
    const { publishing } = this.#memory.state.journal;
    const owed = isNews ? { ...publishing, urgent: true } : publishing;
    const begins = mayBegin && this.#mayPublish(owed);
    return {
      publishing: begins ? beginPublish(owed, this.#now(), this.#pace) : owed,
      begun: () => {
        if (begins) this.#begun = owed;
      },
    };
  }

  /**
   * If the file of an earlier Ledger was lost or moved aside, the new one takes the names of segments from the last snapshot.
   * Readers then still find them. Never rejects.
   * @returns the ids of the earlier Ledger's gateways; none if this one has published.
   */
  async inherit(): Promise<readonly string[]> {
    const { kv, shard } = this.#settings;
    const isKnown = (): boolean => this.#memory.state.journal.publishing.sequence > 0;
    const read = isKnown() ? null : await readSnapshot(kv, shard);
    if (read === null || !read.ok) return [];
    const { value } = read;
    const { generatedMs, sequence } = value.metadata;
    const told = await reading(async () => {
      const { segments } = await unpackTail(value);
      return { segments, gateways: unpackStatus(value).gateways.map(({ id }) => id) };
    });
    // Another call may have been faster.
    if (!told.ok || isKnown()) return [];
    const { segments, gateways } = told.value;
    // Segments that a snapshot names have settled.
    const storedMs = Math.min(generatedMs, this.#now()) - SETTLING_MS;
    this.#memory.transact(({ archive }) => {
      for (const kind of SEGMENT_KINDS) {
        for (const period of segments[kind]) archive.nameSegment(kind, period, storedMs);
      }
    });
    this.#note({ ...this.#memory.state.journal.publishing, sequence });
    warnOfLedger("no state found for what was published: it starts again, and history in KV stays");
    return gateways;
  }

  /** Never rejects. @param publishing as `LedgerService.maintain`. */
  async tellKv(publishing: "all" | "news"): Promise<void> {
    if (this.#isKvPaused()) return;
    try {
      await this.#storeSegments();
      await this.#publishIfDue(publishing);
    } catch (error) {
      this.#kvPausedUntilMs = this.#now() + KV_PAUSE_MS;
      warnOfLedger("publishing failed and is tried again", error);
      this.#giveUp();
    }
  }

  /** When `tellKv` next has something to do that cannot wait for a tick; null: nothing. */
  nextWakeMs(): number | null {
    const nowMs = this.#now();
    const { publishing } = this.#memory.state.journal;
    if (!publishing.urgent) return null;
    return Math.max(
      nextPublishMs(publishing, nowMs, this.#pace),
      this.#isKvPaused() ? this.#kvPausedUntilMs : nowMs,
      nowMs,
    );
  }

  /** Cached: most incidents are in the snapshot before too. */
  incident(incident: Incident): PublishedIncident {
    const known = this.#incidents.get(incident);
    if (known) return known;
    const published = publishedIncident(incident, this.#settings);
    this.#incidents.set(incident, published);
    return published;
  }

  #isKvPaused(): boolean {
    return this.#now() < this.#kvPausedUntilMs;
  }

  async #storeSegments(): Promise<void> {
    const waiting = [...this.#memory.archive.segments].filter(([, { storedMs }]) => storedMs === null);
    for (const [name, segment] of waiting) {
      const body = this.#memory.archive.tables.segmentBody(name);
      if (body === null) continue;
      await inTime(this.#writeSegment(segment, body), LONGEST_WRITE_MS);
      const storedMs = this.#now();
      this.#memory.transact(({ archive }) => {
        archive.tables.markStored(name, storedMs);
        archive.segments.set(name, { ...segment, storedMs });
      });
    }
  }

  async #writeSegment({ kind, period }: SegmentState, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const { kv, shard } = this.#settings;
    const expiration = segmentExpiration(kind, period, this.#now());
    await kv.put(segmentKey(shard, kind, period), await compress(body), { expiration });
  }

  async #publishIfDue(publishing: "all" | "news"): Promise<void> {
    const mayBegin = publishing === "all" || this.#memory.state.journal.publishing.urgent;
    if (this.#begun === null && !(mayBegin && this.#begin())) return;
    this.#noteDelay();
    const { kv, shard } = this.#settings;
    const { bytes, metadata } = await this.#snapshot(this.#now());
    await inTime(kv.put(snapshotKey(shard), bytes, { metadata }), LONGEST_WRITE_MS);
    this.#begun = null;
  }

  /** If storing segments took long, the publish begins only now, and contains everything that came meanwhile. */
  #noteDelay(): void {
    const nowMs = this.#now();
    const { publishing } = this.#memory.state.journal;
    const isDelayed = nowMs - publishing.lastMs >= URGENT_INTERVAL_MS;
    if (isDelayed) this.#note({ ...publishing, lastMs: nowMs, urgent: false });
  }

  #mayPublish(publishing: Publishing): boolean {
    const nowMs = this.#now();
    return !this.#isKvPaused() && nowMs >= nextPublishMs(publishing, nowMs, this.#pace);
  }

  #begin(): boolean {
    const { publishing } = this.#memory.state.journal;
    if (!this.#mayPublish(publishing)) return false;
    this.#note(beginPublish(publishing, this.#now(), this.#pace));
    this.#begun = publishing;
    return true;
  }

  /** A failed publish does not count, but its number is used up. */
  #giveUp(): void {
    if (this.#begun === null) return;
    const { sequence, urgent } = this.#memory.state.journal.publishing;
    const before = this.#begun;
    this.#begun = null;
    this.#note({ ...before, sequence, urgent: urgent || before.urgent });
  }

  #now(): number {
    return this.#settings.now();
  }

  #note(publishing: Publishing): void {
    const { state } = this.#memory;
    this.#memory.commit({ ...state, journal: { ...state.journal, publishing } });
  }

  async #snapshot(nowMs: number): Promise<SnapshotValue> {
    const { tickIntervalMs } = this.#settings;
    const { archive, state } = this.#memory;
    const config = this.#directory.own;
    const incidents = shownIncidents(Object.values(state.incidents), archive, nowMs).map((incident) =>
      this.incident(incident),
    );
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
      maintenance: allWindowsView(windowsOf(config, state), nowMs),
      silence: state.journal.watch.silence,
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
    const status = statusView(context);
    return packSnapshot(status, tail, facts, await this.#page({ status, tail, facts }, nowMs));
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

/**
 * Counts from the start of the minute of the last publish, so that a tick whose answers come slightly sooner than the last one's
 * still publishes.
 */
function usualPublishMs(lastMs: number, { usualMs }: PublishingPace): number {
  return Math.floor(lastMs / MINUTE_MS) * MINUTE_MS + usualMs;
}

/**
 * The note of a publish that begins. It is stored before KV has the snapshot, in one write with a tick's results. If the object
 * dies then, the news come with the next regular snapshot.
 */
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
