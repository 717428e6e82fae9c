/** SQLite as the platform's storage has it, in Node: the outbox's statements run on a real database. */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { onTestFinished } from "vitest";
import type { ChannelConfig } from "../../src/config/config.ts";
import type { OutboxSql } from "../../src/ledger/deliver/outbox-tables.ts";
import { channel, draft, OutboxPlay, type PlayOptions, Receiver, type Storage } from "../fixtures/outbox.ts";
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

/** An outbox on such a database. Channels by their ids; a receiver within the process, unless `fetch` is another. */
export function playOutbox(
  channels: readonly (string | ChannelConfig)[],
  options: Partial<Omit<PlayOptions, "channels">> = {},
) {
  const storage = sqliteStorage();
  const receiver = new Receiver();
  const all = channels.map((of) => (typeof of === "string" ? channel(of) : of));
  const of = new OutboxPlay({ storage, fetch: receiver.fetch, ...options, channels: all });
  return { of, storage, receiver };
}

export const TEST_EVENT = { ...draft(1, { type: "test" }), id: "2026-11-20-test-1" };

/** All that can begin without an answer has begun. */
export async function begun(): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
