/** A shard's part of the configuration: the gateways that are dealt to it, and all else as it is. Pure. */
import { shardOf } from "../domain/dealing.ts";
import type { Config, GatewayConfig } from "./config.ts";

export interface ShardConfig {
  /** With the shard's own gateways alone. */
  readonly config: Config;
  /** Those of the other shards: they are configured, and somebody else's. */
  readonly elsewhere: readonly GatewayConfig[];
  /** The place of each gateway in the whole configuration. */
  readonly places: Readonly<Record<string, number>>;
}

/** With one shard, that is all of it. */
export function shardConfig(config: Config, shard: number): ShardConfig {
  const shards = new Map(config.gateways.map(({ id }) => [id, shardOf(id, config.shards)]));
  const own = config.gateways.filter(({ id }) => shards.get(id) === shard);
  const other = config.gateways.filter(({ id }) => shards.get(id) !== shard);
  const part = other.length === 0 ? config : { ...config, gateways: own };
  return { config: part, elsewhere: other, places: placesOf(config) };
}

/** What each shard has, in their order. */
export function shardParts(config: Config): readonly Config[] {
  if (config.shards === 1) return [config];
  const parts = Array.from({ length: config.shards }, (): GatewayConfig[] => []);
  for (const gateway of config.gateways) parts[shardOf(gateway.id, config.shards)]?.push(gateway);
  return Array.from(parts, (gateways) => ({ ...config, gateways }));
}

function placesOf({ gateways }: Config): ShardConfig["places"] {
  return Object.fromEntries(gateways.map(({ id }, place) => [id, place]));
}
