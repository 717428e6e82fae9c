import { expect, test } from "vitest";
import { keyedWindows, windowNow } from "../../src/history/documents.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);

const ofHours = (from: number, to: number, gateways = ["acme"]) => ({
  gateways,
  from: new Date(NOW_MS + from * 3_600_000).toISOString(),
  to: new Date(NOW_MS + to * 3_600_000).toISOString(),
  title: `${from} to ${to}`,
});

test("of windows that are under way that counts which ends last, whatever their order", () => {
  const [short, long, middle] = [ofHours(-1, 1), ofHours(-3, 3), ofHours(-2, 2)];
  expect(windowNow([short, long, middle], "acme", NOW_MS)).toBe(long);
  expect(windowNow([long, middle, short], "acme", NOW_MS)).toBe(long);
});

test("neither one that is over, nor one to come, nor another gateway's counts", () => {
  const others = [ofHours(-2, 0), ofHours(1, 2), ofHours(-1, 5, ["beta"])];
  expect(windowNow(others, "acme", NOW_MS)).toBeNull();
});

test("a window is known by its id, else by its start and its gateways, with a number where others are too", () => {
  const window = ofHours(0, 1);
  const planned = { id: "m1", ...window };
  const keys = keyedWindows([window, planned, { ...window, title: "Other" }, ofHours(0, 1, [])]);
  const start = NOW_MS.toString(36);
  expect(keys.map(({ key }) => key)).toEqual([
    `maintenance.${start}.acme`,
    "m1",
    `maintenance.${start}.acme:2`,
    `maintenance.${start}`,
  ]);
});
