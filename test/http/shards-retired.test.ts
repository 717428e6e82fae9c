/** What readers are told of gateways that moved, and of shards that are used no more. */
import { expect, test } from "vitest";
import { HOUR_MS, instant } from "../../src/domain/calendar.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { HealthAnswer, MonitorAnswer } from "../../src/http/answers.ts";
import { sampleAt } from "../history/published-history.ts";
import { NOW_MS } from "./published-status.ts";
import { documentOf, GATEWAYS, LONG_AGO_MS, MINUTE_MS, published, useShards } from "./shard-world.ts";

const world = useShards();

test("what a shard that is not used any more has, and nobody took over, is shown as unknown until somebody does", async () => {
  const { status, tail } = published(["acme", "gamma"]);
  await world.publishShard(0, status, tail, { shards: 3 });
  const left = published(["beta"]);
  await world.publishShard(2, left.status, left.tail, { lastTickMs: LONG_AGO_MS, generatedMs: LONG_AGO_MS });
  const first = await world.json<StatusDocument>("/api/v1/status", 1);
  expect(first.gateways.map(({ id, status: health }) => [id, health])).toEqual([
    ["acme", "up"],
    ["beta", "unknown"],
    ["gamma", "up"],
  ]);
  const all = published(GATEWAYS);
  await world.publishShard(0, all.status, all.tail, { shards: 3, sequence: 2 });
  const then = await world.json<StatusDocument>("/api/v1/status", 1);
  expect([then.stale, then.status, then.gateways.length]).toEqual([false, "up", 3]);
});

test("a shard that is not used any more and cannot be read is missing only while it may have a gateway", async () => {
  const { status, tail } = published(["acme", "gamma"]);
  await world.publishShard(0, status, tail, { shards: 3 });
  await world.kv.put(snapshotKey(2), "damaged");
  const first = await world.json<StatusDocument>("/api/v1/status", 1);
  expect([first.status, first.gaps]).toEqual(["unknown", [{ shard: 2, reason: "unreadable" }]]);
  expect((await world.get("/healthz", 1)).status).toBe(503);
  const all = published(GATEWAYS);
  await world.publishShard(0, all.status, all.tail, { shards: 3, sequence: 2 });
  const then = await world.json<StatusDocument>("/api/v1/status", 1);
  expect([then.status, then.gaps, then.gateways.length]).toEqual(["up", undefined, 3]);
  // What is over may be in it alone.
  expect((await world.get("/incidents/old-models-20261120t070000z", 1)).status).toBe(503);
  const health = await world.json<HealthAnswer>("/healthz", 1);
  expect([health.status, health.checks?.["snapshot:read"]?.at(-1)]).toMatchObject([
    "warn",
    { componentId: "shard-2", status: "warn", output: "not readable" },
  ]);
});

test("a gateway that moved has its newest probes from where it is", async () => {
  await world.publishThree();
  const old = published(["beta"]);
  const samples = { "beta/models": packSamples([sampleAt(NOW_MS - HOUR_MS)]) };
  const giver = { ...published(["gamma"]).tail, live: { samples, hours: {}, days: {} } };
  await world.publishShard(0, { ...old.status, gateways: [documentOf("gamma"), documentOf("beta")] }, giver);
  const monitor = await world.json<MonitorAnswer>("/api/v1/gateways/beta/monitors/models");
  expect(monitor.recent.map(({ at }) => at)).toEqual([instant(NOW_MS - MINUTE_MS)]);
});
