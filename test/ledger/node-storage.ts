/** A Durable Object's storage in Node: the Ledger's own statements on a real SQLite in memory, and an alarm. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

type Row = Record<string, unknown>;

export class NodeStorage {
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, StatementSync>();
  /** When it is to be woken; null: never. */
  alarmMs: number | null = null;
  /** Throws at the end of the next transactions, which are undone then. */
  fails = false;
  commits = 0;
  /** Rows inserted, replaced, updated or deleted: what the platform charges. */
  rowsWritten = 0;
  // oxlint-disable-next-line typescript/no-explicit-any -- a caller says which rows it asks for
  readonly sql = { exec: (query: string, ...values: unknown[]): any => this.#exec(query, values) };

  /** @param bytes of a database that is to be read; null: a new one. */
  constructor(bytes: Uint8Array | null = null) {
    if (bytes !== null) this.#database.deserialize(bytes);
  }

  transactionSync(write: () => void): void {
    this.#database.exec("BEGIN");
    try {
      write();
      if (this.fails) throw new Error("disk I/O error");
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
    this.commits += 1;
  }

  async getAlarm(): Promise<number | null> {
    return this.alarmMs;
  }

  async setAlarm(atMs: number): Promise<void> {
    this.alarmMs = atMs;
  }

  count(table: string): number {
    return Number(this.#exec(`SELECT count(*) AS n FROM ${table}`, []).one()?.["n"]);
  }

  #exec(query: string, values: readonly unknown[]) {
    const statement = this.#statements.get(query) ?? this.#database.prepare(query);
    this.#statements.set(query, statement);
    const bound = values.map(bindable);
    const isRead = /^\s*SELECT/iu.test(query);
    const rows = isRead ? statement.all(...bound).map(asOnPlatform) : [];
    const rowsWritten = isRead ? 0 : Number(statement.run(...bound).changes);
    if (/^\s*(?:INSERT|UPDATE|DELETE)/iu.test(query)) this.rowsWritten += rowsWritten;
    return { toArray: () => rows, one: () => rows[0], rowsWritten, [Symbol.iterator]: () => rows.values() };
  }
}

/** Bytes are an `ArrayBuffer` there. */
function asOnPlatform(row: Row): Row {
  for (const [name, cell] of Object.entries(row)) {
    if (cell instanceof Uint8Array) row[name] = cell.slice().buffer;
  }
  return row;
}

function bindable(value: unknown): SQLInputValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}
