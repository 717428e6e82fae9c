/**
 * Delivers the alerts of the outbox: channels in parallel, each in order and one message at a time. Callers do not wait for
 * receivers. Only memory knows which messages are being sent: if the object dies, they are sent again, with the same ids.
 */
import type { AlertEvent, EventDraft } from "../../alert/alert-event.ts";
import type { ChannelKind } from "../../alert/channel.ts";
import { troubleWords, wants, type IsTickOpen, type Step } from "../../alert/delivery.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { Permits } from "../../domain/permits.ts";
import {
  identifyChannels,
  send,
  testAnswerOf,
  verdictOf,
  type Allowance,
  type SendPorts,
  type TestAnswer,
} from "./channel-client.ts";
import type { ChannelQueue, Outbox } from "./outbox.ts";

export interface CourierWorld extends SendPorts {
  outbox(): Outbox;
  /** @throws when storage fails; then nothing has changed. */
  transact(write: (outbox: Outbox) => void): void;
  readonly channels: readonly ChannelConfig[];
  kindOf(channel: ChannelConfig): ChannelKind<ChannelConfig>;
  /** A secret that only this Ledger has. */
  salt(): string;
  /** In [0, 1). */
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

/**
 * While a message is being sent, the alarm is this far away, in case the object is killed. Ticks usually come sooner and look
 * too. An earlier alarm would cost a row for each message.
 */
const GUARD_MS = 3 * MINUTE_MS;

/** The free plan allows 50 requests to other servers in an invocation. */
const MOST_REQUESTS = 45;

/** The platform lets an invocation await six answers, and publishing needs one. */
const MOST_AT_ONCE = 4;

/** How long a channel rests after a failure of storage, or a bug. */
const REST_MS = 30_000;

/** How long deliveries may go on before they are stored, because each store costs a row. A crash repeats what came since. */
const STORE_EVERY_MS = 1000;

const NEVER = Number.POSITIVE_INFINITY;

/** The result of a message. */
interface Result {
  readonly change: (queue: ChannelQueue) => void;
  /** The outbox that has the result in memory. After a failure of storage there is a new outbox. */
  readonly outbox: Outbox | null;
}

interface Berth {
  readonly channel: ChannelConfig;
  readonly kind: ChannelKind<ChannelConfig>;
  /** Null: no message is being sent or waits for its turn. */
  run: Promise<void> | null;
  /** What is not stored yet, oldest first. */
  unsettled: readonly Result[];
  /** 0: all results were stored since the channel last rested. */
  restUntilMs: number;
}

export class Courier {
  readonly #world: CourierWorld;
  readonly #berths: ReadonlyMap<string, Berth>;
  readonly #permits = new Permits(MOST_AT_ONCE);
  #allowance: Allowance = { left: MOST_REQUESTS };
  #storedMs = 0;
  /** Messages that are being sent, or wait for their turn. */
  #open = 0;
  #identities: Promise<Readonly<Record<string, string>>> | null = null;

  constructor(world: CourierWorld) {
    this.#world = world;
    this.#berths = new Map(
      world.channels.map((channel): [string, Berth] => {
        return [channel.id, { channel, kind: world.kindOf(channel), ...IDLE }];
      }),
    );
  }

  /**
   * Call it at the beginning of each invocation. While deliveries of an earlier invocation go on, both share what is left of its
   * allowance. So neither sends too many requests, whichever invocation the platform counts them for.
   * @returns how many requests may begin.
   */
  renew(): Allowance {
    if (this.#open === 0 || this.#allowance.left <= 0) this.#allowance = { left: MOST_REQUESTS };
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
    if (berth === undefined) return null;
    const { channel, kind } = berth;
    const sent = await this.#inTurn(allowance, () => send([event], channel, kind, this.#world));
    return sent === null ? NOT_TRIED : testAnswerOf(sent);
  }

  /** Null: no more requests may begin. */
  async #inTurn<Sent>(allowance: Allowance, begin: () => Promise<Sent>): Promise<Sent | null> {
    this.#open += 1;
    await this.#permits.take();
    try {
      if (allowance.left <= 0) return null;
      allowance.left -= 1;
      return await begin();
    } finally {
      this.#permits.give();
      this.#open -= 1;
    }
  }

  async #identify(): Promise<void> {
    const { channels, secretOf } = this.#world;
    this.#identities ??= identifyChannels(channels, this.#world.salt(), secretOf);
    const identities = await this.#identities;
    if (!this.#world.outbox().isIdentified(identities))
      this.#world.transact((outbox) =>
        outbox.identify(identities, () => this.#world.opened(), this.#world.now()),
      );
  }

  #wakeMs(berth: Berth, nowMs: number): number {
    if (berth.run !== null) return nowMs + GUARD_MS;
    if (berth.restUntilMs > nowMs) return berth.restUntilMs;
    const isStored = berth.unsettled.length === 0;
    if (!isStored && (this.#mustStore(berth, nowMs) || !this.#isUnderWay())) return nowMs;
    const due = this.#due(berth, nowMs);
    const dueMs = due === null ? NEVER : due.type === "wait" ? due.untilMs : nowMs;
    return Math.min(dueMs, this.#resendMs(berth));
  }

  #queue({ channel }: Berth): ChannelQueue {
    return this.#world.outbox().queue(channel.id);
  }

  #due(berth: Berth, nowMs: number): Step | null {
    return this.#queue(berth).due(nowMs, berth.kind.bundles, this.#world.isTickOpen);
  }

  /** When open incidents are sent again. */
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
      berth.run = null;
      // The last channel stores the results of all in one row. If more must be sent, the next invocation does.
      if (allowance.left > 0 && !this.#isUnderWay()) this.#store(berth);
    } catch (error) {
      berth.run = null;
      berth.restUntilMs = this.#world.now() + REST_MS;
      if (!isRepeated) this.#world.warn(`the channel ${berth.channel.id} rests, as the outbox failed`, error);
    }
    this.#world.rearm();
  }

  /** @returns whether there may be more to do at once. Open incidents are sent again even while other events wait. */
  async #step(berth: Berth, allowance: Allowance): Promise<boolean> {
    const nowMs = this.#world.now();
    if (this.#mustStore(berth, nowMs)) this.#store(berth);
    const due = this.#due(berth, nowMs);
    if (due?.type === "give_up") {
      this.#note(berth, (queue) => queue.giveUp(nowMs));
      return true;
    }
    const isResend = this.#resendMs(berth) <= nowMs;
    const isDone = !isResend && due?.type !== "send";
    if (isDone || allowance.left <= 0) return false;
    return isResend ? this.#resend(berth, allowance) : this.#deliverNext(berth, allowance);
  }

  /**
   * True unless all results that are not stored are deliveries of the last second. So nothing is sent while storage fails, and an
   * object that dies again and again makes progress.
   */
  #mustStore(berth: Berth, nowMs: number): boolean {
    if (!this.#areKnown(berth)) return true;
    return berth.unsettled.length > 0 && Math.abs(nowMs - this.#storedMs) >= STORE_EVERY_MS;
  }

  #isUnderWay(): boolean {
    return [...this.#berths.values()].some(({ run }) => run !== null);
  }

  /** Whether the present outbox has all results. */
  #areKnown({ unsettled }: Berth): boolean {
    return unsettled.every(({ outbox }) => outbox === this.#world.outbox());
  }

  #note(berth: Berth, change: Result["change"], outbox: Outbox | null = null): void {
    berth.unsettled = [...berth.unsettled, { change, outbox }];
  }

  #store(berth: Berth): void {
    const { channel } = berth;
    const berths = [...this.#berths.values()];
    if (berths.every(({ unsettled }) => unsettled.length === 0)) return;
    const before = this.#queue(berth).record.delivery;
    this.#world.transact((outbox) => {
      for (const result of berth.unsettled) {
        if (result.outbox !== outbox) result.change(outbox.queue(channel.id));
      }
      outbox.store();
    });
    berth.unsettled = [];
    this.#storedMs = this.#world.now();
    // All channels share a row.
    const stored = this.#world.outbox();
    for (const other of berths) {
      other.unsettled = other.unsettled.filter(({ outbox }) => outbox !== stored);
      if (other.unsettled.length === 0 && other.restUntilMs <= this.#storedMs) other.restUntilMs = 0;
    }
    const trouble = troubleWords(channel.id, before, this.#queue(berth).record.delivery);
    if (trouble !== null) this.#world.warn(trouble);
  }

  async #deliverNext(berth: Berth, allowance: Allowance): Promise<boolean> {
    const { channel, kind } = berth;
    const goesOn = await this.#inTurn(allowance, async () => {
      // Looked up only now, because much may have changed since it became due.
      if (!this.#areKnown(berth)) return true;
      const bundle = this.#queue(berth).bundle(kind.bundles);
      if (bundle === null) return false;
      const events = bundle.entries.map(({ event }) => event);
      const verdict = verdictOf(await send(events, channel, kind, this.#world));
      const longestWaitMs = kind.resendEveryMs ?? null;
      const end = { nowMs: this.#world.now(), random: this.#world.random(), longestWaitMs };
      const change = (queue: ChannelQueue) => queue.settle(bundle, verdict, end);
      // Other results may change more than the channel's row, and are stored at once.
      const isKnown = verdict.type === "delivered" && this.#areKnown(berth);
      if (isKnown) change(this.#queue(berth));
      this.#note(berth, change, isKnown ? this.#world.outbox() : null);
      return true;
    });
    return goesOn ?? false;
  }

  async #resend(berth: Berth, allowance: Allowance): Promise<boolean> {
    const { channel, kind } = berth;
    const goesOn = await this.#inTurn(allowance, async () => {
      const nowMs = this.#world.now();
      const events = this.#world.standing().filter((event) => wants(channel.only, event));
      if (events.length === 0) {
        // Not stored: after a restart, one more repeat does no harm.
        this.#queue(berth).change({ resentMs: nowMs });
        return true;
      }
      const verdict = verdictOf(await send(events, channel, kind, this.#world));
      const endMs = this.#world.now();
      this.#note(berth, (queue) => queue.settleResend(nowMs, verdict, endMs));
      return true;
    });
    return goesOn ?? false;
  }
}

const IDLE = { run: null, unsettled: [], restUntilMs: 0 };

const NOT_TRIED: TestAnswer = {
  type: "not_tried",
  problem: `one request tests at most ${MOST_REQUESTS} channels: ask for this one by its name`,
};
