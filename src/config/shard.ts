/** A shard's part of the configuration: the gateways that are dealt to it, and all else as it is. Pure. */
import { shardOf } from "../domain/dealing.ts";
import type { Config, GatewayConfig } from "./config.ts";

export interface ShardConfig {
  /** With the shard's own gateways alone. */
  readonly config: Config;
  /** Those of the other shards: they are configured, and somebody else's. */
  readonly elsewhere: readonly GatewayConfig[];
}

/** With one shard, that is all of it. */
export function shardConfig(config: Config, shard: number): ShardConfig {
  const { own = [], other = [] } = Object.groupBy(config.gateways, ({ id }) =>
    shardOf(id, config.shards) === shard ? "own" : "other",
  );
  return { config: other.length === 0 ? config : { ...config, gateways: own }, elsewhere: other };
}
