/** What is asked of a Ledger and of KV to save and to restore everything. The schemas are not part of the Worker. */
import * as z from "zod/mini";
import { described } from "../domain/schema.ts";

const ledgerStored = {
  problem: described(z.nullable(z.string()), "Why its data cannot be opened. Null: they can."),
  isRestoring: described(z.boolean(), "A restore has begun and has not ended."),
  rows: described(
    z.record(z.string(), z.int()),
    "How many rows each table has. Empty: nothing was recorded.",
  ),
};

export const storedAnswerSchema = z.object({
  version: described(z.string(), "Of the program."),
  layout: described(z.int(), "The version of the layout of the Ledger’s data."),
  ledgers: z.array(z.object({ shard: z.int(), ...ledgerStored })),
  keys: described(z.array(z.string()), "Of values in KV, a page of them."),
  next: described(z.nullable(z.string()), "For `after`, to get the next page. Null: this is the last."),
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
