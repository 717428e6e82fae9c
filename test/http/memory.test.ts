/** What an isolate remembers of KV, and for how long: what a stranger asks again and again is read once. */
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { dayPeriod, segmentKey } from "../../src/history/keys.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { SnapshotMemory } from "../../src/http/published.ts";
import { every, publishHistory, writeIncidents } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { newestIncidents } from "./published-status.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

/** The requests of one isolate. */
function isolate(kv: KvReader): (path: string, atMs?: number) => Promise<number> {
  const memory = new SnapshotMemory();
  return async (path, atMs = NOW_MS) => (await world.ask(path, {}, { kv, memory, now: () => atMs })).status;
}

function segmentsIn(keys: readonly string[]): string[] {
  return keys.filter((key) => !key.endsWith("/snapshot"));
}

/** Those of the last minutes in the snapshot, and days before in segments. */
async function publishDays(days: number): Promise<string[]> {
  const periods = Array.from({ length: days }, (_, index) => dayPeriod(NOW_MS - (index + 1) * DAY_MS));
  for (const period of periods) await writeIncidents(world.kv, "day", period, []);
  const segments = { hour: [], day: periods.toReversed(), month: [] };
  await world.publish(statusDocument(), { incidents: newestIncidents(MINUTE_MS), segments });
  return periods;
}

test("incidents that never were cost no more reads than there are segments", async () => {
  await publishDays(20);
  const kv = watched(world.kv);
  const get = isolate(kv);
  for (let second = 10; second < 30; second += 1) {
    expect(await get(`/incidents/acme-models-20261101t0000${second}z`)).toBe(404);
    expect(await get(`/api/v1/incidents/acme-models-20261101t0000${second}z`)).toBe(404);
    expect(await get(`/api/v1/reports/acme-models-20261101t0000${second}z-1`)).toBe(404);
    expect(await get(`/api/v1/incidents?before=2026-11-20T00:00:${second}Z`)).toBe(200);
  }
  expect(segmentsIn(kv.keys)).toHaveLength(20);
});

test("a history that is asked for with ever new words is read once an hour", async () => {
  const samples = every(5 * MINUTE_MS, NOW_MS - 4 * HOUR_MS, NOW_MS);
  const closed = { closedMs: NOW_MS - HOUR_MS, settledMs: NOW_MS - HOUR_MS };
  const published = { monitorId: "acme/models", samples, timeZone: "UTC", ...closed };
  await world.publish(statusDocument(), await publishHistory(world.kv, published));
  const kv = watched(world.kv);
  const get = isolate(kv);
  const history = (more: string): string => `/api/v1/gateways/acme/monitors/models/history?step=probe${more}`;
  const readsAfter = async (more: string, atMs: number): Promise<number> => {
    expect(await get(history(more), atMs)).toBe(200);
    return segmentsIn(kv.keys).length;
  };
  expect(await readsAfter("", NOW_MS)).toBe(3);
  for (let second = 10; second < 30; second += 1)
    expect(await readsAfter(`&from=2026-11-20T00:00:${second}Z`, NOW_MS + second)).toBe(3);
  expect(await readsAfter("", NOW_MS + HOUR_MS - 1)).toBe(3);
  expect(await readsAfter("&to=2026-11-21T00:00:00Z", NOW_MS + HOUR_MS)).toBe(6);
});

test("what was not there, and what KV failed to answer, is asked for again at once", async () => {
  const [period = ""] = await publishDays(1);
  const key = segmentKey(0, "day", period);
  await world.kv.delete(key);
  const refused: string[] = [];
  const get = isolate(watched(world.kv, refused));
  const id = "/incidents/acme-models-20261119t000000z";
  expect(await get(id)).toBe(503);
  await writeIncidents(world.kv, "day", period, []);
  refused.push(key);
  expect(await get(id)).toBe(503);
  refused.pop();
  expect(await get(id)).toBe(404);
});

test("no more than 8 MB are kept, however many or small", async () => {
  const OPTIONS = { type: "arrayBuffer", cacheTtl: 3600 } as const;
  const kv = watched({
    getWithMetadata: (key) => Promise.resolve({ value: new ArrayBuffer(Number(key)), metadata: null }),
  });
  const reader = new SnapshotMemory().segmentsOf({ kv, now: () => NOW_MS });
  const sizes = [3_900_000, 3_900_001, 3_900_000, 3_900_002, 3_900_002, 3_900_000];
  for (const size of sizes) await reader.getWithMetadata(`${size}`, OPTIONS);
  expect(kv.keys.map(Number)).toEqual([3_900_000, 3_900_001, 3_900_002, 3_900_000]);
});

const publishTitle = (title: string) => world.publish(statusDocument({ title }));

/** One isolate, which is asked for the status. */
function statusOf() {
  const memory = new SnapshotMemory();
  return async (atMs = NOW_MS) => (await world.ask("/api/v1/status", {}, { memory, now: () => atMs })).json();
}

test("requests of the same two seconds share one read of KV", async () => {
  await publishTitle("first");
  const kv = watched(world.kv);
  const memory = new SnapshotMemory();
  for (const [path, atMs] of [
    ["/api/v1/status", 0],
    ["/", 500],
    ["/healthz", 1000],
    ["/api/v1/incidents", 1999],
  ] as const) {
    expect((await world.ask(path, {}, { kv, memory, now: () => NOW_MS + atMs })).status).toBe(200);
  }
  expect(kv.keys).toHaveLength(1);
});

test.each([
  ["two seconds later", 2000],
  ["after the clock was set back", -2000],
])("KV is asked anew %s", async (_, laterMs) => {
  const ask = statusOf();
  await publishTitle("first");
  expect(await ask()).toMatchObject({ title: "first" });
  await publishTitle("second");
  expect(await ask()).toMatchObject({ title: "first" });
  expect(await ask(NOW_MS + laterMs)).toMatchObject({ title: "second" });
});

describe("an answer that takes long to make", () => {
  const PATH = "/metrics";
  const ask = async (memory: SnapshotMemory, init: RequestInit = {}, version = "new", path = PATH) => {
    const answer = await world.ask(path, init, { memory, now: () => NOW_MS, version });
    return { answer, isKept: (await answer.text()).includes('version="old"') };
  };

  test("is given to all who ask the same while the snapshot is kept, with the same headers", async () => {
    await publishTitle("first");
    const memory = new SnapshotMemory();
    const first = await ask(memory, {}, "old");
    const again = await ask(memory);
    expect(again.isKept).toBe(true);
    expect([...again.answer.headers]).toEqual([...first.answer.headers]);
    const later = { memory, now: () => NOW_MS + 2000, version: "new" };
    expect(await (await world.ask(PATH, {}, later)).text()).toContain('version="new"');
  });

  test.each([
    ["another address", {}, `${PATH}?`],
    ["another form", { accept: "text/plain" }, PATH],
    ["another language", { "accept-language": "zh" }, PATH],
    ["a token", { authorization: "Bearer token" }, PATH],
    ["what they have already", { "if-none-match": '"old"' }, PATH],
  ])("is made anew for who asks with %s", async (_, headers, path) => {
    await publishTitle("first");
    const memory = new SnapshotMemory();
    await ask(memory, {}, "old");
    expect((await ask(memory, { headers }, "new", path)).isKept).toBe(false);
  });
});

test("a failure is not remembered", async () => {
  const ask = statusOf();
  expect(await ask()).toMatchObject({ status: 503 });
  await publishTitle("now it is there");
  expect(await ask()).toMatchObject({ title: "now it is there" });
});
