import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { segmentKey } from "../../src/history/keys.ts";
import { readDays, readHours, readSamples } from "../../src/history/series.ts";
import { every, publishHistory } from "./published-history.ts";
import { useKv, watched } from "./real-kv.ts";

const world = useKv();

const ID = "acme/models";
const at = (text: string): number => Date.parse(text);

function query(fromMs: number, toMs: number) {
  return { shard: 0, monitorId: ID, fromMs, toMs };
}

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
  expect(await readSamples(world.kv, tail, query(fromMs, closedMs))).toEqual({
    ok: true,
    value: { points: samples, nextMs: null, gaps: [] },
  });
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
