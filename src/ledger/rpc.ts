/** What may be asked of a shard's Ledger from outside, and by which name it is found. */
import type { AdminAnswer, AdminRequest } from "../domain/administration.ts";
import type { Batch, BeginAnswer, BeginRequest } from "../domain/tick.ts";

/** By a tick, by an administrator, and by the Ledgers of other shards. */
export interface LedgerRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
}

const NAME = "ledger-";

export function ledgerName(shard: number): string {
  return `${NAME}${shard}`;
}

/** Null: no Ledger of ours is called so. */
export function shardOfName(name: string): number | null {
  const shard = Number(name.slice(NAME.length));
  return name === ledgerName(shard) ? shard : null;
}
