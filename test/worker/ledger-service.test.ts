import { describe, expect, test, afterEach } from "vitest";
import { reset } from "cloudflare:test";
import { DAY_MS, HOUR_MS, instant } from "../../src/domain/calendar.ts";
import { percentilesOf } from "../../src/domain/rollup.ts";
import { segmentKey, snapshotKey } from "../../src/history/keys.ts";
import { decompress } from "../../src/history/packing.ts";
import { unpackRollups, unpackSamples, unpackSegment } from "../../src/history/segment.ts";
import { rounds } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { bindings, inLedger, minutes, published, START, TICK_MS, type Harness } from "./ledger-harness.ts";
import { snapshotMetadataSchema } from "../../src/history/snapshot.ts";
import { read } from "./reading.ts";
import { channel } from "../fixtures/outbox.ts";

/** Every sample of a monitor that a reader can find now, from the snapshot and the segments that it names. */
async function readable(monitorId: string): Promise<number[]> {
  const { tail } = await published();
  const found = new Set<number>();
  for (const period of tail.segments.hour) {
    const value = await bindings.KV.get(segmentKey(0, "hour", period), "arrayBuffer");
    if (value === null) throw new Error(`the snapshot names ${period}, and KV has it not`);
    const bytes = unpackSegment(await decompress(new Uint8Array(value))).monitors.get(monitorId);
    for (const { atMs } of bytes ? unpackSamples(bytes) : []) found.add(atMs);
  }
  const live = tail.live.samples[monitorId];
  for (const { atMs } of live ? unpackSamples(live) : []) found.add(atMs);
  return [...found].sort((a, b) => a - b);
}

/** Some of them by default. */
const sparse = (ticks: readonly number[]): readonly number[] =>
  ticks.filter((_, n) => n % rounds(7, 1) === 0);

describe("nothing is lost", () => {
  test("a segment is named only when KV has had it for a quarter of an hour; until then it is in the snapshot", () =>
    inLedger({ gateways: 1 }, async (harness) => {
      for (const at of minutes(START, 82)) await harness.tick(at, () => ({}));
      const key = segmentKey(0, "hour", "2026-11-20T09");
      expect(await bindings.KV.get(key, "arrayBuffer")).not.toBeNull();
      // A day longer than the two weeks for which it is named.
      expect(harness.expirations.get(key)).toBe((START + HOUR_MS + 15 * DAY_MS) / 1000);
      const { tail } = await published();
      expect(tail.segments.hour).toEqual([]);
      const live = tail.live.samples["g0/models"];
      expect(live && unpackSamples(live)[0]?.atMs).toBe(START + 7);
      const hours = tail.live.hours["g0/models"];
      expect(hours && unpackRollups(hours).map(({ fromMs }) => fromMs)).toEqual([START, START + HOUR_MS]);
      for (const at of minutes(START + 82 * TICK_MS, 18)) await harness.tick(at, () => ({}));
      const later = (await published()).tail;
      expect(later.segments.hour).toEqual(["2026-11-20T09"]);
      const stillLive = later.live.samples["g0/models"];
      expect(stillLive && unpackSamples(stillLive)[0]?.atMs).toBe(START + HOUR_MS + 7);
    }));

  test("a storm of incidents across a day's end neither stops publishing nor fills the memory", async () => {
    const stormy = Array.from({ length: 20 }, (_, n) =>
      gateway(`g${n}`, { monitors: [monitor(`g${n}`, { open: 1, close: 1 })] }),
    );
    const before = rounds(2, 6) * 60;
    const from = Date.parse("2026-11-21T00:00:00Z") - before * TICK_MS;
    const settings = config(stormy, { maxProbesPerTick: 50 });
    await inLedger({ config: settings }, async (harness, sql) => {
      const words = "The upstream said so. ".repeat(13);
      const said = { message: words, advice: words };
      const down = { diagnosis: diagnosis("upstream_unavailable", "down", said) };
      const ticks = minutes(from, before + 90);
      for (const at of ticks) await harness.tick(at, () => ((at / TICK_MS) % 2 === 0 ? down : {}));
      await harness.publish();
      expect(harness.warnings).toEqual([]);
      const { tail } = await published();
      expect(tail.segments.day).toEqual(["2026-11-20"]);
      expect(tail.segments.hour.at(-1)).toBe("2026-11-20T23");
      expect(await readable("g0/models")).toEqual(ticks.map((at) => at + 7));
      const size = sql.exec("SELECT max(length(body)) AS most FROM segment_part").one();
      expect(Number(size["most"])).toBeLessThanOrEqual(1_000_000);
      harness.restart();
      await harness.tick(from + (before + 91) * TICK_MS, () => ({}));
      expect(harness.warnings).toEqual([]);
    });
  });

  test("the transaction that fails leaves memory as the storage has it", () =>
    inLedger({ gateways: 1 }, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.storageFails = true;
      const failed = harness.tick(START + TICK_MS, () => ({}));
      await expect(failed).rejects.toThrow("disk I/O error");
      harness.storageFails = false;
      harness.nowMs = START + 10 * TICK_MS;
      await harness.tick(START + 10 * TICK_MS, () => ({}));
      expect(await readable("g0/models")).toEqual([START + 7, START + 10 * TICK_MS + 7]);
    }));
});

describe("figures", () => {
  test("uptime and percentiles of 24 h are those of the plain log", () =>
    inLedger({ gateways: 1 }, async (harness) => {
      const ticks = sparse(minutes(START, 26 * 60));
      const latencyOf = (at: number) => 50 + ((at / TICK_MS) % 97) * 3;
      const isDown = (at: number) => (at / TICK_MS) % 10 === 0;
      for (const at of ticks) {
        const failure = { diagnosis: diagnosis("timeout", "down"), latencyMs: 30_000 };
        await harness.tick(at, () => (isDown(at) ? failure : { latencyMs: latencyOf(at) }));
      }
      const generatedMs = Date.parse((await published()).status.generatedAt);
      const recent = ticks.filter((at) => at + 7 > generatedMs - DAY_MS && at < generatedMs);
      const good = recent.filter((at) => !isDown(at));
      const shown = (await published()).status.gateways[0]?.monitors[0];
      expect(shown?.latency).toEqual(percentilesOf(good.map(latencyOf)));
      expect(shown?.uptime["24h"]).toBe(Math.floor((good.length / recent.length) * 10_000) / 10_000);
      const all = Math.floor((ticks.filter((at) => !isDown(at)).length / ticks.length) * 10_000) / 10_000;
      expect(shown?.uptime).toMatchObject({ "7d": all, "30d": all });
    }));

  test("a day that was all maintenance counts for nothing, and says so", async () => {
    const fromMs = Date.parse("2026-11-20T00:00:00Z");
    const maintenance = [{ gateways: [], fromMs, toMs: fromMs + DAY_MS, title: "A move" }];
    await inLedger({ gateways: 1, maintenance }, async (harness) => {
      const down = { diagnosis: diagnosis("upstream_unavailable", "down") };
      for (const at of minutes(START, 3)) await harness.tick(at, () => down);
      await harness.publish();
      const { days, uptime } = (await published()).status.gateways[0]?.monitors[0] ?? {};
      expect([days?.maintenance, days?.uptime.at(-1), days?.worst.at(-1)]).toEqual([[89], null, "unknown"]);
      expect(uptime).toMatchObject({ "24h": null });
    });
  });
});

describe("what the platform charges", () => {
  test("a tick of a hundred monitors writes at most 20 rows and one snapshot", () =>
    inLedger({ gateways: 100 }, async (harness) => {
      await harness.tick(START, () => ({}));
      const before = { rows: harness.rowsWritten, kv: harness.kvWrites };
      const failing = { diagnosis: diagnosis("timeout", "down") };
      await harness.tick(START + TICK_MS, () => failing);
      await harness.tick(START + 2 * TICK_MS, () => failing);
      expect(harness.rowsWritten - before.rows).toBeLessThanOrEqual(40);
      expect(harness.kvWrites - before.kv).toBe(2);
    }));
});

describe("the watch over the ticks", () => {
  test("storage that fails when a silence is to be told: it is looked again half a minute later, not at once", () =>
    inLedger({}, async (harness) => {
      await harness.tick(START, () => ({}));
      harness.nowMs = START + 4 * TICK_MS;
      await harness.publish();
      harness.nowMs = harness.service.nextWakeMs() ?? 0;
      harness.storageFails = true;
      expect(() => harness.service.watchTicks()).toThrow("disk I/O error");
      expect(harness.service.nextWakeMs()).toBe(harness.nowMs + 30_000);
      harness.storageFails = false;
      // Who comes half a minute late gives ticks another interval.
      for (const wait of [30_000, TICK_MS]) {
        harness.nowMs += wait;
        expect(harness.service.nextWakeMs()).toBe(harness.nowMs);
        harness.service.watchTicks();
      }
      expect(harness.service.standing().map(({ type }) => type)).toEqual(["monitoring.stalled"]);
    }));
});

// What is in KV without the Ledger that wrote it, or damaged there. A new Ledger keeps history in sight, the
// next publish repairs a snapshot, and a segment is a gap.

afterEach(() => reset());

const HOURS = ["2026-11-20T09", "2026-11-20T10"];
const END = START + 3 * HOUR_MS;

/** Three hours; two are in segments that readers find. */
async function threeHours(harness: Harness): Promise<void> {
  for (const at of minutes(START, 180)) await harness.tick(at, () => ({}));
  await harness.publish();
  expect((await published()).tail.segments.hour).toEqual(HOURS);
}

async function sequence(): Promise<number> {
  const { metadata } = await bindings.KV.getWithMetadata(snapshotKey(0), { type: "arrayBuffer" });
  return snapshotMetadataSchema().parse(metadata).sequence;
}

async function history(nowMs: number): Promise<{ points: { at: string }[]; gaps: unknown[] }> {
  const query = `step=probe&from=${encodeURIComponent(instant(START))}`;
  return JSON.parse(await read(`/api/v1/gateways/g0/monitors/models/history?${query}`, nowMs));
}

describe("a Ledger that begins anew", () => {
  test("keeps the history in sight that the one before it has put into KV, and goes on", async () => {
    await inLedger({}, threeHours);
    const former = await sequence();
    await inLedger({}, async (harness) => {
      harness.nowMs = END;
      await harness.service.publication.inherit();
      expect(harness.warnings.splice(0)).toHaveLength(1);
      for (const at of minutes(END, 110)) await harness.tick(at, () => ({}));
      harness.restart();
      for (const at of minutes(END + 110 * TICK_MS, 10)) await harness.tick(at, () => ({}));
      const { tail } = await published();
      expect(tail.segments.hour).toEqual([...HOURS, "2026-11-20T12"]);
      expect(await sequence()).toBeGreaterThan(former);
      expect(harness.warnings).toEqual([]);
      expect(harness.service.memory.quarantine.count()).toBe(0);
      await harness.service.publication.inherit();
      expect(harness.warnings).toEqual([]);
      const { points, gaps } = await history(harness.nowMs);
      expect(gaps).toEqual([]);
      expect(new Set(points.map(({ at }) => at)).size).toBe(points.length);
      // Of the third hour nothing was in a segment yet.
      const within = (hour: string) => points.filter(({ at }) => at.startsWith(`2026-11-20T${hour}`)).length;
      expect(["09", "10", "11", "12"].map(within)).toEqual([60, 60, 0, 60]);
    });
  });

  test.each([
    ["nothing was published", null],
    ["what was published is damaged", "damaged"],
  ])("inherits nothing where %s", async (_name, value) => {
    if (value !== null) await bindings.KV.put(snapshotKey(0), value);
    await inLedger({}, async (harness) => {
      await harness.service.publication.inherit();
      expect(harness.warnings).toEqual([]);
      await harness.tick(START, () => ({}));
      expect((await published()).status.status).toBe("up");
    });
  });
});

// Every instant that the Ledger has stored may come from a clock that ran a year ahead. Once the clock is
// right again, each tick probes, incidents end, and what is seen is fresh.

const YEAR_MS = 365 * DAY_MS;
const DOCUMENTS = ["journal", "members", "through", "moves"] as const;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Counts and durations are in them too. A hold of 0 is none, and might have been. */
const isInstant = (value: Json, path: string): value is number =>
  typeof value === "number" && (Math.abs(value - START) < 2 * DAY_MS || path.endsWith(".heldUntilMs"));

function moved(value: Json, path: string): Json {
  if (isInstant(value, path)) return Math.max(value, START) + YEAR_MS;
  if (value === null || typeof value !== "object") return value;
  const next = (name: string, member: Json): Json => moved(member, `${path}.${name}`);
  return Array.isArray(value)
    ? value.map((member: Json, index) => next(String(index), member))
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, next(name, member)]));
}

const DOWN = { diagnosis: diagnosis("upstream_unavailable", "down") };

/** Six ticks in which one gateway fails, and a seventh that began and never came back. */
async function liveThroughSeven(harness: Harness): Promise<void> {
  for (const at of minutes(START, 6)) await harness.tick(at, (id) => (id === "g0/models" ? DOWN : {}));
  harness.nowMs = START + 6 * TICK_MS;
  harness.service.order({ tickMs: harness.nowMs, invocation: "dies" }, { g0: "g0:key", g1: "g1:key" });
}

/** Longer than any lease. */
const AFTER = START + 12 * TICK_MS;

test("no stored instant of a year ahead holds anything up", () =>
  inLedger({}, async (harness, sql) => {
    await liveThroughSeven(harness);
    for (const name of DOCUMENTS) {
      const [row] = sql.exec<{ body: string }>("SELECT body FROM document WHERE name = ?", name).toArray();
      if (row === undefined) continue;
      const wrong = JSON.stringify(moved(JSON.parse(row.body) as Json, name));
      expect(wrong).not.toBe(row.body);
      sql.exec("UPDATE document SET body = ? WHERE name = ?", wrong, name);
    }
    harness.restart();
    for (const at of minutes(AFTER, 4)) {
      expect((await harness.tick(at, () => ({}))).toSorted()).toEqual(["g0/models", "g1/models"]);
    }
    await harness.publish();
    const { status } = await published();
    expect(status.lastTickAt).toBe(instant(AFTER + 3 * TICK_MS));
    expect(status.status).toBe("up");
    expect(Object.keys(harness.service.memory.state.incidents)).toEqual([]);
    expect(harness.service.nextWakeMs() ?? 0).toBeLessThanOrEqual(harness.nowMs + 3 * TICK_MS);
    expect(harness.service.memory.quarantine.count()).toBe(0);
  }));

test("nor does any of a channel, once the first tick has begun", () =>
  inLedger({ config: config([gateway("g0")], { alerts: [channel("ops")] }) }, async (harness) => {
    const record = () => harness.service.memory.outbox.queue("ops").record;
    const numbers = record();
    await harness.tick(START + YEAR_MS, () => ({}));
    harness.service.memory.transact(({ outbox }) => {
      const held = { type: "later", afterMs: DAY_MS, problem: "HTTP 429" } as const;
      outbox.queue("ops").settleResend(0, held, START + YEAR_MS);
      outbox.store();
    });
    harness.nowMs = START;
    await harness.tick(START, () => ({}));
    harness.restart();
    expect(record()?.delivery.heldUntilMs).toBe(START);
    expect(record()).toMatchObject({ cursor: numbers.cursor, triedTo: numbers.triedTo });
  }));
