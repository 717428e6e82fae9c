/**
 * The Ledger over its disk: a host that dies at any moment, at a statement of a transaction or with its answer on the way,
 * and is made anew for the next call. Whatever it takes is written into the plain log.
 */
import type { PlayedClock } from "../fixtures/played-clock.ts";
import type { Config } from "../../src/config/config.ts";
import type { AdminAnswer, AdminRequest, Batch, BeginAnswer, BeginRequest } from "../../src/domain/tick.ts";
import type { LedgerSettings } from "../../src/ledger/rpc.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { configOf, type Deployment, type Watched } from "./deployments.ts";
import type { EventualKv } from "./eventual-kv.ts";
import { Evicted, type LedgerDisk, type LedgerLife } from "./ledger-storage.ts";
import type { PlainLog } from "./plain-log.ts";
import type { Random } from "./random.ts";
import type { Receivers } from "./receivers.ts";

export interface Surroundings {
  readonly clock: PlayedClock;
  readonly random: Random;
  readonly disk: LedgerDisk;
  readonly kv: EventualKv;
  readonly log: PlainLog;
  readonly receivers: Receivers;
  readonly count: { evictions: number };
  readonly options: { readonly tickMs: number };
  readonly deployment: Deployment;
  /** A calm Ledger is neither ended nor refused anything. */
  readonly isCalm: boolean;
}

/** Of results that are remembered: some hours of them. */
const MOST_HEARD = 5000;

export class LivingLedger {
  readonly #world: Surroundings;
  #config: Config;
  #life: LedgerLife | null = null;
  #host: LedgerService | null = null;
  /** How far its machine's clock is ahead of the others. */
  skewMs = 0;
  /** The next tick that begins notices that they are gone. */
  readonly #removed = new Set<number>();
  /** A result counts once, however often it is offered. */
  readonly #heard = new Set<string>();

  constructor(world: Surroundings) {
    this.#world = world;
    this.#config = configOf(world.deployment);
  }

  watchedUnder(id: string): Watched | undefined {
    return this.#world.deployment.watched.find(
      ({ name, formerly }) => id === `${name}/models` || formerly.includes(id),
    );
  }

  /** The configuration of now; who is gone from it. */
  deploy(gone: readonly number[]): void {
    this.#config = configOf(this.#world.deployment);
    for (const who of gone) this.#removed.add(who);
    this.evict();
  }

  administer(request: AdminRequest): Promise<AdminAnswer> {
    return this.#calmHost().administer(request);
  }

  async begin(request: BeginRequest): Promise<BeginAnswer> {
    const host = this.#hostFor();
    const { commits } = this.#world.disk;
    const atMs = this.#world.clock.now() + this.skewMs;
    try {
      return await this.#answered(this.#world.clock.holding(host.begin(request)));
    } finally {
      if (this.#world.disk.commits > commits) this.#noteRemoved(atMs);
    }
  }

  #noteRemoved(atMs: number): void {
    for (const who of this.#removed) this.#world.log.remove(who, atMs);
    this.#removed.clear();
  }

  async record(batch: Batch): Promise<void> {
    const host = this.#hostFor();
    const { commits } = this.#world.disk;
    const recording = host.record(batch);
    // What a batch changes is one transaction, the first of the call, before anything is waited for.
    if (this.#world.disk.commits > commits) this.#write(batch);
    await this.#answered(this.#world.clock.holding(recording));
  }

  #write({ results, tickMs, invocation }: Batch): void {
    const { maintenance } = this.#config;
    for (const { monitorId, outcome } of results) {
      const watched = this.watchedUnder(monitorId);
      if (!watched) continue;
      const key = `${invocation} ${tickMs} ${watched.who}`;
      const inMaintenance = maintenance.some(
        ({ gateways, fromMs, toMs }) =>
          gateways.includes(watched.name) && fromMs <= outcome.startedAtMs && outcome.startedAtMs < toMs,
      );
      this.#world.log.take(watched, outcome, inMaintenance, !this.#heard.has(key));
      this.#heard.add(key);
    }
    for (const oldest of this.#heard) {
      if (this.#heard.size <= MOST_HEARD) break;
      this.#heard.delete(oldest);
    }
  }

  /** Some answers are lost on their way, with the object or without it. */
  async #answered<Value>(call: Promise<Value>): Promise<Value> {
    const value = await call;
    if (this.#world.isCalm || !this.#world.random.happens(0.002)) return value;
    this.evict();
    throw new Evicted("the answer was lost");
  }

  /** Fires the alarms that are due before then, by the clock of the Ledger's machine. */
  async wakeUntil(untilMs: number): Promise<void> {
    const { clock, disk, receivers } = this.#world;
    await receivers.untilStill();
    for (;;) {
      const { alarmMs } = disk;
      if (alarmMs === null || alarmMs - this.skewMs >= untilMs) return;
      clock.nowMs = Math.max(clock.nowMs, alarmMs - this.skewMs);
      disk.alarmMs = null;
      await this.#hostFor().alarm();
      await receivers.untilStill();
    }
  }

  evict(): void {
    if (this.#life === null) return;
    this.#world.count.evictions += 1;
    this.#life.end();
    this.#life = null;
    this.#host = null;
  }

  #hostFor(): LedgerService {
    const host = this.#calmHost();
    if (this.#life && !this.#world.isCalm && this.#world.random.happens(0.002))
      this.#life.diesAfter = this.#world.random.whole(12);
    return host;
  }

  #calmHost(): LedgerService {
    if (this.#life && !this.#life.isAlive) {
      this.#world.count.evictions += 1;
      this.#life = null;
    }
    if (this.#life !== null && this.#host !== null) {
      this.#life.diesAfter = null;
      return this.#host;
    }
    this.#life = this.#world.disk.open();
    this.#host = new LedgerService(this.#life.storage, this.#settings());
    return this.#host;
  }

  #settings(): LedgerSettings {
    return {
      config: this.#config,
      shard: 0,
      peer: (shard) => {
        throw new Error(`there is no shard ${shard}`);
      },
      kv: this.#world.kv as LedgerSettings["kv"],
      client: "gatepulse/test",
      tickIntervalMs: this.#world.options.tickMs,
      run: null,
      secret: (name) => {
        if (name.startsWith("URL_OF_")) return `https://${name.slice(7)}.example/hook`;
        return name === "SIGNING" ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" : "key";
      },
      now: () => this.#world.clock.now() + this.skewMs,
      timeoutSignal: () => new AbortController().signal,
      fetch: (url, { body, headers }) =>
        this.#world.receivers.receive(url, body, headers, this.#world.clock.now()),
      sendMail: () => Promise.reject(new Error("no mail here")),
    };
  }
}
