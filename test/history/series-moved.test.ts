/** The history of a gateway that went from shard to shard: whole, in order, and nothing of it twice. */
import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { rollUp } from "../../src/domain/rollup.ts";
import type { Sample } from "../../src/domain/sample.ts";
import { hourPeriod, segmentKey } from "../../src/history/keys.ts";
import { readDays, readHours, readSamples, SEGMENTS_A_READ } from "../../src/history/series.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { every, publishHistory, rollups } from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const ID = "acme/models";
const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
/** In the middle of an hour, on the day before yesterday. */
const MOVED_MS = Date.UTC(2026, 10, 18, 9, 30, 0);
const MOVED_HOUR_MS = Date.UTC(2026, 10, 18, 9, 0, 0);

function hoursOf(samples: readonly Sample[]) {
  return rollups(samples, ({ atMs }) => Math.floor(atMs / HOUR_MS) * HOUR_MS);
}

/** Shard 2 has the history until the move; shard 1 what came after it, and the last day of before, which it was told. */
async function moved(samples: readonly Sample[], untilMs = MOVED_MS): Promise<SnapshotTail> {
  const of = { monitorId: ID, timeZone: "UTC" };
  const before = samples.filter(({ atMs }) => atMs < untilMs);
  const after = samples.filter(({ atMs }) => atMs >= untilMs - DAY_MS);
  const closed = { closedMs: NOW_MS, settledMs: NOW_MS };
  const giver = await publishHistory(world.kv, { ...of, ...closed, samples: before, shard: 2 });
  const taker = await publishHistory(world.kv, { ...of, ...closed, samples: after, shard: 1 });
  return { ...taker, homes: { acme: [{ shard: 2, untilMs }] }, abroad: { 2: giver.segments } };
}

const query = (fromMs: number, toMs = NOW_MS) => ({ shard: 1, monitorId: ID, fromMs, toMs });

async function allOf<Point>(
  read: (fromMs: number) => Promise<{
    ok: boolean;
    value?: { points: readonly Point[]; nextMs: number | null; gaps: readonly unknown[] };
  }>,
  fromMs: number,
): Promise<Point[]> {
  const points: Point[] = [];
  for (let atMs: number | null = fromMs; atMs !== null;) {
    const page = await read(atMs);
    if (!page.ok || !page.value) throw new Error("it could not be read");
    expect(page.value.gaps).toEqual([]);
    points.push(...page.value.points);
    if (page.value.nextMs !== null) expect(page.value.nextMs).toBeGreaterThan(atMs);
    atMs = page.value.nextMs;
  }
  return points;
}

test("every probe before and after the move is there once, page by page", async () => {
  const samples = every(10 * MINUTE_MS, NOW_MS - 4 * DAY_MS, NOW_MS);
  const tail = await moved(samples);
  const points = await allOf((fromMs) => readSamples(world.kv, tail, query(fromMs)), NOW_MS - 4 * DAY_MS);
  expect(points).toEqual(samples);
});

test("an hour that both shards have counts once, and that of the move is whole", async () => {
  const samples = every(10 * MINUTE_MS, NOW_MS - 4 * DAY_MS, NOW_MS);
  const tail = await moved(samples);
  const points = await allOf((fromMs) => readHours(world.kv, tail, query(fromMs)), NOW_MS - 4 * DAY_MS);
  const countsOf = (of: typeof points) =>
    of.map(({ fromMs, counts, attempts }) => [fromMs, counts.up, attempts]);
  expect(countsOf(points)).toEqual(countsOf(hoursOf(samples)));
  const ofTheMove = points.find(({ fromMs }) => fromMs === MOVED_HOUR_MS);
  expect([ofTheMove?.counts.up, ofTheMove?.attempts]).toEqual([6, 6]);
});

test("a day that was told to the new shard and is in a segment of the old one counts once", async () => {
  const samples = every(HOUR_MS, Date.UTC(2026, 9, 29), Date.UTC(2026, 10, 3));
  const tail = await moved(samples, Date.UTC(2026, 10, 1));
  const october = every(HOUR_MS, Date.UTC(2026, 9, 30), Date.UTC(2026, 9, 31));
  const told = await publishHistory(world.kv, {
    monitorId: ID,
    timeZone: "UTC",
    samples: october,
    closedMs: NOW_MS,
    settledMs: NOW_MS,
    shard: 1,
  });
  const both = { ...tail, segments: { ...tail.segments, month: [...told.segments.month] } };
  const points = await allOf((fromMs) => readDays(world.kv, both, query(fromMs)), Date.UTC(2026, 9, 29));
  expect(points.slice(0, 4).map(({ counts }) => counts.up)).toEqual([24, 24, 24, 24]);
});

test("one that came back has its history from both, and its own segments are read once", async () => {
  const samples = every(10 * MINUTE_MS, NOW_MS - 3 * DAY_MS, NOW_MS);
  const backMs = MOVED_MS + 6 * HOUR_MS;
  const of = { monitorId: ID, timeZone: "UTC", closedMs: NOW_MS, settledMs: NOW_MS };
  const away = ({ atMs }: Sample): boolean => atMs >= MOVED_MS && atMs < backMs;
  const own = await publishHistory(world.kv, {
    ...of,
    samples: samples.filter((one) => !away(one)),
    shard: 1,
  });
  const other = await publishHistory(world.kv, { ...of, samples: samples.filter(away), shard: 2 });
  const homes = {
    acme: [
      { shard: 2, untilMs: backMs },
      { shard: 1, untilMs: MOVED_MS },
    ],
  };
  const tail = { ...own, homes, abroad: { 1: own.segments, 2: other.segments } };
  const kv = watched(world.kv);
  const points = await allOf((fromMs) => readSamples(kv, tail, query(fromMs)), NOW_MS - 3 * DAY_MS);
  expect(points).toEqual(samples);
  expect(new Set(kv.keys).size).toBe(kv.keys.length);
});

test("a read costs no more segments than where nothing ever moved, and reads nothing behind the move", async () => {
  const samples = every(10 * MINUTE_MS, NOW_MS - 4 * DAY_MS, NOW_MS);
  const tail = await moved(samples);
  const everything = { ...tail, abroad: { 2: tail.segments } };
  const kv = watched(world.kv);
  await readSamples(kv, everything, query(MOVED_MS - 12 * HOUR_MS));
  expect(kv.keys.length).toBeLessThanOrEqual(SEGMENTS_A_READ);
  const behind = kv.keys.filter(
    (key) => key > segmentKey(2, "hour", hourPeriod(MOVED_MS)) && key.startsWith("v1/2/"),
  );
  expect(behind).toEqual([]);
});

test("of an hour that two shards have, the one tells that has more of it", async () => {
  const hourMs = Date.UTC(2026, 10, 17, 5);
  const samples = every(10 * MINUTE_MS, hourMs, hourMs + HOUR_MS);
  const of = { monitorId: ID, timeZone: "UTC", closedMs: NOW_MS, settledMs: NOW_MS };
  const own = await publishHistory(world.kv, { ...of, samples: samples.slice(0, 2), shard: 1 });
  const other = await publishHistory(world.kv, { ...of, samples, shard: 2 });
  const tail = { ...own, homes: { acme: [{ shard: 2, untilMs: MOVED_MS }] }, abroad: { 2: other.segments } };
  const read = await readHours(world.kv, tail, query(hourMs, hourMs + HOUR_MS));
  expect(read).toMatchObject({ ok: true, value: { points: [rollUp(hourMs, samples)] } });
});
