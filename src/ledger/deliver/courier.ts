/**
 * Delivers the alerts of the outbox: channels in parallel, each in order and one message at a time. Only memory knows which are
 * being sent: if the object dies, they are sent again, with the same ids.
 */
import type { AlertEvent, EventDraft } from "../../alert/alert-event.ts";
import { requestsOf, type ChannelKind } from "../../alert/channel.ts";
import { troubleWords, wants, type IsTickOpen, type Step } from "../../alert/delivery.ts";
import type { ChannelConfig, ChannelOf } from "../../config/config.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { Permits } from "../../domain/permits.ts";
import type { SubscribeAnswer, SubscribeOrder } from "../../domain/tick.ts";
import { identifyChannels, send, type Allowance, type SendPorts, type TestAnswer } from "./channel-client.ts";
import type { ChannelQueue, Outbox } from "./outbox.ts";

export interface CourierWorld extends SendPorts {
  outbox(): Outbox;
  /** @throws when storage fails; then nothing has changed. */
  transact(write: (outbox: Outbox) => void): void;
  kindOf(channel: ChannelConfig): ChannelKind<ChannelConfig>;
  salt(): string;
  random(): number;
  readonly isTickOpen: IsTickOpen;
  /** One event for each open incident or other open problem, as it is now, and for each that ended in the last five minutes. */
  standing(): readonly AlertEvent[];
  /** What a new channel is owed first: the open incidents. */
  opened(): readonly EventDraft[];
  /** When the first of them began; null: there is none. Called often. */
  standingSinceMs(): number | null;
  /** Call it when a delivery ends: it sets the alarm again, by `nextWakeMs`. Never throws. */
  rearm(): void;
}

/** While a message is sent, the alarm is this far away, in case the object is killed. An earlier one would write a row each time. */
const GUARD_MS = 3 * MINUTE_MS;

/** The free plan allows 50 requests to other servers in an invocation. */
const MOST_REQUESTS = 45;

/** One row holds the state of all browsers, and each event costs a request per browser. */
const MOST_BROWSERS = 200;

/** With fewer left, no message of some kinds can begin. */
const MOST_OF_MESSAGE = 3;

/** The platform lets an invocation await six answers, and publishing needs one. Browsers take turns: they must not hold channels up. */
const AT_ONCE = { channels: 4, browsers: 1 };

/** How long a channel rests after a failure of storage, or a bug. */
const REST_MS = 30_000;

const NEVER = Number.POSITIVE_INFINITY;

type Change = (queue: ChannelQueue) => void;

interface Berth {
  readonly channel: ChannelConfig;
  readonly kind: ChannelKind<ChannelConfig>;
  /** Null: no message is being sent or waits for its turn. */
  run: Promise<void> | null;
  /** The result of the last message, if storage did not take it. Until then nothing else is sent. */
  unstored: Change | null;
  /** 0: a result was stored since the channel last rested. */
  restUntilMs: number;
}

export class Courier {
  readonly #world: CourierWorld;
  readonly #berths = new Map<string, Berth>();
  readonly #permits = new Permits(AT_ONCE.channels);
  readonly #browserPermits = new Permits(AT_ONCE.browsers);
  #allowance: Allowance = { left: MOST_REQUESTS };
  /** Messages that are being sent, or wait for their turn. */
  #open = 0;
  #identities: Promise<Readonly<Record<string, string>>> | null = null;

  constructor(world: CourierWorld) {
    this.#world = world;
    for (const channel of world.outbox().channels) this.#add(channel);
  }

  #add(channel: ChannelConfig): void {
    this.#berths.set(channel.id, { channel, kind: this.#world.kindOf(channel), ...IDLE });
  }

  /** For each invocation. It shares what is left with deliveries that go on, whichever the platform counts their requests for. */
  renew(): Allowance {
    if (this.#open === 0 || this.#allowance.left < MOST_OF_MESSAGE) this.#allowance = { left: MOST_REQUESTS };
    return this.#allowance;
  }

  /** Begins to send what is due. Never rejects. @returns the deliveries that it began. They never reject either. */
  async deliver(allowance: Allowance): Promise<readonly Promise<void>[]> {
    if (this.#berths.size === 0) return [];
    try {
      await this.#identify();
    } catch (error) {
      this.#identities = null;
      this.#world.warn("the outbox could not be put in order", error);
    }
    const nowMs = this.#world.now();
    return [...this.#berths.values()]
      .filter((berth) => this.#wakeMs(berth, nowMs) <= nowMs)
      .map((berth) => (berth.run = this.#run(berth, allowance)));
  }

  /** When `deliver` next has something to do; null: nothing. */
  nextWakeMs(): number | null {
    const nowMs = this.#world.now();
    const wakeMs = Math.min(...[...this.#berths.values()].map((berth) => this.#wakeMs(berth, nowMs)));
    return wakeMs === NEVER ? null : Math.max(wakeMs, nowMs);
  }

  /** Sends one event now, without the queue and the filter. Null: there is no such channel. Never rejects. */
  async sendTest(id: string, event: AlertEvent, allowance: Allowance): Promise<TestAnswer | null> {
    const berth = this.#berths.get(id);
    return berth === undefined ? null : this.#sendNow(berth.channel, event, allowance);
  }

  async #sendNow(channel: ChannelConfig, event: AlertEvent, allowance: Allowance): Promise<TestAnswer> {
    const kind = this.#world.kindOf(channel);
    const sent = await this.#inTurn(allowance, channel, () => send([event], channel, kind, this.#world));
    return sent?.answer ?? NOT_TRIED;
  }

  /** Adds a browser once its push service has taken `welcome`, or forgets it. @throws when storage fails. */
  async subscribe(
    channel: ChannelOf<"push">,
    order: SubscribeOrder,
    welcome: AlertEvent,
    allowance: Allowance,
  ): Promise<SubscribeAnswer> {
    const isThere = (): boolean => this.#berths.has(channel.id);
    if (isThere() === (order !== "off")) return "done";
    if (order === "off") {
      this.#world.transact((outbox) => outbox.unsubscribe(channel.id));
      this.#berths.delete(channel.id);
      return "done";
    }
    if (this.#isFull()) return "full";
    const answer = order === "on" ? await this.#sendNow(channel, welcome, allowance) : DELIVERED;
    const outcome = answer.type === "answered" ? answer.outcome : "later";
    if (outcome !== "delivered") return outcome === "later" ? "busy" : "refused";
    // Others may have come while it was sent.
    if (isThere()) return "done";
    if (this.#isFull()) return "full";
    this.#world.transact((outbox) => outbox.subscribe(channel));
    this.#add(channel);
    this.#identities = null;
    return "done";
  }

  #isFull(): boolean {
    const browsers = [...this.#berths.values()].filter(({ channel }) => channel.kind === "push");
    return browsers.length >= MOST_BROWSERS;
  }

  /** Null: no more requests may begin. */
  async #inTurn<Sent>(
    allowance: Allowance,
    channel: ChannelConfig,
    begin: () => Promise<Sent>,
  ): Promise<Sent | null> {
    const permits = channel.kind === "push" ? this.#browserPermits : this.#permits;
    this.#open += 1;
    await permits.take();
    try {
      const requests = requestsOf(this.#world.kindOf(channel));
      if (allowance.left < requests) return null;
      allowance.left -= requests;
      return await begin();
    } finally {
      permits.give();
      this.#open -= 1;
    }
  }

  async #identify(): Promise<void> {
    const { secretOf } = this.#world;
    this.#identities ??= identifyChannels(this.#world.outbox().channels, this.#world.salt(), secretOf);
    const identities = await this.#identities;
    if (!this.#world.outbox().isIdentified(identities))
      this.#world.transact((outbox) =>
        outbox.identify(identities, () => this.#world.opened(), this.#world.now()),
      );
  }

  #wakeMs(berth: Berth, nowMs: number): number {
    if (berth.run !== null) return nowMs + GUARD_MS;
    if (berth.restUntilMs > nowMs) return berth.restUntilMs;
    if (berth.unstored !== null) return nowMs;
    try {
      const due = this.#due(berth, nowMs);
      const dueMs = due === null ? NEVER : due.type === "wait" ? due.untilMs : nowMs;
      return Math.min(dueMs, this.#resendMs(berth));
    } catch (error) {
      this.#world.warn(`what is owed to the channel ${berth.channel.id} cannot be read`, error);
      return nowMs + REST_MS;
    }
  }

  /** Not: its browser has unsubscribed, and perhaps subscribed again. */
  #isKnown(berth: Berth): boolean {
    return this.#berths.get(berth.channel.id) === berth;
  }

  #queue({ channel }: Berth): ChannelQueue {
    return this.#world.outbox().queue(channel.id);
  }

  #due(berth: Berth, nowMs: number): Step | null {
    return this.#queue(berth).due(nowMs, berth.kind.bundles, this.#world.isTickOpen);
  }

  #resendMs(berth: Berth): number {
    const { resendEveryMs } = berth.kind;
    if (resendEveryMs === undefined) return NEVER;
    const sinceMs = this.#world.standingSinceMs();
    return (sinceMs === null ? null : this.#queue(berth).resendMs(sinceMs, resendEveryMs)) ?? NEVER;
  }

  async #run(berth: Berth, allowance: Allowance): Promise<void> {
    const isRepeated = berth.restUntilMs > 0;
    try {
      let goesOn = true;
      while (goesOn) goesOn = await this.#step(berth, allowance);
    } catch (error) {
      berth.restUntilMs = this.#world.now() + REST_MS;
      if (!isRepeated) this.#world.warn(`the channel ${berth.channel.id} rests, as the outbox failed`, error);
    }
    berth.run = null;
    this.#world.rearm();
  }

  /** @returns whether there may be more to do at once. Open incidents are sent again even while other events wait. */
  async #step(berth: Berth, allowance: Allowance): Promise<boolean> {
    const nowMs = this.#world.now();
    if (berth.unstored !== null) this.#store(berth, berth.unstored);
    if (!this.#isKnown(berth)) return false;
    const due = this.#due(berth, nowMs);
    if (due?.type === "give_up") {
      this.#store(berth, (queue) => queue.giveUp(nowMs));
      return true;
    }
    const isResend = this.#resendMs(berth) <= nowMs;
    if (!isResend && due?.type !== "send") return false;
    const goesOn = await this.#inTurn(allowance, berth.channel, async () => {
      // A browser may have unsubscribed while it waited for its turn.
      if (!this.#isKnown(berth)) return false;
      return isResend ? this.#resend(berth) : this.#deliverNext(berth);
    });
    return goesOn ?? false;
  }

  #store(berth: Berth, change: Change): void {
    const { id, kind } = berth.channel;
    // A browser may have unsubscribed meanwhile.
    if (!this.#isKnown(berth)) return;
    berth.unstored = change;
    const queue = this.#queue(berth);
    const before = queue.record.delivery;
    this.#world.transact((outbox) => {
      change(outbox.queue(id));
      outbox.store();
    });
    berth.unstored = null;
    berth.restUntilMs = 0;
    if (queue.isGone) this.#berths.delete(id);
    // Of two hundred browsers some always fail; an administrator sees why.
    if (kind === "push") return;
    const trouble = troubleWords(id, before, queue.record.delivery);
    if (trouble !== null) this.#world.warn(trouble);
  }

  async #deliverNext(berth: Berth): Promise<boolean> {
    const { channel, kind } = berth;
    // Looked up only now, because much may have changed since it became due.
    const bundle = this.#queue(berth).bundle(kind.bundles);
    if (bundle === null) return false;
    const events = bundle.entries.map(({ event }) => event);
    const { verdict } = await send(events, channel, kind, this.#world);
    const longestWaitMs = kind.resendEveryMs ?? null;
    const end = { nowMs: this.#world.now(), random: this.#world.random(), longestWaitMs };
    this.#store(berth, (queue) => queue.settle(bundle, verdict, end));
    return true;
  }

  async #resend(berth: Berth): Promise<boolean> {
    const { channel, kind } = berth;
    const nowMs = this.#world.now();
    const events = this.#world.standing().filter((event) => wants(channel.only, event));
    if (events.length === 0) {
      // Not stored: after a restart, one more repeat does no harm.
      this.#queue(berth).change({ resentMs: nowMs });
      return true;
    }
    const { verdict } = await send(events, channel, kind, this.#world);
    const endMs = this.#world.now();
    this.#store(berth, (queue) => queue.settleResend(nowMs, verdict, endMs));
    return true;
  }
}

const IDLE = { run: null, unstored: null, restUntilMs: 0 };

const DELIVERED = { type: "answered", outcome: "delivered" } as const;

const NOT_TRIED: TestAnswer = {
  type: "not_tried",
  problem: `one request tests at most ${MOST_REQUESTS} channels: ask for this one by its name`,
};
