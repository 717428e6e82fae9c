import * as fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { calendarOf, DAY_MS, HOUR_MS, hourStart, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Sample } from "../../src/domain/sample.ts";
import { segmentKey } from "../../src/history/keys.ts";
import {
  POINTS_A_READ,
  readDays,
  readHours,
  readSamples,
  SEGMENTS_A_READ,
} from "../../src/history/series.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { publishHistory, rollups, sampleAt } from "./published-history.ts";
import { type StartedKv, startKv, watched } from "./real-kv.ts";

let world: StartedKv;
beforeAll(async () => {
  world = await startKv();
});
afterAll(() => world.dispose());
beforeEach(() => world.clear());

const ID = "acme/models";
const at = (text: string): number => Date.parse(text);

function every(stepMs: number, fromMs: number, toMs: number): Sample[] {
  const samples: Sample[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += stepMs)
    samples.push(sampleAt(atMs, { latencyMs: samples.length }));
  return samples;
}

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
  const { packSamples } = await import("../../src/history/segment.ts");
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
    { numRuns: 12 },
  );
});

async function allPages<Point>(
  read: (
    kv: StartedKv["kv"],
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

test("a named segment that is not there is a gap, not silence", async () => {
  const fromMs = at("2026-11-20T06:00:00Z");
  const samples = every(30 * MINUTE_MS, fromMs, fromMs + 3 * HOUR_MS);
  const publication = { monitorId: ID, samples, timeZone: "UTC" };
  const closedMs = fromMs + 3 * HOUR_MS;
  const tail = await publishHistory(world.kv, { ...publication, closedMs, settledMs: closedMs });
  await world.kv.delete(segmentKey(0, "hour", "2026-11-20T07"));
  const read = await readSamples(world.kv, tail, query(fromMs, closedMs));
  if (!read.ok) throw new Error(read.failure.kind);
  expect(read.value.points).toEqual(samples.filter((_, index) => index < 2 || index > 3));
  expect(read.value.gaps).toEqual([{ period: "2026-11-20T07", failure: { kind: "absent" } }]);
});

test("a segment that has not arrived everywhere is no gap while the snapshot holds the same", async () => {
  const fromMs = at("2026-11-20T06:00:00Z");
  const samples = every(30 * MINUTE_MS, fromMs, fromMs + 3 * HOUR_MS);
  const closedMs = fromMs + 3 * HOUR_MS;
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples,
    timeZone: "UTC",
    closedMs,
    settledMs: closedMs - 2 * HOUR_MS,
  });
  await world.kv.delete(segmentKey(0, "hour", "2026-11-20T07"));
  expect(await samplesOf(tail, fromMs, closedMs)).toEqual(samples);
});

test.each([
  ["text", "hello"],
  ["nothing", ""],
  ["bytes that are no gzip", new Uint8Array([1, 2, 3])],
])("a segment that holds %s is a gap that says so, and the rest is still told", async (_name, value) => {
  const fromMs = at("2026-11-20T06:00:00Z");
  const samples = every(30 * MINUTE_MS, fromMs, fromMs + 3 * HOUR_MS);
  const closedMs = fromMs + 3 * HOUR_MS;
  const publication = { monitorId: ID, samples, timeZone: "UTC", closedMs, settledMs: closedMs };
  const tail = await publishHistory(world.kv, publication);
  await world.kv.put(segmentKey(0, "hour", "2026-11-20T06"), value);
  const read = await readSamples(world.kv, tail, query(fromMs, closedMs));
  if (!read.ok) throw new Error(read.failure.kind);
  expect(read.value.points).toEqual(samples.slice(2));
  expect(read.value.gaps).toMatchObject([{ period: "2026-11-20T06", failure: { kind: "unreadable" } }]);
});

test("a KV that does not answer for one segment fails the whole: a part would be taken for all", async () => {
  const fromMs = at("2026-11-20T06:00:00Z");
  const samples = every(30 * MINUTE_MS, fromMs, fromMs + 3 * HOUR_MS);
  const closedMs = fromMs + 3 * HOUR_MS;
  const publication = { monitorId: ID, samples, timeZone: "UTC", closedMs, settledMs: closedMs };
  const tail = await publishHistory(world.kv, publication);
  const kv = watched(world.kv, [segmentKey(0, "hour", "2026-11-20T07")]);
  const read = await readSamples(kv, tail, query(fromMs, closedMs));
  expect(read).toMatchObject({ ok: false, failure: { kind: "outage" } });
});

test("damaged live samples are a failure, not an exception", async () => {
  const tail = await publishHistory(world.kv, {
    monitorId: ID,
    samples: [],
    timeZone: "UTC",
    closedMs: 0,
    settledMs: 0,
  });
  const broken = { ...tail, live: { ...tail.live, samples: { [ID]: new Uint8Array([0xc1]) } } };
  const read = await readSamples(
    world.kv,
    broken,
    query(at("2026-11-20T06:00:00Z"), at("2026-11-20T07:00:00Z")),
  );
  expect(read).toMatchObject({ ok: false, failure: { kind: "unreadable" } });
});

test("years that no calendar here knows are an empty answer", async () => {
  const publication = { monitorId: ID, samples: [], timeZone: "Asia/Shanghai", closedMs: 0, settledMs: 0 };
  const tail = await publishHistory(world.kv, publication);
  for (const read of [readSamples, readHours, readDays]) {
    const whole = await read(world.kv, tail, query(at("0001-01-01T00:00:00Z"), at("9999-12-31T23:59:59Z")));
    expect(whole).toMatchObject({ ok: true, value: { points: [], nextMs: null } });
    const past = await read(world.kv, tail, query(at("0001-01-01T00:00:00Z"), at("0002-01-01T00:00:00Z")));
    expect(past).toMatchObject({ ok: true, value: { points: [], nextMs: null } });
  }
});
