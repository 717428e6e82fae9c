import { expect, test } from "vitest";
import { countsOf, gatewayStanding, monitorStanding } from "../../src/history/standing.ts";
import {
  canaryMonitor,
  gatewayDocument,
  monitorDocument,
  pendingCanary,
  plannedWindow,
  skippedCanary,
} from "../http/documents.ts";
import { keyedWindows, windowNow } from "../../src/history/documents.ts";

const up = monitorDocument();
const down = monitorDocument({ status: "down" });
const unknown = monitorDocument({ status: "unknown" });
const paused = monitorDocument({ status: "down", pausedAt: "2026-11-20T08:00:00.000Z" });

const capped = skippedCanary({ reason: "cap", cause: null });
const pending = pendingCanary();
const failed = skippedCanary({ reason: "gateway", cause: "timeout" }, { lastStatus: "down" });
const interrupted = canaryMonitor({ interrupted: true }, { status: "unknown", diagnosis: null });
const inIncident = { ...failed, incident: "acme-chat-20261120t080000z" };

const NOW = { stale: false, isPlanned: false };
const PLANNED = { stale: false, isPlanned: true };
const STALE = { stale: true, isPlanned: false };
const STALE_AND_PLANNED = { stale: true, isPlanned: true };

test.each([
  ["that is up", up, NOW, "up"],
  ["that is down", down, NOW, "down"],
  ["that is down in planned maintenance", down, PLANNED, "maintenance"],
  ["that is paused", paused, NOW, "paused"],
  ["when the checks have stopped", up, STALE, "stale"],
  ["in planned maintenance when the checks have stopped", up, STALE_AND_PLANNED, "stale"],
  ["that is not asked for its cap, though it was up", capped, NOW, "unknown"],
  ["whose task is not over", pending, NOW, "unknown"],
  ["that is not asked and failed last", failed, NOW, "down"],
  ["that is not asked while its incident is open", inIncident, NOW, "down"],
] as const)("a monitor %s", (_, monitor, moment, standing) => {
  expect(monitorStanding(monitor, moment)).toBe(standing);
});

test("what is in planned maintenance is counted apart, unless its checks have stopped", () => {
  const gateways = ["acme", "beta"].map((id) => gatewayDocument({ id, monitors: [down, up] }));
  const maintenance = [plannedWindow(["acme"])];
  const none = { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 0 };
  const one = { ...none, up: 1, down: 1 };
  const counts = (stale: boolean) => countsOf({ gateways, maintenance, stale }, NOW_MS);
  expect(counts(false)).toEqual({ summary: one, inMaintenance: one });
  expect(counts(true)).toEqual({ summary: { ...none, up: 2, down: 2 }, inMaintenance: none });
});

test.each([
  ["as its worst", [up, down], NOW, "down"],
  ["as its worst, of which one is not known", [up, unknown], NOW, "unknown"],
  ["as those that are not paused", [up, paused], NOW, "up"],
  ["as those that do not wait", [up, capped, pending, interrupted], NOW, "up"],
  ["as its canary was last seen, which failed", [up, failed], NOW, "down"],
  ["unknown where all wait", [capped, pending], NOW, "unknown"],
  ["as its canary was last seen, whose incident is open", [up, capped, inIncident], NOW, "down"],
  ["paused where all are", [paused, paused], NOW, "paused"],
  ["in planned maintenance with one that is paused", [down, paused], PLANNED, "maintenance"],
  ["unknown without monitors", [], NOW, "unknown"],
  ["stale when the checks have stopped", [up, paused], STALE, "stale"],
] as const)("a gateway is %s", (_, monitors, moment, standing) => {
  expect(gatewayStanding(gatewayDocument({ monitors: [...monitors] }), moment)).toBe(standing);
});

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
