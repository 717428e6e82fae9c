/**
 * Requests over all public routes of the local runner while ticks run. Every answer is the expected one, no tick fails or is
 * doubled, and in the full run none is missed or late. `npm run endurance` plays a million of them.
 */
import { expect, test } from "vitest";
import { isFull, rounds, seedOf } from "../extent.ts";
import { loadMonitor } from "../endurance/loaded-monitor.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const REQUESTS = rounds(2000, 20_000);

/** A late tick depends on what else the machine does. The full run, where nothing else runs, judges it. */
const LATE =
  / (?:has 0 samples of the tick of|was asked out of turn at|was answered after the next tick began:) /u;

test("requests are answered as they should be, and ticks go on all the while: none fails, none is doubled", async () => {
  const seed = seedOf("load on the local runner");
  const order = { seed, requests: REQUESTS, quietMs: rounds(5000, 20_000) };
  const { statuses, faults, ticks } = await loadMonitor(order, await temporaryDirectory());
  expect(faults.filter((fault) => isFull || !LATE.test(fault))).toEqual([]);
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  // What was not played proves nothing.
  expect(ticks.quiet.ticks).toBeGreaterThanOrEqual(rounds(1, 4));
  expect(ticks.loaded.samples).toBeGreaterThan(0);
}, 900_000);
