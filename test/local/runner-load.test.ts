/**
 * Requests over all public routes of the local runner while ticks run: every answer is the expected one, and no tick is
 * missed or late. In full it is a part of `npm run endurance`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { loadMonitor } from "../endurance/loaded-monitor.ts";
import { chance } from "./support/chance.ts";

/** Fewer on a machine that is busy with other things. */
const REQUESTS = rounds(2000, 20_000);

test("20,000 requests are answered as they should be, and no tick is missed, doubled or late all the while", async () => {
  const { seed } = chance("load on the local runner");
  const directory = await mkdtemp(join(tmpdir(), "gatepulse-load-"));
  try {
    const { found, ticks } = await loadMonitor({
      state: { seed, done: 0 },
      until: REQUESTS,
      quietMs: 20_000,
      directory,
    });
    expect(found.faults).toEqual([]);
    expect(Object.values(found.statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    expect(ticks.faults).toEqual([]);
    // What was not played proves nothing.
    expect(ticks.quiet.ticks).toBeGreaterThanOrEqual(4);
    expect(ticks.loaded.samples).toBeGreaterThan(0);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}, 600_000);
