/** What is asked of a Ledger and of KV to save and to restore everything. The schemas are not part of the Worker. */
import * as z from "zod/mini";

const ledgerStored = {
  /** Why its data cannot be opened. Null: they can. */
  problem: z.nullable(z.string()),
  isRestoring: z.boolean(),
  /** How many rows each table has. Empty: nothing was recorded. */
  rows: z.record(z.string(), z.int()),
};

export const storedAnswerSchema = z.object({
  version: z.string(),
  layout: z.int(),
  ledgers: z.array(z.object({ shard: z.int(), ...ledgerStored })),
  /** Of values in KV, a page of them. */
  keys: z.array(z.string()),
  /** For `after`, to get the next page. Null: this is the last. */
  next: z.nullable(z.string()),
});
export type StoredAnswer = z.infer<typeof storedAnswerSchema>;

export type LedgerStored = Omit<StoredAnswer["ledgers"][number], "shard">;

/** By an administrator. All but `backUp` works with data that cannot be opened, too. */
export interface LedgerStore {
  stored(): Promise<LedgerStored>;
  /** Lines of JSON. @throws if the data cannot be opened. */
  backUp(): Promise<ReadableStream<Uint8Array>>;
  /** The first step ends the object, and so the call. @returns why it was not done; null: it was. */
  restore(step: RestoreStep): Promise<string | null>;
}

/** Each may be repeated until the next begins. `id`: of this restore, made by the client. */
export type RestoreStep =
  /** From now on nothing else is done with the data. */
  | { readonly step: "begin"; readonly id: string }
  /** Drops what was there. */
  | { readonly step: "clear"; readonly id: string }
  /** `lines`: some of a backup, whole ones. */
  | { readonly step: "rows"; readonly id: string; readonly lines: Uint8Array }
  /** From now on ticks go on with the data. `layout`: of the backup. */
  | { readonly step: "end"; readonly id: string; readonly layout: number };
