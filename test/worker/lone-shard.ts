/** The settings of a Ledger that is the only one. */
import type { Config } from "../../src/config/config.ts";
import { shardConfig } from "../../src/config/shard.ts";
import type { LedgerSettings } from "../../src/ledger/host.ts";

export type ShardSettings = Pick<LedgerSettings, "config" | "elsewhere" | "places" | "shard" | "peer">;

export function loneShard(config: Config): ShardSettings {
  return {
    ...shardConfig(config, 0),
    shard: 0,
    peer: (shard) => {
      throw new Error(`there is no shard ${shard}`);
    },
  };
}
