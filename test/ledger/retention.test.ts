/** What is closed and what is forgotten: not on the word of a clock that has just jumped, and nothing of the past too early. */
import { expect, test } from "vitest";
import { calendarOf, DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import type { Archive } from "../../src/ledger/history/archive.ts";
import { forget, HistoryKeeper } from "../../src/ledger/history/compaction.ts";
import { LedgerMemory } from "../../src/ledger/state/memory.ts";
import { EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { config } from "../fixtures/config.ts";
import { sampleAt } from "../history/published-history.ts";
import { NodeStorage } from "./node-storage.ts";

const NOW_MS = Date.parse("2026-11-20T12:30:00Z");
const TODAY_MS = Math.floor(NOW_MS / DAY_MS) * DAY_MS;
const HOUR = "2026-05-02T07";
const DAY = "2026-05-02";
const MONTH = "2026-05";
const calendar = calendarOf("UTC");

const ledger = (storage = new NodeStorage()) =>
  new LedgerMemory(storage, { config: config([]), shard: 0, now: () => NOW_MS });

/** With a roll-up of an hour and one of a day, months old; all is closed. */
function archiveOfMay(): Archive {
  const { archive } = ledger();
  archive.setThrough({ hoursMs: NOW_MS, utcDaysMs: TODAY_MS, day: "2026-11-19" });
  archive.hourRollups.set(HOUR, new Map());
  archive.dayRollups.set(DAY, new Map());
  return archive;
}

test("old roll-ups go, and the bytes of a segment stay while KV does not have it", () => {
  const archive = archiveOfMay();
  archive.putSegment("month", MONTH, new Uint8Array([1]));
  forget(archive, NOW_MS, calendar);
  expect([...archive.hourRollups.keys(), ...archive.dayRollups.keys()]).toEqual([]);
  expect(archive.segments.get(`month/${MONTH}`)).toMatchObject({ storedMs: null, kept: true });
});

/** A tick by a clock that is trusted from then on. */
function tend(memory: LedgerMemory, nowMs: number, steadyMs: number): void {
  const settings = { config: config([]), client: "test", tickIntervalMs: 60_000, now: () => nowMs };
  const keeper = new HistoryKeeper(settings, memory);
  const ticks = [nowMs, nowMs - HOUR_MS].map((tickMs) => ({ tickMs, invocation: "i", lane: 0, putOff: 0 }));
  keeper.tend({
    ...EMPTY_STATE.journal,
    ticks,
    clock: { lastMs: nowMs, steadyMs, beforeMs: nowMs - HOUR_MS },
  });
}

const add = ({ archive }: LedgerMemory, atMs: number) =>
  archive.addSamples([{ monitorId: "a/models", sample: sampleAt(atMs, {}) }]);

test("an hour is closed once its clock is trusted; a sample that comes for it later is dropped", () => {
  const memory = ledger();
  add(memory, NOW_MS - HOUR_MS);
  tend(memory, NOW_MS, NOW_MS + 1);
  // Results of an hour may come until 20 minutes after it.
  tend(memory, NOW_MS - 11 * 60_000, 0);
  expect(memory.archive.segments.size).toBe(0);
  tend(memory, NOW_MS, NOW_MS);
  expect([...memory.archive.segments.keys()]).toEqual(["hour/2026-11-20T11"]);
  add(memory, NOW_MS - HOUR_MS + 1);
  expect(memory.archive.recent.between(0, NOW_MS).get("a/models")).toHaveLength(1);
});

test("what a clock that ran ahead closed is forgotten once the right one is trusted, and history goes on", () => {
  const memory = ledger();
  add(memory, NOW_MS - 3 * HOUR_MS);
  tend(memory, NOW_MS, NOW_MS);
  const aheadMs = NOW_MS + 5 * DAY_MS;
  for (const hours of [2, 0]) add(memory, aheadMs - hours * HOUR_MS);
  for (const days of [0, 1]) tend(memory, aheadMs + days * DAY_MS, 0);
  expect(memory.archive.through?.hoursMs).toBeGreaterThan(aheadMs);
  add(memory, NOW_MS);
  expect(memory.archive.recent.between(0, NOW_MS + 1).size).toBe(0);

  tend(memory, NOW_MS, NOW_MS);
  add(memory, NOW_MS);
  const { archive } = memory;
  expect([...archive.segments.keys()]).toEqual(["hour/2026-11-20T09"]);
  expect([...archive.hourRollups.keys(), ...archive.dayRollups.keys()]).toEqual([]);
  expect([...archive.recent.between(0, Number.MAX_SAFE_INTEGER).values()].flat()).toHaveLength(1);
  expect(archive.tables.batches()).toHaveLength(1);
});
