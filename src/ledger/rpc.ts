/** What may be asked of a shard's Ledger from outside, and by which name it is found. */
import type { AdminAnswer, AdminRequest } from "../domain/administration.ts";
import type { Batch, BeginAnswer, BeginRequest, ShardTick } from "../domain/tick.ts";
import type { NetworkVoices } from "./network-voices.ts";
import type { SegmentTimes } from "./moves.ts";
import type { Enrolment, Fate, HandOverAnswer, HandOverRequest } from "./parcel.ts";

/** By the Ledgers of other shards, when gateways move. */
export interface MovingRpc {
  handOver(request: HandOverRequest): Promise<HandOverAnswer>;
  /** What was taken over may be forgotten. @returns when KV took each segment. */
  settle(parcelId: string): Promise<SegmentTimes>;
  /** What became of a parcel with these gateways that was packed for the Ledger that is asked. */
  fateOf(parcelId: string, gatewayIds: readonly string[]): Promise<Fate>;
  /** Who calls has something of these gateways of the Ledger that is called, which it may not know of. */
  offer(gatewayIds: readonly string[]): Promise<void>;
  /** The channels to which it owes an alert with a number below this one. */
  owing(to: number): Promise<readonly string[]>;
  /** So many shards are used. Of shard 0 alone. */
  enrol(shards: number): Promise<Enrolment>;
}

/** By a tick, by an administrator, and by the Ledgers of other shards. */
export interface LedgerRpc extends MovingRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
  administer(request: AdminRequest): Promise<AdminAnswer>;
  /** A tick of any shard came to nothing; shard 0's Ledger is told. It may be told twice. */
  noteLost(lost: ShardTick): Promise<void>;
  /** Whether its own ticks are missed too: then whoever tells it of another shard's would tell the same thing again. */
  missesTicks(): Promise<boolean>;
  /** What it has to say of the monitoring's own networks, to one that is about to tell that they are out. */
  networks(): Promise<NetworkVoices>;
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
