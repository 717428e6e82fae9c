/**
 * The local runner, as a user starts it, killed at random moments under load: see `test/endurance/kills.ts`. In full it is a
 * part of `npm run endurance`.
 */
import { expect, test } from "vitest";
import { rounds } from "../extent.ts";
import { killMonitor } from "../endurance/kills.ts";
import { chance } from "./support/chance.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const KILLS = rounds(3, 20);

test("kills at random moments lose no sample, no incident and no alert, and double none", async () => {
  const { seed } = chance("kills of the local runner");
  const found = await killMonitor({ seed, done: 0 }, KILLS, await temporaryDirectory());
  expect(found.faults).toEqual([]);
  expect(found.kills.tree + found.kills.runtime + found.kills.node).toBe(KILLS);
  expect(found.samples).toBeGreaterThan(KILLS);
  expect(found.alerts).toBeGreaterThan(0);
}, 900_000);
