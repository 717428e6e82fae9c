/** What may be asked of a shard's Ledger from outside, and by which name it is found. */
import type { Placement } from "../config/placement.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
} from "../domain/tick.ts";

/** By a tick, by an administrator, and by the Ledgers of other shards. */
export interface LedgerRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
  /** A tick of any shard came to nothing; shard 0's Ledger is told. It may be told twice. */
  noteLost(lost: ShardTick): Promise<void>;
  /** Which Ledger has which gateway, with a place for each configured one; empty: shard 0 has all. Of Ledger 0 alone. */
  directory(): Promise<Placement>;
  /** The ids of gateways of which something is stored there. */
  heldGateways(): Promise<readonly string[]>;
}

const NAME = "ledger-";

export function ledgerName(shard: number): string {
  return `${NAME}${shard}`;
}

/** @throws when no Ledger of ours is called so. */
export function shardOfName(name: string | undefined): number {
  const shard = Number(name?.slice(NAME.length));
  if (name !== ledgerName(shard)) throw new Error(`no ledger of a shard is called ${name}`);
  return shard;
}
