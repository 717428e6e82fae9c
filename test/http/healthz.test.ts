import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import type { HealthAnswer } from "../../src/http/answers.ts";
import { handleRequest } from "../../src/http/app.ts";
import { watched } from "../history/real-kv.ts";
import { depsOf, NOW_MS, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;

async function health(nowMs = NOW_MS, kv = depsOf(world.kv).kv): Promise<Response> {
  return handleRequest(new Request("https://status.example/healthz"), depsOf(kv, { now: () => nowMs }));
}

test("while ticks come, the monitoring passes", async () => {
  await world.publish(statusDocument());
  const response = await health(NOW_MS + 42_000);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/health+json");
  expect(response.headers.get("cloudflare-cdn-cache-control")).toBe("no-store");
  const time = "2026-11-20T12:00:42.000Z";
  expect(await response.json()).toEqual({
    status: "pass",
    version: "1",
    description: "Gatepulse: the monitoring itself",
    checks: {
      "snapshot:read": [{ componentType: "datastore", status: "pass", time }],
      "ticks:age": [{ componentType: "system", status: "pass", observedValue: 42, observedUnit: "s", time }],
      "monitors:putOff": [
        { componentType: "system", status: "pass", observedValue: 0, observedUnit: "monitors", time },
      ],
      "ledger:quarantine": [
        { componentType: "datastore", status: "pass", observedValue: 0, observedUnit: "records", time },
      ],
    },
  });
});

test("what it watches may be down: that is no failure of the monitoring", async () => {
  await world.publish(statusDocument({ status: "down" }));
  expect((await health()).status).toBe(200);
});

test.each([
  [6 * MINUTE_MS, 200, "pass"],
  [6 * MINUTE_MS + 1, 200, "warn"],
  [7 * MINUTE_MS, 200, "warn"],
  [7 * MINUTE_MS + 1, 503, "fail"],
])("%i ms after the last tick the answer is %i, %s", async (ageMs, code, verdict) => {
  await world.publish(statusDocument());
  const response = await health(NOW_MS + ageMs);
  expect(response.status).toBe(code);
  expect(await response.json()).toMatchObject({
    status: verdict,
    checks: { "ticks:age": [{ status: verdict }] },
  });
});

test.each([
  [7 * MINUTE_MS, 200, "pass", {}],
  [7 * MINUTE_MS + 1, 503, "fail", { output: "the last tick is still to come: a clock is wrong" }],
])("a last tick that is %i ms to come is answered with %i, %s", async (aheadMs, code, verdict, why) => {
  await world.publish(statusDocument());
  const response = await health(NOW_MS - aheadMs);
  expect(response.status).toBe(code);
  const { status, checks } = (await response.json()) as HealthAnswer;
  expect(status).toBe(verdict);
  expect(checks?.["ticks:age"]).toEqual([
    {
      componentType: "system",
      status: verdict,
      observedValue: 0,
      observedUnit: "s",
      time: new Date(NOW_MS - Math.ceil(aheadMs / 1000) * 1000).toISOString(),
      ...why,
    },
  ]);
});

test("ticks that stopped because a newer code left newer data are told with what to do", async () => {
  await world.publish(statusDocument());
  const { value, metadata } = await world.kv.getWithMetadata(snapshotKey(0), {
    type: "arrayBuffer",
    cacheTtl: 30,
  });
  const newer = Object.assign({}, metadata, { ledger: 3 });
  await world.kv.put(snapshotKey(0), new Uint8Array(value ?? new ArrayBuffer(0)), { metadata: newer });
  expect(await (await health()).json()).toMatchObject({ status: "pass" });
  expect(await (await health(NOW_MS + 7 * MINUTE_MS + 1)).json()).toMatchObject({
    checks: {
      "ticks:age": [
        {
          status: "fail",
          output: "the ledger holds data of version 3, and this code knows 2: deploy the newer version again",
        },
      ],
    },
  });
});

test("monitors that had to wait for the next tick are a warning", async () => {
  await world.publish(statusDocument({ putOff: 3 }));
  const response = await health();
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: "warn",
    checks: { "monitors:putOff": [{ observedValue: 3, status: "warn" }] },
  });
});

test("before the first publication, without KV, and over a damaged snapshot it fails, and nobody keeps that", async () => {
  const absent = await health();
  const outage = await health(NOW_MS, watched(world.kv, [snapshotKey(0)]));
  await world.kv.put(snapshotKey(0), "damaged");
  const damaged = await health();
  for (const response of [absent, outage, damaged]) {
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/health+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      status: "fail",
      checks: { "snapshot:read": [{ status: "fail" }] },
    });
  }
});

test("a snapshot that is damaged behind its status, without which no page can be shown, fails", async () => {
  await world.publish(statusDocument());
  const { value, metadata } = await world.kv.getWithMetadata(snapshotKey(0), {
    type: "arrayBuffer",
    cacheTtl: 30,
  });
  const bytes = new Uint8Array(value ?? new ArrayBuffer());
  await world.kv.put(snapshotKey(0), bytes.with(bytes.length - 1, (bytes.at(-1) ?? 0) ^ 1), { metadata });
  const response = await health();
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: "fail",
    checks: { "snapshot:read": [{ status: "fail", output: "not readable" }] },
  });
});

test("ticks of shards that were lost within a day are a warning, and those of before are none", async () => {
  await world.publish(statusDocument(), { lost: [{ shard: 1, tickMs: NOW_MS - 30 * MINUTE_MS }] });
  const lostAt = async (nowMs: number, shards: number) => {
    const deps = depsOf(world.kv, { now: () => nowMs, shards });
    const answer = await handleRequest(new Request("https://status.example/healthz"), deps);
    return ((await answer.json()) as HealthAnswer).checks?.["ticks:lost"];
  };
  const check = { componentType: "system", observedUnit: "ticks within a day" };
  const output = "the last was that of shard 1 at 2026-11-20T11:30:00.000Z";
  const time = "2026-11-20T12:00:00.000Z";
  expect(await lostAt(NOW_MS, 2)).toEqual([{ ...check, status: "warn", observedValue: 1, time, output }]);
  const nextDay = NOW_MS + 23.5 * 60 * MINUTE_MS;
  expect(await lostAt(nextDay - 1000, 2)).toMatchObject([{ status: "warn", observedValue: 1 }]);
  expect(await lostAt(nextDay, 2)).toEqual([
    { ...check, status: "pass", observedValue: 0, time: "2026-11-21T11:30:00.000Z" },
  ]);
  // One shard has no queue that could lose any.
  expect(await lostAt(NOW_MS, 1)).toBeUndefined();
});

test("gateways that are checked without their history are a warning", async () => {
  const checkOf = async (unheard: readonly string[]) => {
    await world.publish(statusDocument(), { unheard });
    const deps = depsOf(world.kv, { now: () => NOW_MS, shards: 2 });
    const answer = await handleRequest(new Request("https://status.example/healthz"), deps);
    return ((await answer.json()) as HealthAnswer).checks?.["gateways:unheard"];
  };
  const check = { componentType: "datastore", observedUnit: "gateways", time: "2026-11-20T12:00:00.000Z" };
  const output = "checked without their history: the Ledger of a shard that may have it does not answer";
  expect(await checkOf(["acme"])).toEqual([{ ...check, status: "warn", observedValue: 1, output }]);
});

test("and where all have theirs it is well", async () => {
  await world.publish(statusDocument(), { unheard: [] });
  const deps = depsOf(world.kv, { now: () => NOW_MS, shards: 2 });
  const answer = await handleRequest(new Request("https://status.example/healthz"), deps);
  const { checks } = (await answer.json()) as HealthAnswer;
  expect(checks?.["gateways:unheard"]).toMatchObject([{ status: "pass", observedValue: 0 }]);
});
