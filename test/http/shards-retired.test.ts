/** What readers are told of gateways that moved, of shards that are used no more, and of one that never came. */
import { beforeEach, describe, expect, test } from "vitest";
import { HOUR_MS, instant } from "../../src/domain/calendar.ts";
import type { StatusDocument } from "../../src/history/documents.ts";
import { snapshotKey } from "../../src/history/keys.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { HealthAnswer, MonitorAnswer } from "../../src/http/answers.ts";
import { SnapshotMemory } from "../../src/http/snapshot-memory.ts";
import { sampleAt } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { textOf } from "./html.ts";
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

test("where a shard never came, what it was to take over is unknown, and the page, metrics and /healthz say so", async () => {
  const { status, tail } = published(["gamma"]);
  const beta = documentOf("beta");
  const lastProbe = { at: instant(LONG_AGO_MS), latencyMs: 1, attempts: 1, waitedMs: 0 };
  const [monitor] = beta.monitors;
  const unknown = { status: "unknown" as const };
  const left = {
    ...beta,
    ...unknown,
    monitors: monitor === undefined ? [] : [{ ...monitor, ...unknown, lastProbe }],
  };
  await world.publishShard(0, { ...status, gateways: [...status.gateways, left] }, tail);
  const acme = published(["acme"]);
  await world.publishShard(1, acme.status, acme.tail);
  const shown = await world.json<StatusDocument>("/api/v1/status");
  expect([shown.status, shown.stale, shown.gaps]).toEqual(["unknown", true, undefined]);
  expect(shown.gateways.map(({ id, stale }) => [id, stale])).toEqual([
    ["acme", false],
    ["beta", true],
    ["gamma", false],
  ]);
  expect(textOf(await (await world.get("/", 3)).text())).toContain("The checks of 1 gateway have stopped");
  expect(await (await world.get("/metrics", 3)).text()).toContain("\ngatepulse_late_shards 1\n");
  const health = await world.get("/healthz", 3);
  expect(health.status).toBe(503);
  const { checks } = (await health.json()) as HealthAnswer;
  expect(checks?.["ticks:age"]).toMatchObject([
    { componentId: "shard-0", status: "pass" },
    { componentId: "shard-1", status: "pass" },
    { componentId: "shard-2", status: "fail", output: expect.stringContaining("no tick of it ever came") },
  ]);
});

test("with one shard left, gateways that came without their history and lost ticks are told as with several", async () => {
  const { status, tail } = published(GATEWAYS);
  const lost = [{ shard: 1, tickMs: NOW_MS - HOUR_MS }];
  await world.publishShard(0, status, { ...tail, unheard: ["beta"], lost }, { shards: 3 });
  await world.publishShard(1, published([]).status);
  const { checks } = await world.json<HealthAnswer>("/healthz", 1);
  expect(checks?.["gateways:unheard"]).toMatchObject([{ status: "warn", observedValue: 1 }]);
  expect(checks?.["ticks:lost"]).toMatchObject([{ status: "warn", observedValue: 1 }]);
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

describe("shards that are used no more and whose history is kept", () => {
  const PATHS = ["/", "/api/v1/status", "/metrics", "/incidents", "/healthz"];
  const SECOND_MS = 1000;

  /** The keys that one isolate reads at each of these times, when all these paths are asked for. */
  async function keysAt(timesMs: readonly number[], refused: readonly string[] = []) {
    const memory = new SnapshotMemory();
    const read: (readonly string[])[] = [];
    for (const atMs of timesMs) {
      const kv = watched(world.kv, refused);
      for (const path of PATHS) await (await world.get(path, 1, { kv, memory, nowMs: NOW_MS + atMs })).text();
      read.push(kv.keys);
    }
    return read;
  }

  beforeEach(async () => {
    const { status, tail } = published(GATEWAYS);
    await world.publishShard(0, status, tail, { shards: 3 });
    for (const shard of [1, 2]) await world.publishShard(shard, published([]).status);
  });

  test("are read once a minute, and the one that is used every two seconds, whatever is asked for", async () => {
    const [first, second, third] = [0, 1, 2].map(snapshotKey);
    const times = [0, 1, 2, 4, 58, 60, 61, 62].map((seconds) => seconds * SECOND_MS);
    expect(await keysAt(times)).toEqual([
      [first, second, third],
      [],
      [first],
      [first],
      [first],
      [first, second, third],
      [],
      [first],
    ]);
  });

  test("are asked for again where they could not be read", async () => {
    const [first, second, third] = [0, 1, 2].map(snapshotKey);
    expect(await keysAt([0, 2 * SECOND_MS], [snapshotKey(2)])).toEqual([
      [first, second, third],
      [first, third],
    ]);
  });

  test("are read anew where the clock was set back", async () => {
    expect(await keysAt([0, -SECOND_MS])).toMatchObject([{ length: 3 }, { length: 3 }]);
  });

  test("are shown as they are within a minute of what they published", async () => {
    const memory = new SnapshotMemory();
    const shown = async (atMs: number) => {
      const status = await world.json<StatusDocument>("/api/v1/status", 1, { memory, nowMs: NOW_MS + atMs });
      return status.gateways.map(({ id, name }) => `${id} ${name}`);
    };
    const { status, tail } = published(["acme", "gamma"]);
    await world.publishShard(0, status, tail, { shards: 3, sequence: 2 });
    await world.publishShard(2, published(["beta"]).status, published(["beta"]).tail);
    expect(await shown(0)).toEqual(["acme acme", "beta beta", "gamma gamma"]);
    const left = published(["beta"]);
    const gateways = left.status.gateways.map((gateway) => ({ ...gateway, name: "Renamed" }));
    await world.publishShard(2, { ...left.status, gateways }, left.tail, { sequence: 2 });
    expect(await shown(MINUTE_MS)).toEqual(["acme acme", "beta Renamed", "gamma gamma"]);
  });
});
