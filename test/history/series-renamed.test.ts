import * as fc from "fast-check";
import { expect, test } from "vitest";
import { calendarOf, HOUR_MS, hourStart, MINUTE_MS } from "../../src/domain/calendar.ts";
import type { Rollup } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/probe-outcome.ts";
import { readDays, readHours, readSamples } from "../../src/history/series.ts";
import { packSamples, packSegment, segmentOfSamples } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { compress } from "../../src/history/packing.ts";
import { segmentKey } from "../../src/history/keys.ts";
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

const IDS = ["acme/list", "acme/models", "old/models"] as const;
const [ID, ...FORMERLY] = IDS;
const at = (text: string): number => Date.parse(text);

const allPages = <Point>(read: Reader<Point>, tail: SnapshotTail, fromMs: number, toMs: number) =>
  pagesOf(world.kv, read, tail, { shard: 0, monitorId: ID, fromMs, toMs });

const NEW_YORK = calendarOf("America/New_York");
const dayOf = ({ atMs }: Sample): number => NEW_YORK.startOfDay(NEW_YORK.dayOf(atMs));

test("the parts under all ids are one series, whenever the monitor had which", async () => {
  const startMs = at("2026-10-20T17:00:00Z");
  const spanMs = 20 * 24 * HOUR_MS;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 20 * 24 * 60 - 1 }), { minLength: 1, maxLength: 150 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20 * 24 * 60 }), fc.constantFrom(...IDS)), {
        maxLength: 5,
      }),
      fc.integer({ min: 0, max: 20 * 24 }),
      async (minutes, renames, closedHour) => {
        await world.clear();
        const samples = minutes
          .sort((a, b) => a - b)
          .map((minute) => sampleAt(startMs + minute * MINUTE_MS, { latencyMs: minute }));
        const changes = renames.sort(([a], [b]) => a - b);
        const idAt = (atMs: number): string =>
          changes.findLast(([minute]) => startMs + minute * MINUTE_MS <= atMs)?.[1] ?? "old/models";
        const closedMs = startMs + closedHour * HOUR_MS;
        const publication = { monitorId: ID, samples, timeZone: NEW_YORK.timeZone, closedMs, idAt };
        const published = await publishHistory(world.kv, { ...publication, settledMs: closedMs - HOUR_MS });
        const tail = { ...published, formerly: { [ID]: FORMERLY } };
        expect(await allPages(readSamples, tail, startMs, startMs + spanMs)).toEqual(samples);
        const counted = (of: readonly Rollup[]) =>
          of.map(({ fromMs, counts, attempts, cause }) => ({ fromMs, counts, attempts, cause }));
        const hours = await allPages(readHours, tail, hourStart(startMs), startMs + spanMs);
        expect(counted(hours)).toEqual(counted(rollups(samples, ({ atMs }) => hourStart(atMs))));
        const days = await allPages(readDays, tail, startMs - 24 * HOUR_MS, startMs + spanMs);
        expect(counted(days)).toEqual(counted(rollups(samples, dayOf)));
      },
    ),
    { numRuns: rounds(8, 25) },
  );
});

const MORNING = at("2026-11-20T06:00:00Z");
const HALF_PAST_SEVEN = MORNING + 1.5 * HOUR_MS;

/** A probe each ten minutes of two days, under another id from half past seven on; all closed and settled. */
async function publishTwoDays(): Promise<{ samples: Sample[]; tail: SnapshotTail }> {
  const samples = every(10 * MINUTE_MS, MORNING, MORNING + 48 * HOUR_MS);
  const closedMs = MORNING + 48 * HOUR_MS;
  const publication = { monitorId: ID, samples, timeZone: "UTC", closedMs, settledMs: closedMs };
  const idAt = (atMs: number): string => (atMs < HALF_PAST_SEVEN ? "acme/models" : ID);
  const tail = await publishHistory(world.kv, { ...publication, idAt });
  return { samples, tail };
}

const MORNING_HOURS = { shard: 0, monitorId: ID, fromMs: MORNING, toMs: MORNING + 3 * HOUR_MS };

test("an hour of two ids is their sum; its percentiles are the higher of both", async () => {
  const { samples, tail } = await publishTwoDays();
  const read = await readHours(world.kv, { ...tail, formerly: { [ID]: FORMERLY } }, MORNING_HOURS);
  const [first, second, third] = [0, 1, 2].map((hour) => samples.slice(6 * hour, 6 * hour + 6));
  const whole = (of: readonly Sample[] | undefined) => rollups(of ?? [], ({ atMs }) => hourStart(atMs))[0];
  const split = whole(second);
  expect(split?.latencyMs).toEqual({ p50: 8, p95: 11, p99: 11 });
  expect(known(read).points).toEqual([
    whole(first),
    // Of 6, 7, 8 the median is 7, and of 9, 10, 11 it is 10.
    { ...split, latencyMs: { p50: 10, p95: 11, p99: 11 } },
    whole(third),
  ]);
});

test("what the snapshot bears is whole: the parts that a segment has of it are not added to it", async () => {
  const { samples, tail } = await publishTwoDays();
  const live = rollups(samples, ({ atMs }) => hourStart(atMs));
  const publication = { monitorId: ID, samples, timeZone: "UTC", closedMs: MORNING, settledMs: MORNING };
  const { live: whole } = await publishHistory(world.kv, publication);
  const borne = { ...tail, live: whole, formerly: { [ID]: FORMERLY } };
  expect(known(await readHours(world.kv, borne, MORNING_HOURS)).points).toEqual(live.slice(0, 3));
});

test("a former id costs no read of its own", async () => {
  const { tail } = await publishTwoDays();
  const keysRead = async (formerly: SnapshotTail["formerly"]): Promise<readonly string[]> => {
    const kv = watched(world.kv);
    for (const read of [readSamples, readHours, readDays])
      await read(kv, { ...tail, formerly }, MORNING_HOURS);
    return kv.keys;
  };
  const keys = ["v1/0/hour/2026-11-20T06", "v1/0/hour/2026-11-20T07", "v1/0/hour/2026-11-20T08"];
  expect(await keysRead({})).toEqual([...keys, "v1/0/day/2026-11-20"]);
  expect(await keysRead({ [ID]: FORMERLY })).toEqual([...keys, "v1/0/day/2026-11-20"]);
});

test("only who carries an id on has its history", async () => {
  const { samples, tail } = await publishTwoDays();
  const other = { ...tail, formerly: { "acme/other": FORMERLY } };
  const read = await readSamples(world.kv, other, MORNING_HOURS);
  expect(known(read).points).toEqual(samples.slice(9, 18));
});

test("where one id's part cannot be read, the period is a gap and not half of itself", async () => {
  const samples = packSamples([sampleAt(MORNING)]);
  const damaged = new Uint8Array([255, 255]);
  const monitors = new Map([[ID as string, samples]]).set("acme/models", damaged);
  const packed = packSegment({ ...segmentOfSamples(new Map(), []), monitors });
  await world.kv.put(segmentKey(0, "hour", "2026-11-20T06"), await compress(packed));
  const segments = { hour: ["2026-11-20T06"], day: [], month: [] };
  const tail = emptyTail({ segments, formerly: { [ID]: FORMERLY } });
  const { points, gaps } = known(await readSamples(world.kv, tail, MORNING_HOURS));
  expect(points).toEqual([]);
  expect(gaps).toMatchObject([{ period: "2026-11-20T06", failure: { kind: "unreadable" } }]);
});
