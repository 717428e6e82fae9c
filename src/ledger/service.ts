/**
 * The Ledger: the only writer of state and of KV. Begins ticks, records their results in a transaction a batch, closes
 * history and publishes. What surrounds it (storage, KV, clock, secrets) are arguments.
 */
import type * as z from "zod/mini";
import type { Config } from "../config/config.ts";
import { type Calendar, calendarOf } from "../domain/calendar.ts";
import type { Incident } from "../domain/incident.ts";
import type { Batch, BeginAnswer, BeginRequest } from "../domain/tick.ts";
import type { PublishedIncident } from "../history/documents.ts";
import { packSnapshot, type SnapshotValue } from "../history/snapshot.ts";
import { Archive } from "./archive.ts";
import { beginTick, type Identities } from "./begin.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { publishedIncident } from "./incident-view.ts";
import { livePart, readableSegments, shownIncidents } from "./live.ts";
import {
  beginPublish,
  type KvWriter,
  nextPublishMs,
  URGENT_INTERVAL_MS,
  writeSegment,
  writeSnapshot,
} from "./publisher.ts";
import { recordBatch } from "./record.ts";
import { DOCUMENTS, EMPTY_STATE, type Journal, type LedgerState } from "./state.ts";
import { statusView } from "./status-view.ts";
import { Tables } from "./tables.ts";

export interface LedgerWorld {
  readonly sql: SqlStorage;
  transaction(write: () => void): void;
  readonly kv: KvWriter;
  now(): number;
  /** Rejects where the work takes longer than a KV write may: nothing waits for a store that hangs. */
  inTime(work: Promise<void>): Promise<void>;
  readonly config: Config;
  /** Name and version of what probes, for reports. */
  readonly client: string;
  readonly shard: number;
  readonly tickIntervalMs: number;
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
  /** Reports a failure that was survived. */
  warn(what: string, error: unknown): void;
}

type Publishing = Journal["publishing"];

/** After a failed write KV is left alone this long. */
const KV_PAUSE_MS = 30_000;

export class LedgerService {
  readonly #world: LedgerWorld;
  readonly #calendar: Calendar;
  readonly #keeper: HistoryKeeper;
  #memory: { state: LedgerState; archive: Archive };
  #maintaining: Promise<void> = Promise.resolve();
  #isMaintaining = false;
  /** What was noted before the publish that is to come, or under way; null: none is. */
  #begunPublish: Publishing | null = null;
  #kvPausedUntilMs = 0;
  readonly #publishedIncidents = new WeakMap<Incident, PublishedIncident>();

  /** @throws when the stored data are of a newer version, or damaged. */
  constructor(world: LedgerWorld) {
    this.#world = world;
    this.#calendar = calendarOf(world.config.timeZone);
    this.#memory = load(world.sql);
    this.#keeper = new HistoryKeeper({
      calendar: this.#calendar,
      tickIntervalMs: world.tickIntervalMs,
      publish: (incident) => this.#publishedIncident(incident),
      now: () => world.now(),
      transact: (write) => this.#transact(write),
    });
  }

  begin(request: BeginRequest, identities: Identities): BeginAnswer {
    const { config, tickIntervalMs, run } = this.#world;
    const nowMs = this.#world.now();
    const world = { config, identities, nowMs, tickIntervalMs, run };
    const began = beginTick(this.#memory.state, request, world);
    this.#commit(began.state, (archive) => archive.addResolved(began.resolved));
    return began.answer;
  }

  record(batch: Batch): void {
    if (batch.results.length === 0 && batch.returned.length === 0) return;
    const { config, tickIntervalMs } = this.#world;
    const { state, archive } = this.#memory;
    const nowMs = this.#world.now();
    const recorded = recordBatch(state, batch, {
      config,
      nowMs,
      tickIntervalMs,
      isRecorded: (monitorId, atMs) => archive.isRecorded(monitorId, atMs),
    });
    const { publishing } = state.journal;
    const owed = { ...publishing, urgent: publishing.urgent || recorded.changed };
    const begins = !this.#isMaintaining && this.#mayPublish(owed);
    const journal = { ...recorded.state.journal, publishing: begins ? beginPublish(owed, nowMs) : owed };
    this.#commit({ ...recorded.state, journal }, () => {
      archive.addSamples(recorded.samples);
      archive.addResolved(recorded.resolved);
    });
    if (begins) this.#begunPublish = owed;
  }

  /** A secret of this Ledger alone, made at its first start. */
  salt(create: () => string): string {
    const { tables } = this.#memory.archive;
    const known = tables.document("salt");
    if (known !== null) return known;
    const fresh = create();
    tables.putDocument("salt", fresh);
    return fresh;
  }

  /** Closes history, hands it to KV and publishes, as far as each is due. One at a time; never rejects. */
  async maintain(): Promise<void> {
    this.#maintaining = this.#maintaining
      .then(() => this.#maintainNow())
      .catch((error: unknown) => this.#world.warn("the ledger's own storage failed", error));
    await this.#maintaining;
  }

  /** When `maintain` next has something to do that cannot wait for a tick; null: nothing. */
  nextWakeMs(): number | null {
    const nowMs = this.#world.now();
    const { publishing } = this.#memory.state.journal;
    if (!publishing.urgent) return null;
    return Math.max(
      nextPublishMs(publishing, nowMs),
      this.#isKvPaused() ? this.#kvPausedUntilMs : nowMs,
      nowMs,
    );
  }

  async #maintainNow(): Promise<void> {
    this.#isMaintaining = true;
    try {
      this.#tendHistory();
      if (!this.#isKvPaused()) await this.#tellKv();
    } finally {
      this.#isMaintaining = false;
    }
  }

  async #tellKv(): Promise<void> {
    try {
      await this.#storeSegments();
      await this.#publishIfDue();
    } catch (error) {
      this.#kvPausedUntilMs = this.#world.now() + KV_PAUSE_MS;
      this.#world.warn("publishing failed and is tried again", error);
      this.#giveUpPublish();
    }
  }

  /** A clock that ran ahead and came back must not make the pause longer. */
  #isKvPaused(): boolean {
    const leftMs = this.#kvPausedUntilMs - this.#world.now();
    return leftMs > 0 && leftMs <= KV_PAUSE_MS;
  }

  /** History that cannot be closed holds up no snapshot. */
  #tendHistory(): void {
    try {
      this.#keeper.tend(this.#memory.state.journal);
    } catch (error) {
      this.#world.warn("history could not be closed and is tried again", error);
    }
  }

  async #storeSegments(): Promise<void> {
    const { kv, shard } = this.#world;
    const waiting = [...this.#memory.archive.segments].filter(([, { storedMs }]) => storedMs === null);
    for (const [name, segment] of waiting) {
      const body = this.#memory.archive.tables.segmentBody(name);
      if (body === null) continue;
      await this.#world.inTime(writeSegment(kv, shard, name, body, this.#world.now()));
      const storedMs = this.#world.now();
      this.#transact(({ archive }) => {
        archive.tables.markStored(name, storedMs);
        archive.segments.set(name, { ...segment, storedMs });
      });
    }
  }

  async #publishIfDue(): Promise<void> {
    if (this.#begunPublish === null && !this.#beginPublish()) return;
    this.#noteDelay();
    const snapshot = await this.#snapshot(this.#memory.state, this.#world.now());
    await this.#world.inTime(writeSnapshot(this.#world.kv, this.#world.shard, snapshot));
    this.#begunPublish = null;
  }

  /** Where segments took long to store the publish begins now, and tells what came meanwhile. */
  #noteDelay(): void {
    const nowMs = this.#world.now();
    const { publishing } = this.#memory.state.journal;
    const isDelayed = nowMs - publishing.lastMs >= URGENT_INTERVAL_MS;
    if (isDelayed) this.#notePublishing({ ...publishing, lastMs: nowMs, urgent: false });
  }

  #mayPublish(publishing: Publishing): boolean {
    const nowMs = this.#world.now();
    return !this.#isKvPaused() && nowMs >= nextPublishMs(publishing, nowMs);
  }

  #beginPublish(): boolean {
    const { publishing } = this.#memory.state.journal;
    if (!this.#mayPublish(publishing)) return false;
    this.#notePublishing(beginPublish(publishing, this.#world.now()));
    this.#begunPublish = publishing;
    return true;
  }

  /** A publish that came to nothing was none, but for its number. */
  #giveUpPublish(): void {
    if (this.#begunPublish === null) return;
    const { sequence, urgent } = this.#memory.state.journal.publishing;
    const before = this.#begunPublish;
    this.#begunPublish = null;
    this.#notePublishing({ ...before, sequence, urgent: urgent || before.urgent });
  }

  #notePublishing(publishing: Publishing): void {
    const { state } = this.#memory;
    this.#commit({ ...state, journal: { ...state.journal, publishing } }, () => undefined);
  }

  async #snapshot(state: LedgerState, nowMs: number): Promise<SnapshotValue> {
    const { config, tickIntervalMs } = this.#world;
    const { archive } = this.#memory;
    const incidents = shownIncidents(Object.values(state.incidents), archive, nowMs).map((incident) =>
      this.#publishedIncident(incident),
    );
    const openIncidents = incidents
      .map(({ incident }) => incident)
      .filter(({ resolvedAt }) => resolvedAt === null);
    const context = { config, archive, calendar: this.#calendar, nowMs, tickIntervalMs, openIncidents };
    const tail = {
      segments: readableSegments(archive, nowMs),
      live: livePart(archive, nowMs, this.#calendar),
      incidents,
      healthOnly: config.gateways.filter(({ publish }) => publish === "health").map(({ id }) => id),
      timeZone: config.timeZone,
    };
    const { lastTickMs, publishing } = state.journal;
    const facts = { lastTickMs, tickMs: tickIntervalMs, generatedMs: nowMs, sequence: publishing.sequence };
    return packSnapshot(statusView(state, context), tail, facts);
  }

  /** Most incidents of a snapshot are those of the snapshot before. */
  #publishedIncident(incident: Incident): PublishedIncident {
    const known = this.#publishedIncidents.get(incident);
    if (known) return known;
    const published = publishedIncident(incident, this.#world);
    this.#publishedIncidents.set(incident, published);
    return published;
  }

  #commit(state: LedgerState, more: (archive: Archive) => void): void {
    const before = this.#memory.state;
    this.#transact(({ archive }) => {
      const { journal, monitors, incidents } = state;
      if (journal !== before.journal) archive.tables.putDocument("journal", JSON.stringify(journal));
      if (monitors !== before.monitors || incidents !== before.incidents) {
        archive.tables.putDocument("members", JSON.stringify({ monitors, incidents }));
      }
      more(archive);
    });
    this.#memory = { ...this.#memory, state };
  }

  /** Memory is written through: where the transaction fails, it is read anew. */
  #transact(write: (memory: { archive: Archive }) => void): void {
    try {
      this.#world.transaction(() => write(this.#memory));
    } catch (error) {
      this.#memory = load(this.#world.sql);
      throw error;
    }
  }
}

function load(sql: SqlStorage): { state: LedgerState; archive: Archive } {
  const tables = new Tables(sql);
  const read = <Schema extends z.ZodMiniType>(name: string, schema: Schema): z.infer<Schema> | undefined => {
    const body = tables.document(name);
    return body === null ? undefined : schema.parse(JSON.parse(body));
  };
  const journal = read("journal", DOCUMENTS.journal) ?? EMPTY_STATE.journal;
  const { monitors, incidents } = read("members", DOCUMENTS.members) ?? EMPTY_STATE;
  return { state: { journal, monitors, incidents }, archive: new Archive(tables) };
}
