/** What the Worker is bound to, and how it is read. */
import type { ShardTick } from "../domain/tick.ts";
import { ledgerName, type LedgerRpc } from "../ledger/rpc.ts";
import type { VantageRpc } from "../probe/vantage.ts";

export interface Env {
  readonly KV: KVNamespace;
  /** The static files of `src/http/assets`. */
  readonly ASSETS: Fetcher;
  readonly LEDGER: DurableObjectNamespace<Rpc.DurableObjectBranded & LedgerRpc>;
  /** Carries a message for each of several shards, and for each further lane. Without it the invocation of cron runs them. */
  readonly TICKS?: Queue<ShardTick>;
  readonly VANTAGE: DurableObjectNamespace<Rpc.DurableObjectBranded & VantageRpc>;
  /** Seconds from tick to tick; 60 unless a local runner says otherwise. */
  readonly TICK_SECONDS?: string;
  /** Set by a runner that lets nobody else run: what a run before it began is over. */
  readonly RUN_ID?: string;
  readonly ADMIN_TOKEN?: string;
  readonly VIEW_TOKEN?: unknown;
}

/** A stub that has failed once stays broken: each call takes a new one. */
export function ledgerOf({ LEDGER }: Env, shard: number): LedgerRpc {
  return LEDGER.getByName(ledgerName(shard));
}

export function tickIntervalOf({ TICK_SECONDS }: Env): number {
  const seconds = Number(TICK_SECONDS ?? "60");
  return (seconds > 0 ? seconds : 60) * 1000;
}

/** Secrets are text bindings under the names that the configuration gives. */
export function secretOf(env: Env, name: string): string | null {
  const value: unknown = Reflect.get(env, name);
  return typeof value === "string" && value !== "" ? value : null;
}

/** Whatever is bound under this name closes the page; what is no text is a token that opens nothing. */
export function viewTokenOf({ VIEW_TOKEN }: Env): string | null {
  if (VIEW_TOKEN === undefined) return null;
  return typeof VIEW_TOKEN === "string" ? VIEW_TOKEN : "";
}
