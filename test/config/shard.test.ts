import { expect, test } from "vitest";
import { shardConfig, shardParts } from "../../src/config/shard.ts";
import { planned } from "../plan/configs.ts";

test.each([1, 2, 7])("the parts of %i shards are what each shard by itself is told it has", (shards) => {
  const config = planned(40, { plan: "paid", shards });
  const parts = shardParts(config);
  expect(parts).toEqual(Array.from({ length: shards }, (_, shard) => shardConfig(config, shard).config));
  const ids = parts.flatMap(({ gateways }) => gateways.map(({ id }) => id));
  expect(ids.sort()).toEqual(config.gateways.map(({ id }) => id).sort());
});
