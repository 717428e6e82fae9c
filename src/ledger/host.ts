/**
 * The Ledger as an object that is called and woken: its service, the courier of its alerts, its administration. What is
 * owed is sent at once by whatever called, and what waits by the alarm; nothing waits for receivers, and while one takes
 * its time the object stays awake.
 */
import type { Mail } from "../alert/channel.ts";
import type { ShardConfig } from "../config/shard.ts";
import type { AdminAnswer, AdminRequest } from "../domain/administration.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import type { NetworkName } from "../domain/own-network.ts";
import type { Batch, BeginAnswer, BeginRequest, ShardTick } from "../domain/tick.ts";
import { Administration } from "./admin.ts";
import type { Identities } from "./reconcile.ts";
import type { Allowance } from "./courier-post.ts";
import { BehindOthers } from "./behind.ts";
import { courierWorld, serviceOf } from "./host-parts.ts";
import { Courier } from "./courier.ts";
import type { CourierFetch } from "./courier-send.ts";
import { identify } from "./identities.ts";
import { inTime } from "./in-time.ts";
import { Mover } from "./mover.ts";
import type { SegmentTimes } from "./moves.ts";
import { type Enrolment, type Fate, type HandOverAnswer, type HandOverRequest, readOwing } from "./parcel.ts";
import { type NetworkVoices, toldElsewhere, voicesOf } from "./network-voices.ts";
import type { LedgerRpc } from "./rpc.ts";
import type { LedgerService } from "./service.ts";
import { warnOfLedger } from "./warn.ts";

export interface LedgerSettings extends ShardConfig {
  readonly shard: number;
  /** The Ledger of another shard. One that has failed once stays broken: ask for it anew for each call. */
  peer(shard: number): LedgerRpc;
  readonly kv: KVNamespace;
  /** Name and version of what probes, for reports. */
  readonly client: string;
  readonly tickIntervalMs: number;
  /** As `LedgerWorld.run`. */
  readonly run: string | null;
  /** The value of a secret by its name; null when it is not set. */
  secret(name: string): string | null;
  now(): number;
  /** Aborts after so long. */
  timeoutSignal(ms: number): AbortSignal;
  readonly fetch: CourierFetch;
  /** Hands a message to the platform's mail, by the name of its binding. */
  sendMail(mail: Mail, binding: string): Promise<void>;
}

/** Puts the service, who sends its alerts and who administers it together, and keeps the alarm set. */
export class LedgerHost {
  readonly #storage: DurableObjectStorage;
  readonly #settings: LedgerSettings;
  readonly #service: LedgerService;
  readonly #behind: BehindOthers;
  readonly #courier: Courier;
  readonly #administration: Administration;
  readonly #mover: Mover;
  #identities: Identities | null = null;
  #rearming: Promise<void> = Promise.resolve();

  constructor(storage: DurableObjectStorage, settings: LedgerSettings) {
    this.#storage = storage;
    this.#settings = settings;
    this.#service = serviceOf(storage, settings);
    this.#behind = this.#newBehind();
    this.#courier = new Courier(
      courierWorld(this.#service, settings, {
        rearm: () => void this.#rearm(),
        holdOf: (channel) => this.#behind.holdOf(channel),
      }),
    );
    this.#mover = this.#newMover();
    this.#administration = new Administration(this.#service, {
      config: settings.config,
      places: settings.places,
      shard: settings.shard,
      now: () => settings.now(),
    });
  }

  async begin(request: BeginRequest): Promise<BeginAnswer> {
    const allowance = this.#courier.renew();
    await this.#service.taker.inherit(this.#settings.kv, warnOfLedger);
    await this.#mover.take();
    await this.#behind.hear();
    const answer = this.#service.begin(request, await this.#identify());
    await this.#deliver(allowance);
    // The invocation that asked may never come back.
    await this.#rearm();
    return answer;
  }

  async record(batch: Batch): Promise<void> {
    const allowance = this.#courier.renew();
    // Where no other shard has a word in it, nothing is waited for before it is stored.
    const isOthersMatter = batch.ownNetworkFailed && this.#settings.config.shards > 1;
    const told = isOthersMatter ? await this.#toldElsewhere() : new Set<NetworkName>();
    this.#service.record(batch, told);
    await this.#tend(allowance);
  }

  async administer(request: AdminRequest): Promise<AdminAnswer> {
    const allowance = this.#courier.renew();
    const answer = await this.#administration.answer(request, (channel, event) =>
      this.#courier.sendTest(channel, event, allowance),
    );
    await this.#tend(allowance);
    return answer;
  }

  /** Never rejects: a failed alarm would be repeated a few times and then forgotten. */
  async alarm(): Promise<void> {
    const allowance = this.#courier.renew();
    try {
      if (this.#service.hasSilenceToTell() && (await this.#isToldByFirst())) this.#service.leaveSilence();
      else this.#service.watchTicks();
    } catch (error) {
      warnOfLedger("whether ticks still come could not be noted", error);
    }
    await this.#behind.hear();
    await this.#tend(allowance, "news");
  }

  async noteLost(lost: ShardTick): Promise<void> {
    const allowance = this.#courier.renew();
    this.#service.noteLost(lost);
    await this.#tend(allowance);
  }

  missesTicks(): boolean {
    return this.#service.missesTicks();
  }

  networks(): NetworkVoices {
    return voicesOf(this.#service.state.journal);
  }

  #toldElsewhere(): Promise<ReadonlySet<NetworkName>> {
    const { shard, config } = this.#settings;
    const ask = (other: number): Promise<NetworkVoices | null> =>
      inTime(this.#settings.peer(other).networks(), LONGEST_CALL_MS).catch((error: unknown) => {
        warnOfLedger(`the ledger of shard ${other} does not say what it sees of the network`, error);
        return null;
      });
    return toldElsewhere({ shard, shards: config.shards, journal: this.#service.state.journal, ask });
  }

  /** Where cron itself has stopped, shard 0 tells it alone. */
  async #isToldByFirst(): Promise<boolean> {
    if (this.#settings.shard === 0) return false;
    try {
      return await this.#settings.peer(0).missesTicks();
    } catch (error) {
      warnOfLedger("the Ledger of shard 0 does not say whether it misses ticks too", error);
      return false;
    }
  }

  /** Anew where another call got the salt of the others meanwhile. */
  async #identify(): Promise<Identities> {
    if (this.#identities !== null) return this.#identities;
    const salt = this.#service.salt(() => crypto.randomUUID());
    const identities = await this.#identitiesUnder(salt);
    if (this.#service.salt(() => crypto.randomUUID()) !== salt) return this.#identify();
    return (this.#identities = identities);
  }

  /** Also of gateways that are another shard's by now. */
  async #identitiesUnder(salt: string): Promise<Identities> {
    const { config } = this.#settings;
    const gateways = [...config.gateways, ...this.#service.territory.departed(this.#service.state)];
    return identify({ ...config, gateways }, salt, (name) => this.#settings.secret(name));
  }

  async #renewed(salt: string): Promise<ReadonlyMap<string, string>> {
    const [before, after] = await Promise.all([this.#identify(), this.#identitiesUnder(salt)]);
    return new Map(Object.entries(before).map(([id, identity]) => [identity, after[id] ?? identity]));
  }

  async handOver(request: HandOverRequest): Promise<HandOverAnswer> {
    const allowance = this.#courier.renew();
    const answer = await this.#mover.handOver(request, await this.#identify());
    await this.#deliver(allowance);
    return answer;
  }

  settle(parcelId: string): SegmentTimes {
    return this.#mover.settle(parcelId);
  }

  fateOf(parcelId: string, gatewayIds: readonly string[]): Fate {
    return this.#mover.fateOf(parcelId, gatewayIds);
  }

  owing(to: number): readonly string[] {
    // It may have no ticks any more that would ask.
    if (this.#service.territory.isRetired) void this.#behind.hear();
    return this.#service.giver.owing(to);
  }

  offer(gatewayIds: readonly string[]): void {
    this.#mover.offer(gatewayIds);
  }

  enrol(shards: number): Enrolment {
    return this.#mover.enrol(shards);
  }

  #newBehind(): BehindOthers {
    const service = this.#service;
    return new BehindOthers({
      moves: () => service.state.moves,
      note: (behind) => service.taker.noteBehind(behind),
      owing: async (shard, to) =>
        readOwing(await inTime(this.#settings.peer(shard).owing(to), LONGEST_CALL_MS)),
      now: () => this.#settings.now(),
      released: () => void this.#rearm(),
      warn: warnOfLedger,
    });
  }

  #newMover(): Mover {
    const settings = this.#settings;
    const service = this.#service;
    return new Mover(
      {
        shard: settings.shard,
        shards: settings.config.shards,
        peer: (shard) => settings.peer(shard),
        inTime: (work) => inTime(work, LONGEST_CALL_MS),
        newId: () => crypto.randomUUID(),
        moves: () => service.state.moves,
        hoursMs: () => service.hoursMs(),
        now: () => settings.now(),
        tickIntervalMs: settings.tickIntervalMs,
        enrolment: () => ({
          salt: service.salt(() => crypto.randomUUID()),
          planned: service.state.journal.planned,
        }),
        renewed: (salt) => this.#renewed(salt),
        saltChanged: () => {
          this.#identities = null;
        },
        moved: () => void this.#rearm(),
        warn: warnOfLedger,
      },
      service,
    );
  }

  /** What is owed by now is sent whatever becomes of KV. */
  async #tend(allowance: Allowance, publishing: "all" | "news" = "all"): Promise<void> {
    await this.#deliver(allowance);
    await this.#service.maintain(publishing);
    await this.#rearm();
  }

  /** Begins to send what is due, and waits for no receiver. Never rejects. */
  async #deliver(allowance: Allowance): Promise<void> {
    void (await this.#courier.deliver(allowance));
  }

  /** One at a time, so that none sets what another is about to set. Never rejects. */
  #rearm(): Promise<void> {
    return (this.#rearming = this.#rearming.then(() => this.#rearmNow()));
  }

  async #rearmNow(): Promise<void> {
    try {
      const wakesMs = [this.#service.nextWakeMs(), this.#courier.nextWakeMs()].filter((ms) => ms !== null);
      if (wakesMs.length === 0) return;
      const nowMs = this.#settings.now();
      const wakeMs = Math.max(nowMs, Math.min(...wakesMs));
      // Each alarm that is set is a row: one that comes too early looks what there is to do, and sets the next.
      const setMs = await this.#storage.getAlarm();
      const isDropped = setMs !== null && setMs < nowMs - DROPPED_AFTER_MS;
      if (setMs === null || setMs > wakeMs || isDropped) await this.#storage.setAlarm(wakeMs);
    } catch (error) {
      warnOfLedger("the alarm could not be set", error);
    }
  }
}

/** The platform repeats an alarm that failed for about two minutes, and then keeps its time but never fires it. */
const DROPPED_AFTER_MS = 3 * MINUTE_MS;

/** A tick waits for the Ledgers of other shards. */
const LONGEST_CALL_MS = 5000;
