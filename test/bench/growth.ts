/** What grows with history, and what does not: one Ledger, played on, and looked at after 90 and 730 days. */
import { readPublishedOf } from "./history.ts";
import { heapBytes } from "./measure.ts";
import type { Played } from "./play.ts";
import { brotliBytes } from "./routes.ts";
import { type Row, row, timesAtMost } from "./row.ts";
import { type BenchRuntime, configOf, play, withRuntime } from "./runtime.ts";
import { bytesOf, withServers } from "./servers.ts";

const MONITORS = 20;
/** By then everything is kept for as long as it ever is, but for months. From then to the end are five seasons of the weather. */
const FLOOR_DAYS = 90;
const ALL_DAYS = 730;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Hours are kept for 14 days and days for 93; before them ticks are rarer, so that years take minutes. Each month has some. */
const FINE_DAYS = 15;
const COARSE_DAYS = 94;
const COARSE_MS = 12 * HOUR_MS;
const RARE_MS = 5 * DAY_MS;

export async function measureGrowth(): Promise<readonly Row[]> {
  const worker = { entry: "ledger-entry.ts", config: configOf(MONITORS, "5m") };
  return withRuntime(worker, async (runtime) => {
    const untilMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const playDays = async (fromDay: number, toDay: number): Promise<Figures> => {
      process.stderr.write(`  plays to day ${toDay} …\n`);
      const playTo = (from: number, to: number, stepMs: number): Promise<Played> => {
        const fromMs = untilMs - (ALL_DAYS - from) * DAY_MS;
        const ticks = Math.round(((to - from) * DAY_MS) / stepMs);
        return play(runtime, { weather: "mixed", fromMs, stepMs, ticks });
      };
      const coarselyFrom = Math.max(fromDay, toDay - COARSE_DAYS);
      await playTo(fromDay, coarselyFrom, RARE_MS);
      await playTo(coarselyFrom, toDay - FINE_DAYS, COARSE_MS);
      return figuresOf(runtime, await playTo(toDay - FINE_DAYS, toDay, HOUR_MS));
    };
    const floor = await playDays(0, FLOOR_DAYS);
    const grown = await playDays(FLOOR_DAYS, ALL_DAYS);
    return (Object.keys(FIGURES) as (keyof Figures)[]).map((name) => {
      const [unit, most] = FIGURES[name];
      const what = `${name}, ${MONITORS} monitors, after ${ALL_DAYS} days; floor: after ${FLOOR_DAYS} days`;
      return row(unit, what, grown[name], { floor: floor[name], limit: timesAtMost(most) });
    });
  });
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

/** By how much these may differ. Whatever grew with history would be eight times as much after 730 days. */
const FIGURES: Readonly<Record<keyof Figures, readonly [unit: string, most: number]>> = {
  // 90 days of it are shown: of a monitor's 2,000 bytes 40 may be other digits of counts and times.
  "the status document": ["kB", 1.02],
  // The names of 21 months more are a page or two to 150. Pages are not given back: a worse day than before adds some.
  "the Ledger's database": ["kB", 1.1],
  // A row for each name of a segment: 21 more to some 680, and what is open and was resolved when it is looked at.
  "rows that the Ledger reads to begin anew": ["", 1.1],
  // Nothing more is held; a tenth is by what else was in the heap when it was collected.
  "memory of its isolate": ["MB", 1.1],
  // The same days and as many monitors; other causes and incidents have other words, and pack differently.
  "the overview, by brotli": ["kB", 1.1],
};
