/**
 * Owed alerts: an append-only log of events, each with a number that grows and is never given twice, and the place
 * of each channel in it. What writes belongs into the caller's transaction. What was delivered is noted about once
 * a second.
 */
import { identified, type AlertEvent, type EventDraft } from "../../alert/alert-event.ts";
import { UNTRIED, troubleBetween, wants, type Trouble, type Verdict } from "../../alert/delivery.ts";
import type { ChannelConfig } from "../../config/config.ts";
import { ChannelQueue, type Bundle, type ChannelStatus, type Replayed, type TryEnd } from "./outbox-queue.ts";
import { OutboxTables, alertEventsSchema, type AlertRow, type OutboxSql } from "./outbox-tables.ts";

/** What was delivered is noted within so long, while messages go out. */
const NOTE_EVERY_MS = 1000;

export class Outbox {
  readonly #tables: OutboxTables;
  readonly #log: AlertLog;
  readonly #shard: number;
  readonly #queues = new Map<string, ChannelQueue>();
  /** When the first message was delivered that is not noted; null: all are. */
  #unnotedSinceMs: number | null = null;

  /**
   * A channel that is new in the configuration begins behind what is owed; one that left it is forgotten, with all that
   * it could not deliver.
   * @param shard whose events these are: ids of two shards are never the same.
   * @throws when a channel's record is damaged, or of a newer version.
   */
  constructor(sql: OutboxSql, channels: readonly ChannelConfig[], shard = 0) {
    this.#shard = shard;
    this.#tables = new OutboxTables(sql);
    const stored = this.#tables.channels();
    this.#log = new AlertLog(this.#tables, Math.max(0, ...[...stored.values()].map(({ cursor }) => cursor)));
    for (const channel of channels) {
      const record = stored.get(channel.id) ?? null;
      this.#queues.set(channel.id, new ChannelQueue(channel, record, this.#log, this.#tables));
    }
    const gone = [...stored.keys()].filter((name) => !this.#queues.has(name));
    for (const name of gone) this.#tables.dropUndelivered(name);
    if (this.#queues.size > stored.size) this.#store();
    // With the rows that only it was waiting for.
    if (gone.length > 0) this.note();
  }

  /** Owes these events to every channel that wants them. Writes nothing where none does. */
  append(drafts: readonly EventDraft[], nowMs: number): readonly AlertEvent[] {
    const queues = [...this.#queues.values()];
    const wanted = drafts.filter((draft) => queues.some(({ channel }) => wants(channel.only, draft)));
    const first = this.#log.next(nowMs);
    const events = wanted.map((draft, index) => identified(draft, first + index, this.#shard));
    const texts = events.map((event) => JSON.stringify(event));
    this.#log.append(texts, nowMs, null);
    return events;
  }

  /** What the transaction changed here is undone where it fails: what was delivered before it stays known. @throws what it throws. */
  transact(transaction: () => void): void {
    const undo = [this.#log, ...this.#queues.values()].map((part) => part.undo());
    const unnotedSinceMs = this.#unnotedSinceMs;
    try {
      transaction();
    } catch (error) {
      for (const restore of undo) restore();
      this.#unnotedSinceMs = unnotedSinceMs;
      throw error;
    }
  }

  /** Null: there is no such channel. What is changed in it is stored by `change`. */
  queue(name: string): ChannelQueue | null {
    return this.#queues.get(name) ?? null;
  }

  /** @returns what the change does; null: there is no such channel. */
  change<Value>(name: string, change: (queue: ChannelQueue) => Value): Value | null {
    const queue = this.queue(name);
    if (queue === null) return null;
    const value = change(queue);
    this.#store();
    return value;
  }

  /** What became of a bundle that was sent; see `isNoteDue`. @returns what an operator should hear of. */
  settle(name: string, bundle: Bundle, verdict: Verdict, end: TryEnd): Trouble | null {
    const trouble = this.#move(name, (queue) => queue.settle(bundle, verdict, end));
    this.#unnotedSinceMs ??= end.nowMs;
    if (verdict.type !== "delivered") this.note();
    return trouble;
  }

  /** Was something delivered that the next object would not know of? What may wait, may do so for a second. */
  isNoteDue(nowMs: number, mayWait: boolean): boolean {
    const sinceMs = this.#unnotedSinceMs;
    return sinceMs !== null && (!mayWait || nowMs - sinceMs >= NOTE_EVERY_MS);
  }

  note(): void {
    this.#store();
    this.#trim();
  }

  /** Gives up what waits first, where its channel is gone and its time is over. As `settle`. */
  giveUp(name: string, nowMs: number): Trouble | null {
    const trouble = this.#move(name, (queue) => queue.giveUp(nowMs));
    this.note();
    return trouble;
  }

  /** @param identities by channel, as `identifyChannels` makes them. Where this is false, call `identify`. */
  isIdentified(identities: Readonly<Record<string, string>>): boolean {
    return [...this.#queues].every(([name, { record }]) => record.identity === (identities[name] ?? null));
  }

  /** A channel whose identity changed was fixed: it is in use again, and what waits is tried at once. */
  identify(identities: Readonly<Record<string, string>>): void {
    for (const [name, queue] of this.#queues) {
      const identity = identities[name] ?? null;
      if (identity !== queue.record.identity) queue.change({ identity, delivery: UNTRIED });
    }
    this.#store();
  }

  /**
   * Owes a channel once more what it could not deliver: behind what waits, in the same order, with the same ids, and for
   * another 24 hours. What its filter says now is not asked. A disabled channel is in use again.
   * @param eventId null: all of the channel.
   * @returns null: there is no such channel.
   */
  replay(name: string, eventId: string | null, nowMs: number): Replayed | null {
    return this.change(name, (queue) => queue.replay(eventId, nowMs));
  }

  /** See `ChannelQueue`. */
  forgetFuture(nowMs: number): void {
    for (const queue of this.#queues.values()) queue.forgetFuture(nowMs);
    this.#store();
  }

  statuses(nowMs: number): readonly ChannelStatus[] {
    return [...this.#queues.values()].map((queue) => queue.status(nowMs));
  }

  #move(name: string, move: (queue: ChannelQueue) => void): Trouble | null {
    const queue = this.#queues.get(name);
    if (queue === undefined) return null;
    const before = queue.record.delivery;
    move(queue);
    return troubleBetween(before, queue.record.delivery);
  }

  /** All that is known of channels, in one row. */
  #store(): void {
    this.#tables.putChannels(new Map([...this.#queues].map(([name, { record }]) => [name, record])));
    this.#unnotedSinceMs = null;
  }

  /** What every channel has passed is owed to nobody. */
  #trim(): void {
    const places = [...this.#queues.values()].map((queue) => queue.head()?.seq ?? this.#log.end);
    if (places.length > 0) this.#log.dropBefore(Math.min(...places));
  }
}

export interface LogEntry {
  readonly seq: number;
  readonly queuedMs: number;
  /** The one channel that it is for; null: all. */
  readonly channel: string | null;
  readonly event: AlertEvent;
}

interface LogRow {
  readonly first: number;
  readonly end: number;
  /** Null stands for one that could not be read any more. */
  readonly entries: readonly (LogEntry | null)[];
}

/** In UTF-16 units, each at most three bytes: a row may hold 2 MB. An event has a few thousand. */
const LONGEST_BODY = 500_000;

const MOST_ROWS_IN_MEMORY = 16;

export class AlertLog {
  readonly #tables: OutboxTables;
  readonly #rows = new Map<number, LogRow>();
  #end: number;

  /** @param atLeast a number that no event has any more, wherever the rows went that had it. */
  constructor(tables: OutboxTables, atLeast: number) {
    this.#tables = tables;
    this.#end = Math.max(tables.end(), atLeast);
  }

  /** @returns what makes it as it is now again. */
  undo(): () => void {
    const end = this.#end;
    return () => {
      this.#rows.clear();
      this.#end = end;
    };
  }

  /** The number behind the newest event. */
  get end(): number {
    return this.#end;
  }

  /** The number that the next event gets: by the clock, so that none comes again even after all rows are gone. */
  next(nowMs: number): number {
    return Math.max(this.#end, nowMs);
  }

  /** `events` are JSON texts, each far shorter than a row may be. */
  append(events: readonly string[], nowMs: number, channel: string | null): void {
    let row: string[] = [];
    let length = 0;
    const write = (): void => {
      const first = this.next(nowMs);
      const body = `[${row.join(",")}]`;
      this.#tables.addAlerts({ first, events: row.length, queuedMs: nowMs, channel, body });
      this.#end = first + row.length;
      row = [];
      length = 0;
    };
    for (const event of events) {
      if (row.length > 0 && length + event.length > LONGEST_BODY) write();
      row.push(event);
      length += event.length + 1;
    }
    if (row.length > 0) write();
  }

  /** The event of that number, if there is one, and all behind it. */
  *from(seq: number): Iterable<LogEntry> {
    for (let row = this.#rowFrom(seq); row !== null; row = this.#rowFrom(row.end)) {
      for (let at = Math.max(0, seq - row.first); at < row.entries.length; at += 1) {
        const entry = row.entries[at];
        if (entry) yield entry;
      }
    }
  }

  /** Forgets the rows whose events all lie before that number. */
  dropBefore(seq: number): void {
    const first = this.#rowFrom(seq)?.first ?? this.#end;
    this.#tables.dropAlertsBefore(first);
    for (const known of this.#rows.keys()) if (known < first) this.#rows.delete(known);
  }

  #rowFrom(seq: number): LogRow | null {
    if (seq >= this.#end) return null;
    const known = [...this.#rows.values()].find(({ first, end }) => seq >= first && seq < end);
    if (known) return known;
    const stored = this.#tables.alertsFrom(seq);
    return stored && this.#keep(read(stored));
  }

  #keep(row: LogRow): LogRow {
    const [oldest] = this.#rows.keys();
    if (this.#rows.size >= MOST_ROWS_IN_MEMORY && oldest !== undefined) this.#rows.delete(oldest);
    this.#rows.set(row.first, row);
    return row;
  }
}

function read({ first, events, queuedMs, channel, body }: AlertRow): LogRow {
  const entries = alertEventsSchema
    .parse(JSON.parse(body))
    .map((event, index) => event && { seq: first + index, queuedMs, channel, event });
  return { first, end: first + events, entries };
}
