import { type LedgerClass, type LedgerRpc } from "./ledger/ledger.ts";
import type { Clock } from "./probe/clock.ts";
export interface Env {
    readonly KV: KVNamespace;
    readonly LEDGER: DurableObjectNamespace<Rpc.DurableObjectBranded & LedgerRpc>;
    /** Seconds from tick to tick; 60 unless a local runner says otherwise. */
    readonly TICK_SECONDS?: string;
    readonly ADMIN_TOKEN?: string;
}
export interface Composition {
    /** What the configuration file exports. */
    configOf(env: Env): unknown;
    readonly clock: Clock;
}
export interface ComposedWorker {
    readonly handler: Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled">>;
    readonly Ledger: LedgerClass<Env>;
}
export declare function composeWorker(composition: Composition): ComposedWorker;
