/** What the overview costs where nothing of it is remembered: CPU of a new isolate and of a warm one, and time to be seen. */
import { type Browser, chromium } from "playwright-core";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";
import { fineCpuOf } from "./cpu.ts";
import type { Published } from "./history.ts";
import { type RouteServers, startRouteServers } from "./route-servers.ts";
import type { Quantity, Row } from "./row.ts";
import { median } from "./turns.ts";

const COLD_ROUNDS = 5;
const WARM_ROUNDS = 60;
const SEEN_ROUNDS = 9;

const MOST_CPU_MS = 10;
const MOST_SEEN_MS = 500;

export async function measurePageCost(monitors: number, published: Published): Promise<readonly Row[]> {
  const cold: (number | null)[] = [];
  let warm: readonly (number | null)[] = [];
  let seen: readonly number[] | null = null;
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    const servers = await startRouteServers(monitors, published);
    try {
      await answered(servers, "/nothing-here");
      cold.push(await fineCpuOf(servers.pid, () => answered(servers, "/")));
      if (round > 0) continue;
      warm = await warmCosts(servers);
      seen = await seenAfter(servers.product("/"));
    } finally {
      await servers.stop();
    }
  }
  const what = `GET /, ${monitors} monitors`;
  const limit = { bound: "at most", of: "figure", value: MOST_CPU_MS } as const;
  return [
    {
      what: `${what}, CPU in a warm isolate that remembers nothing of it`,
      figure: cpu(warm),
      floor: null,
      limit,
    },
    { what: `${what}, CPU of a new isolate's first page`, figure: cpu(cold), floor: null, limit: null },
    {
      what: `${what}, LCP in chromium with an empty cache${seen === null ? " (chromium is not installed)" : ""}`,
      figure: seen && { value: median(seen), unit: "ms" },
      floor: null,
      limit: { bound: "at most", of: "figure", value: MOST_SEEN_MS },
    },
  ];
}

/** Another query is another address: the page is written anew. */
async function warmCosts(servers: RouteServers): Promise<readonly (number | null)[]> {
  const costs: (number | null)[] = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    costs.push(await fineCpuOf(servers.pid, () => answered(servers, `/?${round}`)));
  }
  return costs.slice(WARM_ROUNDS / 2);
}

async function answered(servers: RouteServers, path: string): Promise<void> {
  await (await fetch(servers.product(path))).arrayBuffer();
}

/** Null: there is no chromium. */
async function seenAfter(address: URL): Promise<readonly number[] | null> {
  const path = programPath("chromium");
  if (path === null) return null;
  const server = await startChromium(path);
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const times: number[] = [];
    for (let round = 0; round < SEEN_ROUNDS; round += 1) times.push(await largestPaintMs(browser, address));
    return times;
  } finally {
    await server.close();
  }
}

const LARGEST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true }))`;

async function largestPaintMs(browser: Browser, address: URL): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto(address.href, { waitUntil: "load" });
    return await page.evaluate<number>(LARGEST_PAINT);
  } finally {
    await context.close();
  }
}

function cpu(costs: readonly (number | null)[]): Quantity | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === costs.length && known.length > 0 ? { value: median(known), unit: "ms" } : null;
}
