import { expect, test } from "vitest";
import { parseHistoryQuery } from "../../src/http/history.ts";
import { preferred, preferredLanguage } from "../../src/http/problem.ts";
import { NOW_MS } from "./documents.ts";

const AT_11 = "2026-11-20T11:00:00Z";
const AT_11_MS = NOW_MS - 3_600_000;

const [DAY_9, DAY_10] = [Date.UTC(2026, 10, 9), Date.UTC(2026, 10, 10)];
const UNTIL_10 = { to: "2026-11-10T00:00:00Z", step: "1h" };

test.each<[string, query: Record<string, string>, fromMs: number, toMs: number, step: string]>([
  ["the last 24 hours, probe by probe, without arguments", {}, NOW_MS - 86_400_000, NOW_MS, "probe"],
  ["the 24 hours before its end without a start", UNTIL_10, DAY_9, DAY_10, "1h"],
  ["an empty range", { from: AT_11, to: AT_11 }, AT_11_MS, AT_11_MS, "probe"],
])("history is that of %s", (_, query, fromMs, toMs, step) => {
  const expected = { fromMs, toMs, step, region: null };
  expect(parseHistoryQuery(new URLSearchParams(query), NOW_MS, "UTC")).toEqual(expected);
});

test.each([
  [{ from: "2026-08-25", to: "2026-08-25" }, "UTC", "2026-08-25T00:00Z", "2026-08-26T00:00Z"],
  [{ from: "2026-08-25" }, "Asia/Shanghai", "2026-08-24T16:00Z", "2026-11-20T12:00Z"],
  // The clocks go back on this day.
  [{ from: "2026-10-25", to: "2026-10-25" }, "Europe/Berlin", "2026-10-24T22:00Z", "2026-10-25T23:00Z"],
])("dates %j are whole days of %s", (query, timeZone, from, to) => {
  const parameters = new URLSearchParams({ ...query, step: "1d" });
  const { fromMs, toMs } = parseHistoryQuery(parameters, NOW_MS, timeZone);
  expect([fromMs, toMs]).toEqual([Date.parse(from), Date.parse(to)]);
});

test.each(["2026-11-20T12:00:00Z", "2026-11-20T20:00:00+08:00"])("%s is an instant", (to) => {
  expect(parseHistoryQuery(new URLSearchParams({ to }), 0, "UTC").toMs).toBe(NOW_MS);
});

test.each(["now", "2026-11-20 12:00:00Z", "2026-02-29T00:00:00Z", "2026-02-29", "2026-11"])(
  "%j is none",
  (to) => {
    expect(() => parseHistoryQuery(new URLSearchParams({ to }), NOW_MS, "UTC")).toThrow("Bad request");
  },
);

const OFFERS = ["application/json", "text/csv", "application/x-ndjson"] as const;

test.each([
  [undefined, "application/json"],
  ["*/*", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV; charset=utf-8", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv;q=0.5, application/json;q=0.4", "text/csv"],
  ["text/csv;q=0, */*", "application/json"],
  ["application/json;q=0, application/*", "application/x-ndjson"],
  ["image/png", null],
])("Accept: %s wants %s", (accept, offer) => {
  expect(preferred(accept, OFFERS)).toBe(offer);
});

test.each([
  [null, null],
  ["zh-CN", "zh"],
  ["zh-Hant-TW", "zh"],
  ["en-US,en;q=0.9,zh-CN;q=0.8", "en"],
  ["de-DE,de;q=0.9,zh;q=0.3,en;q=0.2", "zh"],
  ["en, zh", "en"],
  ["zh;q=0", null],
  ["zh;q=x, en;q=0.1", "en"],
  ["zh;q=0.6, *;q=0.5", "zh"],
  ["*", null],
])("Accept-Language: %s wants %s", (accept, language) => {
  expect(preferredLanguage(accept, ["en", "zh"])).toBe(language);
});
