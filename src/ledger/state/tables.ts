/** The tables in SQLite, and the version of their layout. The platform charges for rows written, so they are few and large. */
import type * as z from "zod/mini";
import { MINUTE_MS } from "../../domain/calendar.ts";
import { LEDGER_VERSION } from "../../history/keys.ts";
import { joined, pack } from "../../history/packing.ts";
import type { Quarantine } from "./quarantine.ts";

/** A row may have 2 MB, so longer values are stored in parts. A UTF-16 unit takes up to three bytes, or one in ASCII. */
const LONGEST_TEXT = 600_000;
const LONGEST_ASCII = 1_800_000;
const LONGEST_BYTES = 1_000_000;

/** Batches that end within the same half hour share a row: deleting a row costs as much as writing one. */
const BATCHES_SPAN_MS = 30 * MINUTE_MS;

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS document (
     name TEXT NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, part)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL, body BLOB NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS resolved (id INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS rollup (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS segment (name TEXT PRIMARY KEY, stored_ms INTEGER) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS segment_part (
     name TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (name, part)) WITHOUT ROWID`,
];

export interface SegmentRow {
  readonly name: string;
  readonly storedMs: number | null;
  readonly kept: boolean;
}

export class Tables {
  readonly #sql: SqlStorage;

  /** @throws before it writes anything, if a newer version wrote the stored data. */
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const version = knownVersion(sql);
    for (const statement of SCHEMA) sql.exec(statement);
    // Older data only need the new version number.
    if (version !== LEDGER_VERSION) this.putDocument(VERSION, String(LEDGER_VERSION));
  }

  document(name: string): string | null {
    const rows = this.#sql
      .exec<{ body: string }>("SELECT body FROM document WHERE name = ? ORDER BY part", name)
      .toArray();
    return rows.length === 0 ? null : rows.map(({ body }) => body).join("");
  }

  readDocument<Value>(
    name: string,
    quarantine: Quarantine,
    schema: () => z.ZodMiniType<Value>,
  ): Value | null {
    const body = this.document(name);
    if (body === null) return null;
    return quarantine.read(
      { place: `document/${name}`, body },
      () => schema().parse(JSON.parse(body)),
      () => void this.#sql.exec("DELETE FROM document WHERE name = ?", name),
    );
  }

  putDocument(name: string, body: string): void {
    const parts = textParts(body);
    for (const [part, text] of parts.entries()) {
      this.#sql.exec("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", name, part, text);
    }
    this.#sql.exec("DELETE FROM document WHERE name = ? AND (part < 0 OR part >= ?)", name, parts.length);
  }

  /** Writes one row for all samples of a batch, after those of the same half hour. */
  addBatch(untilMs: number, samples: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): void {
    const packed = pack(samples);
    const [last] = this.#sql
      .exec<{ id: number; until_ms: number; body: ArrayBuffer }>(
        "SELECT id, until_ms, body FROM batch ORDER BY id DESC LIMIT 1",
      )
      .toArray();
    const fits = last && last.body.byteLength + packed.length <= LONGEST_BYTES;
    if (!fits || spanOf(last.until_ms) !== spanOf(untilMs)) {
      this.#sql.exec("INSERT INTO batch (until_ms, body) VALUES (?, ?)", untilMs, packed);
      return;
    }
    this.#sql.exec(
      "UPDATE batch SET until_ms = ?, body = ? WHERE id = ?",
      Math.max(last.until_ms, untilMs),
      joined(new Uint8Array(last.body), packed),
      last.id,
    );
  }

  batches(): { id: number; body: Uint8Array<ArrayBuffer> }[] {
    return this.#sql
      .exec<{ id: number; body: ArrayBuffer }>("SELECT id, body FROM batch ORDER BY id")
      .toArray()
      .map(({ id, body }) => ({ id, body: bytesOfCell(body) }));
  }

  /** Deletes batches that end before the first or after the second instant. */
  dropBatches(fromMs: number, untilMs: number): void {
    this.#sql.exec("DELETE FROM batch WHERE until_ms < ? OR until_ms > ?", fromMs, untilMs);
  }

  addResolved(untilMs: number, body: string): void {
    this.#sql.exec("INSERT INTO resolved (until_ms, body) VALUES (?, ?)", untilMs, body);
  }

  /** Rows that may have incidents resolved at or after the instant, the newest first. */
  resolvedSince(sinceMs: number): Iterable<{ id: number; body: string }> {
    return this.#sql.exec<{ id: number; body: string }>(
      "SELECT id, body FROM resolved WHERE until_ms >= ? ORDER BY id DESC",
      sinceMs,
    );
  }

  dropResolved(beforeMs: number): void {
    this.#sql.exec("DELETE FROM resolved WHERE until_ms < ?", beforeMs);
  }

  putRollup(name: string, body: Uint8Array<ArrayBuffer>): void {
    this.#sql.exec("INSERT OR REPLACE INTO rollup VALUES (?, ?)", name, body);
  }

  rollups(): { name: string; body: Uint8Array<ArrayBuffer> }[] {
    return this.#sql
      .exec<{ name: string; body: ArrayBuffer }>("SELECT name, body FROM rollup ORDER BY name")
      .toArray()
      .map(({ name, body }) => ({ name, body: bytesOfCell(body) }));
  }

  dropRollup(name: string): void {
    this.#sql.exec("DELETE FROM rollup WHERE name = ?", name);
  }

  /** @param body null: only KV has the bytes. */
  putSegment(name: string, body: Uint8Array<ArrayBuffer> | null, storedMs: number | null): void {
    this.emptySegment(name);
    this.#sql.exec("INSERT OR REPLACE INTO segment VALUES (?, ?)", name, storedMs);
    const bytes = body ?? new Uint8Array();
    for (let part = 0; part * LONGEST_BYTES < bytes.length; part += 1) {
      const piece = bytes.slice(part * LONGEST_BYTES, (part + 1) * LONGEST_BYTES);
      this.#sql.exec("INSERT INTO segment_part VALUES (?, ?, ?)", name, part, piece);
    }
  }

  markStored(name: string, atMs: number | null): void {
    this.#sql.exec("UPDATE segment SET stored_ms = ? WHERE name = ?", atMs, name);
  }

  emptySegment(name: string): void {
    this.#sql.exec("DELETE FROM segment_part WHERE name = ?", name);
  }

  dropSegment(name: string): void {
    this.emptySegment(name);
    this.#sql.exec("DELETE FROM segment WHERE name = ?", name);
  }

  /** Null: the Ledger does not need the bytes any more. */
  segmentBody(name: string): Uint8Array<ArrayBuffer> | null {
    const parts = this.#sql
      .exec<{ body: ArrayBuffer }>("SELECT body FROM segment_part WHERE name = ? ORDER BY part", name)
      .toArray()
      .map(({ body }) => bytesOfCell(body));
    return parts.length === 0 ? null : joined(...parts);
  }

  segments(): SegmentRow[] {
    return this.#sql
      .exec<{ name: string; stored_ms: number | null; kept: number }>(
        `SELECT name, stored_ms, EXISTS (SELECT 1 FROM segment_part AS part WHERE part.name = segment.name) AS kept
         FROM segment ORDER BY name`,
      )
      .toArray()
      .map(({ name, stored_ms, kept }) => ({ name, storedMs: stored_ms, kept: kept !== 0 }));
  }

  drop(table: "batch" | "resolved", id: number): void {
    this.#sql.exec(`DELETE FROM ${table} WHERE id = ?`, id);
  }
}

/** None, if the cell has anything but bytes. Readers then put the record into quarantine. */
function bytesOfCell(cell: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(cell instanceof ArrayBuffer ? cell : new ArrayBuffer());
}

function spanOf(atMs: number): number {
  return Math.floor(atMs / BATCHES_SPAN_MS);
}

/** Never cuts a surrogate pair: UTF-8 cannot store half of it. */
function textParts(body: string): string[] {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  const longest = /^[\u0000-\u007f]*$/.test(body) ? LONGEST_ASCII : LONGEST_TEXT;
  const parts: string[] = [];
  let from = 0;
  do {
    let to = Math.min(from + longest, body.length);
    if (isLowSurrogate(body.charCodeAt(to))) to -= 1;
    parts.push(body.slice(from, to));
    from = to;
  } while (from < body.length);
  return parts;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** An unknown version wrote the stored data, or they are being restored: they are not opened. */
export class UnreadableStore extends Error {
  override readonly name = "UnreadableStore";
  readonly isRestoring: boolean;

  constructor(message: string, isRestoring = false) {
    super(message);
    this.isRestoring = isRestoring;
  }
}

/** The document with the version of the layout. */
export const VERSION = "version";
/** Instead of a number: a restore has begun, and which. */
export const RESTORING = "restoring ";

/** Null: nothing is stored yet. @throws `UnreadableStore`. It writes nothing. */
function knownVersion(sql: SqlStorage): number | null {
  const [table] = sql
    .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'document'")
    .toArray();
  if (table === undefined) return null;
  const [row] = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ?", VERSION).toArray();
  if (row === undefined) return null;
  if (row.body.startsWith(RESTORING)) {
    throw new UnreadableStore(
      "a restore is under way, and nothing is checked until it ends: if it was interrupted, run gatepulse restore again",
      true,
    );
  }
  const version = Number(row.body);
  if (!Number.isInteger(version) || version < 1) {
    throw new UnreadableStore(
      "the version of the ledger's data is damaged, and without it they are not opened; nothing was changed",
    );
  }
  if (version > LEDGER_VERSION) {
    throw new UnreadableStore(
      `the ledger holds data of version ${version}, and this code knows ${LEDGER_VERSION}: ` +
        "deploy the newer version again; nothing was changed",
    );
  }
  return version;
}
