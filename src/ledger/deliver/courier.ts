/**
 * Delivers what the outbox owes: channels side by side, in order and one message at a time in each. A caller
 * does not wait for receivers. What is under way is known in memory alone: an object that dies sends it again,
 * with the same ids.
 */
import type { AlertEvent } from "../../alert/alert-event.ts";
import type { ChannelKind } from "../../alert/channel.ts";
import { troubleWords, wants, type IsTickOpen, type Trouble } from "../../alert/delivery.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/calendar.ts";
import { Permits } from "../../domain/permits.ts";
import { Post, identifyChannels, type Allowance, type PostWorld, type TestAnswer } from "./channel-client.ts";
import type { Due } from "./outbox-queue.ts";
import type { Outbox } from "./outbox.ts";

export interface CourierWorld extends PostWorld {
  outbox(): Outbox;
  /** @throws when storage fails; then nothing has changed. */
  transact(write: (outbox: Outbox) => void): void;
  readonly channels: readonly ChannelConfig[];
  kindOf(channel: ChannelConfig): ChannelKind<ChannelConfig>;
  /** A secret of this Ledger alone. */
  salt(): string;
  /** In [0, 1). */
  random(): number;
  readonly isTickOpen: IsTickOpen;
  /** One event for each thing that lasts, as it is now, and for each that ended in the last five minutes. */
  standing(): readonly AlertEvent[];
  /** When the first of them began; null: there is none. Asked often. */
  standingSinceMs(): number | null;
  /** Something ended: the alarm is to be set anew, by `nextWakeMs`. Never throws. */
  rearm(): void;
  /** Puts aside what cannot be read. Never throws. */
  repair(): void;
}

/**
 * While something is under way the object wakes by then, should it be killed in between. Ticks come sooner and look too:
 * an alarm that is set for them would be a row a message.
 */
const GUARD_MS = 3 * MINUTE_MS;

/** So long each delivery is noted by itself: an object that dies again and again must get on. */
const YOUNG_MS = 10_000;

/** The free plan allows an invocation 50 requests, of which the Ledger needs some itself. */
const MOST_REQUESTS = 40;

/** The platform lets an invocation await six answers, and publishing needs one. */
const MOST_AT_ONCE = 4;

interface Berth {
  readonly post: Post;
  /** Null: nothing is under way, nor waits for its turn. */
  run: Promise<void> | null;
  /** After a failure of storage, or of our own; 0: what last happened could be noted. */
  restUntilMs: number;
}

export class Courier {
  readonly #world: CourierWorld;
  readonly #berths: ReadonlyMap<string, Berth>;
  readonly #permits = new Permits(MOST_AT_ONCE);
  readonly #startedMs: number;
  #allowance: Allowance = { left: MOST_REQUESTS };
  /** Tests under way, or waiting for their turn. */
  #testing = 0;
  /** Storage failed, and is tried then; null: as far as is known it works. */
  #retryMs: number | null = null;
  #identities: Promise<Readonly<Record<string, string>>> | null = null;

  constructor(world: CourierWorld) {
    this.#world = world;
    this.#startedMs = world.now();
    const berths = world.channels.map((channel) => {
      const post = new Post(channel, world.kindOf(channel), world);
      return [channel.id, { post, run: null, restUntilMs: 0 }] as const;
    });
    this.#berths = new Map(berths);
  }

  /**
   * Call it at the beginning of each invocation. What an earlier one began goes on with what is left of its own, and an
   * invocation that comes meanwhile shares that: to whichever of the two the platform counts a request, neither has more.
   * @returns what may begin in it.
   */
  renew(): Allowance {
    const isBusy = this.#testing > 0 || [...this.#berths.values()].some(({ run }) => run !== null);
    if (!isBusy || this.#allowance.left <= 0) this.#allowance = { left: MOST_REQUESTS };
    return this.#allowance;
  }

  /** Begins to send what is due. Never rejects. @returns what it began, which never rejects either. */
  async deliver(allowance: Allowance): Promise<readonly Promise<void>[]> {
    if (this.#berths.size === 0) return [];
    try {
      await this.#tidy();
    } catch (error) {
      this.#identities = null;
      this.#world.warn("the outbox could not be put in order", error);
    }
    this.#note();
    const nowMs = this.#world.now();
    return [...this.#berths.values()]
      .filter((berth) => berth.run === null && this.#dueMs(berth, nowMs) <= nowMs)
      .map((berth) => (berth.run = this.#run(berth, allowance)));
  }

  /** When `deliver` next has something to do; null: nothing. */
  nextWakeMs(): number | null {
    const nowMs = this.#world.now();
    const dues = [...this.#berths.values()].map((berth) =>
      berth.run === null ? this.#dueMs(berth, nowMs) : nowMs + GUARD_MS,
    );
    const wakeMs = Math.min(...dues, this.#retryMs ?? NEVER);
    return wakeMs === NEVER ? null : Math.max(wakeMs, nowMs);
  }

  /** Sends one event now, past the queue and the filter. Null: there is no such channel. Never rejects. */
  async sendTest(name: string, event: AlertEvent, allowance: Allowance): Promise<TestAnswer | null> {
    const post = this.#berths.get(name)?.post;
    if (post === undefined) return null;
    this.#testing += 1;
    await this.#permits.take();
    try {
      if (allowance.left <= 0) return NOT_TRIED;
      allowance.left -= 1;
      return await post.test(event);
    } finally {
      this.#permits.give();
      this.#testing -= 1;
    }
  }

  async #tidy(): Promise<void> {
    const { channels, secretOf } = this.#world;
    this.#identities ??= identifyChannels(channels, this.#world.salt(), secretOf);
    const identities = await this.#identities;
    const outbox = this.#world.outbox();
    if (!outbox.isIdentified(identities)) this.#write((of) => of.identify(identities));
  }

  /** Of a channel that has nothing under way. */
  #dueMs(berth: Berth, nowMs: number): number {
    const { post, restUntilMs } = berth;
    if (restUntilMs > nowMs) return restUntilMs;
    try {
      const due = this.#due(post, nowMs);
      if (due.type === "give_up" || due.type === "send") return nowMs;
      return Math.min(due.type === "wait" ? due.untilMs : NEVER, this.#resendMs(post));
    } catch (error) {
      this.#world.warn(`what is owed to the channel ${post.channel.id} cannot be read`, error);
      this.#world.repair();
      return nowMs + PAUSE_MS;
    }
  }

  #due({ channel, kind }: Post, nowMs: number): Due {
    const { isTickOpen } = this.#world;
    const queue = this.#world.outbox().queue(channel.id);
    return queue?.due({ nowMs, bundles: kind.bundles, isTickOpen }) ?? { type: "nothing" };
  }

  async #run(berth: Berth, allowance: Allowance): Promise<void> {
    try {
      let goesOn = true;
      while (goesOn) goesOn = await this.#step(berth, allowance);
    } catch (error) {
      // Where storage takes writes as far as is known, nothing else would end the rest.
      berth.restUntilMs = this.#world.now() + (this.#retryMs === null ? PAUSE_MS : REST_MS);
      this.#world.warn(`the channel ${berth.post.channel.id} rests, as the outbox failed`, error);
    }
    berth.run = null;
    this.#note();
    this.#world.rearm();
  }

  /** Notes what was delivered, where that is due: at once where there is no more to do. */
  #note(): void {
    const nowMs = this.#world.now();
    this.#noteDelivered(() =>
      [...this.#berths.values()].some((berth) => berth.run !== null || this.#dueMs(berth, nowMs) <= nowMs),
    );
  }

  /** See `Outbox.isNoteDue`. Never throws. */
  #noteDelivered(mayWait: () => boolean): void {
    const nowMs = this.#world.now();
    const retryMs = this.#retryMs;
    if (retryMs !== null && retryMs > nowMs) return;
    try {
      const outbox = this.#world.outbox();
      const isDue = retryMs !== null || (!isAllNoted(outbox) && outbox.isNoteDue(nowMs, mayWait()));
      if (isDue) this.#write((of) => of.note());
    } catch (error) {
      this.#retryMs = nowMs + PAUSE_MS;
      if (retryMs === null) this.#world.warn(NOT_NOTED, error);
    }
  }

  /** Storage that takes notes again ends every rest. @throws when storage fails. */
  #write(write: (outbox: Outbox) => void): void {
    try {
      this.#world.transact(write);
    } catch (error) {
      this.#retryMs = this.#world.now() + PAUSE_MS;
      throw error;
    }
    if (this.#retryMs === null || !isAllNoted(this.#world.outbox())) return;
    this.#retryMs = null;
    for (const berth of this.#berths.values()) berth.restUntilMs = 0;
  }

  /** True where there may be more to do at once. What lasts is told again also while something waits, or much is owed. */
  async #step(berth: Berth, allowance: Allowance): Promise<boolean> {
    const nowMs = this.#world.now();
    const { post } = berth;
    const due = this.#due(post, nowMs);
    if (due.type === "give_up") {
      this.#transact(berth, (outbox) => outbox.giveUp(post.channel.id, nowMs));
      return true;
    }
    const isResend = this.#resendMs(post) <= nowMs;
    if ((!isResend && due.type !== "send") || allowance.left <= 0) return false;
    await this.#permits.take();
    try {
      // What is sent is looked up now: much may have happened since it was due.
      return await (isResend ? this.#resend(berth, allowance) : this.#tell(berth, allowance));
    } finally {
      this.#permits.give();
    }
  }

  async #tell(berth: Berth, allowance: Allowance): Promise<boolean> {
    const { post } = berth;
    const { channel, kind } = post;
    const outbox = this.#world.outbox();
    const bundle = outbox.queue(channel.id)?.bundle(kind.bundles);
    if (!bundle) return false;
    const events = bundle.entries.map(({ event }) => event);
    const verdict = await post.send(events, allowance);
    if (verdict === null) return false;
    const longestWaitMs = kind.resendEveryMs ?? null;
    const end = { nowMs: this.#world.now(), random: this.#world.random(), longestWaitMs };
    if (verdict.type === "delivered") {
      // That writes nothing, and so needs no transaction.
      outbox.settle(channel.id, bundle, verdict, end);
      this.#noteDelivered(() => end.nowMs - this.#startedMs >= YOUNG_MS);
    } else {
      this.#transact(berth, (of) => of.settle(channel.id, bundle, verdict, end));
    }
    return true;
  }

  #transact(berth: Berth, write: (outbox: Outbox) => Trouble | null): void {
    const noticed: (Trouble | null)[] = [];
    this.#write((outbox) => noticed.push(write(outbox)));
    const { id } = berth.post.channel;
    for (const trouble of noticed) if (trouble !== null) this.#world.warn(troubleWords(id, trouble));
  }

  /** When it is to be looked what stands, to tell it again. */
  #resendMs(post: Post): number {
    const everyMs = post.kind.resendEveryMs;
    const sinceMs = everyMs === undefined ? null : this.#world.standingSinceMs();
    if (everyMs === undefined || sinceMs === null) return NEVER;
    return this.#world.outbox().queue(post.channel.id)?.resendMs({ sinceMs, everyMs }) ?? NEVER;
  }

  /** A failure is told again before long; that the receiver asks for rest is heeded. */
  async #resend(berth: Berth, allowance: Allowance): Promise<boolean> {
    const { channel } = berth.post;
    const nowMs = this.#world.now();
    const events = this.#world.standing().filter((event) => wants(channel.only, event));
    if (events.length === 0) {
      // In memory alone: a restart may look once more.
      this.#world.outbox().queue(channel.id)?.change({ resentMs: nowMs });
      return true;
    }
    if (allowance.left <= 0) return false;
    this.#write((outbox) => outbox.change(channel.id, (queue) => queue.change({ resentMs: nowMs })));
    const verdict = await berth.post.send(events, allowance);
    if (verdict?.type === "later" && verdict.afterMs !== null) {
      const { afterMs } = verdict;
      const heldMs = this.#world.now();
      this.#write((outbox) => outbox.change(channel.id, (queue) => queue.hold(afterMs, heldMs)));
    }
    return verdict !== null;
  }
}

const NOT_TRIED: TestAnswer = {
  type: "not_tried",
  problem: `one request tests at most ${MOST_REQUESTS} channels: ask for this one by its name`,
};

const NEVER = Number.POSITIVE_INFINITY;

/** After a failure of storage it is tried again so much later. */
const PAUSE_MS = 30_000;

/** A channel whose last try could not be noted is tried again so much later, or when storage works. */
const REST_MS = HOUR_MS;

function isAllNoted(outbox: Outbox): boolean {
  return !outbox.isNoteDue(0, false);
}

const NOT_NOTED =
  "what was delivered cannot be noted: should the Ledger start anew before it can, that is sent again";
