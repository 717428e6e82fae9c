import { expect, test } from "vitest";
import {
  type CanarySight,
  type DaySpending,
  attemptsOf,
  countSpending,
  requestsLeft,
  skipOf,
  spentOn,
} from "../../src/domain/canary.ts";
import { NO_FIGURES } from "../../src/domain/probe-outcome.ts";

const HOUR = 3_600_000;
const CLEAR: CanarySight = {
  isGeneration: true,
  sharesKey: true,
  listCause: null,
  isMissing: false,
  askedAtMs: 0,
  left: 2,
  nowMs: HOUR,
};

test("the gateway's cause comes before a missing model, and that before a cap", () => {
  const all = { ...CLEAR, isMissing: true, left: 0 };
  expect(skipOf({ ...all, listCause: "timeout" })).toEqual({ reason: "gateway", cause: "timeout" });
  expect(skipOf(all)).toEqual({ reason: "unlisted", cause: null });
  expect(skipOf({ ...all, isMissing: false })).toEqual({ reason: "cap", cause: null });
});

test.each([
  ["never asked", null, null],
  ["asked within a day", 0, "unlisted"],
  ["asked a day ago", -23 * HOUR, null],
])("a model that does not exist: %s", (_, askedAtMs, reason) => {
  expect(skipOf({ ...CLEAR, isMissing: true, askedAtMs })?.reason ?? null).toBe(reason);
});

test("without `retry` one request leaves, with it 4 at most, and never more than are left", () => {
  expect([1, 2, 4, 9, null].map((left) => attemptsOf({ retry: false }, left))).toEqual([1, 1, 1, 1, 1]);
  expect([1, 2, 4, 9, null].map((left) => attemptsOf({ retry: true }, left))).toEqual([1, 2, 4, 4, 4]);
});

const NOTHING = { inputTokens: 0, outputTokens: 0, costMicros: 0 };
const on = (day: string, requests: number): DaySpending => ({ day, requests, ...NOTHING });

const asked = (days: readonly DaySpending[], day: string, requests: number) =>
  countSpending(days, day, { requests });

test("requests are counted by day, and given back they are none", () => {
  const days = asked(asked([], "2026-11-20", 4), "2026-11-20", -3);
  expect(days).toEqual([on("2026-11-20", 1)]);
  expect(asked(days, "2026-11-20", -9)).toEqual([on("2026-11-20", 0)]);
  expect(asked(days, "2026-11-21", 1)).toEqual([on("2026-11-21", 1), on("2026-11-20", 1)]);
});

test("tokens and cost are added, as far as they were told", () => {
  const days = countSpending([], "2026-11-20", { ...NO_FIGURES, inputTokens: 3, costMicros: 20 });
  expect(countSpending(days, "2026-11-20", { ...NO_FIGURES, outputTokens: 5, costMicros: 1 })).toEqual([
    { day: "2026-11-20", requests: 0, inputTokens: 3, outputTokens: 5, costMicros: 21 },
  ]);
});

test("the eight days that were counted last are kept, in whatever order they lie", () => {
  let days: readonly DaySpending[] = [];
  for (const day of [20, 28, 21, 27, 22, 26, 23, 25]) days = asked(days, `2026-11-${day}`, 1);
  const kept = days.map(({ day }) => day.slice(-2)).toSorted();
  expect(kept.join(" ")).toBe("20 21 22 23 25 26 27 28");
  expect(spentOn(asked(days, "2026-11-01", 1), "2026-11-20").requests).toBe(0);
  const again = asked(days, "2026-11-20", 1);
  expect(spentOn(asked(again, "2026-11-01", 1), "2026-11-20").requests).toBe(2);
});

test("what is left is never below nothing, and without a cap there is no number", () => {
  const days = [on("2026-11-20", 5)];
  const limits = (perDay: number | null) => ({ perDay, maxCostMicros: null, prices: null });
  expect([7, 5, 2, null].map((perDay) => requestsLeft(days, "2026-11-20", limits(perDay)))).toEqual([
    2,
    0,
    0,
    null,
  ]);
  expect(requestsLeft(days, "2026-11-21", limits(2))).toBe(2);
});

test("a limit in money allows as many requests as stay below it if each costs the most; the smaller limit counts", () => {
  const days = countSpending([], "2026-11-20", { requests: 5, costMicros: 401 });
  const left = (perDay: number | null, maxCostMicros: number) =>
    requestsLeft(days, "2026-11-20", { perDay, maxCostMicros, prices: { mostMicros: 100 } });
  expect([left(null, 1000), left(null, 501), left(null, 500), left(null, 300)]).toEqual([5, 1, 0, 0]);
  expect([left(6, 1000), left(48, 1000)]).toEqual([1, 5]);
});

test("what was estimated is kept beside the costs that contain it", () => {
  const days = countSpending([], "2026-11-20", { costMicros: 30, estimatedMicros: 20 });
  expect(countSpending(days, "2026-11-20", { costMicros: 5 })[0]).toMatchObject({
    costMicros: 35,
    estimatedMicros: 20,
  });
});
