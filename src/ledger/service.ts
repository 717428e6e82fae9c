/**
 * The Ledger: the only writer of state and of KV. It begins ticks, records each batch of results in one transaction with its
 * alerts, closes history and publishes. Each call sends the alerts that are due, and the alarm sends those that wait.
 */
import { channelKind } from "#channels";
import type { AlertEvent, EventDraft } from "../alert/alert-event.ts";
import type { Placement } from "../config/plan-limits.ts";
import { fitToken } from "../config/secrets.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import { addLost, missTicks, stallsAtMs } from "../domain/monitoring.ts";
import type { Subscription } from "../domain/stored.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
  SubscribeAnswer,
  SubscribeOrder,
} from "../domain/tick.ts";
import { sha256Hex } from "../history/packing.ts";
import { Administration } from "./admin/admin.ts";
import { identify, type Identities } from "./begin/apply-config.ts";
import { beginTick, type Orders } from "./begin/begin-tick.ts";
import { ranAhead } from "./begin/clock.ts";
import {
  draftOf,
  openDrafts,
  standingEvents,
  standingSinceMs,
  testEvent,
  type Occurrence,
  type Standing,
} from "./deliver/announce.ts";
import type { Allowance } from "./deliver/channel-client.ts";
import { Courier } from "./deliver/courier.ts";
import { Directory } from "./directory.ts";
import { resolvedMsOf } from "./history/archive.ts";
import { historyKeeper } from "./history/compaction.ts";
import { archivedIncident } from "./publish/public-text.ts";
import { Publication } from "./publish/publication.ts";
import { recordBatch } from "./record/record-batch.ts";
import { type LedgerRpc, type LedgerSettings, warnOfLedger } from "./rpc.ts";
import { LedgerMemory, type Stores } from "./state/memory.ts";
import { windowsOf, type Journal, type Outcome } from "./state/state.ts";

/** How long to wait if a missed tick was noticed and could not be stored. */
const WATCH_PAUSE_MS = 30_000;

/** How long the end of an incident is repeated to receivers that forget (Alertmanager). */
const END_IS_TOLD_MS = 5 * MINUTE_MS;

/** The platform retries a failed alarm for about two minutes. Then it keeps the alarm's time, but never fires it. */
const DROPPED_AFTER_MS = 3 * MINUTE_MS;

export class LedgerService implements LedgerRpc {
  readonly #storage: DurableObjectStorage;
  readonly #settings: LedgerSettings;
  readonly memory: LedgerMemory;
  readonly #directory: Directory;
  readonly publication: Publication;
  readonly #tendHistory: (journal: Journal) => void;
  readonly #courier: Courier;
  readonly #administration: Administration;
  #rearming: Promise<void> = Promise.resolve();
  #maintaining: Promise<void> = Promise.resolve();
  #watchAgainMs = 0;

  /** @throws when the stored data are of a newer version, or damaged. */
  constructor(storage: DurableObjectStorage, settings: LedgerSettings) {
    const { config } = settings;
    this.#storage = storage;
    this.#settings = settings;
    const memory = new LedgerMemory(storage, settings);
    this.memory = memory;
    this.#directory = new Directory(settings, memory);
    this.publication = new Publication(settings, memory, this.#directory);
    this.#tendHistory = historyKeeper(settings, memory);
    this.#courier = new Courier({
      ...settings,
      title: config.title,
      timeZone: config.timeZone,
      language: config.language,
      isAdministered: fitToken(settings.secret("ADMIN_TOKEN")) !== null,
      kindOf: channelKind,
      salt: () => memory.salt(),
      secretOf: (name) => settings.secret(name),
      outbox: () => memory.outbox,
      transact: (write) => memory.transact(({ outbox }) => write(outbox)),
      isTickOpen: (gatewayId, tickMs) => this.#isTickOpen(gatewayId, tickMs),
      standing: () => this.standing(),
      opened: () => openDrafts(Object.values(memory.state.incidents), settings.now(), this.#occurrence(null)),
      standingSinceMs: () => standingSinceMs(this.#standing()),
      random: () => Math.random(),
      rearm: () => void this.#rearm(),
      warn: warnOfLedger,
    });
    this.#administration = new Administration(memory, settings, (outcome) => this.commit(outcome));
  }

  async begin(request: BeginRequest): Promise<BeginAnswer> {
    const allowance = this.#courier.renew();
    await this.publication.inherit();
    await this.#directory.renew();
    const secretOf = (name: string): string | null => this.#settings.secret(name);
    const identities = await identify(this.#directory.own, this.memory.salt(), secretOf);
    const orders = this.order(request, identities);
    void (await this.#courier.deliver(allowance));
    // The invocation that began the tick may never report.
    await this.#rearm();
    return { ...orders, shards: this.#directory.shards };
  }

  async record(batch: Batch): Promise<void> {
    await this.#tending(() => this.store(batch));
  }

  async administer(request: AdminRequest): Promise<AdminAnswer> {
    return this.#tending((allowance) =>
      this.#administration.answer(request, (channel, event) =>
        this.#courier.sendTest(channel, event, allowance),
      ),
    );
  }

  async subscribe(subscription: Subscription, order: SubscribeOrder): Promise<SubscribeAnswer> {
    const { config } = this.#settings;
    const push = config.alerts.find((channel) => channel.kind === "push");
    if (push === undefined) throw new Error("no browser can subscribe here");
    const channel = { ...push, id: `push-${await sha256Hex(subscription.endpoint, 8)}`, subscription };
    const welcome = testEvent(config, this.#settings.now());
    return this.#tending((allowance) => this.#courier.subscribe(channel, order, welcome, allowance));
  }

  async noteLost(tick: ShardTick): Promise<void> {
    await this.#tending(() => {
      const { state } = this.memory;
      const lost = addLost(state.journal.lost, tick, this.#settings.now());
      if (lost === state.journal.lost) return;
      this.commit({ state: { ...state, journal: { ...state.journal, lost: [...lost] } }, changed: true });
    });
  }

  async directory(): Promise<Placement> {
    return this.#directory.place();
  }

  async heldGateways(): Promise<readonly string[]> {
    return this.#directory.held();
  }

  /** Never rejects: the platform would retry a failed alarm a few times and then drop it. */
  async alarm(): Promise<void> {
    await this.#tending(() => {
      try {
        this.watchTicks();
      } catch (error) {
        warnOfLedger("whether ticks still come could not be noted", error);
      }
    });
  }

  /** The step of `begin`. @throws when storage fails; then nothing has changed. */
  order(request: BeginRequest, identities: Identities): Orders {
    const { tickIntervalMs, run } = this.#settings;
    const config = this.#directory.own;
    const { state } = this.memory;
    const nowMs = this.#settings.now();
    const maintenance = windowsOf(config, state, nowMs);
    const world = { config, maintenance, identities, nowMs, tickIntervalMs, run };
    const isBack = ranAhead(state, nowMs);
    const { answer, ...began } = beginTick(state, request, world);
    this.commit({ ...began, tickMs: request.tickMs }, ({ outbox }) => {
      if (isBack) outbox.forgetFuture(nowMs);
    });
    return answer;
  }

  /** The step of `record`. @throws as `order`. */
  store(batch: Batch): void {
    const { results, returned, pages = [] } = batch;
    if (results.length + returned.length + pages.length === 0) return;
    const config = this.#directory.own;
    const { state, archive } = this.memory;
    const nowMs = this.#settings.now();
    const recorded = recordBatch(state, batch, {
      config,
      maintenance: windowsOf(config, state, nowMs),
      nowMs,
      tickIntervalMs: this.#settings.tickIntervalMs,
      shard: this.#settings.shard,
      isRecorded: (monitorId, atMs) => archive.recent.has(monitorId, atMs),
    });
    this.commit({ ...recorded, tickMs: batch.tickMs }, (stores) => {
      stores.archive.addSamples(recorded.samples);
    });
  }

  watchTicks(): void {
    const { state } = this.memory;
    const nowMs = this.#settings.now();
    const { watch, happenings } = missTicks(state.journal.watch, nowMs, this.#settings.tickIntervalMs);
    if (watch === state.journal.watch) return;
    this.#watchAgainMs = nowMs + WATCH_PAUSE_MS;
    const changed = happenings.length > 0;
    this.commit({ state: { ...state, journal: { ...state.journal, watch } }, happenings, changed });
    this.#watchAgainMs = 0;
  }

  /** Stores a change together with its alerts. @throws if storage fails; then nothing has changed. */
  commit(outcome: Outcome, more: (stores: Stores) => void = () => undefined): void {
    const { config } = this.#settings;
    const nowMs = this.#settings.now();
    const { happenings = [], tickMs = null } = outcome;
    const { journal } = outcome.state;
    const publishing = { ...journal.publishing, urgent: true };
    const state = outcome.changed ? { ...outcome.state, journal: { ...journal, publishing } } : outcome.state;
    const occurrence = this.#occurrence(tickMs, journal);
    const drafts: EventDraft[] = happenings.map((happening) => draftOf(happening, occurrence));
    const resolved = (outcome.resolved ?? []).map((incident) => archivedIncident(incident, config));
    this.memory.commit(state, (stores) => {
      more(stores);
      stores.archive.addResolved(resolved);
      if (drafts.length > 0) stores.outbox.append(drafts, nowMs);
    });
    for (const draft of drafts) this.#settings.onEvent?.(draft);
  }

  #isTickOpen(gatewayId: string | null, tickMs: number): boolean {
    const lease = gatewayId === null ? null : this.memory.state.journal.gateways[gatewayId]?.lease;
    return lease?.tickMs === tickMs && lease.untilMs > this.#settings.now();
  }

  /** Open incidents, and those that ended recently, for receivers that forget. */
  standing(): readonly AlertEvent[] {
    return standingEvents(this.#standing(), this.#settings.now(), this.#occurrence(null));
  }

  #occurrence(tickMs: number | null, { pages }: Journal = this.memory.state.journal): Occurrence {
    const { config, shard } = this.#settings;
    return { config, tickMs, shard, read: { pages, nowMs: this.#settings.now() } };
  }

  #standing(): Standing {
    const { state, archive } = this.memory;
    const nowMs = this.#settings.now();
    const ended = archive.resolved.filter((incident) => resolvedMsOf(incident) > nowMs - END_IS_TOLD_MS);
    const { incidents, monitors, journal } = state;
    return { incidents: [...ended, ...Object.values(incidents)], monitors, watch: journal.watch };
  }

  /** Runs the step of a call, then sends the alerts that are due, even if KV fails. */
  async #tending<Value>(step: (allowance: Allowance) => Value | Promise<Value>): Promise<Value> {
    const allowance = this.#courier.renew();
    const value = await step(allowance);
    void (await this.#courier.deliver(allowance));
    await this.maintain();
    await this.#rearm();
    return value;
  }

  /** Closes history, stores it in KV and publishes, as far as each is due. Runs one at a time and never rejects. */
  async maintain(): Promise<void> {
    this.#maintaining = this.#maintaining
      .then(() => {
        try {
          this.#tendHistory(this.memory.state.journal);
        } catch (error) {
          // The snapshot is published all the same.
          warnOfLedger("history could not be closed and is tried again", error);
        }
        return this.publication.tellKv();
      })
      .catch((error: unknown) => warnOfLedger("the ledger's own storage failed", error));
    await this.#maintaining;
  }

  /** When `maintain` or `watchTicks` must run next without waiting for a tick; null: never. */
  nextWakeMs(): number | null {
    return earliest([this.#watchMs(), this.publication.nextWakeMs()]);
  }

  /** When to report that ticks are missing; null: it was reported. */
  #watchMs(): number | null {
    const stallsMs = stallsAtMs(this.memory.state.journal.watch, this.#settings.tickIntervalMs);
    return stallsMs === null ? null : Math.max(stallsMs, this.#watchAgainMs);
  }

  /** Runs one at a time, so that two calls do not set different alarms. Never rejects. */
  #rearm(): Promise<void> {
    return (this.#rearming = this.#rearming.then(() => this.#rearmNow()));
  }

  async #rearmNow(): Promise<void> {
    try {
      const dueMs = earliest([this.nextWakeMs(), this.#courier.nextWakeMs()]);
      if (dueMs === null) return;
      const nowMs = this.#settings.now();
      const wakeMs = Math.max(nowMs, dueMs);
      // Setting an alarm costs a row, so an earlier one stays. When it fires, it sets the next.
      const setMs = await this.#storage.getAlarm();
      const isDropped = setMs !== null && setMs < nowMs - DROPPED_AFTER_MS;
      if (setMs === null || setMs > wakeMs || isDropped) await this.#storage.setAlarm(wakeMs);
    } catch (error) {
      warnOfLedger("the alarm could not be set", error);
    }
  }
}

function earliest(instantsMs: readonly (number | null)[]): number | null {
  const known = instantsMs.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}
