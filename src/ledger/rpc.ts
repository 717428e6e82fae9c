/** What may be asked of a shard's Ledger from outside, and by which name it is found. */
import type { AdminAnswer, AdminRequest } from "../domain/administration.ts";
import type { Batch, BeginAnswer, BeginRequest, ShardTick } from "../domain/tick.ts";

/** By a tick, by an administrator, and by the Ledgers of other shards. */
export interface LedgerRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
  /** A tick of any shard came to nothing; shard 0's Ledger is told. It may be told twice. */
  noteLost(lost: ShardTick): Promise<void>;
  /** Whether its own ticks are missed too: then whoever tells it of another shard's would tell the same thing again. */
  missesTicks(): Promise<boolean>;
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
