import { expect, test } from "vitest";
import { parseConfig, type ParsedConfig } from "../../src/config/load.ts";
import { requestsForProbes } from "../../src/config/plan-limits.ts";

test("a heartbeat takes one of the requests that an invocation may send", () => {
  expect(requestsForProbes({ plan: "free", heartbeat: null })).toBe(50);
  expect(requestsForProbes({ plan: "free", heartbeat: "HEARTBEAT_URL" })).toBe(49);
  expect(requestsForProbes({ plan: "paid", heartbeat: "HEARTBEAT_URL" })).toBe(9999);
});

test("more probes a tick than the heartbeat leaves room for are refused", () => {
  const of = (maxProbesPerTick: number, more: object) =>
    parseConfig({ title: "T", gateways: [], maxProbesPerTick, ...more });
  expect(of(50, {}).ok).toBe(true);
  expect(of(49, { heartbeat: "BEAT_URL" }).ok).toBe(true);
  expect(of(50, { heartbeat: "BEAT_URL" })).toEqual({
    ok: false,
    faults: [
      {
        path: "maxProbesPerTick",
        problem:
          "is more than the 50 requests that an invocation of the free plan may send, the heartbeat being one",
        mend: 'write at most 49, or plan: "paid"',
      },
    ],
  });
});

test("the queue of the free plan carries two shards, that of the paid one a hundred", () => {
  const of = (shards: unknown, more: object = {}) =>
    parseConfig({ title: "T", gateways: [], shards, ...more });
  const shardsOf = (parsed: ParsedConfig) => (parsed.ok ? parsed.config.shards : parsed.faults);
  expect(shardsOf(of(undefined))).toBe(1);
  expect(shardsOf(of(2))).toBe(2);
  expect(shardsOf(of(100, { plan: "paid" }))).toBe(100);
  expect(shardsOf(of(3))).toEqual([
    {
      path: "shards",
      problem: "is more than the queue of the free plan carries: each shard is a message a minute",
      mend: 'write at most 2, or plan: "paid"',
    },
  ]);
});

test("shards are a whole number from 1 to 100", () => {
  for (const shards of [0, -1, 1.5, 101, "2", null]) {
    const parsed = parseConfig({ title: "T", gateways: [], plan: "paid", shards });
    expect(parsed.ok ? [] : parsed.faults.map(({ path, mend }) => [path, mend])).toEqual([
      ["shards", "write a whole number from 1 to 100, without quotes"],
    ]);
  }
});
