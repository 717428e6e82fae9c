import { expect, test } from "vitest";
import { addDays, calendarOf, DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import { segmentKey, type SegmentKind } from "../../src/history/keys.ts";
import { decompress } from "../../src/history/packing.ts";
import { type Segment, unpackSegment } from "../../src/history/segment.ts";
import type { SnapshotTail } from "../../src/history/snapshot.ts";
import { isFull, rounds } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { bindings, inLedger, published } from "./ledger-harness.ts";

/** A hundred days of probes, the sixth and seventh of every so many failing, in a zone that changes its clock. */
const ZONE = "Europe/Berlin";
const START = Date.parse("2026-08-01T00:00:00Z");
const END = START + 100 * DAY_MS;
/** By default probes are hourly only in the last days. */
const isHourly = (at: number): boolean => isFull || at >= END - 16 * DAY_MS;
const HOURS = Array.from({ length: 100 * 24 }, (_, n) => START + n * HOUR_MS);
const TICKS = HOURS.filter((at, n) => n % 8 === 0 || isHourly(at));
const FAILING = new Set(TICKS.filter((_, n) => [6, 7].includes(n % rounds(10, 40))));
const fails = (at: number): boolean => FAILING.has(at);
const failure = { diagnosis: diagnosis("upstream_unavailable", "down"), latencyMs: 9 };

interface Century {
  tail: SnapshotTail;
  days: { from: string; uptime: readonly (number | null)[] };
  rows: Record<string, number>;
}

async function century(): Promise<Century> {
  const hourly = gateway("a", { monitors: [monitor("a", { everyMs: HOUR_MS })] });
  const settings = config([hourly], { timeZone: ZONE });
  return inLedger({ config: settings, startMs: START }, async (harness, sql) => {
    for (const at of TICKS) {
      await harness.tick(at, () => (fails(at) ? failure : {}));
      if ((at - START) % (9 * DAY_MS) === 0) harness.restart();
    }
    harness.nowMs += 30 * 60_000;
    await harness.service.maintain();
    const { tail, status } = await published();
    const count = (table: string): number =>
      Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).one()["n"]);
    const tables = ["document", "batch", "segment", "segment_part", "rollup", "resolved"];
    const days = status.gateways[0]?.monitors[0]?.days;
    if (!days) throw new Error("the monitor is not published");
    return { tail, days, rows: Object.fromEntries(tables.map((table) => [table, count(table)])) };
  });
}

async function segment(kind: SegmentKind, period: string): Promise<Segment> {
  const value = await bindings.KV.get(segmentKey(0, kind, period), "arrayBuffer");
  if (value === null) throw new Error(`KV has no ${kind} ${period}`);
  return unpackSegment(await decompress(new Uint8Array(value)));
}

test("a hundred days of history", async () => {
  const { tail, days, rows } = await century();

  // Named: hours of 14 days, days of 90, whole months. The oldest hour is let go an hour early; the newest has not
  // settled.
  expect(tail.segments.hour[0]).toBe("2026-10-26T00");
  expect(tail.segments.hour.at(-1)).toBe("2026-11-08T21");
  expect(tail.segments.day[0]).toBe("2026-08-11");
  expect(tail.segments.day.at(-1)).toBe("2026-11-07");
  expect(tail.segments.month).toEqual(["2026-08", "2026-09", "2026-10"]);

  expect(days.from).toBe(addDays(calendarOf(ZONE).dayOf(END), -89));
  expect(days.uptime).toHaveLength(90);

  // Every incident is where its resolution lies, the newest 50 in the snapshot.
  const archived = await Promise.all(tail.segments.month.map((period) => segment("month", period)));
  const ids = new Set(
    [...archived.flatMap(({ incidents }) => incidents), ...tail.incidents].map((of) => of.incident.id),
  );
  expect(ids.size).toBe(Math.floor(FAILING.size / 2));
  expect(ids.size).toBeGreaterThanOrEqual(60);
  expect(tail.incidents).toHaveLength(50);

  // And the Ledger does not grow with it: names of what KV holds, bytes of a day.
  expect(rows).toEqual({
    document: 4,
    batch: 2,
    segment: 14 * 24 + 89 + 3,
    rollup: 93 + 46,
    resolved: 50,
    segment_part: 26,
  });
});
