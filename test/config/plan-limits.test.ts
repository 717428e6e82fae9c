import { expect, test } from "vitest";
import { requestsForProbes } from "../../src/config/plan-limits.ts";
import { configOf, faultsOf } from "./parsed.ts";

test("a heartbeat takes one of the requests that an invocation may send", () => {
  expect(requestsForProbes({ plan: "free", heartbeat: null })).toBe(50);
  expect(requestsForProbes({ plan: "free", heartbeat: "HEARTBEAT_URL" })).toBe(49);
  expect(requestsForProbes({ plan: "paid", heartbeat: "HEARTBEAT_URL" })).toBe(9999);
});

const of = (more: object) => ({ title: "T", gateways: [], ...more });

test("more probes a tick than the heartbeat leaves room for are refused", () => {
  expect(faultsOf(of({ maxProbesPerTick: 50 }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 49, heartbeat: "BEAT_URL" }))).toEqual([]);
  expect(faultsOf(of({ maxProbesPerTick: 50, heartbeat: "BEAT_URL" }))).toEqual([
    'maxProbesPerTick: is more than the 50 requests that an invocation of the free plan may send, the heartbeat being one; write at most 49, or plan: "paid"',
  ]);
});

test("the queue of the free plan carries two shards, that of the paid one a hundred", () => {
  expect(configOf(of({})).shards).toBe(1);
  expect(configOf(of({ shards: 2 })).shards).toBe(2);
  expect(configOf(of({ shards: 100, plan: "paid" })).shards).toBe(100);
  expect(faultsOf(of({ shards: 3 }))).toEqual([
    'shards: is more than the queue of the free plan carries: each shard is a message a minute; write at most 2, or plan: "paid"',
  ]);
});

test.each([0, -1, 1.5, 101, "2", null])("shards are a whole number from 1 to 100, not %j", (shards) => {
  expect(faultsOf(of({ plan: "paid", shards }))).toEqual([
    expect.stringMatching(/^shards: .*; write a whole number from 1 to 100, without quotes$/),
  ]);
});
