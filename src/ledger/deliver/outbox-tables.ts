/** The tables of alerts that are still to be delivered. The rows of the event log that were read last are kept in memory. */
import * as z from "zod/mini";
import { alertEventSchema, type AlertEvent } from "../../alert/alert-event.ts";
import { UNTRIED, deliverySchema } from "../../alert/delivery.ts";
import type { ChannelOf } from "../../config/config.ts";
import { EVENT_TYPES } from "../../domain/incident.ts";
import { objectOnce, once } from "../../domain/schema.ts";
import { instantMs, subscriptionSchema, text, type Stored, type Subscription } from "../../domain/stored.ts";
import type { Quarantine } from "../state/quarantine.ts";

/** A row of `alert` has events that were queued together, numbered from `id` on; `body` is a JSON array of them. */
const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS alert (
     id INTEGER PRIMARY KEY, events INTEGER NOT NULL, queued_ms INTEGER NOT NULL, channel TEXT, body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS channels (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS undelivered (
     channel TEXT NOT NULL, seq INTEGER NOT NULL, event_id TEXT NOT NULL, about TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (channel, seq)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS subscription (channel TEXT PRIMARY KEY, key TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID`,
];

export class OutboxTables {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    for (const statement of SCHEMA) sql.exec(statement);
  }

  channels(quarantine: Quarantine): Map<string, ChannelRecord> | null {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM channels").toArray();
    if (row === undefined) return new Map();
    return quarantine.read(
      { place: "channels", body: row.body },
      (body) => new Map(Object.entries(channelRecordsSchema().parse(JSON.parse(body)))),
      () => void this.#sql.exec("DELETE FROM channels"),
    );
  }

  putChannels(records: ReadonlyMap<string, ChannelRecord>): void {
    const body = JSON.stringify(Object.fromEntries(records));
    this.#sql.exec("INSERT OR REPLACE INTO channels VALUES (1, ?)", body);
  }

  /** Of browsers, by the id of their channel. Those that were made for another key are forgotten: it cannot send to them. */
  subscriptions(key: string, quarantine: Quarantine): ReadonlyMap<string, Subscription> {
    this.#sql.exec("DELETE FROM subscription WHERE key <> ?", key);
    const rows = this.#sql.exec<{ channel: string; body: string }>("SELECT channel, body FROM subscription");
    const read = rows.toArray().flatMap(({ channel, body }) => {
      const place = `subscription/${channel}`;
      const drop = (): void => this.dropSubscription(channel);
      const parse = (): Subscription => subscriptionSchema().parse(JSON.parse(body));
      const subscription = quarantine.read({ place, body }, parse, drop);
      return subscription === null ? [] : [[channel, subscription] as const];
    });
    return new Map(read);
  }

  putSubscription({ id, publicKey, subscription }: ChannelOf<"push">): void {
    const body = JSON.stringify(subscription);
    this.#sql.exec("INSERT OR REPLACE INTO subscription VALUES (?, ?, ?)", id, publicKey, body);
  }

  dropSubscription(channel: string): void {
    this.#sql.exec("DELETE FROM subscription WHERE channel = ?", channel);
  }

  addUndelivered(channel: string, seq: number, about: Undelivered, event: AlertEvent): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO undelivered VALUES (?, ?, ?, ?, ?)",
      channel,
      seq,
      event.id,
      JSON.stringify(about),
      JSON.stringify(event),
    );
  }

  undelivered(channel: string): Undelivered[] {
    return this.#sql
      .exec<{ about: string }>("SELECT about FROM undelivered WHERE channel = ? ORDER BY seq", channel)
      .toArray()
      .flatMap(({ about }) => undeliveredSchema().safeParse(JSON.parse(about)).data ?? []);
  }

  countUndelivered(channel: string): number {
    const query = "SELECT count(*) AS n FROM undelivered WHERE channel = ?";
    return this.#sql.exec<{ n: number }>(query, channel).toArray()[0]?.n ?? 0;
  }

  /** Removes the events and returns them as JSON texts, the oldest first. `eventId` null: all. */
  takeUndelivered(channel: string, eventId: string | null): string[] {
    const which = "WHERE channel = ?1 AND (?2 IS NULL OR event_id = ?2)";
    const bodies = this.#sql
      .exec<{ body: string }>(`SELECT body FROM undelivered ${which} ORDER BY seq`, channel, eventId)
      .toArray()
      .map(({ body }) => body);
    if (bodies.length > 0) this.#sql.exec(`DELETE FROM undelivered ${which}`, channel, eventId);
    return bodies;
  }

  dropOldestUndelivered(channel: string, count = -1): void {
    this.#sql.exec(
      `DELETE FROM undelivered WHERE channel = ?1 AND seq IN (
         SELECT seq FROM undelivered WHERE channel = ?1 ORDER BY seq LIMIT ?2)`,
      channel,
      count,
    );
  }
}

export interface LogEntry {
  readonly seq: number;
  readonly queuedMs: number;
  /** The only channel that it is for; null: all. */
  readonly channel: string | null;
  readonly event: AlertEvent;
}

interface LogRow {
  readonly first: number;
  readonly end: number;
  readonly entries: readonly LogEntry[];
}

/** In UTF-16 units of at most three bytes. A row may have 2 MB, and an event has a few thousand. */
const LONGEST_BODY = 500_000;

const MOST_ROWS_IN_MEMORY = 16;

/** The row that has the event with the number, else the next row. */
const ROW_FROM = `SELECT id, events, queued_ms AS queuedMs, channel, body FROM alert
  WHERE id >= coalesce((SELECT max(id) FROM alert WHERE id <= ?1), 0) AND id + events > ?1 ORDER BY id LIMIT 1`;

/** The log of events. Their numbers grow, and no number is used twice. */
export class AlertLog {
  readonly #sql: SqlStorage;
  readonly #quarantine: Quarantine;
  readonly #rows = new Map<number, LogRow>();
  #end: number;

  /** @param atLeast higher than every number ever used, also by rows that are gone. */
  constructor(sql: SqlStorage, atLeast: number, quarantine: Quarantine) {
    this.#sql = sql;
    this.#quarantine = quarantine;
    const query = "SELECT id, events FROM alert ORDER BY id DESC LIMIT 1";
    const [last = { id: 0, events: 0 }] = sql.exec<{ id: number; events: number }>(query).toArray();
    this.#end = Math.max(last.id + last.events, atLeast);
  }

  get end(): number {
    return this.#end;
  }

  /** The number of the next event. It comes from the clock, so that none is used again even if all rows are lost. */
  next(nowMs: number): number {
    return Math.max(this.#end, nowMs);
  }

  /** @param events JSON texts, each far shorter than a row may be. */
  append(events: readonly string[], nowMs: number, channel: string | null): void {
    let row: string[] = [];
    let length = 0;
    const write = (): void => {
      const first = this.next(nowMs);
      const body = `[${row.join(",")}]`;
      this.#sql.exec("INSERT INTO alert VALUES (?, ?, ?, ?, ?)", first, row.length, nowMs, channel, body);
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

  *from(seq: number): Iterable<LogEntry> {
    for (let row = this.#rowFrom(seq); row !== null; row = this.#rowFrom(row.end)) {
      for (const entry of row.entries) if (entry.seq >= seq) yield entry;
    }
  }

  dropBefore(seq: number): void {
    const first = this.#rowFrom(seq)?.first ?? this.#end;
    this.#sql.exec("DELETE FROM alert WHERE id < ?", first);
    for (const known of this.#rows.keys()) if (known < first) this.#rows.delete(known);
  }

  #rowFrom(seq: number): LogRow | null {
    if (seq >= this.#end) return null;
    const known = [...this.#rows.values()].find(({ first, end }) => seq >= first && seq < end);
    if (known) return known;
    const [stored] = this.#sql.exec<StoredRow>(ROW_FROM, seq).toArray();
    if (stored === undefined) return null;
    const { id, events, queuedMs, channel, body } = stored;
    const read = this.#quarantine.read(
      { place: `alert/${id}`, body },
      () => alertEventsSchema().parse(JSON.parse(body)),
      () => void this.#sql.exec("DELETE FROM alert WHERE id = ?", id),
    );
    if (read === null) return this.#rowFrom(seq);
    const entries = read.flatMap((event, index) =>
      event === null ? [] : [{ seq: id + index, queuedMs, channel, event }],
    );
    if (this.#rows.size >= MOST_ROWS_IN_MEMORY) this.#rows.clear();
    const row = { first: id, end: id + events, entries };
    this.#rows.set(id, row);
    return row;
  }
}

type StoredRow = {
  readonly id: number;
  readonly events: number;
  readonly queuedMs: number;
  readonly channel: string | null;
  readonly body: string;
};

/** Null: version 0.2.0 could not read it. */
const alertEventsSchema = once(() => z.array(z.nullable(alertEventSchema())));

export const channelRecordSchema = objectOnce(() => ({
  identity: text(),
  /** The number of the first event that is not settled. */
  cursor: instantMs(),
  /** Events after the cursor that are settled already, because they were in a bundle. */
  ahead: z.array(instantMs()),
  delivery: deliverySchema(),
  /** Waiting events from this number on have not been tried. At least the log's end when the last failed try began. */
  triedTo: instantMs(),
  resentMs: instantMs(),
  /** How many events are kept for a person to replay, and how many more were dropped. */
  undelivered: z.int(),
  lost: z.int(),
}));
export type ChannelRecord = Stored<typeof channelRecordSchema>;

const channelRecordsSchema = once(() => z.record(z.string(), channelRecordSchema()));

export const NEW_RECORD = {
  identity: null,
  ahead: [],
  delivery: UNTRIED,
  triedTo: 0,
  resentMs: 0,
  undelivered: 0,
  lost: 0,
} satisfies Omit<ChannelRecord, "cursor">;

const undeliveredSchema = objectOnce(() => ({
  eventId: z.string(),
  type: z.enum(EVENT_TYPES),
  incidentId: text(),
  atMs: instantMs(),
  sinceMs: instantMs(),
  reason: z.string(),
  tries: z.int(),
}));
export type Undelivered = Stored<typeof undeliveredSchema>;
