/** What the Worker is bound to, and how it is read and called. */
import type { ShardTick } from "../domain/tick.ts";
import type { LedgerStore } from "../history/store.ts";
import { ledgerName, type LedgerRpc } from "../ledger/rpc.ts";
import type { VantageRpc } from "../probe/vantage.ts";
import { vantageName, type VantagePort } from "../probe/vantage-point.ts";

export interface Env {
  readonly KV: KVNamespace;
  readonly ASSETS: Fetcher;
  readonly LEDGER: DurableObjectNamespace<Rpc.DurableObjectBranded & LedgerRpc & LedgerStore>;
  /** Carries a message for each of several shards, and for each further lane. Without it the invocation of cron runs them. */
  readonly TICKS?: Queue<ShardTick>;
  readonly VANTAGE: DurableObjectNamespace<Rpc.DurableObjectBranded & VantageRpc>;
  /** Seconds from tick to tick; 60 unless a local runner says otherwise. */
  readonly TICK_SECONDS?: string;
  readonly ADMIN_TOKEN?: string;
  readonly VIEW_TOKEN?: unknown;
  /** Counts who tries to log in. */
  readonly LOGINS?: RateLimit;
}

/** A stub that has failed once stays broken: each call takes a new one. */
export function ledgerOf({ LEDGER }: Env, shard: number): LedgerRpc & LedgerStore {
  return LEDGER.getByName(ledgerName(shard));
}

/** The platform counts, near the client: no stranger's attempt reaches the Ledger. */
export function loginLimitOf({ LOGINS }: Env): ((client: string) => Promise<boolean>) | null {
  if (LOGINS === undefined) return null;
  return async (client) => (await LOGINS.limit({ key: client })).success;
}

export function readAsset({ ASSETS }: Env, name: string): Promise<Response> {
  return ASSETS.fetch(`https://assets/${name}`);
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

/** Any binding with this name closes the page; one that is no text is a token that nobody can send. */
export function viewTokenOf({ VIEW_TOKEN }: Env): string | null {
  if (VIEW_TOKEN === undefined) return null;
  return typeof VIEW_TOKEN === "string" ? VIEW_TOKEN : "";
}

/** An object is created where its first call asks for it, and stays there. */
export function vantagePort(
  { VANTAGE }: Pick<Env, "VANTAGE">,
  regionsOf: VantagePort["regionsOf"],
  place: { readonly shard: number; readonly shards: number },
): VantagePort {
  return {
    regionsOf,
    probe: (region, errand) =>
      VANTAGE.getByName(vantageName(region, place), { locationHint: region }).probe(errand),
  };
}
