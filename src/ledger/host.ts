/**
 * The Ledger as an object that is called and woken: its service, the courier of its alerts, its administration.
 * Whatever call comes sends what is owed at once; the alarm sends what waits. Nothing waits for receivers.
 */
import type { Mail } from "../alert/channel.ts";
import { channelKind } from "../alert/channels.ts";
import type { Config } from "../config/config.ts";
import type { Placement } from "../config/placement.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
} from "../domain/tick.ts";
import { Administration } from "./admin/admin.ts";
import { identify, type Identities } from "./begin/apply-config.ts";
import type { Allowance, CourierFetch } from "./deliver/channel-client.ts";
import { Courier } from "./deliver/courier.ts";
import { Directory } from "./directory.ts";
import type { LedgerRpc } from "./rpc.ts";
import { LedgerService } from "./service.ts";
import { warnOfLedger } from "./warn.ts";

export interface LedgerSettings {
  /** With the gateways of all shards. */
  readonly config: Config;
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
  readonly #courier: Courier;
  readonly #administration: Administration;
  readonly #directory: Directory;
  /** Of the gateways that the configuration has. */
  #identities: { readonly config: Config; readonly made: Promise<Identities> } | null = null;
  #rearming: Promise<void> = Promise.resolve();

  constructor(storage: DurableObjectStorage, settings: LedgerSettings) {
    this.#storage = storage;
    this.#settings = settings;
    const { config, shard } = settings;
    this.#service = new LedgerService({
      ...settings,
      sql: storage.sql,
      transaction: (write) => storage.transactionSync(write),
      own: () => this.#directory.own,
      inTime: (work) => inTime(work, LONGEST_WRITE_MS),
      warn: warnOfLedger,
    });
    this.#directory = new Directory({
      config,
      shard,
      peer: (other) => settings.peer(other),
      inTime: (work) => inTime(work, LONGEST_CALL_MS),
      read: () => this.#service.state.directory,
      write: (directory) => this.#service.noteDirectory(directory),
      held: () => this.#service.heldGateways(),
      warn: warnOfLedger,
    });
    const service = this.#service;
    this.#courier = new Courier({
      ...settings,
      title: config.title,
      channels: config.alerts,
      kindOf: channelKind,
      salt: () => this.#salt(),
      secretOf: (name) => settings.secret(name),
      outbox: () => service.outbox,
      transact: (write) => service.transactOutbox(write),
      isTickOpen: (gatewayId, tickMs) => service.isTickOpen(gatewayId, tickMs),
      standing: () => service.standing(),
      standingSinceMs: () => service.standingSinceMs(),
      random: () => Math.random(),
      rearm: () => void this.#rearm(),
      repair: () => service.repair(),
      warn: warnOfLedger,
    });
    this.#administration = new Administration(service, settings);
  }

  async begin(request: BeginRequest): Promise<BeginAnswer> {
    const allowance = this.#courier.renew();
    await this.#service.inherit(this.#settings.kv);
    await this.#directory.renew();
    const answer = this.#service.begin(request, await this.#identify());
    await this.#deliver(allowance);
    // The invocation that asked may never come back.
    await this.#rearm();
    return { ...answer, shards: this.#directory.shards };
  }

  async record(batch: Batch): Promise<void> {
    const allowance = this.#courier.renew();
    this.#service.record(batch);
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
      this.#service.watchTicks();
    } catch (error) {
      warnOfLedger("whether ticks still come could not be noted", error);
    }
    await this.#tend(allowance, "news");
  }

  async noteLost(lost: ShardTick): Promise<void> {
    const allowance = this.#courier.renew();
    this.#service.noteLost(lost);
    await this.#tend(allowance);
  }

  async directory(): Promise<Placement> {
    return this.#directory.place();
  }

  heldGateways(): readonly string[] {
    return this.#service.heldGateways();
  }

  /** Anew once gateways have come. */
  #identify(): Promise<Identities> {
    const { own } = this.#directory;
    if (this.#identities?.config !== own) {
      const made = identify(own, this.#salt(), (name) => this.#settings.secret(name));
      this.#identities = { config: own, made };
    }
    return this.#identities.made;
  }

  #salt(): string {
    return this.#service.salt(() => crypto.randomUUID());
  }

  /** Sends what is owed by now, also where KV fails. */
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

const LONGEST_WRITE_MS = 10_000;

/** @throws (rejects) where it takes longer; what it comes to then is of no account. */
async function inTime<Value>(work: Promise<Value>, longestMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), longestMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
