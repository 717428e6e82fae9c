/**
 * The Ledger: the only writer of state and of KV. Begins ticks, records their results in a transaction a batch together
 * with the alerts that they owe, closes history and publishes. What surrounds it (storage, KV, clock, secrets) are
 * arguments.
 */
import type { AlertEvent } from "../alert/alert-event.ts";
import type { EventDraft } from "../alert/delivery-id.ts";
import { calendarOf, MINUTE_MS } from "../domain/calendar.ts";
import type { ShardConfig } from "../config/shard.ts";
import type { Happening } from "../domain/happening.ts";
import { addLost } from "../domain/lost-ticks.ts";
import type { NetworkName } from "../domain/own-network.ts";
import { missesTicks, missTicks, stallsAtMs, type Watched } from "../domain/silence.ts";
import type { Batch, BeginAnswer, BeginRequest, ShardTick } from "../domain/tick.ts";
import { draftOf, type Standing, standingEvents, standingSinceMs } from "./announce.ts";
import { beginTick } from "./begin.ts";
import { Giver } from "./giver.ts";
import type { HandingWorld } from "./handing.ts";
import { HistoryKeeper } from "./history-keeper.ts";
import { LedgerMemory, type MemoryWorld, type Stores } from "./memory.ts";
import type { Outbox } from "./outbox.ts";
import type { Outcome } from "./outcome.ts";
import { archivedIncident } from "./public-text.ts";
import { Publication, type PublicationWorld } from "./publication.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Identities } from "./reconcile.ts";
import { recordBatch } from "./record.ts";
import { type LedgerState, windowsOf } from "./state.ts";
import { Taker } from "./taker.ts";
import { Territory } from "./territory.ts";

export interface LedgerWorld extends PublicationWorld, MemoryWorld {
  readonly elsewhere: ShardConfig["elsewhere"];
  /** Which run of the monitor this is, where only one at a time can be; else null. */
  readonly run: string | null;
}

/** Where what was noticed could not be stored, or another tells it, nobody looks again for so long. */
const WATCH_PAUSE_MS = 30_000;

/** Receivers that forget are told of an end for so long. */
const END_IS_TOLD_MS = 5 * MINUTE_MS;

export class LedgerService {
  readonly #world: LedgerWorld;
  readonly #memory: LedgerMemory;
  readonly #publication: Publication;
  readonly #keeper: HistoryKeeper;
  /** Which gateways are probed here; of a retired shard none, and no tick is missed there. */
  readonly territory: Territory;
  readonly giver: Giver;
  readonly taker: Taker;
  #maintaining: Promise<void> = Promise.resolve();
  #isMaintaining = false;
  #watchAgainMs = 0;

  /** @throws when the stored data are of a newer version, or damaged. */
  constructor(world: LedgerWorld) {
    const calendar = calendarOf(world.config.timeZone);
    const { sql, tickIntervalMs, shard } = world;
    const transaction = (write: () => void): void => world.transaction(write);
    this.#world = world;
    this.territory = new Territory(world);
    const tell = { now: () => world.now(), warn: (what: string) => world.warn(what) };
    this.#memory = new LedgerMemory({ sql, transaction, config: this.territory.whole, shard, ...tell });
    this.#publication = new Publication(world, this.#memory, calendar, this.territory);
    this.#keeper = new HistoryKeeper({
      calendar,
      tickIntervalMs,
      publish: (incident) => this.#publication.incident(incident),
      now: () => world.now(),
      transact: (write) => this.#memory.transact(write),
    });
    const handing: HandingWorld = {
      memory: this.#memory,
      territory: this.territory,
      shard,
      calendar,
      run: world.run,
      now: () => world.now(),
      commit: (outcome, more) => this.commit(outcome, more),
      closeHistory: (nowMs) => this.#keeper.closeAll(nowMs),
    };
    this.giver = new Giver(handing);
    this.taker = new Taker(handing);
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

  begin(request: BeginRequest, identities: Identities): BeginAnswer {
    const { tickIntervalMs, run } = this.#world;
    const nowMs = this.#world.now();
    const config = this.territory.work(this.state);
    const maintenance = windowsOf(config, this.state);
    const world = { config, maintenance, identities, nowMs, tickIntervalMs, run };
    const around = { departed: this.territory.departed(this.state), whole: this.territory.whole };
    const began = beginTick(this.state, request, world, around);
    // Results come soon: what the begin changed by itself is published with them.
    const happenings = this.#told(began.happenings);
    this.commit({ ...began, happenings, tickMs: request.tickMs, isLast: false });
    return began.answer;
  }

  record(batch: Batch, toldElsewhere: ReadonlySet<NetworkName> = new Set()): void {
    if (batch.results.length === 0 && batch.returned.length === 0) return;
    // What was begun before a gateway was dealt to another shard is told here.
    const config = this.territory.kept(this.state);
    const recorded = recordBatch(this.state, batch, {
      config,
      maintenance: windowsOf(config, this.state),
      nowMs: this.#world.now(),
      tickIntervalMs: this.#world.tickIntervalMs,
      shard: this.#world.shard,
      toldElsewhere,
      isRecorded: (monitorId, atMs) => this.#memory.archive.isRecorded(monitorId, atMs),
    });
    this.commit({ ...recorded, tickMs: batch.tickMs, isLast: true }, (stores) => {
      stores.archive.addSamples(recorded.samples);
    });
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
    const resolved = outcome.resolved.map((incident) => archivedIncident(incident, this.territory.whole));
    this.#memory.commit(state, (stores) => {
      more(stores);
      stores.archive.addResolved(resolved);
      if (drafts.length > 0) stores.outbox.append(drafts, nowMs);
    });
    news.begun();
  }

  /** Whether `watchTicks` would tell of a silence now. */
  hasSilenceToTell(): boolean {
    return this.#missTicks().happenings.length > 0;
  }

  /** Another Ledger tells it for all: this one looks again later whether that is so. */
  leaveSilence(): void {
    this.#watchAgainMs = this.#world.now() + WATCH_PAUSE_MS;
  }

  /** Notices that ticks have stopped. */
  watchTicks(): void {
    const { watch, happenings } = this.#missTicks();
    if (watch === this.state.journal.watch) return;
    const state = { ...this.state, journal: { ...this.state.journal, watch } };
    const changed = happenings.length > 0;
    this.#watchAgainMs = this.#world.now() + WATCH_PAUSE_MS;
    this.commit({ state, happenings, resolved: [], changed, tickMs: null, isLast: true });
    this.#watchAgainMs = 0;
  }

  /** Whether its ticks fail to come. */
  missesTicks(): boolean {
    return missesTicks(this.state.journal.watch, this.#world.now(), this.#world.tickIntervalMs);
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

  /** Until when the hours are closed; null: there is no history. */
  hoursMs(): number | null {
    return this.#memory.archive.through?.hoursMs ?? null;
  }

  transactOutbox(write: (outbox: Outbox) => void): void {
    this.#memory.transact(({ outbox }) => write(outbox));
  }

  /** Something stored could not be read: it is put aside, if storage lets it. Never throws. */
  mend(): void {
    this.#memory.mend();
  }

  /** What lasts, and what ended of late, for receivers that forget. */
  standing(): readonly AlertEvent[] {
    return standingEvents(this.#standing(), this.territory.whole, this.#world.now(), this.#world.shard);
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

  #missTicks(): Watched {
    const { watch } = this.state.journal;
    if (this.territory.isRetired) return { watch, happenings: [] };
    return missTicks(watch, this.#world.now(), this.#world.tickIntervalMs);
  }

  /**
   * A silence that only its end showed is shard 0's to tell: where the others were silent too it is one silence, and nobody
   * knows that any more.
   */
  #told(happenings: readonly Happening[]): readonly Happening[] {
    const tellsAll = this.#world.shard === 0 || this.state.journal.watch.isStalled;
    return tellsAll ? happenings : happenings.filter(({ type }) => type !== "monitoring.resumed");
  }

  /** When ticks are missed; null: it is told. A pause that a clock wrote which ran ahead counts for nothing. */
  #watchMs(): number | null {
    if (this.territory.isRetired) return null;
    const stallsMs = stallsAtMs(this.state.journal.watch, this.#world.tickIntervalMs);
    const pauseMs = this.#watchAgainMs > this.#world.now() + WATCH_PAUSE_MS ? 0 : this.#watchAgainMs;
    return stallsMs === null ? null : Math.max(stallsMs, pauseMs);
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
      this.mend();
    }
  }

  #draftsOf({ happenings, tickMs }: Outcome): readonly EventDraft[] {
    const occurrence = { config: this.territory.whole, tickMs, shard: this.#world.shard };
    return happenings.map((happening) => draftOf(happening, occurrence));
  }
}
