/** What is closed and what is forgotten: not on the word of a clock that has just jumped, and nothing of the past too early. */
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { calendarOf, DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import { type Archive, RecentSamples } from "../../src/ledger/history/archive.ts";
import { forget, historyKeeper } from "../../src/ledger/history/compaction.ts";
import { LedgerMemory } from "../../src/ledger/state/memory.ts";
import { EMPTY_STATE } from "../../src/ledger/state/state.ts";
import { config } from "../fixtures/config.ts";
import { sampleAt } from "../history/published-history.ts";
import { NodeStorage } from "./node-storage.ts";
import { COURSE_STEP_MS, courseStart, courseStep } from "../../src/domain/rollup.ts";

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
  const ticks = [nowMs, nowMs - HOUR_MS].map((tickMs) => ({ tickMs, invocation: "i", lane: 0, putOff: 0 }));
  historyKeeper(
    settings,
    memory,
  )({
    ...EMPTY_STATE.journal,
    ticks,
    clock: { lastMs: nowMs, steadyMs, beforeMs: nowMs - HOUR_MS },
  });
}

const addTo = ({ archive }: LedgerMemory, atMs: number) =>
  archive.addSamples([{ monitorId: "a/models", sample: sampleAt(atMs, {}) }]);

test("an hour is closed once its clock is trusted; a sample that comes for it later is dropped", () => {
  const memory = ledger();
  addTo(memory, NOW_MS - HOUR_MS);
  tend(memory, NOW_MS, NOW_MS + 1);
  // Results of an hour may come until 20 minutes after it.
  tend(memory, NOW_MS - 11 * 60_000, 0);
  expect(memory.archive.segments.size).toBe(0);
  tend(memory, NOW_MS, NOW_MS);
  expect([...memory.archive.segments.keys()]).toEqual(["hour/2026-11-20T11"]);
  addTo(memory, NOW_MS - HOUR_MS + 1);
  expect(memory.archive.recent.between(0, NOW_MS).get("a/models")).toHaveLength(1);
});

test("what a clock that ran ahead closed is forgotten once the right one is trusted, and history goes on", () => {
  const memory = ledger();
  addTo(memory, NOW_MS - 3 * HOUR_MS);
  tend(memory, NOW_MS, NOW_MS);
  const aheadMs = NOW_MS + 5 * DAY_MS;
  for (const hours of [2, 0]) addTo(memory, aheadMs - hours * HOUR_MS);
  for (const days of [0, 1]) tend(memory, aheadMs + days * DAY_MS, 0);
  expect(memory.archive.through?.hoursMs).toBeGreaterThan(aheadMs);
  addTo(memory, NOW_MS);
  expect(memory.archive.recent.between(0, NOW_MS + 1).size).toBe(0);

  tend(memory, NOW_MS, NOW_MS);
  addTo(memory, NOW_MS);
  const { archive } = memory;
  expect([...archive.segments.keys()]).toEqual(["hour/2026-11-20T09"]);
  expect([...archive.hourRollups.keys(), ...archive.dayRollups.keys()]).toEqual([]);
  expect([...archive.recent.between(0, Number.MAX_SAFE_INTEGER).values()].flat()).toHaveLength(1);
  expect(archive.tables.batches()).toHaveLength(1);
});

// The samples of the last day in memory: the course that is asked for again and again.

const START = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;

test("a course that was asked for before is the same as one that is made anew", () => {
  const step = {
    ask: fc.boolean(),
    at: fc.integer({ min: 0, max: 40 * 60 }),
    latencyMs: fc.option(fc.integer({ min: 1, max: 999 })),
    drop: fc.boolean(),
    span: fc.integer({ min: 0, max: 40 * 60 }),
  };
  const steps = fc.array(fc.record(step), { maxLength: 60 });
  const add = { ask: false, at: 0, latencyMs: 100, drop: false, span: 0 };
  const asked = { ...add, ask: true };
  /** A probe comes into a half hour that was asked for. */
  const example = [asked, add, asked, { ...add, at: 1, latencyMs: null }, asked];
  /** A clock that ran ahead left a probe behind. */
  const forgotten = [
    { ...add, at: 60 },
    { ...asked, at: 60 },
    { ...add, drop: true },
    { ...asked, at: 60 },
  ];
  fc.assert(
    fc.property(steps, (played) => {
      const recent = new RecentSamples();
      let samples: ReturnType<typeof sampleAt>[] = [];
      for (const { ask, at, latencyMs, drop, span } of played) {
        const atMs = START + at * MINUTE;
        if (drop) {
          const untilMs = atMs + span * MINUTE;
          recent.keep(atMs, untilMs);
          samples = samples.filter((sample) => sample.atMs >= atMs && sample.atMs <= untilMs);
        } else if (ask) {
          const fromMs = courseStart(atMs);
          const course = recent.course("g/m", atMs);
          expect(course).toEqual(
            Array.from({ length: 48 }, (_, index) => {
              const stepMs = fromMs + index * COURSE_STEP_MS;
              return courseStep(
                samples.filter((of) => of.atMs >= stepMs && of.atMs < stepMs + COURSE_STEP_MS),
              );
            }),
          );
        } else {
          const failure = { health: "down", cause: "timeout" } as const;
          const sample = sampleAt(atMs, { latencyMs, ...(latencyMs === null && failure) });
          recent.add("g/m", sample);
          samples.push(sample);
        }
      }
    }),
    { examples: [[example], [forgotten]] },
  );
});
