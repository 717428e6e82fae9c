/**
 * What grows with history, and what does not: one Ledger, played on from its first day to its 730th, and looked at after 1,
 * 30, 90 and 730 days.
 */
import { ledgerName } from "../../src/ledger/rpc.ts";
import { readPublishedOf } from "./history.ts";
import { heapBytes } from "./measure.ts";
import type { Play, Played } from "./play.ts";
import { brotliBytes } from "./routes.ts";
import { inDays, type Row, row, timesAtMost } from "./row.ts";
import { type BenchRuntime, configOf, withRuntime } from "./runtime.ts";
import { bytesOf, withServers } from "./servers.ts";

const MONITORS = 20;
const DAYS = [1, 30, 90, 730];
/** By then everything is kept for as long as it ever is, but for months. */
const FLOOR_DAYS = 90;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Hours are kept for 14 days and days for 93; before them ticks are rarer, so that years take minutes. Each month before them has
 * some.
 */
const FINE_DAYS = 15;
const COARSE_DAYS = 94;
const COARSE_MS = 12 * HOUR_MS;
const RARE_MS = 5 * DAY_MS;

export async function measureGrowth(): Promise<readonly Row[]> {
  const worker = { entry: "ledger-entry.ts", config: configOf(MONITORS, "5m") };
  return withRuntime(worker, async (runtime) => {
    const grown = new Map<number, Figures>();
    const untilMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    let playedDays = 0;
    for (const days of DAYS) {
      process.stderr.write(`  plays to day ${days} …\n`);
      const atMs = (day: number): number => untilMs - ((DAYS.at(-1) ?? 0) - day) * DAY_MS;
      const coarselyFrom = Math.max(playedDays, days - COARSE_DAYS);
      const finelyFrom = Math.max(playedDays, days - FINE_DAYS);
      await play(runtime, atMs(playedDays), atMs(coarselyFrom), RARE_MS);
      await play(runtime, atMs(coarselyFrom), atMs(finelyFrom), COARSE_MS);
      const played = await play(runtime, atMs(finelyFrom), atMs(days), HOUR_MS);
      playedDays = days;
      grown.set(days, await figuresOf(runtime, played));
    }
    return rowsOf(grown);
  });
}

function play(runtime: BenchRuntime, fromMs: number, toMs: number, stepMs: number): Promise<Played> {
  const ticks = Math.round((toMs - fromMs) / stepMs);
  const order = { ledger: ledgerName(0), weather: "mixed", fromMs, stepMs, ticks } satisfies Play;
  return runtime.post<Played>("/", order);
}

type Figures = Awaited<ReturnType<typeof figuresOf>>;

async function figuresOf(runtime: BenchRuntime, { rested }: Played) {
  const published = await readPublishedOf(runtime);
  const page = await withServers(MONITORS, published, (servers) => bytesOf(servers.product("/")));
  return {
    "the status document": published.metadata.bytes / 1000,
    "the Ledger's database": rested.storedBytes / 1000,
    "rows that the Ledger reads to begin anew": rested.rowsRead,
    "memory of its isolate": (await heapBytes(runtime.miniflare)) / 1e6,
    "the overview, by brotli": brotliBytes(new Uint8Array(page)) / 1000,
  };
}

/**
 * What must not grow any more once two years are kept instead of 90 days, and by how much it may differ. Whatever grew with
 * history would be eight times as much after 730 days.
 */
const FIGURES: Readonly<Record<keyof Figures, readonly [unit: string, most: number]>> = {
  // 90 days of it are shown: of a monitor's 2,000 bytes 40 may be other digits of counts and times.
  "the status document": ["kB", 1.02],
  // The names of 21 months more are a page or two to 150. Pages are not given back: a worse day than before adds some.
  "the Ledger's database": ["kB", 1.1],
  // A row for each name of a segment: 21 more to some 680, and what is open and was resolved when it is looked at.
  "rows that the Ledger reads to begin anew": ["", 1.1],
  // Nothing more is held; a tenth is by what else was in the heap when it was collected.
  "memory of its isolate": ["MB", 1.1],
  // The same days and as many monitors; other causes and incidents are told in other words, and pack differently.
  "the overview, by brotli": ["kB", 1.1],
};

function rowsOf(grown: ReadonlyMap<number, Figures>): readonly Row[] {
  const names = Object.keys(FIGURES) as (keyof Figures)[];
  return names.flatMap((name) => {
    const [unit, most] = FIGURES[name];
    return [...grown].map(([days, figures]): Row => {
      const beside = days === DAYS[0] ? `; floor: after ${inDays(FLOOR_DAYS)}` : "";
      return row(unit, `${name}, ${MONITORS} monitors, after ${inDays(days)}${beside}`, figures[name], {
        floor: days === FLOOR_DAYS ? null : (grown.get(FLOOR_DAYS)?.[name] ?? null),
        limit: days > FLOOR_DAYS ? timesAtMost(most) : null,
      });
    });
  });
}
