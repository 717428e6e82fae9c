/** Memory of the isolate that ran ticks and showed pages, Ledger and all, beside that of a bare Worker. */
import { heapBytes } from "./heap.ts";
import type { Limit, Quantity, Row } from "./row.ts";
import { type BenchRuntime, startRuntime } from "./runtime.ts";
import { gatewaysOf, withTicks } from "./tick-time.ts";

const TICKS = 5;

/** What people and programs look at; each answers 200. */
const ADDRESSES = [
  "/",
  "/api/v1/status",
  "/api/v1/incidents",
  "/api/v1/gateways/g1/monitors/models/history",
  "/gateways/g1",
  "/metrics",
  "/docs",
  "/explain",
  "/openapi.json",
];

/** A quarter of what an isolate has: a large body or two must fit beside it. */
const MOST: Limit = { bound: "at most", of: "figure", value: 32 };

export async function measureMemory(): Promise<readonly Row[]> {
  const bare = await bareMegabytes();
  const rows: Row[] = [];
  for (const monitors of [100, 2_000]) rows.push(...(await memoryOf(monitors, bare)));
  return rows;
}

async function memoryOf(monitors: number, floor: Quantity): Promise<readonly Row[]> {
  const gateways = gatewaysOf(monitors, (id) => `/after/0/${id}`);
  return withTicks({ gateways, shards: 1, lanes: Math.ceil(monitors / 200) }, async (ticks) => {
    const { runtime } = ticks;
    for (let tick = 0; tick < TICKS; tick += 1) await ticks.timed(monitors);
    const ticked = await megabytes(runtime);
    for (const address of ADDRESSES) await shown(runtime, address);
    const all = await megabytes(runtime);
    return [
      {
        what: `memory of the isolate, ${monitors} monitors, after ${TICKS} ticks; floor: of a bare Worker`,
        figure: ticked,
        floor,
        limit: MOST,
      },
      { what: "  and after each page was shown", figure: all, floor, limit: MOST },
    ];
  });
}

async function bareMegabytes(): Promise<Quantity> {
  const runtime = await startRuntime({ entry: "bare-entry.ts", config: { title: "Bare", gateways: [] } });
  try {
    await (await runtime.miniflare.dispatchFetch("http://bench/nothing")).arrayBuffer();
    return await megabytes(runtime);
  } finally {
    await runtime.stop();
  }
}

async function shown(runtime: BenchRuntime, address: string): Promise<void> {
  const answer = await runtime.miniflare.dispatchFetch(`http://bench${address}`);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
}

async function megabytes({ miniflare }: BenchRuntime): Promise<Quantity> {
  return { value: (await heapBytes(miniflare)) / 1e6, unit: "MB" };
}
