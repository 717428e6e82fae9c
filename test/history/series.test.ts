import * as fc from "fast-check";
import { expect, test } from "vitest";
import { calendarOf, DAY_MS, HOUR_MS, hourStart, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Sample } from "../../src/domain/sample.ts";
import {
  POINTS_A_READ,
  readDays,
  readHours,
  readSamples,
  SEGMENTS_A_READ,
} from "../../src/history/series.ts";
import { packSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { rounds } from "../extent.ts";
import { every, publishHistory, rollups, sampleAt } from "./published-history.ts";
import { type RealKv, useKv, watched } from "./real-kv.ts";

const world = useKv();

const ID = "acme/models";
const at = (text: string): number => Date.parse(text);

function query(fromMs: number, toMs: number) {
  return { shard: 0, monitorId: ID, fromMs, toMs };
}

async function samplesOf(tail: SnapshotTail, fromMs: number, toMs: number): Promise<readonly Sample[]> {
  const read = await readSamples(world.kv, tail, query(fromMs, toMs));
  if (!read.ok) throw new Error(read.failure.kind);
  expect(read.value.gaps).toEqual([]);
  expect(read.value.nextMs).toBeNull();
  return read.value.points;
}

test("segments and the live part are one series, without the samples that both hold twice", async () => {
  const samples = every(10 * MINUTE_MS, at("2026-11-20T06:00:00Z"), at("2026-11-20T12:00:00Z"));
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: at("2026-11-20T11:00:00Z"),
    settledMs: at("2026-11-20T09:00:00Z"),
  });
  const read = await samplesOf(tail, at("2026-11-20T00:00:00Z"), at("2026-11-20T12:00:00Z"));
  expect(read).toEqual(samples);
});

test("the range includes its first instant and not its last", async () => {
  const samples = every(HOUR_MS, at("2026-11-20T06:00:00Z"), at("2026-11-20T12:00:00Z"));
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: at("2026-11-20T12:00:00Z"),
    settledMs: at("2026-11-20T12:00:00Z"),
  });
  const read = await samplesOf(tail, at("2026-11-20T07:00:00Z"), at("2026-11-20T09:00:00Z"));
  expect(read.map(({ atMs }) => atMs)).toEqual([at("2026-11-20T07:00:00Z"), at("2026-11-20T08:00:00Z")]);
  expect(await samplesOf(tail, at("2026-11-20T07:00:00Z"), at("2026-11-20T07:00:00Z"))).toEqual([]);
});

test("only keys that the snapshot names are read, and none that the live part makes needless", async () => {
  const samples = every(10 * MINUTE_MS, at("2026-11-20T06:00:00Z"), at("2026-11-20T12:00:00Z"));
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: at("2026-11-20T11:00:00Z"),
    settledMs: at("2026-11-20T09:00:00Z"),
  });
  const kv = watched(world.kv);
  await readSamples(kv, tail, query(at("2026-11-20T00:00:00Z"), at("2026-11-20T12:00:00Z")));
  expect(kv.keys).toEqual([
    "v1/0/hour/2026-11-20T06",
    "v1/0/hour/2026-11-20T07",
    "v1/0/hour/2026-11-20T08",
    "v1/0/hour/2026-11-20T09",
  ]);
});

test("the hour in which the live part begins may have begun before it: its segment is read too", async () => {
  const samples = every(10 * MINUTE_MS, at("2026-11-20T08:00:00Z"), at("2026-11-20T10:00:00Z"));
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: at("2026-11-20T10:00:00Z"),
    settledMs: at("2026-11-20T09:00:00Z"),
  });
  const late = samples.filter(({ atMs }) => atMs >= at("2026-11-20T09:30:00Z"));
  const cutTail = { ...tail, live: { ...tail.live, samples: { [ID]: packSamples(late) } } };
  expect(await samplesOf(cutTail, at("2026-11-20T08:00:00Z"), at("2026-11-20T10:00:00Z"))).toEqual(samples);
});

const zones = ["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"];

test.each(zones)("pages put together are the whole series, in %s, for every step", async (timeZone) => {
  const calendar = calendarOf(timeZone);
  const startMs = at("2026-09-29T17:00:00Z");
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 40 * 24 * 60 }), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 0, max: 40 * 24 }),
      fc.integer({ min: 0, max: 5 }),
      fc.tuple(fc.integer({ min: -24, max: 41 * 24 }), fc.integer({ min: 0, max: 42 * 24 })),
      async (minutes, closedHour, unsettledHours, [fromHour, lengthHours]) => {
        await world.clear();
        const samples = minutes
          .sort((a, b) => a - b)
          .map((minute) => sampleAt(startMs + minute * MINUTE_MS, { latencyMs: minute }));
        const closedMs = startMs + closedHour * HOUR_MS;
        const tail = await publishHistory(world.kv, {
          monitorId: ID,
          samples,
          timeZone,
          closedMs,
          settledMs: closedMs - unsettledHours * HOUR_MS,
        });
        const fromMs = startMs + fromHour * HOUR_MS;
        const toMs = fromMs + lengthHours * HOUR_MS;
        const inRange = (ms: number): boolean => ms >= fromMs && ms < toMs;
        expect(await allPages(readSamples, tail, fromMs, toMs)).toEqual(
          samples.filter(({ atMs }) => inRange(atMs)),
        );
        expect(await allPages(readHours, tail, fromMs, toMs)).toEqual(
          rollups(samples, ({ atMs }) => hourStart(atMs)).filter((of) => inRange(of.fromMs)),
        );
        expect(await allPages(readDays, tail, fromMs, toMs)).toEqual(
          rollups(samples, ({ atMs }) => calendar.startOfDay(calendar.dayOf(atMs))).filter((of) =>
            inRange(of.fromMs),
          ),
        );
      },
    ),
    { numRuns: rounds(3, 12) },
  );
});

async function allPages<Point>(
  read: (
    kv: RealKv,
    tail: SnapshotTail,
    of: ReturnType<typeof query>,
  ) => ReturnType<typeof readSamples> | ReturnType<typeof readDays>,
  tail: SnapshotTail,
  fromMs: number,
  toMs: number,
): Promise<Point[]> {
  const points: Point[] = [];
  let nextMs: number | null = fromMs;
  for (let pages = 0; nextMs !== null; pages += 1) {
    expect(pages).toBeLessThan(100);
    const page = await read(world.kv, tail, query(nextMs, toMs));
    if (!page.ok) throw new Error(page.failure.kind);
    expect(page.value.gaps).toEqual([]);
    points.push(...(page.value.points as Point[]));
    if (page.value.nextMs !== null) expect(page.value.nextMs).toBeGreaterThan(nextMs);
    nextMs = page.value.nextMs;
  }
  return points;
}

test("a long range is answered in parts: so many segments a read, and then where the rest begins", async () => {
  const fromMs = at("2026-11-18T00:00:00Z");
  const samples = every(30 * MINUTE_MS, fromMs, fromMs + 2 * DAY_MS);
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: fromMs + 2 * DAY_MS,
    settledMs: fromMs + 2 * DAY_MS,
  });
  const kv = watched(world.kv);
  const read = await readSamples(kv, tail, query(fromMs, fromMs + 2 * DAY_MS));
  expect(kv.keys).toHaveLength(SEGMENTS_A_READ);
  expect(read).toMatchObject({ ok: true, value: { nextMs: fromMs + SEGMENTS_A_READ * HOUR_MS } });
});

test("many points are answered in parts, and none is lost or told twice where they are cut", async () => {
  const fromMs = at("2026-11-20T00:00:00Z");
  const samples = every(10_000, fromMs, fromMs + 6 * HOUR_MS);
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs: fromMs + 5 * HOUR_MS,
    settledMs: fromMs + 4 * HOUR_MS,
  });
  const first = await readSamples(world.kv, tail, query(fromMs, fromMs + DAY_MS));
  expect(first).toMatchObject({ ok: true, value: { nextMs: fromMs + POINTS_A_READ * 10_000 } });
  expect(await allPages(readSamples, tail, fromMs, fromMs + DAY_MS)).toEqual(samples);
});

test("a day of the zone that has 25 hours is one point, at its own start", async () => {
  const zone = "America/New_York";
  const samples = every(HOUR_MS, at("2026-10-31T04:00:00Z"), at("2026-11-03T05:00:00Z"));
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: zone,
    closedMs: at("2026-11-03T05:00:00Z"),
    settledMs: at("2026-11-03T05:00:00Z"),
  });
  const read = await readDays(world.kv, tail, query(at("2026-10-31T04:00:00Z"), at("2026-11-03T05:00:00Z")));
  if (!read.ok) throw new Error(read.failure.kind);
  expect(read.value.points.map(({ fromMs, counts }) => [new Date(fromMs).toISOString(), counts.up])).toEqual([
    ["2026-10-31T04:00:00.000Z", 24],
    ["2026-11-01T04:00:00.000Z", 25],
    ["2026-11-02T05:00:00.000Z", 24],
  ]);
});
