import { assert, constantFrom, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { addDays, calendarOf, HOUR_MS, span } from "../../src/domain/calendar.ts";

test("a day begins at the zone's midnight", () => {
  const shanghai = calendarOf("Asia/Shanghai");
  expect(shanghai.startOfDay("2026-11-21")).toBe(Date.parse("2026-11-20T16:00:00Z"));
  expect(shanghai.dayOf(Date.parse("2026-11-20T15:59:59.999Z"))).toBe("2026-11-20");
  expect(shanghai.dayOf(Date.parse("2026-11-20T16:00:00Z"))).toBe("2026-11-21");
});

test("days with a change of the clock have 23 and 25 hours", () => {
  const berlin = calendarOf("Europe/Berlin");
  const length = (day: string) => (berlin.startOfDay(addDays(day, 1)) - berlin.startOfDay(day)) / HOUR_MS;
  expect([length("2026-03-29"), length("2026-10-25"), length("2026-06-01")]).toEqual([23, 25, 24]);
});

test("a zone that has no midnight on the day its clocks go forward still has a first instant", () => {
  const cairo = calendarOf("Africa/Cairo");
  expect(cairo.startOfDay("2026-04-24")).toBe(Date.parse("2026-04-23T22:00:00Z"));
});

test("every instant lies in the day that names it", () => {
  const zones = ["UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Shanghai"];
  assert(
    property(constantFrom(...zones), integer({ min: 0, max: 2e12 }), (zone, at) => {
      const calendar = calendarOf(zone);
      const day = calendar.dayOf(at);
      expect(calendar.startOfDay(day)).toBeLessThanOrEqual(at);
      expect(calendar.startOfDay(addDays(day, 1))).toBeGreaterThan(at);
    }),
  );
});

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [725_000, "12 min 5 s"],
  [14_520_000, "4 h 2 min"],
  [273_600_000, "3 d 4 h"],
  [-5, "0 s"],
])("%i ms are %s", (ms, words) => {
  expect(span(0, ms)).toBe(words);
});
