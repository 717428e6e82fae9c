/** The tables of owed alerts and what their rows hold. */
import * as z from "zod/mini";
import { alertEventSchema } from "../../alert/alert-event.ts";
import { UNTRIED, deliverySchema } from "../../alert/delivery.ts";
import { EVENT_TYPES } from "../../domain/incident.ts";
import { instantMs, isInstantMs, type Stored } from "../../domain/stored.ts";

type SqlValue = ArrayBuffer | string | number | null;

/** What the outbox needs of the platform's `SqlStorage`. */
export interface OutboxSql {
  exec<Row extends Record<string, SqlValue>>(query: string, ...values: SqlValue[]): { toArray(): Row[] };
}

/** Events that were queued together, numbered from `first` on. `body` is a JSON array of them. */
export type AlertRow = {
  readonly first: number;
  readonly events: number;
  readonly queuedMs: number;
  /** The one channel that they are for; null: all. */
  readonly channel: string | null;
  readonly body: string;
};

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS alert (
     id INTEGER PRIMARY KEY, events INTEGER NOT NULL, queued_ms INTEGER NOT NULL, channel TEXT, body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS channels (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS undelivered (
     channel TEXT NOT NULL, seq INTEGER NOT NULL, event_id TEXT NOT NULL, about TEXT NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (channel, seq)) WITHOUT ROWID`,
];

const ALERT = "SELECT id AS first, events, queued_ms AS queuedMs, channel, body FROM alert";

export class OutboxTables {
  readonly #sql: OutboxSql;

  constructor(sql: OutboxSql) {
    this.#sql = sql;
    for (const statement of SCHEMA) sql.exec(statement);
  }

  /** The number behind the newest event; 0 where there is none. */
  end(): number {
    const [last] = this.#sql
      .exec<{ id: number; events: number }>("SELECT id, events FROM alert ORDER BY id DESC LIMIT 1")
      .toArray();
    if (last === undefined) return 0;
    const end = last.id + last.events;
    if (!isInstantMs(end)) throw new Error("the newest row of alerts cannot be read");
    return end;
  }

  addAlerts({ first, events, queuedMs, channel, body }: AlertRow): void {
    this.#sql.exec("INSERT INTO alert VALUES (?, ?, ?, ?, ?)", first, events, queuedMs, channel, body);
  }

  /** The row that has the event of that number, else the first behind it; null: there is none. */
  alertsFrom(seq: number): AlertRow | null {
    const [before] = this.#alerts(`${ALERT} WHERE id <= ? ORDER BY id DESC LIMIT 1`, seq);
    if (before && before.first + before.events > seq) return before;
    return this.#alerts(`${ALERT} WHERE id > ? ORDER BY id LIMIT 1`, seq)[0] ?? null;
  }

  #alerts(query: string, number: number): AlertRow[] {
    return this.#sql.exec<AlertRow>(query, number).toArray();
  }

  dropAlertsBefore(first: number): void {
    this.#sql.exec("DELETE FROM alert WHERE id < ?", first);
  }

  /** By name. @throws when the row is damaged, or of a newer version. */
  channels(): Map<string, ChannelRecord> {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM channels").toArray();
    return new Map(row ? Object.entries(channelRecordsSchema.parse(JSON.parse(row.body))) : []);
  }

  putChannels(records: ReadonlyMap<string, ChannelRecord>): void {
    const body = JSON.stringify(Object.fromEntries(records));
    this.#sql.exec("INSERT OR REPLACE INTO channels VALUES (1, ?)", body);
  }

  dropUndelivered(channel: string): void {
    this.#sql.exec("DELETE FROM undelivered WHERE channel = ?", channel);
  }

  addUndelivered(channel: string, seq: number, about: Undelivered, body: string): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO undelivered VALUES (?, ?, ?, ?, ?)",
      channel,
      seq,
      about.eventId,
      JSON.stringify(about),
      body,
    );
  }

  /** Of one channel, the oldest first. */
  undelivered(channel: string): Undelivered[] {
    return this.#sql
      .exec<{ about: string }>("SELECT about FROM undelivered WHERE channel = ? ORDER BY seq", channel)
      .toArray()
      .flatMap(({ about }) => undeliveredSchema.safeParse(JSON.parse(about)).data ?? []);
  }

  countUndelivered(channel: string): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM undelivered WHERE channel = ?", channel)
      .toArray()
      .reduce((sum, { n }) => sum + n, 0);
  }

  /** The events themselves, as JSON texts, the oldest first. `eventId` null: all. They are gone from here then. */
  takeUndelivered(channel: string, eventId: string | null): string[] {
    const which = "WHERE channel = ?1 AND (?2 IS NULL OR event_id = ?2)";
    const bodies = this.#sql
      .exec<{ body: string }>(`SELECT body FROM undelivered ${which} ORDER BY seq`, channel, eventId)
      .toArray()
      .map(({ body }) => body);
    if (bodies.length > 0) this.#sql.exec(`DELETE FROM undelivered ${which}`, channel, eventId);
    return bodies;
  }

  dropOldestUndelivered(channel: string, count: number): void {
    this.#sql.exec(
      `DELETE FROM undelivered WHERE channel = ?1 AND seq IN (
         SELECT seq FROM undelivered WHERE channel = ?1 ORDER BY seq LIMIT ?2)`,
      channel,
      count,
    );
  }
}

const nullableText = z.nullable(z.string());
/** Null stands for one that could not be read any more. */
export const alertEventsSchema = z.array(z.nullable(alertEventSchema));

export const channelRecordSchema = z.lazy(() =>
  z.object({
    /** What stands for its configuration and secrets; null: not known yet. */
    identity: nullableText,
    /** The number of the first event that is not settled. */
    cursor: instantMs,
    /** Behind the cursor, and settled before their turn: the rest of a bundle. */
    ahead: z.array(instantMs),
    delivery: deliverySchema,
    /** The end of the log when the last failed try began: what is behind it is news. */
    triedTo: instantMs,
    /** When what is open was last told again. */
    resentMs: instantMs,
    /** Kept for a person to replay, and how many more had to go. */
    undelivered: z.int(),
    lost: z.int(),
  }),
);
export type ChannelRecord = Stored<typeof channelRecordSchema>;

/** By channel. */
export const channelRecordsSchema = z.record(z.string(), channelRecordSchema);

/** Of a channel that has had no event yet. */
export const NEW_RECORD = {
  identity: null,
  ahead: [],
  delivery: UNTRIED,
  triedTo: 0,
  resentMs: 0,
  undelivered: 0,
  lost: 0,
} satisfies Omit<ChannelRecord, "cursor">;

/** What a person sees of an event that could not be delivered. */
export const undeliveredSchema = z.lazy(() =>
  z.object({
    eventId: z.string(),
    type: z.enum(EVENT_TYPES),
    incidentId: nullableText,
    /** When it happened. */
    atMs: instantMs,
    /** When it was given up. */
    sinceMs: instantMs,
    reason: z.string(),
    tries: z.int(),
  }),
);
export type Undelivered = Stored<typeof undeliveredSchema>;

/** Of one channel: the oldest go. */
export const MOST_UNDELIVERED = 1000;
