import { assert, integer, nat, property, string } from "fast-check";
import { expect, test } from "vitest";
import {
  nextDue,
  nextSlot,
  peaceAskedMs,
  stableHash,
  stretched,
  inMaintenance,
} from "../../src/domain/schedule.ts";
import { LONGEST_BACK_OFF_MS, nextQuestion } from "../../src/domain/canary.ts";
import { diagnosis } from "../fixtures/outcome.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const rhythm = (monitorId: string, everyMinutes: number) => ({
  monitorId,
  everyMs: everyMinutes * MINUTE,
  tickMs: MINUTE,
});

test("slots lie one interval apart, at a phase of their own", () => {
  assert(
    property(string(), integer({ min: 1, max: 1440 }), nat(1e9), (id, every, at) => {
      const first = nextSlot(rhythm(id, every), at);
      expect(first).toBeGreaterThan(at);
      expect(first - at).toBeLessThanOrEqual(every * MINUTE);
      expect(first % MINUTE).toBe(0);
      expect(nextSlot(rhythm(id, every), first)).toBe(first + every * MINUTE);
    }),
  );
});

test("a hundred monitors of five minutes do not all share a tick", () => {
  const slots = new Set(Array.from({ length: 100 }, (_, n) => nextSlot(rhythm(`g${n}/models`, 5), 0)));
  expect(slots.size).toBe(5);
});

test.each([1, 2, 4, 7, 8, 10, 12, 14, 15, 60])("a refused monitor of every %i minutes backs off", (every) => {
  const gaps = [1, 2, 3, 4, 5].map((refusals) => nextDue(rhythm("a/models", every), 100 * MINUTE, refusals));
  const expected = [2, 4, 8, 16, 32].map((factor) => Math.max(every, Math.min(every * factor, 15)));
  expect(gaps.map((due) => due / MINUTE - 100)).toEqual(expected);
});

test("the hash is the published FNV-1a", () => {
  expect(stableHash("")).toBe(0x811c9dc5);
  expect(stableHash("a")).toBe(0xe40c292c);
  expect(stableHash("foobar")).toBe(0xbf9cf968);
});

test("a failure may ask for seconds of peace; a good answer and a pending task ask for none", () => {
  const asking = { retry: { allowed: true, afterSeconds: 20, hint: null } };
  expect(peaceAskedMs(diagnosis("rate_limited", "degraded", asking))).toBe(20_000);
  expect(peaceAskedMs(diagnosis("rate_limited", "degraded"))).toBe(0);
  expect(peaceAskedMs(diagnosis("task_pending", "unknown", asking))).toBe(0);
  expect(peaceAskedMs(diagnosis("ok", "up", asking))).toBe(0);
});

test("an interval doubles with each failure up to 4 hours, or stays where it is longer", () => {
  const back = (everyMs: number, failures: number) => stretched(everyMs, failures, LONGEST_BACK_OFF_MS);
  const doubled = [0, 1, 2, 3, 4, 500].map((failures) => back(30 * MINUTE, failures) / MINUTE);
  expect(doubled).toEqual([30, 60, 120, 240, 240, 240]);
  expect([0, 1, 500].map((failures) => back(12 * HOUR, failures) / HOUR)).toEqual([12, 12, 12]);
});

test("the next generation after failures is the first tick that they allow, in whole ticks", () => {
  const steps = { monitorId: "a/chat", everyMs: 90_000, tickMs: MINUTE };
  expect(nextDue(steps, 10 * MINUTE, 1, LONGEST_BACK_OFF_MS)).toBe(13 * MINUTE);
  expect(nextDue(steps, 10 * MINUTE, 2, LONGEST_BACK_OFF_MS)).toBe(16 * MINUTE);
});

test("a task is asked about with every tick, less often while questions are refused, and no earlier than its answer wants", () => {
  const next = (refused: number, waitMs = 0) =>
    nextQuestion(10 * MINUTE, MINUTE, { refused, waitMs }) / MINUTE - 10;
  expect([0, 1, 2, 3, 4, 500].map((refused) => next(refused))).toEqual([1, 2, 4, 8, 15, 15]);
  const waits = [-5000, 60_000, 60_001, 900_000, 86_400_000];
  expect(waits.map((waitMs) => next(0, waitMs))).toEqual([1, 1, 2, 15, 15]);
});

const WINDOW = { gateways: ["acme"], fromMs: 1000, toMs: 2000, title: "New disks" };

test.each([
  [999, false],
  [1000, true],
  [1999, true],
  [2000, false],
])("at %d ms maintenance is %s: the end of a window is not part of it", (atMs, isIn) => {
  expect(inMaintenance([WINDOW], "acme", atMs)).toBe(isIn);
  expect(inMaintenance([{ ...WINDOW, gateways: [] }], "acme", atMs)).toBe(isIn);
  expect(inMaintenance([WINDOW], "other", atMs)).toBe(false);
});
