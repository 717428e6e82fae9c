/**
 * Thirty days of the Ledger in virtual time, a day of 25 hours and the end of a month among them; `npm run endurance` plays
 * the whole year with more monitors.
 */
import { beforeEach, expect, test, vi } from "vitest";
import { seedOf } from "../extent.ts";
import type { Most } from "../endurance/bounds.ts";
import { Checks } from "../endurance/checks.ts";
import { playDays } from "../endurance/days.ts";
import { replayChance } from "../endurance/replay.ts";
import { Year } from "../endurance/year.ts";

const SEED = seedOf("days of faults");

// Writes that KV refuses are part of the play.
beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());

test("after thirty days of faults everything that is read back is what was probed", async () => {
  replayChance(SEED);
  const options = { seed: SEED, monitors: 12, tickMs: 10 * 60_000, startMs: Date.UTC(2026, 9, 5) };
  const year = new Year(options);
  const checks = new Checks(year);
  const most: Most = {};
  await playDays({ year, checks, most }, 0, 30);
  // What was not played proves nothing.
  expect(checks.compared.samples).toBeGreaterThan(15_000);
  expect(checks.compared.incidents).toBeGreaterThan(10);
  expect(year.count.evictions).toBeGreaterThan(50);
  expect(year.count.deploys).toBeGreaterThan(0);
});
