/**
 * The Durable Object around the Ledger's service: remote calls, the alarm, and nothing else. It is awake for
 * milliseconds a tick: probes never run here.
 */
import { DurableObject } from "cloudflare:workers";
import type { Config } from "../config/config.ts";
import type { Batch, BeginAnswer, BeginRequest } from "../domain/tick.ts";
export interface LedgerSettings {
    readonly config: Config;
    readonly kv: KVNamespace;
    /** Name and version of what probes, for reports. */
    readonly client: string;
    readonly tickIntervalMs: number;
    /** The value of a secret by its name; null when it is not set. */
    secret(name: string): string | null;
    now(): number;
}
/** What a tick may ask of the object. */
export interface LedgerRpc {
    begin(request: BeginRequest): Promise<BeginAnswer>;
    record(batch: Batch): Promise<void>;
}
export type LedgerClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & LedgerRpc;
/** The class for one composition; `settingsOf` is called once a start of the object. */
export declare function defineLedger<Env>(settingsOf: (env: Env) => LedgerSettings): LedgerClass<Env>;
