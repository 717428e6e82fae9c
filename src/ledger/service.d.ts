import type { Config } from "../config/config.ts";
import type { Batch, BeginAnswer, BeginRequest } from "../domain/tick.ts";
import { type Identities } from "./begin.ts";
import { type KvWriter } from "./publisher.ts";
export interface LedgerWorld {
    readonly sql: SqlStorage;
    transaction(write: () => void): void;
    readonly kv: KvWriter;
    now(): number;
    readonly config: Config;
    /** Name and version of what probes, for reports. */
    readonly client: string;
    readonly shard: number;
    readonly tickIntervalMs: number;
    /** Reports a failure that was survived. */
    warn(what: string, error: unknown): void;
}
export declare class LedgerService {
    #private;
    /** @throws when the stored data are of a newer version, or damaged. */
    constructor(world: LedgerWorld);
    begin(request: BeginRequest, identities: Identities): BeginAnswer;
    record(batch: Batch): void;
    /** A secret of this Ledger alone, made at its first start. */
    salt(create: () => string): string;
    /** Closes history, hands it to KV and publishes, as far as each is due. One at a time; never rejects. */
    maintain(): Promise<void>;
    /** When `maintain` next has something to do that cannot wait for a tick; null: nothing. */
    nextWakeMs(): number | null;
}
