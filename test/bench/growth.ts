/**
 * What grows with history, and what does not: one Ledger, played on from its first day to its 730th, and looked at after 1,
 * 30, 90 and 730 days.
 */
import { ledgerName } from "../../src/ledger/rpc.ts";
import { brotliCompressSync, constants } from "node:zlib";
import { cpuOf } from "./cpu.ts";
import { heapBytes } from "./heap.ts";
import { readPublishedOf } from "./history.ts";
import { load } from "./load.ts";
import type { Play, Played } from "./play.ts";
import { startRouteServers } from "./route-servers.ts";
import { inDays, type Limit, type Quantity, type Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";
import { median } from "./turns.ts";

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
const LOADS = 5;
const LOAD_MS = 400;

interface Grown {
  readonly days: number;
  readonly figures: Readonly<Record<string, Quantity | null>>;
}

export async function measureGrowth(): Promise<readonly Row[]> {
  const runtime = await startRuntime({
    entry: "ledger-entry.ts",
    config: configOf(MONITORS, "5m"),
    secrets: { GATEWAY_API_KEY: "key-of-the-bench" },
  });
  try {
    const grown: Grown[] = [];
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
      grown.push({ days, figures: { ...(await stored(runtime, played)), ...(await served(runtime)) } });
    }
    return rowsOf(grown);
  } finally {
    await runtime.stop();
  }
}

function play(runtime: BenchRuntime, fromMs: number, toMs: number, stepMs: number): Promise<Played> {
  const ticks = Math.round((toMs - fromMs) / stepMs);
  const order = { ledger: ledgerName(0), weather: "mixed", fromMs, stepMs, ticks } satisfies Play;
  return runtime.post<Played>("/", order);
}

async function stored(runtime: BenchRuntime, { rested, rows }: Played): Promise<Grown["figures"]> {
  const { bytes, metadata, segments } = await readPublishedOf(runtime);
  const ofSegments = [...segments.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return {
    "the status document": { value: metadata.bytes / 1000, unit: "kB" },
    "the rest of the snapshot": { value: (bytes.length - metadata.bytes) / 1000, unit: "kB" },
    "keys of KV that are read": { value: segments.size + 1, unit: "" },
    "their bytes": { value: (bytes.length + ofSegments) / 1000, unit: "kB" },
    "the Ledger's database": { value: rested.storedBytes / 1000, unit: "kB" },
    "rows that the Ledger reads to begin anew": { value: rested.rowsRead, unit: "" },
    "rows written by a tick, at most": { value: Math.max(...rows.slice(-24)), unit: "" },
    "memory of its isolate": { value: (await heapBytes(runtime.miniflare)) / 1e6, unit: "MB" },
  };
}

async function served(runtime: BenchRuntime): Promise<Grown["figures"]> {
  const published = await readPublishedOf(runtime);
  const servers = await startRouteServers(MONITORS, published);
  try {
    const page = Buffer.from(await (await fetch(servers.product("/"))).arrayBuffer());
    const brotli = brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
    const status = servers.product("/api/v1/status");
    const perSecond: number[] = [];
    let requests = 0;
    const cpuMs = await cpuOf(servers.pid, async () => {
      for (let round = 0; round < LOADS; round += 1) {
        const loaded = await load(status, LOAD_MS);
        perSecond.push(loaded.requests / loaded.seconds);
        requests += loaded.requests;
      }
    });
    return {
      "the overview, by brotli": { value: brotli.length / 1000, unit: "kB" },
      "requests of the status a second": { value: median(perSecond), unit: "/s" },
      "CPU of workerd a request of the status":
        cpuMs === null ? null : { value: (cpuMs * 1000) / requests, unit: "µs" },
    };
  } finally {
    await servers.stop();
  }
}

/**
 * What must not grow any more once two years are kept instead of 90 days, and by how much it may differ. Whatever grew with
 * history would be eight times as much after 730 days.
 */
const BOUNDED: Readonly<Record<string, number>> = {
  // 90 days of it are shown: of a monitor's 2,000 bytes 40 may be other digits of counts and times.
  "the status document": 1.02,
  // The names of 21 months more are a page or two to 150. Pages are not given back: a worse day than before adds some.
  "the Ledger's database": 1.1,
  // A row for each name of a segment: 21 more to some 680, and what is open and was resolved when it is looked at.
  "rows that the Ledger reads to begin anew": 1.1,
  // Nothing more is held; a tenth is by what else was in the heap when it was collected.
  "memory of its isolate": 1.1,
  // The same days and as many monitors; other causes and incidents are told in other words, and pack differently.
  "the overview, by brotli": 1.1,
};

function rowsOf(grown: readonly Grown[]): readonly Row[] {
  const floors = grown.find(({ days }) => days === FLOOR_DAYS)?.figures ?? {};
  return Object.keys(floors).flatMap((what) =>
    grown.map(({ days, figures }): Row => {
      const most = days > FLOOR_DAYS ? BOUNDED[what] : undefined;
      const limit: Limit | null = most === undefined ? null : { bound: "at most", of: "ratio", value: most };
      return {
        what: `${what}, ${MONITORS} monitors, after ${inDays(days)}${days === DAYS[0] ? `; floor: after ${inDays(FLOOR_DAYS)}` : ""}`,
        figure: figures[what] ?? null,
        floor: days === FLOOR_DAYS ? null : (floors[what] ?? null),
        limit,
      };
    }),
  );
}
