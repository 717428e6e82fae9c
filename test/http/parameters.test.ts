import { expect, test } from "vitest";
import { parseHistoryQuery, parseIncidentsQuery, parseInstant } from "../../src/http/parameters.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

test.each([
  ["2026-11-20T12:00:00Z", NOW_MS],
  ["2026-11-20t12:00:00z", NOW_MS],
  ["2026-11-20T12:00:00.123Z", NOW_MS + 123],
  ["2026-11-20T12:00:00.123999Z", NOW_MS + 123],
  ["2026-11-20T20:00:00+08:00", NOW_MS],
  ["2026-11-20T20:00:00 08:00", NOW_MS],
  ["2026-11-20T06:30:00-05:30", NOW_MS],
  ["2028-02-29T00:00:00Z", Date.UTC(2028, 1, 29)],
])("%s is an instant", (text, atMs) => {
  expect(parseInstant(text)).toBe(atMs);
});

test.each([
  "",
  "now",
  "1700000000",
  "2026-11-20",
  "2026-11-20T12:00Z",
  "2026-11-20T12:00:00",
  "2026-11-20 12:00:00Z",
  "2026-02-29T00:00:00Z",
  "2026-04-31T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-00-01T00:00:00Z",
  "2026-11-00T00:00:00Z",
  "2026-11-20T25:00:00Z",
  "2026-11-20T12:60:00Z",
  "2026-11-20T12:00:00+8:00",
  "2026-11-20T12:00:00+99:00",
  "20261120T120000Z",
  "+002026-11-20T12:00:00Z",
  "2026-11-20T12:00:00Z\n",
  "٢٠٢٦-11-20T12:00:00Z",
])("%j is none", (text) => {
  expect(parseInstant(text)).toBeNull();
});

test("without arguments history is that of the last 24 hours, probe by probe", () => {
  expect(parseHistoryQuery(new URLSearchParams(), NOW_MS)).toEqual({
    ok: true,
    value: { fromMs: NOW_MS - 86_400_000, toMs: NOW_MS, step: "probe", region: null },
  });
});

test("without a start it begins 24 hours before its end", () => {
  const parameters = new URLSearchParams({ to: "2026-11-10T00:00:00Z", step: "1h" });
  expect(parseHistoryQuery(parameters, NOW_MS)).toEqual({
    ok: true,
    value: { fromMs: Date.UTC(2026, 10, 9), toMs: Date.UTC(2026, 10, 10), step: "1h", region: null },
  });
});

test("every fault is told at once, with where it is", () => {
  const parameters = new URLSearchParams({ from: "yesterday", to: "2026-02-30T00:00:00Z", step: "1m" });
  expect(parseHistoryQuery(parameters, NOW_MS)).toEqual({
    ok: false,
    faults: [
      { detail: "is no RFC 3339 instant, such as 2026-11-20T12:00:00Z", pointer: "#/from" },
      { detail: "is no RFC 3339 instant, such as 2026-11-20T12:00:00Z", pointer: "#/to" },
      { detail: "is none of probe, 1h, 1d", pointer: "#/step" },
    ],
  });
});

test("a range that ends before it begins is a fault, an empty one is none", () => {
  const backwards = new URLSearchParams({ from: "2026-11-20T11:00:00Z", to: "2026-11-20T10:59:59Z" });
  expect(parseHistoryQuery(backwards, NOW_MS)).toEqual({
    ok: false,
    faults: [{ detail: "is later than the end of the range", pointer: "#/from" }],
  });
  const empty = new URLSearchParams({ from: "2026-11-20T11:00:00Z", to: "2026-11-20T11:00:00Z" });
  expect(parseHistoryQuery(empty, NOW_MS).ok).toBe(true);
});

test("incidents begin with the newest unless an instant says otherwise", () => {
  expect(parseIncidentsQuery(new URLSearchParams())).toEqual({ ok: true, value: { beforeMs: null } });
  expect(parseIncidentsQuery(new URLSearchParams({ before: "2026-11-20T12:00:00Z" }))).toEqual({
    ok: true,
    value: { beforeMs: NOW_MS },
  });
  expect(parseIncidentsQuery(new URLSearchParams({ before: "1" }))).toMatchObject({ ok: false });
});
