/** What an isolate remembers of segments: what a stranger asks again and again is read from KV once. */
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { dayPeriod, segmentKey } from "../../src/history/keys.ts";
import type { KvReader } from "../../src/history/reader.ts";
import { handleRequest } from "../../src/http/app.ts";
import { SegmentMemory, SnapshotMemory } from "../../src/http/cache.ts";
import { every, publishHistory, writeIncidents } from "../history/published-history.ts";
import { watched } from "../history/real-kv.ts";
import { newestIncidents } from "./archive.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();

/** The requests of one isolate. */
function isolate(kv: KvReader): (path: string, atMs?: number) => Promise<number> {
  const memory = new SnapshotMemory();
  return async (path, atMs = NOW_MS) => {
    const deps = depsOf(kv, { memory, now: () => atMs });
    return (await handleRequest(new Request(`https://status.example${path}`), deps)).status;
  };
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
  expect(await readsAfter("", NOW_MS + HOUR_MS)).toBe(6);
});

test("a segment that is not there is asked for again in a minute", async () => {
  const [period = ""] = await publishDays(1);
  await world.kv.delete(segmentKey(0, "day", period));
  const kv = watched(world.kv);
  const get = isolate(kv);
  const id = "/incidents/acme-models-20261119t000000z";
  for (const [atMs, status, reads] of [
    [NOW_MS, 503, 1],
    [NOW_MS + MINUTE_MS - 1, 503, 1],
    [NOW_MS + MINUTE_MS, 503, 2],
  ]) {
    expect(await get(id, atMs)).toBe(status);
    expect(segmentsIn(kv.keys)).toHaveLength(reads ?? 0);
  }
  await writeIncidents(world.kv, "day", period, []);
  expect(await get(id, NOW_MS + 2 * MINUTE_MS)).toBe(404);
});

test("what KV failed to answer is asked for again at once", async () => {
  const [period = ""] = await publishDays(1);
  const refused = [segmentKey(0, "day", period)];
  const get = isolate(watched(world.kv, refused));
  expect(await get("/incidents/acme-models-20261119t000000z")).toBe(503);
  refused.pop();
  expect(await get("/incidents/acme-models-20261119t000000z")).toBe(404);
});

const OPTIONS = { type: "arrayBuffer", cacheTtl: 3600 } as const;

/** @param bytesOf so many has a key. */
function remembering(bytesOf: (key: string) => number): {
  get: (key: string) => Promise<unknown>;
  keys: string[];
} {
  const kv = watched({
    getWithMetadata: (key) => Promise.resolve({ value: new ArrayBuffer(bytesOf(key)), metadata: null }),
  });
  const reader = new SegmentMemory().over(kv, () => NOW_MS);
  return { get: (key) => reader.getWithMetadata(key, OPTIONS), keys: kv.keys };
}

test("no more than 8 MB are kept: what was asked for longest ago makes room", async () => {
  const { get, keys } = remembering(() => 4_000_000);
  for (const key of ["a", "b", "a", "c", "a", "c", "b"]) await get(key);
  expect(keys).toEqual(["a", "b", "c", "b"]);
});

test("no more than 500 are kept, however small", async () => {
  const { get, keys } = remembering(() => 0);
  for (let index = 0; index <= 500; index += 1) await get(`${index}`);
  await get("1");
  expect(keys).toHaveLength(501);
  await get("0");
  expect(keys).toHaveLength(502);
});
