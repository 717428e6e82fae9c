/**
 * The Ledger's life in virtual time: the real host, tick and readers, over real SQLite and a KV that fails. Ticks come twice,
 * late or not at all, objects and invocations die at any moment, clocks are set, configurations change. Whatever the Ledger
 * takes is written into a plain log beside it.
 */
import type { Config } from "../../src/config/config.ts";
import type { AdminAnswer, AdminRequest, Batch, BeginAnswer, BeginRequest } from "../../src/domain/tick.ts";
import type { LedgerSettings } from "../../src/ledger/rpc.ts";
import { LedgerService } from "../../src/ledger/service.ts";
import { runTick, type TickPorts } from "../../src/probe/tick.ts";
import { NO_REGIONS } from "../fixtures/no-regions.ts";
import { ledgerSettings } from "../fixtures/played-ledger.ts";
import { NodeStorage } from "../ledger/node-storage.ts";
import { IN_NODE, PlayedClock } from "../fixtures/played-clock.ts";
import {
  CALM,
  configOf,
  type Deployment,
  firstDeployment,
  nextDeployment,
  type Watched,
} from "./deployments.ts";
import { EventualKv } from "./eventual-kv.ts";
import { Evicted, LedgerLife } from "./ledger-storage.ts";
import { PlainLog } from "./plain-log.ts";
import { Random } from "../fixtures/random.ts";
import { Receivers } from "./receivers.ts";
import { Weather } from "./weather.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface YearOptions {
  readonly seed: number;
  readonly monitors: number;
  readonly tickMs: number;
  readonly startMs: number;
}

export class Year {
  readonly options: YearOptions;
  readonly clock: PlayedClock;
  readonly random: Random;
  readonly disk = new NodeStorage();
  readonly kv: EventualKv;
  readonly log = new PlainLog();
  readonly receivers = new Receivers();
  readonly weather: Weather;
  readonly count = {
    ticks: 0,
    evictions: 0,
    deadInvocations: 0,
    clockSteps: 0,
    deploys: 0,
  };
  /** Real milliseconds of a tick, by day. */
  readonly paceMs: number[] = [];
  deployment: Deployment;
  /** Paused now, by their number. */
  readonly paused = new Set<number>();
  readonly #ledger: LivingLedger;
  /** A calm Ledger is neither ended nor refused anything. */
  isCalm = false;
  /** The last that was played. */
  lastTickMs = Number.NaN;

  constructor(options: YearOptions) {
    this.options = options;
    this.random = new Random(options.seed);
    this.clock = new PlayedClock(IN_NODE, options.startMs);
    this.kv = new EventualKv(() => this.clock.now(), this.random);
    this.weather = new Weather(this.random);
    this.deployment = firstDeployment(options.monitors, this.random, options.tickMs);
    this.#ledger = new LivingLedger(this);
  }

  /** Plays the ticks until then; the product's own chance is that of the year. */
  async playUntil(untilMs: number): Promise<void> {
    const { random } = Math;
    Math.random = () => this.random.next();
    try {
      await this.#playTicks(untilMs);
    } finally {
      Math.random = random;
    }
  }

  async #playTicks(untilMs: number): Promise<void> {
    const { tickMs: stepMs } = this.options;
    let dayFromMs = performance.now();
    let ticksToday = 0;
    for (let tickMs = Math.ceil(this.clock.now() / stepMs) * stepMs; tickMs < untilMs;) {
      this.clock.nowMs = Math.max(this.clock.nowMs, tickMs);
      await this.#chances(tickMs);
      await this.#tick(tickMs);
      ticksToday += 1;
      const nextMs = this.#nextTick(tickMs);
      await this.#ledger.wakeUntil(nextMs);
      if (Math.floor(nextMs / DAY_MS) !== Math.floor(tickMs / DAY_MS)) {
        this.paceMs.push((performance.now() - dayFromMs) / ticksToday);
        [dayFromMs, ticksToday] = [performance.now(), 0];
      }
      tickMs = nextMs;
    }
  }

  /** Some ticks are missing; rarely all of some hours. */
  #nextTick(tickMs: number): number {
    const { tickMs: stepMs } = this.options;
    if (this.isCalm || this.#isFarAhead) return tickMs + stepMs;
    if (this.random.happens(0.0004)) {
      const missing = 2 + this.random.whole((5 * HOUR_MS) / stepMs);
      return tickMs + (missing + 1) * stepMs;
    }
    return tickMs + (this.random.happens(0.01) ? 2 : 1) * stepMs;
  }

  /** What happens between two ticks. */
  async #chances(tickMs: number): Promise<void> {
    const { random } = this;
    this.#skewTicks -= 1;
    if (this.isCalm || this.#skewTicks < 0) this.#ledger.skewMs = 0;
    if (this.isCalm) {
      this.kv.weather = { failing: 0, quota: Number.POSITIVE_INFINITY };
      return;
    }
    if (tickMs % DAY_MS < this.options.tickMs) {
      const quota = random.happens(0.1) ? 50 + random.whole(300) : Number.POSITIVE_INFINITY;
      this.kv.weather = { failing: random.pick([0, 0, 0.02, 0.3]), quota };
    }
    const aDay = this.options.tickMs / DAY_MS;
    if (random.happens(aDay * 4)) this.#ledger.evict();
    if (random.happens(aDay / 3)) this.#deploy(tickMs);
    if (random.happens(aDay / 4)) await this.#pauseOrResume();
    if (random.happens(aDay / 2) && !this.#isFarAhead) this.#stepClock();
  }

  /** Not for an hour: then the Ledger trusts such a clock, and closes hours. */
  get #isFarAhead(): boolean {
    return this.#ledger.skewMs >= HOUR_MS;
  }

  /** The Ledger's machine is some minutes before or behind the others; rarely it runs hours ahead for some ticks. */
  #stepClock(): void {
    this.count.clockSteps += 1;
    const isFar = this.random.happens(0.2);
    this.#ledger.skewMs = isFar
      ? HOUR_MS + this.random.whole(2 * HOUR_MS)
      : (this.random.whole(9) - 4) * 30_000;
    this.#skewTicks = isFar ? 1 + this.random.whole(3) : Number.POSITIVE_INFINITY;
  }

  #skewTicks = 0;

  #deploy(nowMs: number): void {
    this.count.deploys += 1;
    const before = this.deployment;
    this.deployment = nextDeployment(before, this.random, nowMs, this.options.tickMs);
    const isThere = (who: number): boolean => this.deployment.watched.some((of) => of.who === who);
    const gone = before.watched.map(({ who }) => who).filter((who) => !isThere(who));
    for (const who of gone) this.paused.delete(who);
    this.#ledger.deploy(gone);
  }

  async #pauseOrResume(): Promise<void> {
    const [paused] = this.paused;
    const chosen =
      paused === undefined
        ? this.random.pick(this.deployment.watched.slice(CALM))
        : this.deployment.watched.find(({ who }) => who === paused);
    if (!chosen) return;
    const type = paused === undefined ? "pause" : "resume";
    const subject = `${chosen.name}/models`;
    const answer = await this.#ledger.administer(
      type === "pause" ? { type, subject, untilMs: null, by: null } : { type, subject },
    );
    // A monitor that no tick has seen yet is not known.
    if (!answer.ok) return;
    if (type === "pause") {
      this.paused.add(chosen.who);
      this.log.pause(chosen.who, this.clock.now());
    } else {
      this.paused.delete(chosen.who);
      this.log.resume(chosen.who);
    }
  }

  async #tick(tickMs: number): Promise<void> {
    this.count.ticks += 1;
    this.lastTickMs = tickMs;
    const isLate = !this.isCalm && this.random.happens(0.02);
    if (isLate) this.clock.nowMs += this.random.whole(90) * 1000;
    const isTwice = !this.isCalm && this.random.happens(0.02);
    const firings = isTwice ? [this.#fire(tickMs), this.#fire(tickMs)] : [this.#fire(tickMs)];
    await this.clock.run(Promise.all(firings));
    this.clock.forget();
  }

  /** One invocation; what ends it is what ends invocations. */
  async #fire(tickMs: number): Promise<void> {
    this.#invocations += 1;
    const request = { tickMs, invocation: `i${tickMs}-${this.#invocations}` };
    const dies = !this.isCalm && this.random.happens(0.004);
    if (dies) this.count.deadInvocations += 1;
    const death = Promise.withResolvers<void>();
    const ticking = runTick(request, this.#ports(dies ? death.resolve : null)).then(() => undefined);
    await Promise.race([ticking, death.promise]).catch((error: unknown) => {
      if (!(error instanceof Evicted)) throw error;
    });
  }

  #invocations = 0;

  /** @param die null: the invocation lives to its end. What is dead waits for good. */
  #ports(die: (() => void) | null): TickPorts {
    let results = die === null ? Number.POSITIVE_INFINITY : this.random.whole(10);
    const living = <Value>(act: () => Promise<Value>): Promise<Value> =>
      results < 0 ? new Promise(() => undefined) : act();
    return {
      clock: {
        now: () => this.clock.now(),
        timeoutSignal: () => this.clock.timeoutSignal(),
        sleep: (ms) => living(() => this.clock.sleep(ms)),
      },
      ledger: {
        begin: (request) => living(() => this.#ledger.begin(request)),
        record: (batch) => living(() => this.#ledger.record(batch)),
      },
      canary: async () => ({ type: "not_sent_by_platform" }),
      probe: async (monitorId) => {
        results -= 1;
        if (results < 0) die?.();
        if (results < 0) return new Promise(() => undefined);
        const watched = this.#ledger.watchedUnder(monitorId);
        if (!watched) return { type: "not_sent_by_platform" };
        const atMs = this.clock.now();
        const outcome = this.weather.outcome(watched.who, atMs, watched.who < CALM);
        await this.clock.sleep(outcome.durationMs);
        return { type: "probed", outcome };
      },
      vantage: NO_REGIONS,
      readPage: async () => null,
      startLanes: async () => undefined,
      hostOf: (gatewayId) => gatewayId,
      requestLimit: 10_000,
      heartbeat: null,
      warn: () => undefined,
    };
  }
}

/** Of results that are remembered: some hours of them. */
const MOST_HEARD = 5000;

/** A host that dies at any moment, and is made again for the next call. Whatever it takes is written into the plain log. */
class LivingLedger {
  readonly #world: Year;
  #config: Config;
  #life: LedgerLife | null = null;
  #host: LedgerService | null = null;
  /** How far its machine's clock is ahead of the others. */
  skewMs = 0;
  /** The next tick that begins notices that they are gone. */
  readonly #removed = new Set<number>();
  /** A result counts once, however often it is offered. */
  readonly #heard = new Set<string>();

  constructor(world: Year) {
    this.#world = world;
    this.#config = configOf(world.deployment);
  }

  watchedUnder(id: string): Watched | undefined {
    return this.#world.deployment.watched.find(
      ({ name, formerly }) => id === `${name}/models` || formerly.includes(id),
    );
  }

  /** The present configuration; the monitors that are gone from it. */
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
    this.#life.isAlive = false;
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
    this.#life = new LedgerLife(this.#world.disk);
    this.#host = new LedgerService(this.#life, this.#settings());
    return this.#host;
  }

  #settings(): LedgerSettings {
    const { clock, kv, options, receivers } = this.#world;
    return ledgerSettings({
      config: this.#config,
      kv,
      tickIntervalMs: options.tickMs,
      now: () => clock.now() + this.skewMs,
      fetch: (url, { body = "", headers }) => receivers.receive(url, String(body), headers, clock.now()),
    });
  }
}
