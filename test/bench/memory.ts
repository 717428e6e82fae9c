/** Memory of the isolate that ran ticks and showed pages, Ledger and all, beside that of a bare Worker. */
import { heapBytes } from "./measure.ts";
import { atMost, type Row, row } from "./row.ts";
import { type BenchRuntime, withRuntime } from "./runtime.ts";
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
const LIMIT = atMost(32);

export async function measureMemory(): Promise<readonly Row[]> {
  const bare = { entry: "bare-entry.ts", config: { title: "Bare", gateways: [] } };
  const floor = await withRuntime(bare, async (runtime) => {
    await (await runtime.miniflare.dispatchFetch("http://bench/nothing")).arrayBuffer();
    return megabytes(runtime);
  });
  const rows: Row[] = [];
  for (const monitors of [100, 2_000]) {
    const gateways = gatewaysOf(monitors, (id) => `/after/0/${id}`);
    await withTicks({ gateways, shards: 1, lanes: Math.ceil(monitors / 200) }, async ({ runtime, timed }) => {
      for (let tick = 0; tick < TICKS; tick += 1) await timed(monitors);
      const rowAfter = async (what: string): Promise<Row> => {
        const of = `memory of the isolate, ${monitors} monitors, after ${TICKS} ticks${what}; floor: of a bare Worker`;
        return row("MB", of, await megabytes(runtime), { floor, limit: LIMIT });
      };
      rows.push(await rowAfter(""));
      for (const address of ADDRESSES) await show(runtime, address);
      rows.push(await rowAfter(" and after each page was shown"));
    });
  }
  return rows;
}

async function show(runtime: BenchRuntime, address: string): Promise<void> {
  const answer = await runtime.miniflare.dispatchFetch(`http://bench${address}`);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
}

async function megabytes({ miniflare }: BenchRuntime): Promise<number> {
  return (await heapBytes(miniflare)) / 1e6;
}
