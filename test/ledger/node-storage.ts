/** A Durable Object's storage in Node: the Ledger's own statements on a real SQLite, and an alarm. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import type { LedgerService } from "../../src/ledger/service.ts";
import type { Tables } from "../../src/ledger/state/tables.ts";

type HostStorage = ConstructorParameters<typeof LedgerService>[0];

export interface NodeStorage extends HostStorage {
  readonly sql: ConstructorParameters<typeof Tables>[0];
  /** When it is to be woken; null: never. */
  alarmMs: number | null;
  /** Throws at the end of the next transactions, which are undone then. */
  fails: boolean;
}

/** Bytes come as an `ArrayBuffer` there. */
function asOnPlatform(row: Record<string, unknown>): Record<string, unknown> {
  const cells = Object.entries(row).map(([name, cell]) => {
    const isBytes = cell instanceof Uint8Array;
    return [name, isBytes ? cell.buffer.slice(cell.byteOffset, cell.byteOffset + cell.byteLength) : cell];
  });
  return Object.fromEntries(cells) as Record<string, unknown>;
}

/** @throws what `write` throws, or as storage does that fails at the end; then nothing was written. */
export function transact(database: DatabaseSync, write: () => void, fails: () => boolean): void {
  database.exec("BEGIN");
  try {
    write();
    if (fails()) throw new Error("disk I/O error");
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** A database in memory that ends with the test. */
export function nodeStorage(): NodeStorage {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const statement = database.prepare(query);
    if (/^\s*SELECT/iu.test(query)) {
      const rows = statement.all(...values).map(asOnPlatform);
      return { toArray: () => rows, rowsWritten: 0, [Symbol.iterator]: () => rows[Symbol.iterator]() };
    }
    return { toArray: () => [], rowsWritten: Number(statement.run(...values).changes) };
  };
  const storage = {
    alarmMs: null as number | null,
    fails: false,
    sql: { exec },
    transactionSync: (write: () => void) => {
      transact(database, write, () => storage.fails);
    },
    getAlarm: async () => storage.alarmMs,
    setAlarm: async (ms: number) => {
      storage.alarmMs = ms;
    },
  };
  return storage;
}
