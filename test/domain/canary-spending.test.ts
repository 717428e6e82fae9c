import { expect, test } from "vitest";
import { countRequests, countUse, requestsLeft, spentOn, type DaySpending } from "../../src/domain/canary.ts";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";

const NOTHING = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
const on = (day: string, requests: number): DaySpending => ({ day, requests, ...NOTHING });

test("requests are counted by day, and given back they are none", () => {
  const days = countRequests(countRequests([], "2026-11-20", 4), "2026-11-20", -3);
  expect(days).toEqual([on("2026-11-20", 1)]);
  expect(countRequests(days, "2026-11-20", -9)).toEqual([on("2026-11-20", 0)]);
  expect(countRequests(days, "2026-11-21", 1)).toEqual([on("2026-11-21", 1), on("2026-11-20", 1)]);
});

test("tokens and cost are added; what nobody told leaves no trace", () => {
  const days = countUse([], "2026-11-20", { ...NO_FIGURES, inputTokens: 3, costMicros: 20 });
  expect(countUse(days, "2026-11-20", { ...NO_FIGURES, outputTokens: 5, costMicros: 1 })).toEqual([
    { day: "2026-11-20", requests: 0, inputTokens: 3, outputTokens: 5, costMicros: 21 },
  ]);
  expect(countUse(days, "2026-11-21", NO_FIGURES)).toBe(days);
});

test("the eight days that were counted last are kept, in whatever order they lie", () => {
  let days: readonly DaySpending[] = [];
  for (const day of [20, 28, 21, 27, 22, 26, 23, 25]) days = countRequests(days, `2026-11-${day}`, 1);
  const kept = days.map(({ day }) => day.slice(-2)).toSorted();
  expect(kept.join(" ")).toBe("20 21 22 23 25 26 27 28");
  expect(spentOn(days, "2026-11-20").requests).toBe(1);
  expect(spentOn(countRequests(days, "2026-11-01", 1), "2026-11-20").requests).toBe(0);
  const again = countRequests(days, "2026-11-20", 1);
  expect(spentOn(countRequests(again, "2026-11-01", 1), "2026-11-20").requests).toBe(2);
});

test("what is left is never below nothing, and without a cap there is no number", () => {
  const days = [on("2026-11-20", 5)];
  expect([7, 5, 2, null].map((perDay) => requestsLeft(days, "2026-11-20", perDay))).toEqual([2, 0, 0, null]);
  expect(requestsLeft(days, "2026-11-21", 2)).toBe(2);
});
