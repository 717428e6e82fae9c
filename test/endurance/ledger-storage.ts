/** Each object over a storage has a life of its own: once it is ended, at any statement, nothing of it reaches the storage. */
import type { NodeStorage } from "../ledger/node-storage.ts";

export class Evicted extends Error {}

export class LedgerLife {
  readonly #disk: NodeStorage;
  #inTransaction = false;
  isAlive = true;
  /** The object dies at so many more statements of transactions; null: it lives on. */
  diesAfter: number | null = null;
  readonly sql = {
    exec: (query: string, ...values: unknown[]) => {
      const { sql } = this.#alive();
      if (this.#inTransaction && this.diesAfter !== null && (this.diesAfter -= 1) < 0) {
        this.isAlive = false;
        throw new Evicted("the object died in a transaction");
      }
      return sql.exec(query, ...values) as unknown;
    },
  };

  constructor(disk: NodeStorage) {
    this.#disk = disk;
  }

  transactionSync(write: () => void): void {
    const disk = this.#alive();
    this.#inTransaction = true;
    try {
      disk.transactionSync(write);
    } finally {
      this.#inTransaction = false;
    }
  }

  async getAlarm(): Promise<number | null> {
    return this.#alive().getAlarm();
  }

  async setAlarm(atMs: number): Promise<void> {
    await this.#alive().setAlarm(atMs);
  }

  #alive(): NodeStorage {
    if (!this.isAlive) throw new Evicted("the object is no more");
    return this.#disk;
  }
}
