/** How all stands, and whether the monitoring itself is alive. */
import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import type { HealthAnswer } from "../../src/http/answers.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { watched } from "../history/real-kv.ts";
import { NOW_MS, monitorDocument, statusDocument } from "./documents.ts";
import { storeSnapshot, storedSnapshot, useWorld } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;
const LATEST_MS = 7 * MINUTE_MS;

async function get(nowMs = NOW_MS): Promise<Response> {
  return world.ask("/api/v1/status", {}, { now: () => nowMs });
}

test("the status is the published document byte for byte, without the tail behind it", async () => {
  const status = statusDocument({ title: "Zürich ✓" });
  await world.publish(status);
  const response = await get();
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(JSON.stringify(status));
});

test.each([
  ["three ticks and four minutes ago", { lastTickMs: NOW_MS - LATEST_MS }, false],
  ["longer ago", { lastTickMs: NOW_MS - LATEST_MS - 1 }, true],
  ["a little to come", { lastTickMs: NOW_MS + LATEST_MS }, false],
  ["far to come: what published it ran ahead", { lastTickMs: NOW_MS + LATEST_MS + MINUTE_MS }, true],
  ["never, and it was published just now", { lastTickMs: null, generatedMs: NOW_MS }, false],
  ["never, and it was published long ago", { lastTickMs: null, generatedMs: NOW_MS - LATEST_MS - 1 }, true],
])("where the last tick was %s, the document is judged so", async (_, facts, stale) => {
  await world.publish(statusDocument(), {}, { tickMs: MINUTE_MS, ...facts });
  expect(await (await get()).json()).toMatchObject({ stale, status: stale ? "unknown" : "up" });
});

test("a stale document calls nothing up or down, and keeps the last verdicts beside it", async () => {
  const down = monitorDocument({ id: "acme/chat", status: "down", lastStatus: "down" });
  const never = monitorDocument({ id: "acme/new", status: "unknown", lastStatus: null });
  const overdue = monitorDocument({ id: "acme/late", status: "unknown", lastStatus: "blocked" });
  const status = statusDocument({ status: "down" });
  const first = monitorDocument({ id: "acme/first", status: "down", lastStatus: null });
  const monitors = [monitorDocument(), down, never, overdue, first];
  await world.publish({ ...status, gateways: [{ ...status.gateways[0]!, monitors, status: "down" }] });
  const lasts = ["up", "down", null, "blocked", "down"];
  const told = monitors.map(({ id }, index) => ({ id, status: "unknown", lastStatus: lasts[index] }));
  expect(await (await get(NOW_MS + 60 * MINUTE_MS)).json()).toMatchObject({
    stale: true,
    status: "unknown",
    summary: { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 5 },
    gateways: [{ status: "unknown", monitors: told }],
  });
});

test("in the metrics maintenance begins when its time comes, without a new publication", async () => {
  const times = { from: "2026-11-20T12:01:00.000Z", to: "2026-11-20T13:00:00.000Z" };
  await world.publish(statusDocument({ maintenance: [{ gateways: [], ...times, title: "Move" }] }));
  const toldAt = async (nowMs: number) =>
    /^gatepulse_gateway_maintenance\{.*\} (\d)$/mu.exec(await world.text("/metrics", nowMs))?.[1];
  expect([await toldAt(NOW_MS), await toldAt(NOW_MS + MINUTE_MS)]).toEqual(["0", "1"]);
});

test("before the first publication it says when there will be one", async () => {
  const detail = "There is no result yet: the first check runs within a minute.";
  const told = { type: "about:blank", title: "Service unavailable", status: 503, detail };
  expect(await (await get()).json()).toEqual({ ...told, instance: "/api/v1/status" });
});

async function health(nowMs = NOW_MS, more: Partial<AppDeps> = {}): Promise<Response> {
  return world.ask("/healthz", {}, { ...more, now: () => nowMs });
}

test("while ticks come, the monitoring passes", async () => {
  await world.publish(statusDocument());
  const response = await health(NOW_MS + 42_000);
  expect(response.status).toBe(200);
  const [store, system] = ["datastore", "system"].map((componentType) => ({
    componentType,
    status: "pass",
    time: "2026-11-20T12:00:42.000Z",
  }));
  expect(await response.json()).toEqual({
    status: "pass",
    version: "1",
    description: "Gatepulse: the monitoring itself",
    checks: {
      "snapshot:read": [store],
      "ticks:age": [{ ...system, observedValue: 42, observedUnit: "s" }],
      "monitors:putOff": [{ ...system, observedValue: 0, observedUnit: "monitors" }],
      "ledger:quarantine": [{ ...store, observedValue: 0, observedUnit: "records" }],
    },
  });
});

test.each([
  [6 * MINUTE_MS, 200, "pass"],
  [6 * MINUTE_MS + 1, 200, "warn"],
  [7 * MINUTE_MS, 200, "warn"],
  [7 * MINUTE_MS + 1, 503, "fail"],
  [-7 * MINUTE_MS, 200, "pass"],
  [-7 * MINUTE_MS - 1, 503, "fail"],
])("%i ms after the last tick the answer is %i, %s", async (ageMs, code, verdict) => {
  await world.publish(statusDocument());
  const response = await health(NOW_MS + ageMs);
  expect(response.status).toBe(code);
  expect(await response.json()).toMatchObject({
    status: verdict,
    checks: { "ticks:age": [{ status: verdict }] },
  });
});

test("a last tick that is still to come is 0 seconds old, and a clock is said to be wrong", async () => {
  await world.publish(statusDocument());
  const output = "the last tick is in the future: a clock is wrong";
  expect(await (await health(NOW_MS - 7 * MINUTE_MS - 1)).json()).toMatchObject({
    checks: { "ticks:age": [{ observedValue: 0, output }] },
  });
});

test("where ticks stopped because newer code left newer data, the answer says what to do", async () => {
  await world.publish(statusDocument());
  const { bytes, metadata } = await storedSnapshot(world);
  await storeSnapshot(world, { bytes, metadata: Object.assign({}, metadata, { ledger: 3 }) });
  expect(await (await health()).json()).toMatchObject({ status: "pass" });
  const output = "the ledger holds data of version 3, and this code knows 2: deploy the newer version again";
  expect(await (await health(NOW_MS + 7 * MINUTE_MS + 1)).json()).toMatchObject({
    checks: { "ticks:age": [{ status: "fail", output }] },
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
  const outage = await health(NOW_MS, { kv: watched(world.kv, [snapshotKey(0)]) });
  await world.kv.put(snapshotKey(0), "damaged");
  const damaged = await health();
  await world.publish(statusDocument());
  const { bytes, metadata } = await storedSnapshot(world);
  // Behind its status, without which no page can be shown.
  const sizes = snapshotMetadataSchema().parse(metadata);
  const at = sizes.bytes + sizes.tail - 1;
  await storeSnapshot(world, { bytes: bytes.with(at, (bytes[at] ?? 0) ^ 1), metadata });
  const damagedBehind = await health();
  for (const response of [absent, outage, damaged, damagedBehind]) {
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/health+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const check = { status: "fail", ...(response === damagedBehind && { output: "not readable" }) };
    expect(await response.json()).toMatchObject({ status: "fail", checks: { "snapshot:read": [check] } });
  }
});

async function checkOf(name: string, nowMs: number, shards: number) {
  return ((await (await health(nowMs, { shards })).json()) as HealthAnswer).checks?.[name];
}

test("ticks of shards that were lost within a day are a warning, and those of before are none", async () => {
  await world.publish(statusDocument(), { lost: [{ shard: 1, tickMs: NOW_MS - 30 * MINUTE_MS }] });
  const check = { componentType: "system", observedUnit: "ticks within a day" };
  const output = "the last was that of shard 1 at 2026-11-20T11:30:00.000Z";
  const warned = { ...check, status: "warn", observedValue: 1, time: "2026-11-20T12:00:00.000Z", output };
  expect(await checkOf("ticks:lost", NOW_MS, 2)).toEqual([warned]);
  const nextDay = NOW_MS + 23.5 * 60 * MINUTE_MS;
  const before = await checkOf("ticks:lost", nextDay - 1000, 2);
  expect(before).toMatchObject([{ status: "warn", observedValue: 1 }]);
  const passed = { ...check, status: "pass", observedValue: 0, time: "2026-11-21T11:30:00.000Z" };
  expect(await checkOf("ticks:lost", nextDay, 2)).toEqual([passed]);
  // One shard has no queue that could lose any, but a further lane.
  expect(await checkOf("ticks:lost", NOW_MS, 1)).toBeUndefined();
  await world.publish(statusDocument(), { lost: [{ shard: 0, tickMs: NOW_MS - MINUTE_MS, lane: 2 }] });
  const lane = "the last was lane 2 of shard 0 at 2026-11-20T11:59:00.000Z";
  expect(await checkOf("ticks:lost", NOW_MS, 1)).toEqual([{ ...warned, output: lane }]);
});
