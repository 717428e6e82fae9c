/** SQLite as the platform's storage has it, in Node: the outbox's statements run on a real database. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import type { OutboxSql } from "../../src/ledger/outbox-tables.ts";
import type { Storage } from "../fixtures/outbox.ts";
import { transact } from "./node-storage.ts";

export interface CountingStorage extends Storage {
  /** Rows inserted, replaced, updated or deleted: what the platform charges. */
  rowsWritten: number;
  /** Throws at the end of the next transactions, which are undone then. */
  fails: boolean;
  count(table: string): number;
}

/** A database in memory that ends with the test. */
export function sqliteStorage(): CountingStorage {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  const changes = (): number => Number(database.prepare("SELECT total_changes() AS n").get()?.["n"]);
  const exec = (query: string, ...values: SQLInputValue[]): { toArray(): never[] } => {
    const statement = database.prepare(query);
    if (/^\s*SELECT/iu.test(query)) {
      const rows = statement.all(...values);
      return { toArray: () => rows as never[] };
    }
    const before = changes();
    statement.run(...values);
    storage.rowsWritten += changes() - before;
    return { toArray: () => [] };
  };
  const storage: CountingStorage = {
    rowsWritten: 0,
    fails: false,
    sql: { exec } as OutboxSql,
    count: (table) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"]),
    transaction: (write) => {
      transact(database, write, () => storage.fails);
    },
  };
  return storage;
}
