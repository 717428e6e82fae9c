/**
 * The log of owed alerts: rows of events in the order in which they were recorded, each event with a number that grows
 * and is never given twice. Read as far as somebody needs it; only the rows in use are in memory. To delete a row costs as
 * much as to write one: the newest that is needed no more stays, for the next events to take its place.
 */
import type { AlertEvent } from "../alert/alert-event.ts";
import { alertEventsSchema } from "./outbox-records.ts";
import type { AlertRow, OutboxTables } from "./outbox-tables.ts";

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
  /** Where a row begins that nobody needs; null: there is none, as far as is known. */
  #spare: number | null = null;

  /** @param atLeast a number that no event has any more, wherever the rows went that had it. */
  constructor(tables: OutboxTables, atLeast: number) {
    this.#tables = tables;
    this.#end = Math.max(tables.end(), atLeast);
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
      const stored = { first, events: row.length, queuedMs: nowMs, channel, body };
      if (this.#spare === null) this.#tables.addAlerts(stored);
      else this.#tables.replaceAlerts(this.#spare, stored);
      this.#spare = null;
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
    this.#spare = this.#tables.dropAlertsBefore(first);
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
