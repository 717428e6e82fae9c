/**
 * Stored records that can no longer be read. After a failed read, everything stored is inspected. Rows and documents that cannot
 * be read are moved here from their tables, for a person to look at. The newest hundred are kept.
 */
import * as z from "zod/mini";
import { alertEventSchema } from "../../alert/alert-event.ts";
import type { Config } from "../../config/config.ts";
import { incidentSchema } from "../../domain/incident.ts";
import { objectOnce, once } from "../../domain/schema.ts";
import { instantMs } from "../../domain/stored.ts";
import { unpackAll } from "../../history/packing.ts";
import { unpackSegment } from "../../history/segment.ts";
import {
  NEW_RECORD,
  OutboxTables,
  alertEventsSchema,
  undeliveredSchema,
  type OutboxSql,
} from "../deliver/outbox-tables.ts";
import { batchSchema, parseName, readRollups, readSamples, throughSchema } from "../history/archive.ts";
import { DOCUMENTS, directorySchema } from "./state.ts";
import { Tables, bytesOfCell } from "./tables.ts";

interface Damage {
  /** Its table and row, or its document. */
  readonly place: string;
  /** In words, without anything from the record. */
  readonly why: string;
  /** As it was stored. */
  readonly body: ArrayBuffer | string | number | null;
}

export interface Quarantined {
  readonly id: number;
  readonly atMs: number;
  readonly place: string;
  readonly why: string;
  /** How long it was. */
  readonly bytes: number;
  /** Its first bytes, as text. */
  readonly start: string;
}

const MOST_QUARANTINED = 100;
/** How many bytes of a record are kept: a row may have 2 MB. */
const LONGEST_KEPT = 50_000;
const START_BYTES = 300;

const SCHEMA = `CREATE TABLE IF NOT EXISTS quarantine (
  id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, place TEXT NOT NULL, why TEXT NOT NULL, bytes INTEGER NOT NULL,
  body BLOB NOT NULL)`;

export class Quarantine {
  readonly #sql: OutboxSql;

  constructor(sql: OutboxSql) {
    this.#sql = sql;
    sql.exec(SCHEMA);
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM quarantine").toArray()[0]?.n ?? 0;
  }

  keep({ place, why, body }: Damage, nowMs: number): void {
    const bytes = bytesOf(body);
    this.#sql.exec(
      "INSERT INTO quarantine (at_ms, place, why, bytes, body) VALUES (?, ?, ?, ?, ?)",
      nowMs,
      place,
      why,
      bytes.length,
      bytes.slice(0, LONGEST_KEPT).buffer,
    );
    this.#sql.exec(
      "DELETE FROM quarantine WHERE id NOT IN (SELECT id FROM quarantine ORDER BY id DESC LIMIT ?)",
      MOST_QUARANTINED,
    );
  }

  /** The newest first. */
  list(): Quarantined[] {
    return this.#sql
      .exec<{ id: number; atMs: number; place: string; why: string; bytes: number; start: ArrayBuffer }>(
        `SELECT id, at_ms AS atMs, place, why, bytes, substr(body, 1, ${START_BYTES}) AS start FROM quarantine
         ORDER BY id DESC`,
      )
      .toArray()
      .map(({ id, atMs, place, why, bytes, start }) => {
        return { id, atMs, place, why, bytes, start: legible(start) };
      });
  }

  /** @returns how many there were. */
  clear(): number {
    const count = this.count();
    if (count > 0) this.#sql.exec("DELETE FROM quarantine");
    return count;
  }
}

function bytesOf(body: Damage["body"]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body instanceof ArrayBuffer ? body : new TextEncoder().encode(String(body)));
}

function legible(bytes: ArrayBuffer): string {
  return new TextDecoder().decode(bytes).replaceAll(/[^\P{C}\n]/gu, "\u{FFFD}");
}

type Row = Record<string, SqlStorageValue>;

interface Rows {
  readonly table: string;
  /** Names one row. */
  readonly key: string;
  /** Throws if the row cannot be read. */
  readonly read: (row: Row) => unknown;
}

const incidentsSchema = once(() => z.array(incidentSchema()));

const alertRowSchema = objectOnce(() => ({
  id: instantMs(),
  events: z.int(),
  queued_ms: instantMs(),
  channel: z.nullable(z.string()),
}));

const ROWS: readonly Rows[] = [
  {
    table: "batch",
    key: "id",
    read: ({ body }) => {
      const batches = unpackAll(bytesOfCell(body)).map((batch) => batchSchema().parse(batch));
      return batches.flatMap((batch) => Object.values(batch)).map(readSamples);
    },
  },
  {
    table: "rollup",
    key: "name",
    read: ({ name, body }) => [
      parseName(name),
      ...[...unpackSegment(bytesOfCell(body)).monitors.values()].map(readRollups),
    ],
  },
  { table: "segment", key: "name", read: ({ name }) => parseName(name) },
  { table: "resolved", key: "id", read: ({ body }) => incidentsSchema().parse(json(body)) },
  {
    table: "alert",
    key: "id",
    read: (row) => {
      const { events } = alertRowSchema().parse(row);
      if (alertEventsSchema().parse(json(row["body"])).length !== events)
        throw new Error("not as many events as it says");
    },
  },
  {
    table: "undelivered",
    key: "channel || '/' || seq",
    read: ({ about, body }) => [undeliveredSchema().parse(json(about)), alertEventSchema().parse(json(body))],
  },
];

function textOf(cell: SqlStorageValue | undefined): string {
  return typeof cell === "string" || typeof cell === "number" ? String(cell) : "";
}

function json(cell: SqlStorageValue | undefined): unknown {
  return JSON.parse(textOf(cell));
}

/** Without `salt`, for which any text is valid. If `through` is lost it starts again; a lost `directory` is collected again. */
const DOCUMENT_SCHEMAS = { ...DOCUMENTS, through: throughSchema, directory: directorySchema } as const;

/** Call it in a transaction. @returns how many records could not be read. @throws if storage fails. */
export function inspect(sql: SqlStorage, config: Config, nowMs: number): number {
  const quarantine = new Quarantine(sql);
  const tables = new Tables(sql);
  let found = 0;
  const keep: Keep = (damage) => {
    found += 1;
    quarantine.keep(damage, nowMs);
  };
  for (const rows of ROWS) inspectRows(sql, rows, keep);
  inspectSegments(sql, tables, nowMs, keep);
  for (const [name, schema] of Object.entries(DOCUMENT_SCHEMAS)) {
    const body = tables.document(name);
    if (body === null || canRead(() => schema().parse(json(body)))) continue;
    keep({ place: `document/${name}`, why: "the document cannot be read", body });
    tables.dropDocument(name);
  }
  inspectChannels(sql, config, keep);
  return found;
}

/** Keeps a copy; the caller deals with the record itself. */
type Keep = (damage: Damage) => void;

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** One row at a time is in memory. */
function inspectRows(sql: SqlStorage, { table, key, read }: Rows, keep: Keep): void {
  const damaged: SqlStorageValue[] = [];
  for (const row of sql.exec<Row>(`SELECT *, ${key} AS k FROM ${table}`)) {
    if (!canRead(() => read(row))) damaged.push(row["k"] ?? null);
  }
  for (const k of damaged) {
    const [row] = sql.exec<Row>(`SELECT * FROM ${table} WHERE ${key} = ?`, k).toArray();
    keep({ place: `${table}/${textOf(k)}`, why: "the row cannot be read", body: row?.["body"] ?? null });
    sql.exec(`DELETE FROM ${table} WHERE ${key} = ?`, k);
  }
}

/** The name of a damaged segment stays if KV has the segment; otherwise there is a gap. */
function inspectSegments(sql: SqlStorage, tables: Tables, nowMs: number, keep: Keep): void {
  for (const { name, storedMs } of tables.segments()) {
    const place = `segment/${name}`;
    if (!canRead(() => readSegment(name, tables.segmentBody(name)))) {
      const [part] = sql.exec<Row>("SELECT body FROM segment_part WHERE name = ?", name).toArray();
      keep({ place, why: "its bytes cannot be read", body: part?.["body"] ?? null });
      if (storedMs === null) tables.dropSegment(name);
      else tables.emptySegment(name);
    }
    if (z.nullable(instantMs()).safeParse(storedMs).success) continue;
    keep({ place, why: "no time at which it was stored", body: storedMs });
    // Segments without bytes here are in KV. The others are stored in KV again.
    tables.markStored(name, tables.segmentBody(name) === null ? nowMs : null);
  }
}

function readSegment(name: string, body: Uint8Array | null): void {
  const read = name.startsWith("hour/") ? readSamples : readRollups;
  for (const bytes of body === null ? [] : unpackSegment(body).monitors.values()) read(bytes);
}

/** If a channel's place in the log is lost, it gets all events again, with the same ids: better twice than never. */
function inspectChannels(sql: SqlStorage, config: Config, keep: Keep): void {
  const tables = new OutboxTables(sql);
  const [row] = sql.exec<{ body: SqlStorageValue }>("SELECT body FROM channels").toArray();
  if (row === undefined) return;
  const isSound = canRead(() => tables.channels());
  if (!isSound) keep({ place: "channels", why: "the row cannot be read", body: row.body });
  const records = isSound
    ? [...tables.channels()]
    : config.alerts.map(({ id }) => [id, { ...NEW_RECORD, cursor: 0 }] as const);
  const counted = records.map(([id, record]) => {
    return [id, { ...record, undelivered: tables.countUndelivered(id) }] as const;
  });
  tables.putChannels(new Map(counted));
}
