import { expect, test } from "vitest";
import { shardOf } from "../../src/domain/dealing.ts";

const IDS = Array.from({ length: 10_000 }, (_, index) => `gateway-${index}`);

function dealt(shards: number): readonly number[] {
  return IDS.map((id) => shardOf(id, shards));
}

test("one shard has every gateway", () => {
  expect(new Set(dealt(1))).toEqual(new Set([0]));
});

test("a gateway's shard is the same in every version of this program", () => {
  const shardsOf = (id: string): readonly number[] => [1, 2, 4, 16, 100].map((shards) => shardOf(id, shards));
  expect(shardsOf("acme")).toEqual([0, 1, 1, 11, 72]);
  expect(shardsOf("beta")).toEqual([0, 0, 2, 12, 96]);
  expect(shardsOf("gamma")).toEqual([0, 0, 2, 2, 91]);
});

test.each([2, 4, 16, 100])(
  "%i shards have as many gateways each, give or take what chance gives",
  (shards) => {
    const counts = Map.groupBy(dealt(shards), (shard) => shard);
    const fair = IDS.length / shards;
    const sizes = Array.from({ length: shards }, (_, shard) => counts.get(shard)?.length ?? 0);
    // Five standard deviations of a fair deal.
    const most = 5 * Math.sqrt(fair);
    expect(sizes.filter((size) => Math.abs(size - fair) > most)).toEqual([]);
  },
);

test.each([1, 2, 7, 15, 99])(
  "one shard more than %i takes its gateways from all others, and moves no other one",
  (shards) => {
    const before = dealt(shards);
    const after = dealt(shards + 1);
    const moved = after.filter((shard, index) => shard !== before[index]);
    expect(new Set(moved)).toEqual(new Set([shards]));
    expect(moved.length / IDS.length).toBeLessThan(1.5 / (shards + 1));
  },
);
