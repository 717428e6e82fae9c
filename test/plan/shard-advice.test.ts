import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { adviceWords, shardAdvice } from "../../src/plan/advice.ts";
import { listEvery, planned } from "./configs.ts";

function words(config: Config) {
  const advice = shardAdvice(config);
  return advice && adviceWords(advice, config);
}

test("five hundred monitors are what one Ledger carries", () => {
  const of = (gateways: number) => shardAdvice(planned(gateways, { plan: "paid" }, listEvery("1h")));
  expect(of(500)).toBeNull();
  expect(of(501)).toMatchObject({ monitors: 501, shards: 2 });
});

test("what is advised is enough: whoever follows it is told nothing more, and one shard less is not", () => {
  for (const gateways of [1200, 4000]) {
    const config = planned(gateways, { plan: "paid" });
    const { shards } = shardAdvice(config) ?? { shards: 0 };
    expect(shards).toBeGreaterThanOrEqual(gateways / 500);
    expect(shardAdvice({ ...config, shards })).toBeNull();
    expect(shardAdvice({ ...config, shards: shards - 1 })).toMatchObject({ shards });
  }
});

test("the free plan's queue carries two shards: where that is too few the paid one is named", () => {
  const one = { problem: expect.stringMatching(/^One Ledger carries \d+ monitors; with more than 500 its/) };
  expect(words(planned(600, {}, listEvery("1h")))).toMatchObject({ ...one, fix: "write shards: 2" });
  expect(words(planned(1400, {}, listEvery("2h")))?.fix).toMatch(/^write shards: [345] and plan: "paid"$/);
});

test("a gateway of many monitors is not split across shards: nothing is advised for its sake", () => {
  const many = Array.from({ length: 700 }, (_, index) => ({ kind: "models", id: `m${index}` }));
  expect(shardAdvice(planned(1, { plan: "paid" }, { monitors: many }))).toBeNull();
});

test("there are a hundred shards at most", () => {
  const config = planned(600, { plan: "paid", shards: 100 });
  expect(shardAdvice(config)).toBeNull();
});
