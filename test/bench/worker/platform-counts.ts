/** Counts what the platform charges: rows that SQLite writes (each alarm is one more) and writes to KV. */

export interface PlatformCounts {
  rows: number;
  /** The same by what was written: a table, a document by its name, or the alarm. */
  readonly parts: Map<string, number>;
  kvWrites: number;
  /** When the object asked to be woken; null: not at all. */
  alarmMs: number | null;
}

/** From here on the storage counts, and sets no real alarm: time is virtual. */
export function countStorage(storage: DurableObjectStorage, counts: PlatformCounts): void {
  const { sql } = storage;
  const count = (what: string, rows: number): void => {
    counts.rows += rows;
    if (rows > 0) counts.parts.set(what, (counts.parts.get(what) ?? 0) + rows);
  };
  const counting = new Proxy(sql, {
    get: (target, name) => {
      if (name !== "exec") return Reflect.get(target, name) as unknown;
      return (query: string, ...values: SqlStorageValue[]) => {
        const cursor = target.exec(query, ...values);
        count(partOf(query, values), cursor.rowsWritten);
        return cursor;
      };
    },
  });
  Object.defineProperty(storage, "sql", { value: counting });
  Object.defineProperty(storage, "setAlarm", {
    value: async (atMs: number) => {
      count("alarm", 1);
      counts.alarmMs = atMs;
    },
  });
  Object.defineProperty(storage, "getAlarm", { value: async () => counts.alarmMs });
}

function partOf(query: string, [name]: readonly SqlStorageValue[]): string {
  const table = /(?:INTO|FROM|UPDATE) (\w+)/u.exec(query)?.[1] ?? "schema";
  return table === "document" && typeof name === "string" ? name : table;
}

/** The namespace, counting; expiry is left out, as virtual time may lie in the real past. */
export function countingKv(kv: KVNamespace, counts: PlatformCounts): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      if (name !== "put") return Reflect.get(target, name) as unknown;
      return async (key: string, value: ArrayBuffer, { metadata }: KVNamespacePutOptions) => {
        counts.kvWrites += 1;
        await target.put(key, value, metadata === undefined ? {} : { metadata });
      };
    },
  });
}
