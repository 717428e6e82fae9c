/**
 * The storage of a Durable Object on SQLite in Node, as far as the Ledger uses it. Each object that is made over it has a
 * life of its own: once that is ended, at any statement of a transaction, nothing of the object reaches the storage again.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { LedgerService } from "../../src/ledger/service.ts";

type HostStorage = ConstructorParameters<typeof LedgerService>[0];

export class Evicted extends Error {}

export class LedgerDisk {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  alarmMs: number | null = null;
  commits = 0;

  /** @param bytes of a database that is to be gone on with; null: a new one. */
  constructor(bytes: Uint8Array | null = null) {
    this.#database = new DatabaseSync(":memory:");
    if (bytes !== null) this.#database.deserialize(bytes);
  }

  /** An object's own way to the storage. */
  open(): LedgerLife {
    return new LedgerLife(this);
  }

  bytes(): Uint8Array {
    return this.#database.serialize();
  }

  run(query: string, values: readonly SQLInputValue[]): { rows: Record<string, unknown>[]; written: number } {
    let statement = this.#statements.get(query);
    if (!statement) {
      statement = this.#database.prepare(query);
      this.#statements.set(query, statement);
    }
    if (/^\s*SELECT/iu.test(query)) return { rows: statement.all(...values).map(asPlatform), written: 0 };
    return { rows: [], written: Number(statement.run(...values).changes) };
  }

  transact(write: () => void): void {
    this.#database.exec("BEGIN");
    try {
      write();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
    this.commits += 1;
  }

  /** By table: rows, and bytes of what is in them. */
  sizes(): Readonly<Record<string, { readonly rows: number; readonly bytes: number }>> {
    const tables = this.#rows("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) =>
      String(name),
    );
    return Object.fromEntries(
      tables.map((table) => {
        const columns = this.#rows(`PRAGMA table_info(${table})`).map(
          ({ name }) => `coalesce(length(${String(name)}), 0)`,
        );
        const [row] = this.#rows(
          `SELECT count(*) AS n, coalesce(sum(${columns.join(" + ")}), 0) AS bytes FROM ${table}`,
        );
        return [table, { rows: Number(row?.["n"]), bytes: Number(row?.["bytes"]) }];
      }),
    );
  }

  #rows(query: string): Record<string, unknown>[] {
    return this.#database.prepare(query).all();
  }
}

export class LedgerLife {
  readonly #disk: LedgerDisk;
  #isAlive = true;
  #inTransaction = false;
  /** The object dies at so many more statements of transactions; null: it lives on. */
  diesAfter: number | null = null;

  constructor(disk: LedgerDisk) {
    this.#disk = disk;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  end(): void {
    this.#isAlive = false;
  }

  /** What the Ledger takes for the platform's. */
  get storage(): HostStorage {
    return {
      sql: { exec: (query: string, ...values: unknown[]) => this.#exec(query, values) },
      transactionSync: (write: () => void) => this.#transact(write),
      getAlarm: async () => this.#alive().alarmMs,
      setAlarm: async (atMs: number) => {
        this.#alive().alarmMs = atMs;
      },
    } as HostStorage;
  }

  #alive(): LedgerDisk {
    if (!this.#isAlive) throw new Evicted("the object is no more");
    return this.#disk;
  }

  #transact(write: () => void): void {
    const disk = this.#alive();
    this.#inTransaction = true;
    try {
      disk.transact(write);
    } finally {
      this.#inTransaction = false;
    }
  }

  #exec(query: string, values: readonly unknown[]): unknown {
    const disk = this.#alive();
    if (this.#inTransaction && this.diesAfter !== null) {
      if (this.diesAfter === 0) {
        this.end();
        throw new Evicted("the object died in a transaction");
      }
      this.diesAfter -= 1;
    }
    const { rows, written } = disk.run(query, values.map(bindable));
    return {
      toArray: () => rows,
      one: () => rows[0],
      rowsWritten: written,
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  }
}

/** Bytes are an `ArrayBuffer` there. */
function asPlatform(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, cell] of Object.entries(row)) {
    if (cell instanceof Uint8Array) row[name] = cell.slice().buffer;
  }
  return row;
}

function bindable(value: unknown): SQLInputValue {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : (value as SQLInputValue);
}
