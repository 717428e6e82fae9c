/** The Ledger's data, in memory and in its tables. A change is one transaction. If that fails, everything is read again. */
import type * as z from "zod/mini";
import { Archive } from "../history/archive.ts";
import { Tables } from "./tables.ts";
import { presentName } from "../begin/apply-config.ts";
import { Outbox } from "../deliver/outbox.ts";
import type { LedgerSettings } from "../rpc.ts";
import { Quarantine } from "./quarantine.ts";
import { directorySchema, DOCUMENTS, EMPTY_STATE, type LedgerState } from "./state.ts";

export interface Stores {
  readonly archive: Archive;
  readonly outbox: Outbox;
}

type MemorySettings = Pick<LedgerSettings, "config" | "shard" | "now">;

type Known = Stores & { readonly state: LedgerState };

export class LedgerMemory {
  readonly #storage: DurableObjectStorage;
  readonly #settings: MemorySettings;
  #known: Known | null;
  readonly quarantine: Quarantine;

  /** @throws when the stored data are of a newer version, or storage fails. */
  constructor(storage: DurableObjectStorage, settings: MemorySettings) {
    this.#storage = storage;
    this.#settings = settings;
    this.quarantine = new Quarantine(storage.sql, settings.now);
    this.#known = this.#load();
  }

  get state(): LedgerState {
    return this.#read().state;
  }

  get archive(): Archive {
    return this.#read().archive;
  }

  get outbox(): Outbox {
    return this.#read().outbox;
  }

  /** @throws when storage fails; then nothing has changed. */
  commit(state: LedgerState, more: (stores: Stores) => void = () => undefined): void {
    const before = this.state;
    this.transact((stores) => {
      const { tables } = stores.archive;
      for (const name of ["journal", "announcements", "directory"] as const) {
        if (state[name] !== before[name]) tables.putDocument(name, JSON.stringify(state[name]));
      }
      const { monitors, incidents, canaries } = state;
      const isSame = monitors === before.monitors && incidents === before.incidents;
      if (!isSame || canaries !== before.canaries) {
        tables.putDocument("members", JSON.stringify({ monitors, incidents, canaries }));
      }
      more(stores);
    });
    this.#known = { ...this.#read(), state };
  }

  /** A secret that only this Ledger has, made at its first start. */
  salt(): string {
    const { tables } = this.archive;
    const known = tables.document("salt");
    if (known !== null) return known;
    const fresh = crypto.randomUUID();
    tables.putDocument("salt", fresh);
    return fresh;
  }

  /** Like `commit`, without a change of the state. */
  transact(write: (stores: Stores) => void): void {
    const known = this.#read();
    // Half-changed memory must never be used, even if reading it again fails too.
    this.#known = null;
    this.#storage.transactionSync(() => write(known));
    this.#known = known;
  }

  #read(): Known {
    this.#known ??= this.#load();
    return this.#known;
  }

  #load(): Known {
    const { config, shard } = this.#settings;
    const { sql } = this.#storage;
    const { quarantine } = this;
    const tables = new Tables(sql);
    const stored = <Value>(name: string, schema: () => z.ZodMiniType<Value>): Value | null =>
      tables.readDocument(name, quarantine, schema);
    const journal = stored("journal", DOCUMENTS.journal) ?? EMPTY_STATE.journal;
    const { monitors, incidents, canaries } = stored("members", DOCUMENTS.members) ?? EMPTY_STATE;
    const announcements = stored("announcements", DOCUMENTS.announcements) ?? EMPTY_STATE.announcements;
    const directory = stored("directory", directorySchema);
    return {
      state: { journal, monitors, incidents, canaries, announcements, directory },
      archive: new Archive(tables, presentName(config), quarantine),
      outbox: new Outbox(sql, config.alerts, quarantine, shard),
    };
  }
}
