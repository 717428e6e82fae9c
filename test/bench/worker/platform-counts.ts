/** Counts what the platform charges: rows that SQLite reads and writes (each alarm is one more) and writes to KV. */

export interface PlatformCounts {
  rows: number;
  rowsRead: number;
  kvWrites: number;
  /** Calls of the object, and requests to gateways: counted by who makes them. */
  ledgerRequests: number;
  probeRequests: number;
  /** By key, what was written last. */
  readonly kvBytes: Map<string, number>;
  /** When the object asked to be woken; null: not at all. */
  alarmMs: number | null;
}

export const NOTHING_YET = { rows: 0, rowsRead: 0, kvWrites: 0, ledgerRequests: 0, probeRequests: 0 };

/** From here on the storage counts, and sets no real alarm: time is virtual. */
export function countStorage(storage: DurableObjectStorage, counts: PlatformCounts): void {
  const { sql } = storage;
  const counting = new Proxy(sql, {
    get: (target, name) => {
      if (name !== "exec") return Reflect.get(target, name) as unknown;
      return (query: string, ...values: SqlStorageValue[]) => {
        const cursor = target.exec(query, ...values);
        counts.rows += cursor.rowsWritten;
        // What is read is counted as it is read; everyone here reads all of it at once.
        return countedReads(cursor, counts);
      };
    },
  });
  Object.defineProperty(storage, "sql", { value: counting });
  Object.defineProperty(storage, "setAlarm", {
    value: async (atMs: number) => {
      counts.rows += 1;
      counts.alarmMs = atMs;
    },
  });
  Object.defineProperty(storage, "getAlarm", { value: async () => counts.alarmMs });
}

function countedReads<Row extends Record<string, SqlStorageValue>>(
  cursor: SqlStorageCursor<Row>,
  counts: PlatformCounts,
): SqlStorageCursor<Row> {
  let known = cursor.rowsRead;
  counts.rowsRead += known;
  return new Proxy(cursor, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        const answer: unknown = value.apply(target, given);
        counts.rowsRead += target.rowsRead - known;
        known = target.rowsRead;
        return answer;
      };
    },
  });
}

/** The namespace, counting; expiry is left out, as virtual time may lie in the real past. */
export function countingKv(kv: KVNamespace, counts: PlatformCounts): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      if (name !== "put") return Reflect.get(target, name) as unknown;
      return async (key: string, value: ArrayBuffer, { metadata }: KVNamespacePutOptions) => {
        counts.kvWrites += 1;
        counts.kvBytes.set(key, value.byteLength);
        await target.put(key, value, metadata === undefined ? {} : { metadata });
      };
    },
  });
}
