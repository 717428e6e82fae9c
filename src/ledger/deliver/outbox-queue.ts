/**
 * One channel's place in the log of owed alerts: what it is due, what it could not deliver, and what an
 * administrator is told of it.
 */
import {
  MOST_IN_A_BUNDLE,
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
  UNTRIED,
  type DeliveryState,
  type IsTickOpen,
  type Step,
  type Verdict,
} from "../../alert/delivery.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { instant, MINUTE_MS } from "../../domain/calendar.ts";
import { withoutFuture } from "../begin/clock-ahead.ts";
import type { ChannelAnswer } from "../admin/admin-answers.ts";
import {
  MOST_UNDELIVERED,
  NEW_RECORD,
  channelRecordSchema,
  type ChannelRecord,
  type OutboxTables,
  type Undelivered,
} from "./outbox-tables.ts";
import type { AlertLog, LogEntry } from "./outbox.ts";

/** What is to be done for a channel now. */
export type Due = Step | { readonly type: "nothing" };

/** What one message tells of. */
export interface Bundle {
  readonly entries: readonly [LogEntry, ...LogEntry[]];
  /** The end of the log when it was packed. */
  readonly logEnd: number;
}

/** When a try ended. `random` is in [0, 1); `longestWaitMs` as in `FailedTry`. */
export interface TryEnd {
  readonly nowMs: number;
  readonly random: number;
  readonly longestWaitMs: number | null;
}

/** Results of one tick come within this time; what comes later starts a bundle of its own. */
const TICK_SPAN_MS = 5 * MINUTE_MS;
const MOST_LOOKED_THROUGH = 1000;

export class ChannelQueue {
  readonly channel: ChannelConfig;
  readonly #log: AlertLog;
  readonly #tables: OutboxTables;
  #record: ChannelRecord;
  /** Up to that number no event is news, whatever the number from which they count. */
  #noNewsTo = 0;

  /** @param stored null: the channel is new, and begins behind what is owed. */
  constructor(channel: ChannelConfig, stored: ChannelRecord | null, log: AlertLog, tables: OutboxTables) {
    this.channel = channel;
    this.#log = log;
    this.#tables = tables;
    this.#record = stored ?? { ...NEW_RECORD, cursor: log.end };
  }

  get record(): ChannelRecord {
    return this.#record;
  }

  /** As `AlertLog.undo`. */
  undo(): () => void {
    const { record } = this;
    return () => {
      this.#record = record;
    };
  }

  change(change: Partial<ChannelRecord>): void {
    this.#record = { ...this.#record, ...change };
  }

  /** A clock that ran ahead told when things were. */
  forgetFuture(nowMs: number): void {
    this.#record = channelRecordSchema.parse(withoutFuture(this.#record, nowMs));
  }

  /** The first event that the channel still awaits; the cursor moves there. */
  head(): LogEntry | null {
    let found: LogEntry | null = null;
    for (const entry of this.#log.from(this.#record.cursor)) {
      if (this.#awaits(entry)) {
        found = entry;
        break;
      }
    }
    const cursor = found?.seq ?? this.#log.end;
    if (cursor === this.#record.cursor) return found;
    this.change({ cursor, ahead: this.#record.ahead.filter((seq) => seq > cursor) });
    return found;
  }

  /** @param bundles whether a message to this channel may tell of several events. */
  due({ nowMs, bundles, isTickOpen }: { nowMs: number; bundles: boolean; isTickOpen: IsTickOpen }): Due {
    const head = this.head();
    if (head === null) return { type: "nothing" };
    const step = this.#nextStep(head, nowMs);
    if (step.type !== "send" || !bundles) return step;
    const untilMs = bundleWaitsMs(head.event, head.queuedMs, nowMs, isTickOpen);
    return untilMs === null ? step : { type: "wait", untilMs };
  }

  /** What waits first, with what belongs to it where the channel bundles; null: nothing waits. */
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
      if (!areOfOneGateway(head.event, entry.event) || !this.#awaits(entry)) continue;
      if (!belongTogether(head.event, entry.event)) break;
      rest.push(entry);
    }
    return rest;
  }

  /** What became of a bundle that was sent. */
  settle({ entries, logEnd }: Bundle, verdict: Verdict, end: TryEnd): void {
    // What comes before it again goes first, and this behind it once more.
    if (this.head()?.seq !== entries[0].seq) return;
    const { delivery } = this.#record;
    switch (verdict.type) {
      case "later": {
        const failed = afterFailure(delivery, verdict, end);
        this.change({ delivery: failed, triedTo: logEnd });
        return isLastTry(failed, end.nowMs) ? this.#giveUp(entries, end.nowMs) : undefined;
      }
      case "gone":
        return this.change({ delivery: afterGone(delivery, verdict.problem, end.nowMs) });
      case "refused":
        this.#setAside(entries, {
          reason: verdict.problem,
          triesOf: () => delivery.tries + 1,
          sinceMs: end.nowMs,
        });
        return this.#pass(entries, afterRefusal(delivery, verdict.problem));
      case "delivered":
        return this.#pass(entries, UNTRIED);
    }
  }

  /** Of a channel that is gone: gives up what has waited too long. */
  giveUp(nowMs: number): void {
    const head = this.head();
    if (head !== null && this.#nextStep(head, nowMs).type === "give_up") this.#giveUp([head], nowMs);
  }

  /** With what waits behind these for a day: the newest are kept. */
  #giveUp(tried: Bundle["entries"], nowMs: number): void {
    const { delivery } = this.#record;
    const kept: LogEntry[] = [...tried];
    const seqs = tried.map(({ seq }) => seq);
    let count = kept.length;
    let cursor = tried[0].seq + 1;
    for (const entry of this.#log.from(cursor)) {
      if (!hasWaitedLong(entry.queuedMs, nowMs)) break;
      cursor = entry.seq + 1;
      if (seqs.includes(entry.seq) || !this.#awaits(entry)) continue;
      count += 1;
      kept.push(entry);
      if (kept.length > MOST_UNDELIVERED) kept.shift();
    }
    const reason = delivery.disabled?.reason ?? delivery.problem ?? "it could not be sent";
    const triesOf = ({ seq }: LogEntry) => (seqs.includes(seq) ? delivery.tries : 0);
    this.#setAside(kept, { reason, triesOf, sinceMs: nowMs }, count);
    const ahead = [...this.#record.ahead, ...seqs].filter((seq) => seq >= cursor);
    this.change({ cursor, ahead, delivery: afterGiveUp(delivery) });
  }

  /** When what lasts is to be told again, which began then; null: the channel is out of use. */
  resendMs({ sinceMs, everyMs }: { sinceMs: number; everyMs: number }): number | null {
    const { delivery, resentMs } = this.#record;
    if (delivery.disabled !== null) return null;
    return Math.max(Math.max(resentMs, sinceMs) + everyMs, delivery.heldUntilMs);
  }

  hold(afterMs: number, nowMs: number): void {
    this.change({ delivery: held(this.#record.delivery, afterMs, nowMs) });
  }

  /** Owes what could not be delivered once more, and makes due what waits for its next try. */
  replay(eventId: string | null, nowMs: number): Replayed {
    const { undelivered, delivery } = this.#record;
    const head = this.head();
    const isLeftAlone = delivery.failures === 0 || delivery.heldUntilMs > nowMs;
    const triedNow = head === null || isLeftAlone ? 0 : this.#countFrom(head).count;
    const events = this.#tables.takeUndelivered(this.channel.id, eventId);
    this.#log.append(events, nowMs, this.channel.id);
    this.change({ undelivered: undelivered - events.length, delivery: revived(delivery) });
    return { replayed: events.length, triedNow };
  }

  /** Whether the event waits, or could not be delivered. Behind very many that wait it is taken on trust. */
  owes(eventId: string): boolean {
    if (this.undelivered().some((aside) => aside.eventId === eventId)) return true;
    let looked = 0;
    for (const entry of this.#log.from(this.#record.cursor)) {
      if (looked >= MOST_LOOKED_THROUGH) return true;
      looked += 1;
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

  #nextStep(head: LogEntry, nowMs: number): Step {
    const { delivery } = this.#record;
    const hasNews = delivery.failures > 0 && this.#hasNews(head);
    return nextStep(delivery, { queuedMs: head.queuedMs, hasNews }, nowMs);
  }

  #hasNews(head: LogEntry): boolean {
    for (const entry of this.#log.from(Math.max(this.#record.triedTo, head.seq, this.#noNewsTo))) {
      if (this.#awaits(entry)) return true;
      this.#noNewsTo = entry.seq + 1;
    }
    return false;
  }

  #pass(entries: readonly LogEntry[], delivery: DeliveryState): void {
    const ahead = [...this.#record.ahead, ...entries.map(({ seq }) => seq)];
    this.change({ ahead, delivery });
    this.head();
  }

  /** @param entries the newest of `count` in all. Where too many are kept, the oldest go. */
  #setAside(entries: readonly LogEntry[], why: WhyAside, count = entries.length): void {
    const { id } = this.channel;
    const { undelivered, lost } = this.#record;
    const { reason, sinceMs, triesOf } = why;
    const dropped = Math.max(0, undelivered + entries.length - MOST_UNDELIVERED);
    if (dropped > 0) this.#tables.dropOldestUndelivered(id, dropped);
    for (const entry of entries) {
      const { id: eventId, type, atMs, incident } = entry.event;
      const about = { eventId, type, incidentId: incident?.id ?? null, atMs, sinceMs, reason };
      const tried = { ...about, tries: triesOf(entry) };
      this.#tables.addUndelivered(id, entry.seq, tried, JSON.stringify(entry.event));
    }
    this.change({
      undelivered: undelivered - dropped + entries.length,
      lost: lost + dropped + count - entries.length,
    });
  }
}

interface WhyAside {
  readonly reason: string;
  readonly sinceMs: number;
  readonly triesOf: (entry: LogEntry) => number;
}

/** As the API tells it. `nextTryAt` null: it is not tried until the channel is fixed. `more`: the log goes on behind what was counted. */
export type ChannelStatus = Omit<ChannelAnswer, "shard">;

/** How many are owed once more, and how many that waited are tried at once instead of later. */
export interface Replayed {
  readonly replayed: number;
  readonly triedNow: number;
}
