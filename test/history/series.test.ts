import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendarOf, DAY_MS, HOUR_MS, hourStart, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Rollup } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { compress } from "../../src/history/packing.ts";
import {
  POINTS_A_READ,
  readDays,
  readHours,
  readSamples,
  SEGMENTS_A_READ,
} from "../../src/history/series.ts";
import { packSamples, packSegment } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { rounds } from "../extent.ts";
import {
  emptyTail,
  every,
  known,
  pagesOf,
  publishHistory,
  type Reader,
  rollups,
  sampleAt,
} from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const ID = "acme/models";
const FORMERLY = ["acme/list", "old/models"] as const;
const at = (text: string): number => Date.parse(text);

const allPages = <Point>(read: Reader<Point>, tail: SnapshotTail, fromMs: number, toMs: number) =>
  pagesOf(world.kv, read, tail, query(fromMs, toMs));

function query(fromMs: number, toMs: number) {
  return { shard: 0, monitorId: ID, fromMs, toMs };
}

function publish(samples: readonly Sample[], closedMs: number, settledMs = closedMs, timeZone = "UTC") {
  return publishHistory(world.kv, { monitorId: ID, samples, timeZone, closedMs, settledMs });
}

async function samplesOf(tail: SnapshotTail, fromMs: number, toMs: number): Promise<readonly Sample[]> {
  const { points, gaps, nextMs } = known(await readSamples(world.kv, tail, query(fromMs, toMs)));
  expect([gaps, nextMs]).toEqual([[], null]);
  return points;
}

const HOUR_6 = at("2026-11-20T06:00:00Z");

/** From six to noon, one each ten minutes; closed up to 11 and settled up to 9. */
async function publishMorning() {
  const samples = every(10 * MINUTE_MS, HOUR_6, HOUR_6 + 6 * HOUR_MS);
  const tail = await publish(samples, HOUR_6 + 5 * HOUR_MS, HOUR_6 + 3 * HOUR_MS);
  return { samples, tail };
}

test("only keys that the snapshot names are read, and none that the live part makes needless", async () => {
  const { tail } = await publishMorning();
  const kv = watched(world.kv);
  await readSamples(kv, tail, query(HOUR_6 - 6 * HOUR_MS, HOUR_6 + 6 * HOUR_MS));
  expect(kv.keys).toEqual(["06", "07", "08", "09"].map((hour) => `v1/0/hour/2026-11-20T${hour}`));
});

test("the hour in which the live part begins may have begun before it: its segment is read too", async () => {
  const samples = every(10 * MINUTE_MS, HOUR_6, HOUR_6 + 2 * HOUR_MS);
  const tail = await publish(samples, HOUR_6 + 2 * HOUR_MS, HOUR_6 + HOUR_MS);
  const late = samples.filter(({ atMs }) => atMs >= HOUR_6 + 1.5 * HOUR_MS);
  const cutTail = { ...tail, live: { ...tail.live, samples: { [ID]: packSamples(late) } } };
  expect(await samplesOf(cutTail, HOUR_6, HOUR_6 + 2 * HOUR_MS)).toEqual(samples);
});

test("what the snapshot has is whole: what a segment has of it is not added to it", async () => {
  const samples = every(10 * MINUTE_MS, HOUR_6, HOUR_6 + 48 * HOUR_MS);
  const tail = await publish(samples, HOUR_6 + 48 * HOUR_MS, HOUR_6);
  const { points } = known(await readHours(world.kv, tail, query(HOUR_6, HOUR_6 + 3 * HOUR_MS)));
  expect(points).toEqual(rollups(samples, ({ atMs }) => hourStart(atMs)).slice(0, 3));
});

const zones = ["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"];

/** From which minute on it had which id; null: always the same. */
const anyRenames = fc.option(
  fc.array(fc.tuple(fc.nat(40 * 24 * 60), fc.constantFrom(ID, ...FORMERLY)), { maxLength: 5 }),
);

test.each(zones)(
  "pages put together are the whole series, in %s, for every step, whenever the monitor had which id",
  async (timeZone) => {
    const calendar = calendarOf(timeZone);
    const startMs = at("2026-09-29T17:00:00Z");
    const msOf = (minute: number): number => startMs + minute * MINUTE_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(40 * 24 * 60), { minLength: 1, maxLength: 120 }),
        anyRenames,
        fc.tuple(fc.nat(40 * 24), fc.nat(5)),
        fc.tuple(fc.integer({ min: -24, max: 41 * 24 }), fc.nat(42 * 24)),
        async (minutes, renames, [closedHour, unsettledHours], [fromHour, lengthHours]) => {
          await world.clear();
          const samples = minutes
            .sort((a, b) => a - b)
            .map((minute) => sampleAt(msOf(minute), { latencyMs: minute }));
          const changes = renames?.toSorted(([a], [b]) => a - b) ?? [[0, ID]];
          const idAt = (atMs: number): string =>
            changes.findLast(([minute]) => msOf(minute) <= atMs)?.[1] ?? "old/models";
          const closedMs = startMs + closedHour * HOUR_MS;
          const settledMs = closedMs - unsettledHours * HOUR_MS;
          const publication = { monitorId: ID, samples, timeZone, closedMs, settledMs, idAt };
          const tail = { ...(await publishHistory(world.kv, publication)), formerly: { [ID]: FORMERLY } };
          const fromMs = startMs + fromHour * HOUR_MS;
          const toMs = fromMs + lengthHours * HOUR_MS;
          const inRange = (ms: number): boolean => ms >= fromMs && ms < toMs;
          // Percentiles of parts cannot be put together.
          const told = (points: readonly Rollup[]) =>
            renames === null ? points : points.map((point) => ({ ...point, latencyMs: null }));
          const expectWhole = async (read: Reader<Rollup>, startOf: (sample: Sample) => number) => {
            const whole = rollups(samples, startOf).filter((of) => inRange(of.fromMs));
            expect(told(await allPages(read, tail, fromMs, toMs))).toEqual(told(whole));
          };
          const own = samples.filter(({ atMs }) => inRange(atMs));
          expect(await allPages(readSamples, tail, fromMs, toMs)).toEqual(own);
          await expectWhole(readHours, ({ atMs }) => hourStart(atMs));
          await expectWhole(readDays, ({ atMs }) => calendar.startOfDay(calendar.dayOf(atMs)));
        },
      ),
      { numRuns: rounds(5, 20) },
    );
  },
);

test("a long range is answered in parts: so many segments a read, and then where the rest begins", async () => {
  const [fromMs, toMs] = [HOUR_6 - 54 * HOUR_MS, HOUR_6 - 6 * HOUR_MS];
  const tail = await publish(every(30 * MINUTE_MS, fromMs, toMs), toMs);
  const kv = watched(world.kv);
  const read = await readSamples(kv, tail, query(fromMs, toMs));
  expect(kv.keys).toHaveLength(SEGMENTS_A_READ);
  expect(read).toMatchObject({ ok: true, value: { nextMs: fromMs + SEGMENTS_A_READ * HOUR_MS } });
});

test("many points are answered in parts, and none is lost or told twice where they are cut", async () => {
  const samples = every(10_000, HOUR_6, HOUR_6 + 6 * HOUR_MS);
  const tail = await publish(samples, HOUR_6 + 5 * HOUR_MS, HOUR_6 + 4 * HOUR_MS);
  const first = await readSamples(world.kv, tail, query(HOUR_6, HOUR_6 + DAY_MS));
  expect(first).toMatchObject({ ok: true, value: { nextMs: HOUR_6 + POINTS_A_READ * 10_000 } });
  expect(await allPages(readSamples, tail, HOUR_6, HOUR_6 + DAY_MS)).toEqual(samples);
});

describe("what cannot be read", () => {
  /** Two samples an hour from six to nine; the hours up to `settledHours` have settled. */
  async function publishThree(settledHours = 3) {
    const samples = every(30 * MINUTE_MS, HOUR_6, HOUR_6 + 3 * HOUR_MS);
    const tail = await publish(samples, HOUR_6 + 3 * HOUR_MS, HOUR_6 + settledHours * HOUR_MS);
    return { samples, tail };
  }
  const THREE = query(HOUR_6, HOUR_6 + 3 * HOUR_MS);

  test("a named segment that is not there is a gap, not silence", async () => {
    const { samples, tail } = await publishThree();
    await world.kv.delete(segmentKey(0, "hour", "2026-11-20T07"));
    const { points, gaps } = known(await readSamples(world.kv, tail, THREE));
    expect(points).toEqual(samples.filter((_, index) => index < 2 || index > 3));
    expect(gaps).toEqual([{ period: "2026-11-20T07", failure: { kind: "absent" } }]);
  });

  test("a segment that has not arrived everywhere is no gap while the snapshot holds the same", async () => {
    const { samples, tail } = await publishThree(1);
    await world.kv.delete(segmentKey(0, "hour", "2026-11-20T07"));
    const value = { points: samples, nextMs: null, gaps: [] };
    expect(await readSamples(world.kv, tail, THREE)).toEqual({ ok: true, value });
  });

  test("a segment that cannot be read is a gap that says so, and the rest is still told", async () => {
    const { samples, tail } = await publishThree();
    await world.kv.put(segmentKey(0, "hour", "2026-11-20T06"), "hello");
    const { points, gaps } = known(await readSamples(world.kv, tail, THREE));
    expect(points).toEqual(samples.slice(2));
    expect(gaps).toMatchObject([{ period: "2026-11-20T06", failure: { kind: "unreadable" } }]);
  });

  test("a KV that does not answer for one segment fails the whole: a part would be taken for all", async () => {
    const { tail } = await publishThree();
    const kv = watched(world.kv, [segmentKey(0, "hour", "2026-11-20T07")]);
    expect(await readSamples(kv, tail, THREE)).toMatchObject({ ok: false, failure: { kind: "outage" } });
  });

  test("damaged live samples are a failure, not an exception", async () => {
    const tail = await publish([], 0);
    const broken = { ...tail, live: { ...tail.live, samples: { [ID]: new Uint8Array([0xc1]) } } };
    const read = await readSamples(world.kv, broken, query(HOUR_6, HOUR_6 + HOUR_MS));
    expect(read).toMatchObject({ ok: false, failure: { kind: "unreadable" } });
  });

  test("years that no calendar here knows are an empty answer", async () => {
    const tail = await publish([], 0, 0, "Asia/Shanghai");
    for (const read of [readSamples, readHours, readDays]) {
      for (const to of ["9999-12-31T23:59:59Z", "0002-01-01T00:00:00Z"]) {
        const whole = await read(world.kv, tail, query(at("0001-01-01T00:00:00Z"), at(to)));
        expect(whole).toMatchObject({ ok: true, value: { points: [], nextMs: null } });
      }
    }
  });
});

test("of several ids of a monitor, where one's part cannot be read, the period is a gap and not half of itself", async () => {
  const samples = packSamples([sampleAt(HOUR_6)]);
  const damaged = new Uint8Array([255, 255]);
  const monitors = new Map([[ID as string, samples]]).set("acme/list", damaged);
  const packed = packSegment({ monitors, incidents: [] });
  await world.kv.put(segmentKey(0, "hour", "2026-11-20T06"), await compress(packed));
  const segments = { hour: ["2026-11-20T06"], day: [], month: [] };
  const tail = emptyTail({ segments, formerly: { [ID]: FORMERLY } });
  const { points, gaps } = known(await readSamples(world.kv, tail, query(HOUR_6, HOUR_6 + HOUR_MS)));
  expect(points).toEqual([]);
  expect(gaps).toMatchObject([{ period: "2026-11-20T06", failure: { kind: "unreadable" } }]);
});
