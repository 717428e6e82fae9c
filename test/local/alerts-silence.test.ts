/**
 * The monitor is watched too: ticks that stop are told of once, by the Ledger's own alarm, and so is their return. Real
 * Worker, real Ledger, real alarms.
 */
import { expect, test } from "vitest";
import { alertingHouse, linesAt, minutesAt, passMinutes, sentAtMs, toldAt } from "./support/alerting.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { HOUR_MS, MINUTE_MS, type WorldOptions } from "./support/world.ts";

const { receiver, start } = await alertingHouse();
const [STALLED, RESUMED] = ["monitoring.stalled -", "monitoring.resumed -"];

const started = (over: Partial<WorldOptions> = {}) => start({ acme: ["healthy"] }, { ops: undefined }, over);
const lines = () => linesAt(receiver, "ops");
const lastTicks = () => toldAt(receiver, "ops").map(({ data }) => data.lastTickAt);
const iso = (atMs: number) => new Date(atMs).toISOString();

test("ticks that stop are told of once, three intervals after the last; their return, with the next one", async () => {
  const world = await started();
  await passMinutes(world, 0, 5);
  await world.passUntil(world.startMs + 7 * MINUTE_MS - 1);
  expect(receiver.at("ops")).toEqual([]);
  await world.passUntil(world.startMs + 2 * HOUR_MS);
  expect(lines()).toEqual([STALLED]);
  expect(minutesAt(world, receiver, "ops")).toEqual([7]);
  const lastTickAt = iso(world.startMs + 4 * MINUTE_MS);
  expect(toldAt(receiver, "ops")[0]?.data).toMatchObject({ lastTickAt, incident: null, monitor: null });

  await passMinutes(world, 121, 3);
  expect(lines()).toEqual([STALLED, RESUMED]);
  expect(minutesAt(world, receiver, "ops")).toEqual([7, 121]);
  expect(lastTicks()).toEqual([lastTickAt, lastTickAt]);

  await world.passUntil(world.startMs + 5 * HOUR_MS);
  await passMinutes(world, 301, 2);
  expect(lines().slice(2)).toEqual([STALLED, RESUMED]);
  expect(new Set(toldAt(receiver, "ops").map(({ data }) => data.eventId)).size).toBe(4);
});

test("a runtime that is killed and started again after the last tick is woken by its alarm and tells of the silence, though nothing ever calls it", async () => {
  // Time runs by itself here: three minutes are a second and a half.
  const running = { persistDir: await temporaryDirectory(), stands: false, speed: 120 };
  const first = await started(running);
  await first.tick(first.startMs);
  await first.kill();
  expect(receiver.at("ops")).toEqual([]);
  await started({ ...running, startMs: first.startMs + MINUTE_MS });
  await expect.poll(lines).toEqual([STALLED]);
  const [arrival] = receiver.at("ops");
  expect(arrival && sentAtMs(arrival)).toBeGreaterThanOrEqual(first.startMs + 3 * MINUTE_MS);
});
