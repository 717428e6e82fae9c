/** A month of the Ledger in virtual time, with a day of 25 hours and a month's end; `npm run endurance` plays the whole year. */
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { isFull, seedOf } from "../extent.ts";
import { Checks, playDays } from "../endurance/checks.ts";
import { replayChance } from "../endurance/replay.ts";
import { Year } from "../endurance/year.ts";

// Writes that KV refuses are part of the play.
beforeEach(() => void vi.spyOn(console, "warn").mockReturnValue());

const DAYS = 30;
const START_MS = Date.UTC(2026, 9, 5);

test.runIf(isFull)("after days of faults everything that is read back is what was probed", async () => {
  const seed = seedOf("days of faults");
  onTestFinished(replayChance(seed));
  const options = { seed, monitors: 12, tickMs: 10 * 60_000, startMs: START_MS };
  const year = new Year(options);
  const checks = new Checks(year);
  await playDays(year, checks, DAYS);
  // What was not played proves nothing.
  expect(checks.compared.samples).toBeGreaterThan(500 * DAYS);
  expect(checks.compared.incidents).toBeGreaterThan(10);
  expect(year.count.evictions).toBeGreaterThan((5 * DAYS) / 3);
  expect(year.count.deploys).toBeGreaterThan(0);
  // A day in the plain log that never was so stands for one that the Ledger stored wrongly.
  checks.days.get(0)?.forEach((day) => Object.assign(day, { attempts: day.attempts + 1 }));
  await expect(checks.compare()).rejects.toThrow(/^days of g0: /u);
});
