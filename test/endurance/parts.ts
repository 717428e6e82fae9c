/** The parts of `npm run endurance`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Section } from "../bench/row.ts";
import { Checks, playDays } from "./checks.ts";
import { killMonitor } from "./kills.ts";
import { replayChance } from "./replay.ts";
import { killsRows, yearRows } from "./report.ts";
import { Year } from "./year.ts";

export const USUAL = {
  seed: 20_261_005,
  days: 365,
  monitors: 100,
  kills: 200,
};

export type Wishes = Readonly<typeof USUAL>;

/** A day of 25 hours and the end of a month are soon. */
const START_MS = Date.UTC(2026, 9, 5);

/** Each throws with what it found wrong. */
export const PARTS: Readonly<Record<string, (wishes: Wishes) => Promise<Section>>> = {
  year: async ({ seed, days, monitors }) => {
    replayChance(seed);
    const year = new Year({ seed, monitors, tickMs: 5 * 60_000, startMs: START_MS });
    const checks = new Checks(year);
    await playDays(year, checks, days);
    return { title: "A year", rows: yearRows(year, checks, days) };
  },
  kills: async ({ seed, kills }) => {
    const { counts } = await inDirectory((data) => killMonitor(seed, kills, data));
    return { title: "Kills", rows: killsRows(seed, counts) };
  },
};

/** Which is kept where anything is wrong. @throws with the faults. */
async function inDirectory<Found extends { readonly faults: readonly string[] }>(
  play: (directory: string) => Promise<Found>,
): Promise<Found> {
  const data = await mkdtemp(join(tmpdir(), "gatepulse-endurance-"));
  const found = await play(data);
  if (found.faults.length > 0) throw new Error(`${found.faults.join("\n")}\nwhat is stored: ${data}`);
  await rm(data, { recursive: true, force: true });
  return found;
}
