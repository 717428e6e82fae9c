import { expect, test } from "vitest";
import { backedOff, nextGeneration, nextQuestion } from "../../src/domain/canary-rhythm.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test("an interval doubles with each failure up to 4 hours, or stays where it is longer", () => {
  expect([0, 1, 2, 3, 4, 500].map((failures) => backedOff(30 * MINUTE, failures) / MINUTE)).toEqual([
    30, 60, 120, 240, 240, 240,
  ]);
  expect([0, 1, 500].map((failures) => backedOff(12 * HOUR, failures) / HOUR)).toEqual([12, 12, 12]);
});

test("the next generation after failures is the first tick that they allow, in whole ticks", () => {
  const rhythm = { monitorId: "a/chat", everyMs: 90_000, tickMs: MINUTE };
  expect(nextGeneration(rhythm, 10 * MINUTE, 1)).toBe(13 * MINUTE);
  expect(nextGeneration(rhythm, 10 * MINUTE, 2)).toBe(16 * MINUTE);
});

test("a task is asked about with every tick, and less often while questions are refused", () => {
  const next = [0, 1, 2, 3, 4, 500].map(
    (refused) => nextQuestion(10 * MINUTE, MINUTE, { refused, waitMs: 0 }) / MINUTE - 10,
  );
  expect(next).toEqual([1, 2, 4, 8, 15, 15]);
});

test("a task is asked about no earlier than its answer wants, after 15 minutes at the latest", () => {
  const next = [-5000, 60_000, 60_001, 900_000, 86_400_000].map(
    (waitMs) => nextQuestion(10 * MINUTE, MINUTE, { refused: 0, waitMs }) / MINUTE - 10,
  );
  expect(next).toEqual([1, 1, 2, 15, 15]);
});
