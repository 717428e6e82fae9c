/**
 * The Ledger's tables in SQLite, and nothing but reading and writing them. `docs/storage.md` lists them. Rows written
 * are what the platform charges, hence few and large rows, and no index beside the keys.
 */
import { pack, unpack } from "../history/packing.ts";

/** The layout of the tables and of the documents in them. */
const LEDGER_VERSION = 1;

/** A row may hold 2 MB; a longer text is kept in parts. */
const LONGEST_PART = 500_000;

const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS document (
     name TEXT NOT NULL, part INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (name, part)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL, body BLOB NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS resolved (id INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL, body TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS rollup (name TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS segment (
     name TEXT PRIMARY KEY, stored_ms INTEGER, body BLOB NOT NULL) WITHOUT ROWID`,
];

/** A segment on its way to KV, or kept a while after. */
export interface SegmentRow {
  /** `<kind>/<period>`. */
  readonly name: string;
  /** When KV took it; null: not yet. */
  readonly storedMs: number | null;
  /** Empty once the Ledger needs them no more. */
  readonly body: Uint8Array<ArrayBuffer>;
}

export class Tables {
  readonly #sql: SqlStorage;

  /** @throws when the tables were written by a newer version. */
  constructor(sql: SqlStorage) {
    this.#sql = sql;
    for (const statement of SCHEMA) sql.exec(statement);
    const version = this.document("version");
    if (version === null) this.putDocument("version", String(LEDGER_VERSION));
    else if (Number(version) > LEDGER_VERSION) {
      throw new Error(`the ledger holds data of version ${version}; this code knows ${LEDGER_VERSION}`);
    }
  }

  document(name: string): string | null {
    const rows = this.#sql
      .exec<{ body: string }>("SELECT body FROM document WHERE name = ? ORDER BY part", name)
      .toArray();
    return rows.length === 0 ? null : rows.map(({ body }) => body).join("");
  }

  putDocument(name: string, body: string): void {
    const parts = partsOf(body);
    for (const [part, text] of parts.entries()) {
      this.#sql.exec("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", name, part, text);
    }
    this.#sql.exec("DELETE FROM document WHERE name = ? AND part >= ?", name, parts.length);
  }

  /** One row for all samples of a batch. */
  addBatch(untilMs: number, samples: Readonly<Record<string, Uint8Array<ArrayBuffer>>>): void {
    this.#sql.exec("INSERT INTO batch (until_ms, body) VALUES (?, ?)", untilMs, pack(samples));
  }

  batches(): unknown[] {
    return this.#sql
      .exec<{ body: ArrayBuffer }>("SELECT body FROM batch ORDER BY id")
      .toArray()
      .map(({ body }) => unpack(new Uint8Array(body)));
  }

  /** Forgets the batches whose samples all lie before the instant. */
  dropBatches(beforeMs: number): void {
    this.#sql.exec("DELETE FROM batch WHERE until_ms < ?", beforeMs);
  }

  addResolved(untilMs: number, body: string): void {
    this.#sql.exec("INSERT INTO resolved (until_ms, body) VALUES (?, ?)", untilMs, body);
  }

  resolved(): string[] {
    return this.#sql
      .exec<{ body: string }>("SELECT body FROM resolved ORDER BY id")
      .toArray()
      .map(({ body }) => body);
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
      .map(({ name, body }) => ({ name, body: new Uint8Array(body) }));
  }

  /** Forgets the roll-ups of one kind before the period. */
  dropRollups(kind: "hour" | "day", beforePeriod: string): void {
    this.#sql.exec("DELETE FROM rollup WHERE name >= ? AND name < ?", `${kind}/`, `${kind}/${beforePeriod}`);
  }

  putSegment(name: string, body: Uint8Array<ArrayBuffer>): void {
    this.#sql.exec("INSERT OR REPLACE INTO segment VALUES (?, NULL, ?)", name, body);
  }

  markStored(name: string, atMs: number): void {
    this.#sql.exec("UPDATE segment SET stored_ms = ? WHERE name = ?", atMs, name);
  }

  /** Keeps the name of a segment that KV has, and not its bytes. */
  emptySegment(name: string): void {
    this.#sql.exec("UPDATE segment SET body = x'' WHERE name = ?", name);
  }

  dropSegment(name: string): void {
    this.#sql.exec("DELETE FROM segment WHERE name = ?", name);
  }

  segmentBody(name: string): Uint8Array<ArrayBuffer> | null {
    const [row] = this.#sql
      .exec<{ body: ArrayBuffer }>("SELECT body FROM segment WHERE name = ?", name)
      .toArray();
    return row === undefined ? null : new Uint8Array(row.body);
  }

  segments(): SegmentRow[] {
    return this.#sql
      .exec<{ name: string; stored_ms: number | null; body: ArrayBuffer }>(
        "SELECT name, stored_ms, body FROM segment ORDER BY name",
      )
      .toArray()
      .map(({ name, stored_ms, body }) => ({ name, storedMs: stored_ms, body: new Uint8Array(body) }));
  }
}

/** A surrogate pair must not be cut: each half alone would be lost in UTF-8. */
function partsOf(body: string): string[] {
  const parts: string[] = [];
  let from = 0;
  do {
    let to = Math.min(from + LONGEST_PART, body.length);
    if (isLowSurrogate(body.charCodeAt(to))) to -= 1;
    parts.push(body.slice(from, to));
    from = to;
  } while (from < body.length);
  return parts;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
