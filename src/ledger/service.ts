/**
 * The Ledger: the only writer of state and of KV. Begins ticks, records their results in a transaction a batch
 * together with the alerts that they owe, closes history and publishes. Storage, KV, clock and secrets are
 * arguments.
 */
import type { AlertEvent, EventDraft } from "../alert/alert-event.ts";
import type { Placement } from "../config/placement.ts";
import { MINUTE_MS, calendarOf } from "../domain/calendar.ts";
import { gatewayOf } from "../domain/monitor-state.ts";
import { addLost, missTicks, stallsAtMs } from "../domain/silence.ts";
import type { Batch, BeginRequest, ShardTick } from "../domain/tick.ts";
import type { KvReader } from "../history/reader.ts";
import type { Identities } from "./begin/apply-config.ts";
import { beginTick, type Orders } from "./begin/begin-tick.ts";
import { ranAhead } from "./begin/clock-ahead.ts";
import { draftOf, standingEvents, standingSinceMs, type Standing } from "./deliver/announce.ts";
import type { Outbox } from "./deliver/outbox.ts";
import { HistoryKeeper } from "./history/compaction.ts";
import { inherit } from "./publish/inheritance.ts";
import { archivedIncident } from "./publish/public-text.ts";
import { Publication, type PublicationWorld } from "./publish/publication.ts";
import type { Quarantine } from "./quarantine/quarantine.ts";
import { recordBatch } from "./record/record-batch.ts";
import { LedgerMemory, type MemoryWorld, type Stores } from "./state/memory.ts";
import { windowsOf, type LedgerState, type Stepped } from "./state/state.ts";

export interface LedgerWorld extends PublicationWorld, MemoryWorld {
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
}

/** Where what was noticed could not be stored, nobody looks again for so long. */
const WATCH_PAUSE_MS = 30_000;

/** Receivers that forget are told of an end for so long. */
const END_IS_TOLD_MS = 5 * MINUTE_MS;

export class LedgerService {
  readonly #world: LedgerWorld;
  readonly #memory: LedgerMemory;
  readonly #publication: Publication;
  readonly #keeper: HistoryKeeper;
  #maintaining: Promise<void> = Promise.resolve();
  #isMaintaining = false;
  #watchAgainMs = 0;
  /** Gateways that a Ledger before this one had. */
  #inherited: readonly string[] = [];

  /** @throws when the stored data are of a newer version, or damaged. */
  constructor(world: LedgerWorld) {
    const calendar = calendarOf(world.config.timeZone);
    const { sql, tickIntervalMs, shard, config } = world;
    const transaction = (write: () => void): void => world.transaction(write);
    this.#world = world;
    const tell = { now: () => world.now(), warn: (what: string) => world.warn(what) };
    this.#memory = new LedgerMemory({ sql, transaction, config, shard, ...tell });
    this.#publication = new Publication(world, this.#memory, calendar);
    this.#keeper = new HistoryKeeper({
      calendar,
      tickIntervalMs,
      publish: (incident) => this.#publication.incident(incident),
      now: () => world.now(),
      transact: (write) => this.#memory.transact(write),
    });
  }

  get state(): LedgerState {
    return this.#memory.state;
  }

  get outbox(): Outbox {
    return this.#memory.outbox;
  }

  get quarantine(): Quarantine {
    return this.#memory.quarantine;
  }

  begin(request: BeginRequest, identities: Identities): Orders {
    const { tickIntervalMs, run, config: whole } = this.#world;
    const config = this.#world.own();
    const nowMs = this.#world.now();
    const maintenance = windowsOf(config, this.state);
    const world = { config, maintenance, identities, nowMs, tickIntervalMs, run };
    const isBack = ranAhead(this.state, nowMs);
    const began = beginTick(this.state, request, world, whole);
    // Results come soon: what the begin changed by itself is published with them.
    this.commit({ ...began, tickMs: request.tickMs, isLast: false }, ({ outbox }) => {
      if (isBack) outbox.forgetFuture(nowMs);
    });
    return began.answer;
  }

  record(batch: Batch): void {
    if (batch.results.length === 0 && batch.returned.length === 0) return;
    const config = this.#world.own();
    const recorded = recordBatch(this.state, batch, {
      config,
      maintenance: windowsOf(config, this.state),
      nowMs: this.#world.now(),
      tickIntervalMs: this.#world.tickIntervalMs,
      shard: this.#world.shard,
      isRecorded: (monitorId, atMs) => this.#memory.archive.isRecorded(monitorId, atMs),
    });
    this.commit({ ...recorded, tickMs: batch.tickMs, isLast: true }, (stores) => {
      stores.archive.addSamples(recorded.samples);
    });
  }

  /** The ids of gateways of which something is stored here. */
  heldGateways(): readonly string[] {
    return [...new Set([...Object.keys(this.state.monitors).map(gatewayOf), ...this.#inherited])];
  }

  noteDirectory(directory: Placement): void {
    this.#memory.commit({ ...this.state, directory }, () => undefined);
  }

  /** Where nothing is stored here, of what was published. Never rejects. */
  async inherit(kv: KvReader): Promise<void> {
    const { shard } = this.#world;
    const world = { memory: this.#memory, shard, now: () => this.#world.now() };
    const inherited = await inherit(kv, world, (what) => this.#world.warn(what));
    if (inherited.length > 0) this.#inherited = inherited;
  }

  /** Stores a change with the alerts that it owes, at once. @throws when storage fails; then nothing has changed. */
  commit(outcome: Outcome, more: (stores: Stores) => void = () => undefined): void {
    const nowMs = this.#world.now();
    const news = this.#publication.noteNews(outcome.changed, outcome.isLast && !this.#isMaintaining);
    const { journal } = outcome.state;
    const { publishing } = news;
    const isNoted = publishing !== this.state.journal.publishing;
    const state = isNoted ? { ...outcome.state, journal: { ...journal, publishing } } : outcome.state;
    const drafts = this.#draftsOf(outcome);
    const resolved = outcome.resolved.map((incident) => archivedIncident(incident, this.#world.config));
    this.#memory.commit(state, (stores) => {
      more(stores);
      stores.archive.addResolved(resolved);
      if (drafts.length > 0) stores.outbox.append(drafts, nowMs);
    });
    news.begun();
  }

  /** Notices that ticks have stopped. */
  watchTicks(): void {
    const { watch, happenings } = missTicks(
      this.state.journal.watch,
      this.#world.now(),
      this.#world.tickIntervalMs,
    );
    if (watch === this.state.journal.watch) return;
    const state = { ...this.state, journal: { ...this.state.journal, watch } };
    const changed = happenings.length > 0;
    this.#watchAgainMs = this.#world.now() + WATCH_PAUSE_MS;
    this.commit({ state, happenings, resolved: [], changed, tickMs: null, isLast: true });
    this.#watchAgainMs = 0;
  }

  /** That a tick of some shard came to nothing. */
  noteLost(tick: ShardTick): void {
    const { journal } = this.state;
    const lost = addLost(journal.lost, tick, this.#world.now());
    if (lost === journal.lost) return;
    const state = { ...this.state, journal: { ...journal, lost: [...lost] } };
    this.commit({ state, happenings: [], resolved: [], changed: true, tickMs: null, isLast: true });
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

  transactOutbox(write: (outbox: Outbox) => void): void {
    this.#memory.transact(({ outbox }) => write(outbox));
  }

  /** Something stored could not be read: it is put aside, if storage lets it. Never throws. */
  repair(): void {
    this.#memory.repair();
  }

  /** What lasts, and what ended of late, for receivers that forget. */
  standing(): readonly AlertEvent[] {
    return standingEvents(this.#standing(), this.#world.config, this.#world.now(), this.#world.shard);
  }

  /** When the first of them began; null: there is none. */
  standingSinceMs(): number | null {
    return standingSinceMs(this.#standing());
  }

  /** Whether results of that tick may still come from the gateway. */
  isTickOpen(gatewayId: string | null, tickMs: number): boolean {
    const lease = gatewayId === null ? null : this.state.journal.gateways[gatewayId]?.lease;
    return lease?.tickMs === tickMs && lease.untilMs > this.#world.now();
  }

  /**
   * Closes history, hands it to KV and publishes, as far as each is due. One at a time; never rejects.
   * @param publishing `news`: what is none waits for the next tick, with whose results it is noted in one row.
   */
  async maintain(publishing: "all" | "news" = "all"): Promise<void> {
    this.#maintaining = this.#maintaining
      .then(() => this.#maintainNow(publishing))
      .catch((error: unknown) => this.#world.warn("the ledger's own storage failed", error));
    await this.#maintaining;
  }

  /** When `maintain` or `watchTicks` next has something to do that cannot wait for a tick; null: nothing. */
  nextWakeMs(): number | null {
    const stallsMs = this.#watchMs();
    const publishMs = this.#publication.nextWakeMs();
    return stallsMs === null || publishMs === null ? (publishMs ?? stallsMs) : Math.min(publishMs, stallsMs);
  }

  /** When ticks are missed; null: that was announced. */
  #watchMs(): number | null {
    const stallsMs = stallsAtMs(this.state.journal.watch, this.#world.tickIntervalMs);
    return stallsMs === null ? null : Math.max(stallsMs, this.#watchAgainMs);
  }

  #standing(): Standing {
    const { incidents, monitors, journal } = this.state;
    const nowMs = this.#world.now();
    // What a clock wrote that ran ahead would be told until then.
    const ended = this.#memory.archive.resolved.filter(
      ({ resolvedAtMs: at }) => at !== null && at > nowMs - END_IS_TOLD_MS && at <= nowMs,
    );
    return { incidents: [...ended, ...Object.values(incidents)], monitors, watch: journal.watch };
  }

  async #maintainNow(publishing: "all" | "news"): Promise<void> {
    this.#isMaintaining = true;
    try {
      this.#tendHistory();
      await this.#publication.tellKv(publishing);
    } finally {
      this.#isMaintaining = false;
    }
  }

  /** History that cannot be closed holds up no snapshot. */
  #tendHistory(): void {
    try {
      this.#keeper.tend(this.state.journal);
    } catch (error) {
      this.#world.warn("history could not be closed and is tried again", error);
      this.repair();
    }
  }

  #draftsOf({ happenings, tickMs }: Outcome): readonly EventDraft[] {
    const occurrence = { config: this.#world.config, tickMs, shard: this.#world.shard };
    return happenings.map((happening) => draftOf(happening, occurrence));
  }
}

export interface Outcome extends Stepped {
  /** The scheduled time of the tick that brought it; null: none did. */
  readonly tickMs: number | null;
  /** Comes `maintain` next? Then what is to be published is noted in the same write. */
  readonly isLast: boolean;
}
