/** The parts of `npm run endurance`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../bench/measure.ts";
import { type Row, row, type Section } from "../bench/row.ts";
import { Checks, playDays } from "./checks.ts";
import { killMonitor } from "./kills.ts";
import { replayChance } from "./replay.ts";
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

const counted = (what: string, count: number): Row => row("", what, count);

/** Each throws with what it found wrong. */
export const PARTS: Readonly<Record<string, (wishes: Wishes) => Promise<Section>>> = {
  year: async ({ seed, days, monitors }) => {
    replayChance(seed);
    const year = new Year({ seed, monitors, tickMs: 5 * 60_000, startMs: START_MS });
    const checks = new Checks(year);
    await playDays(year, checks, days);
    const { compared } = checks;
    const { count, paceMs } = year;
    const quarter = Math.max(1, Math.floor(paceMs.length / 4));
    const floor = median(paceMs.slice(quarter, 2 * quarter));
    const rows = [
      counted("seed", seed),
      counted("days in virtual time", days),
      counted("monitors", monitors),
      counted("ticks, one every 5 min", count.ticks),
      counted("times that the Ledger's object died", count.evictions),
      counted("samples compared with a plain log, none differed", compared.samples),
      counted("incidents compared", compared.incidents),
      counted("events compared as receivers took them", compared.events),
      row("ms", "a tick of the last quarter; floor: one of the second", median(paceMs.slice(-quarter)), {
        floor,
      }),
    ];
    return { title: "A year", rows };
  },
  kills: async ({ seed, kills }) => {
    const { samples, incidents, alerts } = await inDirectory((data) => killMonitor(seed, kills, data));
    const rows = [
      counted("seed", seed),
      counted("kills with SIGKILL under load; after each restart all was there, once", kills),
      counted("samples stored in the end", samples),
      counted("incidents, exactly those that follow from the samples", incidents),
      counted("events, each received under one id", alerts),
    ];
    return { title: "Kills", rows };
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
