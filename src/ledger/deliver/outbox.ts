/**
 * The alerts to deliver: a log of events, and for each channel its place in the log, and what it could not deliver. Changes
 * belong in the caller's transaction. If that fails, read the outbox again.
 */
import type * as z from "zod/mini";
import { identified, type AlertEvent, type EventDraft } from "../../alert/alert-event.ts";
import {
  MOST_IN_A_BUNDLE,
  UNTRIED,
  afterFailure,
  afterGiveUp,
  afterGone,
  afterRefusal,
  areOfOneGateway,
  belongTogether,
  bundleWaitsMs,
  hasWaitedLong,
  held,
  isLastTry,
  nextStep,
  revived,
  wants,
  type DeliveryState,
  type IsTickOpen,
  type Step,
  type TryEnd,
  type Verdict,
} from "../../alert/delivery.ts";
import type { ChannelConfig, ChannelOf } from "../../config/config.ts";
import { MINUTE_MS, instant } from "../../domain/calendar.ts";
import type { ChannelAnswer, replayedAnswerSchema } from "../admin/admin-answers.ts";
import { withoutFuture } from "../begin/clock.ts";
import type { Quarantine } from "../state/quarantine.ts";
import {
  AlertLog,
  NEW_RECORD,
  OutboxTables,
  channelRecordSchema,
  type ChannelRecord,
  type LogEntry,
  type Undelivered,
} from "./outbox-tables.ts";

export class Outbox {
  readonly #tables: OutboxTables;
  readonly #log: AlertLog;
  readonly #shard: number;
  readonly #queues = new Map<string, ChannelQueue>();

  /**
   * A new channel begins at the end of the log. If the places of all channels are lost, each gets all events again, with the
   * same ids: better twice than never.
   */
  constructor(sql: SqlStorage, configured: readonly ChannelConfig[], quarantine: Quarantine, shard = 0) {
    this.#shard = shard;
    this.#tables = new OutboxTables(sql);
    const known = this.#tables.channels(quarantine);
    const stored = known ?? new Map<string, ChannelRecord>();
    this.#log = new AlertLog(
      sql,
      Math.max(0, ...[...stored.values()].map(({ cursor }) => cursor)),
      quarantine,
    );
    // A backup opens the file without a configuration, and alerts that are owed must be in it.
    if (configured.length === 0) return;
    const channels = configured.flatMap((channel): readonly ChannelConfig[] =>
      channel.kind === "push"
        ? Array.from(this.#tables.subscriptions(channel.publicKey, quarantine), ([id, subscription]) =>
            Object.assign({}, channel, { id, subscription }),
          )
        : [channel],
    );
    for (const channel of channels) {
      const undelivered = this.#tables.countUndelivered(channel.id);
      const cursor = known === null ? 0 : this.#log.end;
      this.#open(channel, stored.get(channel.id) ?? { ...NEW_RECORD, cursor, undelivered });
    }
    for (const id of stored.keys()) if (!this.#queues.has(id)) this.#tables.dropOldestUndelivered(id);
    const isSame = stored.size === channels.length && channels.every(({ id }) => stored.has(id));
    if (!isSame) this.store();
  }

  #open(channel: ChannelConfig, record: ChannelRecord): void {
    this.#queues.set(channel.id, new ChannelQueue(channel, record, this.#log, this.#tables));
  }

  /** Adds events for every channel that wants them. Writes nothing if none does. */
  append(drafts: readonly EventDraft[], nowMs: number): readonly AlertEvent[] {
    const queues = [...this.#queues.values()];
    const wanted = drafts.filter((draft) => queues.some(({ channel }) => wants(channel.only, draft)));
    return this.#append(wanted, nowMs, null);
  }

  #append(drafts: readonly EventDraft[], nowMs: number, channel: string | null): readonly AlertEvent[] {
    const first = this.#log.next(nowMs);
    const events = drafts.map((draft, index) => identified(draft, first + index, this.#shard));
    const texts = events.map((event) => JSON.stringify(event));
    this.#log.append(texts, nowMs, channel);
    return events;
  }

  /** As configured, but for `push`: each browser that subscribed is a channel. */
  get channels(): readonly ChannelConfig[] {
    return [...this.#queues.values()].map(({ channel }) => channel);
  }

  /** @throws if there is no such channel. */
  queue(id: string): ChannelQueue {
    const queue = this.#queues.get(id);
    if (queue === undefined) throw new Error(`there is no channel ${id}`);
    return queue;
  }

  /** Adds a browser. One that is there stays as it is: an address has the same keys for ever. */
  subscribe(channel: ChannelOf<"push">): void {
    if (this.#queues.has(channel.id)) return;
    this.#tables.putSubscription(channel);
    this.#open(channel, { ...NEW_RECORD, cursor: this.#log.end });
    this.store();
  }

  unsubscribe(id: string): void {
    this.#forget(id);
    this.store();
  }

  #forget(id: string): void {
    this.#queues.delete(id);
    this.#tables.dropSubscription(id);
  }

  /** Stores the changes of all queues in one row, and forgets browsers that are gone and the events that every channel has passed. */
  store(): void {
    for (const [id, { isGone }] of this.#queues) if (isGone) this.#forget(id);
    const queues = [...this.#queues];
    const places = queues.map(([, queue]) => queue.head()?.seq ?? this.#log.end);
    if (places.length > 0) this.#log.dropBefore(Math.min(...places));
    this.#tables.putChannels(new Map(queues.map(([id, { record }]) => [id, record])));
  }

  /** @param identities by channel, from `identifyChannels`. @returns false: call `identify`. */
  isIdentified(identities: Readonly<Record<string, string>>): boolean {
    return [...this.#queues].every(([id, { record }]) => record.identity === (identities[id] ?? null));
  }

  /** A channel whose identity changed was fixed: what waits is tried at once. A new one is owed what is open. */
  identify(identities: Readonly<Record<string, string>>, open: () => readonly EventDraft[], nowMs: number) {
    for (const [id, queue] of this.#queues) {
      const identity = identities[id] ?? null;
      const before = queue.record.identity;
      if (identity === before) continue;
      queue.change({ identity, delivery: UNTRIED });
      const wanted =
        before === null
          ? open().filter((draft) => wants(queue.channel.only, draft) && !queue.awaitsStartOf(draft))
          : [];
      this.#append(wanted, nowMs, id);
    }
    this.store();
  }

  /** Resets times in the future, which a clock that ran ahead has stored. */
  forgetFuture(nowMs: number): void {
    for (const queue of this.#queues.values())
      queue.change(channelRecordSchema().parse(withoutFuture(queue.record, nowMs)));
    this.store();
  }

  /** Of the browsers one, and one that fails before others. */
  statuses(nowMs: number): readonly ChannelStatus[] {
    const all = [...this.#queues.values()].map((queue) => queue.status(nowMs));
    const browsers = all.filter(({ kind }) => kind === "push");
    const shown = browsers.find(({ problem }) => problem !== null) ?? browsers[0];
    const others = all.filter(({ kind }) => kind !== "push");
    return shown === undefined ? others : [...others, { ...shown, channel: "push" }];
  }
}

export interface Bundle {
  readonly entries: readonly [LogEntry, ...LogEntry[]];
  /** The end of the log when it was packed. */
  readonly logEnd: number;
}

/** The results of one tick come within this time. Later ones start a new bundle. */
const TICK_SPAN_MS = 5 * MINUTE_MS;
const MOST_LOOKED_THROUGH = 1000;

/** For each channel. The oldest are dropped. */
const MOST_UNDELIVERED = 1000;

/** Its changes are stored by `Outbox.store`. */
export class ChannelQueue {
  readonly channel: ChannelConfig;
  readonly #log: AlertLog;
  readonly #tables: OutboxTables;
  #record: ChannelRecord;

  constructor(channel: ChannelConfig, record: ChannelRecord, log: AlertLog, tables: OutboxTables) {
    this.channel = channel;
    this.#record = record;
    this.#log = log;
    this.#tables = tables;
  }

  get record(): ChannelRecord {
    return this.#record;
  }

  /** A browser does not come back under the same address. */
  get isGone(): boolean {
    return this.channel.kind === "push" && this.#record.delivery.disabled !== null;
  }

  /** What began before the channel was identified may wait already. */
  awaitsStartOf({ incident }: EventDraft): boolean {
    return [...this.#log.from(this.#record.cursor)].some((entry) => {
      const { type, incident: begun } = entry.event;
      return type === "incident.opened" && begun?.id === incident?.id && this.#awaits(entry);
    });
  }

  change(change: Partial<ChannelRecord>): void {
    this.#record = { ...this.#record, ...change };
  }

  head(): LogEntry | null {
    const found = this.#firstFrom(this.#record.cursor);
    const cursor = found?.seq ?? this.#log.end;
    if (cursor === this.#record.cursor) return found;
    this.change({ cursor, ahead: this.#record.ahead.filter((seq) => seq > cursor) });
    return found;
  }

  /** What to do now; null: nothing waits. */
  due(nowMs: number, bundles: boolean, isTickOpen: IsTickOpen): Step | null {
    const head = this.head();
    if (head === null) return null;
    const step = this.#nextStep(head, nowMs);
    if (step.type !== "send" || !bundles) return step;
    const untilMs = bundleWaitsMs(head.event, head.queuedMs, nowMs, isTickOpen);
    return untilMs === null ? step : { type: "wait", untilMs };
  }

  /** The first event that waits, with others of its bundle if the channel takes bundles; null: nothing waits. */
  bundle(bundles: boolean): Bundle | null {
    const head = this.head();
    if (head === null) return null;
    const rest = bundles ? this.#restOfBundle(head) : [];
    return { entries: [head, ...rest], logEnd: this.#log.end };
  }

  #restOfBundle(head: LogEntry): readonly LogEntry[] {
    const rest: LogEntry[] = [];
    let looked = 0;
    for (const entry of this.#log.from(head.seq + 1)) {
      looked += 1;
      const isFar = looked > MOST_LOOKED_THROUGH || entry.queuedMs > head.queuedMs + TICK_SPAN_MS;
      if (isFar || rest.length + 1 >= MOST_IN_A_BUNDLE) break;
      if (!this.#awaits(entry)) continue;
      if (belongTogether(head.event, entry.event)) rest.push(entry);
      else if (areOfOneGateway(head.event, entry.event)) break;
    }
    return rest;
  }

  settle({ entries, logEnd }: Bundle, verdict: Verdict, end: TryEnd): void {
    const { delivery } = this.#record;
    switch (verdict.type) {
      case "later": {
        const failed = afterFailure(delivery, verdict, end);
        this.change({ delivery: failed, triedTo: logEnd });
        return isLastTry(failed, end.nowMs) ? this.#giveUp(entries, end.nowMs) : undefined;
      }
      case "gone":
        return this.change({ delivery: afterGone(delivery, verdict.problem, end.nowMs) });
      case "refused": {
        const tries = delivery.tries + 1;
        this.#setAside(entries, { reason: verdict.problem, triesOf: () => tries, sinceMs: end.nowMs });
        return this.#pass(entries, afterRefusal(delivery, verdict.problem));
      }
      case "delivered":
        return this.#pass(entries, UNTRIED);
    }
  }

  /** For a disabled channel: gives up what has waited too long. */
  giveUp(nowMs: number): void {
    const head = this.head();
    if (head !== null && this.#nextStep(head, nowMs).type === "give_up") this.#giveUp([head], nowMs);
  }

  /** Also gives up all later events that have waited for a day. */
  #giveUp(tried: Bundle["entries"], nowMs: number): void {
    const { delivery } = this.#record;
    const all: LogEntry[] = [...tried];
    const seqs = tried.map(({ seq }) => seq);
    let cursor = tried[0].seq + 1;
    for (const entry of this.#log.from(cursor)) {
      if (!hasWaitedLong(entry.queuedMs, nowMs)) break;
      cursor = entry.seq + 1;
      if (!seqs.includes(entry.seq) && this.#awaits(entry)) all.push(entry);
    }
    const reason = delivery.disabled?.reason ?? delivery.problem ?? "it could not be sent";
    const triesOf = ({ seq }: LogEntry) => (seqs.includes(seq) ? delivery.tries : 0);
    this.#setAside(all, { reason, triesOf, sinceMs: nowMs });
    const ahead = [...this.#record.ahead, ...seqs].filter((seq) => seq >= cursor);
    this.change({ cursor, ahead, delivery: afterGiveUp(delivery) });
  }

  /** When to send open incidents again, if there have been some since `sinceMs`; null: the channel is disabled. */
  resendMs(sinceMs: number, everyMs: number): number | null {
    const { delivery, resentMs } = this.#record;
    if (delivery.disabled !== null) return null;
    return Math.max(Math.max(resentMs, sinceMs) + everyMs, delivery.heldUntilMs);
  }

  /** A failure needs no retry, since the next repeat comes anyway. A wait that the receiver asks for is kept. */
  settleResend(resentMs: number, verdict: Verdict, nowMs: number): void {
    this.change({ resentMs });
    if (verdict.type !== "later" || verdict.afterMs === null) return;
    this.change({ delivery: held(this.#record.delivery, verdict.afterMs, nowMs) });
  }

  /**
   * Queues again what the channel could not deliver (`eventId` null: all), after the waiting events, with the same ids, even if
   * its filter has changed. A disabled channel is used again, and waiting events are tried at once.
   */
  replay(eventId: string | null, nowMs: number): z.infer<typeof replayedAnswerSchema> {
    const { undelivered, delivery } = this.#record;
    const head = this.head();
    const isLeftAlone = delivery.failures === 0 || delivery.heldUntilMs > nowMs;
    const triedNow = head === null || isLeftAlone ? 0 : this.#countFrom(head).count;
    const events = this.#tables.takeUndelivered(this.channel.id, eventId);
    this.#log.append(events, nowMs, this.channel.id);
    this.change({ undelivered: undelivered - events.length, delivery: revived(delivery) });
    return { replayed: events.length, triedNow };
  }

  owes(eventId: string): boolean {
    if (this.undelivered().some((aside) => aside.eventId === eventId)) return true;
    for (const entry of this.#log.from(this.#record.cursor)) {
      if (entry.event.id === eventId && this.#awaits(entry)) return true;
    }
    return false;
  }

  undelivered(): readonly Undelivered[] {
    return this.#tables.undelivered(this.channel.id);
  }

  status(nowMs: number): ChannelStatus {
    const { delivery, undelivered, lost } = this.#record;
    const { disabled, problem, tries } = delivery;
    const head = this.head();
    const step = head && this.#nextStep(head, nowMs);
    const nextTryMs = step?.type === "wait" ? step.untilMs : nowMs;
    const waiting = head && {
      event: head.event.id,
      since: instant(head.queuedMs),
      tries,
      nextTryAt: disabled === null ? instant(nextTryMs) : null,
      ...this.#countFrom(head),
    };
    const { id, kind } = this.channel;
    const outOfUse = disabled && { reason: disabled.reason, at: instant(disabled.atMs) };
    return { channel: id, kind, disabled: outOfUse, problem, waiting, undelivered, lost };
  }

  #countFrom(head: LogEntry): { readonly count: number; readonly more: boolean } {
    let [looked, count] = [0, 0];
    for (const entry of this.#log.from(head.seq)) {
      if (looked >= MOST_LOOKED_THROUGH) return { count, more: true };
      looked += 1;
      if (this.#awaits(entry)) count += 1;
    }
    return { count, more: false };
  }

  #awaits({ seq, channel, event }: LogEntry): boolean {
    if (this.#record.ahead.includes(seq)) return false;
    return channel === null ? wants(this.channel.only, event) : channel === this.channel.id;
  }

  #firstFrom(seq: number): LogEntry | null {
    for (const entry of this.#log.from(seq)) if (this.#awaits(entry)) return entry;
    return null;
  }

  #nextStep(head: LogEntry, nowMs: number): Step {
    const { delivery } = this.#record;
    const hasNews = delivery.failures > 0 && this.#hasNews(head);
    return nextStep(delivery, { queuedMs: head.queuedMs, hasNews }, nowMs);
  }

  /** Moves `triedTo` on, so that no event is looked at twice. */
  #hasNews(head: LogEntry): boolean {
    const news = this.#firstFrom(Math.max(this.#record.triedTo, head.seq));
    this.change({ triedTo: news?.seq ?? this.#log.end });
    return news !== null;
  }

  #pass(entries: readonly LogEntry[], delivery: DeliveryState): void {
    this.change({ ahead: [...this.#record.ahead, ...entries.map(({ seq }) => seq)], delivery });
  }

  /** Keeps the newest for a replay. Nobody replays an old notification of a browser. */
  #setAside(all: readonly LogEntry[], { reason, sinceMs, triesOf }: WhyAside): void {
    const { id, kind } = this.channel;
    if (kind === "push") return;
    const { undelivered, lost } = this.#record;
    const entries = all.slice(-MOST_UNDELIVERED);
    const dropped = Math.max(0, undelivered + entries.length - MOST_UNDELIVERED);
    if (dropped > 0) this.#tables.dropOldestUndelivered(id, dropped);
    for (const entry of entries) {
      const { id: eventId, type, atMs, incident } = entry.event;
      const about = { eventId, type, incidentId: incident?.id ?? null, atMs, sinceMs, reason };
      this.#tables.addUndelivered(id, entry.seq, { ...about, tries: triesOf(entry) }, entry.event);
    }
    this.change({
      undelivered: undelivered - dropped + entries.length,
      lost: lost + dropped + all.length - entries.length,
    });
  }
}

interface WhyAside {
  readonly reason: string;
  readonly sinceMs: number;
  readonly triesOf: (entry: LogEntry) => number;
}

/** As in the API. `nextTryAt` null: not before the channel is fixed. `more`: the log has more events than were counted. */
export type ChannelStatus = Omit<ChannelAnswer, "shard">;
