/**
 * The parts of `npm run endurance`, each played piece by piece. What the pieces came to is kept: a run that was ended goes on
 * where it was. A part that is over begins anew the next time: else old figures would pass for those of newer code.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { Checks, type Most, playDays } from "./checks.ts";
import { type Kills, killMonitor } from "./kills.ts";
import { loadMonitor } from "./loaded-monitor.ts";
import type { TickFigures } from "./loaded-ticks.ts";
import { replayChance } from "./replay.ts";
import { killsReport, loadReport, type Report, yearReport } from "./report.ts";
import { type Kept, Year } from "./year.ts";

/** A `piece`: how many days, kills or requests are played before they are kept. */
export const USUAL = {
  seed: 20_261_005,
  days: 365,
  monitors: 100,
  "days-a-piece": 10,
  kills: 200,
  "kills-a-piece": 20,
  requests: 1_000_000,
  "requests-a-piece": 50_000,
  /** Before the load of each piece. */
  "quiet-seconds": 60,
};

export type Wishes = Readonly<typeof USUAL>;

/** Each throws with what it found wrong. `directory`: for pieces, of which `pieces` is the file. */
type Part = (wishes: Wishes, directory: string) => Promise<Report & { readonly pieces: string }>;

export const PARTS: Readonly<Record<string, Part>> = {
  year: async ({ seed, days, monitors, "days-a-piece": aPiece }, directory) => {
    const pieces = join(directory, `year-${seed}-${monitors}`);
    const nothing: Days = { done: 0, kept: null, checks: null, most: {}, paceMs: [] };
    const options = { seed, monitors, tickMs: 5 * 60_000, startMs: START_MS };
    const lived = await inPieces({ pieces, until: days, aPiece }, nothing, async (before, until) => {
      replayChance(seed + before.done);
      const year = new Year(options, before.kept);
      const checks = new Checks(year, before.checks);
      const most = structuredClone(before.most);
      await playDays({ year, checks, most }, before.done, until);
      const { days: plain, compared, fromMs } = checks;
      const paceMs = [...before.paceMs, ...year.paceMs];
      return { done: until, kept: year.keep(), checks: { days: plain, compared, fromMs }, most, paceMs };
    });
    return { ...yearReport(options, lived), pieces };
  },
  kills: async ({ seed, kills, "kills-a-piece": aPiece }, directory) => {
    const pieces = join(directory, `kills-${seed}`);
    const nothing = { done: 0, tree: 0, runtime: 0, node: 0, samples: 0, incidents: 0, alerts: 0 };
    const all = await inPieces({ pieces, until: kills, aPiece }, nothing, async (before, until) => {
      const found = await inDirectory((data) => killMonitor({ seed, from: before.done, until }, data));
      const added = Object.entries(found.counts).map(([name, count]) => [
        name,
        before[name as keyof Kills] + count,
      ]);
      return { done: until, ...(Object.fromEntries(added) as unknown as Kills) };
    });
    return { ...killsReport(seed, all), pieces };
  },
  load: async ({ seed, requests, "requests-a-piece": aPiece, "quiet-seconds": quiet }, directory) => {
    const pieces = join(directory, `load-${seed}`);
    const nothing: Loads = { done: 0, statuses: {}, asks: 0, tookMs: 0, quiet: NO_TICKS, loaded: NO_TICKS };
    const all = await inPieces({ pieces, until: requests, aPiece }, nothing, async (before, until) => {
      const order = { seed, from: before.done, until, quietMs: 1000 * quiet };
      const { statuses, asks, tookMs, ticks } = await inDirectory((data) => loadMonitor(order, data));
      const counts = { ...before.statuses };
      for (const [status, count] of Object.entries(statuses)) counts[status] = (counts[status] ?? 0) + count;
      return {
        done: until,
        statuses: counts,
        asks,
        tookMs: before.tookMs + tookMs,
        quiet: joined(before.quiet, ticks.quiet),
        loaded: joined(before.loaded, ticks.loaded),
      };
    });
    return { ...loadReport(seed, all), pieces };
  },
};

/** A day of 25 hours and the end of a month are soon. */
const START_MS = Date.UTC(2026, 9, 5);

export interface Days {
  readonly done: number;
  readonly kept: Kept | null;
  readonly checks: Pick<Checks, "days" | "compared" | "fromMs"> | null;
  readonly most: Most;
  /** Milliseconds of a tick, by day. */
  readonly paceMs: readonly number[];
}

export interface Loads {
  readonly done: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How many ways of asking there are. */
  readonly asks: number;
  readonly tookMs: number;
  /** Without load, and under it. */
  readonly quiet: TickFigures;
  readonly loaded: TickFigures;
}

const NO_TICKS: TickFigures = { ticks: 0, samples: 0, lateMs: [], tookMs: [] };

function joined(a: TickFigures, b: TickFigures): TickFigures {
  return {
    ticks: a.ticks + b.ticks,
    samples: a.samples + b.samples,
    lateMs: [...a.lateMs, ...b.lateMs],
    tookMs: [...a.tookMs, ...b.tookMs],
  };
}

interface Course {
  readonly pieces: string;
  readonly until: number;
  readonly aPiece: number;
}

/** @param play one more piece, behind all that was played before. What it returns is kept, and going on is the same whenever it happens. */
async function inPieces<Total extends { readonly done: number }>(
  { pieces, until, aPiece }: Course,
  nothing: Total,
  play: (before: Total, until: number) => Promise<Total>,
): Promise<Total> {
  for (;;) {
    const total = existsSync(pieces) ? (deserialize(readFileSync(pieces)) as Total) : nothing;
    console.log(`${pieces}: ${total.done} of ${until} done`);
    if (total.done >= until) return total;
    const after = await play(total, Math.min(until, total.done + aPiece));
    // A run may be killed while it writes.
    writeFileSync(`${pieces}.new`, serialize(after));
    renameSync(`${pieces}.new`, pieces);
  }
}

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
