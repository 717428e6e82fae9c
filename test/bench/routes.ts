/**
 * What every page and route brings a second, beside a bare Worker that streams the same bytes from KV; how large the overview
 * is, what it costs where nothing of it is remembered, and when it is seen. The routes are those of the application's table.
 */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";
import { everyAddress } from "./every-address.ts";
import type { Published } from "./history.ts";
import { cpuOf, loaded, median, medianOrNull, shortestOrNull, takeTurns } from "./measure.ts";
import { atMost, type Row, row, timesAtLeast } from "./row.ts";
import { bytesOf, type Servers, withServers } from "./servers.ts";

const ROUNDS = 5;
const LOAD_MS = 400;
const WARM_ROUNDS = 60;
const SEEN_ROUNDS = 9;

/** A page is rendered; what is sent elsewhere is mostly as it was published. */
const PAGE_RATIO = 0.5;
const ROUTE_RATIO = 0.7;
const MOST_CPU_MS = 10;
const MOST_KILOBYTES = 60;
const MOST_SEEN_MS = 500;

export async function measureRoutes(
  monitors: number,
  good: Published,
  tenth: Published,
): Promise<readonly Row[]> {
  const overview = (what: string) => `GET /, ${monitors} monitors, ${what}`;
  const rows = await withServers(monitors, good, (servers) => overviewRows(overview("good"), servers));
  return withServers(monitors, tenth, async (servers) => {
    rows.push(...(await overviewRows(overview("one in ten in trouble"), servers)));
    for (const path of await everyAddress(servers)) {
      if (path !== "/") rows.push(...(await speedRows(`GET ${path}`, path, servers)));
    }
    return [...rows, ...(await costRows(`GET /, ${monitors} monitors`, servers))];
  });
}

async function overviewRows(what: string, servers: Servers): Promise<Row[]> {
  const html = Buffer.from(await bytesOf(servers.product("/")));
  const size = (how: string, bytes: number) =>
    row("kB", `${what}: ${how}`, bytes / 1000, { limit: atMost(MOST_KILOBYTES) });
  return [
    size("gzipped", gzipSync(html).length),
    size("by brotli, as an edge does it", brotliBytes(html)),
    row("kB", `${what}: as it is`, html.length / 1000),
    ...(await speedRows(what, "/", servers)),
  ];
}

export function brotliBytes(html: Uint8Array): number {
  return brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
}

async function speedRows(what: string, path: string, servers: Servers): Promise<Row[]> {
  const url = servers.product(path);
  const bare = await servers.bare(path);
  const taken = await takeTurns(ROUNDS, {
    product: () => loaded(servers.pid, url, LOAD_MS),
    bare: () => loaded(servers.pid, bare, LOAD_MS),
  });
  const { headers } = await fetch(url, { method: "HEAD" });
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  return [
    row(
      "/s",
      `${what}; floor: a Worker that streams the same bytes from KV`,
      median(taken.product.map((of) => of.perSecond)),
      {
        floor: median(taken.bare.map((of) => of.perSecond)),
        limit: timesAtLeast(isPage ? PAGE_RATIO : ROUTE_RATIO),
      },
    ),
    row("ms", "  CPU of workerd a request", shortestOrNull(taken.product.map((of) => of.cpuMs)), {
      limit: atMost(MOST_CPU_MS),
    }),
  ];
}

async function costRows(what: string, servers: Servers): Promise<Row[]> {
  const costs: (number | null)[] = [];
  // Another query is another address: the page is written anew.
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    costs.push(await cpuOf(servers.pid, () => bytesOf(servers.product(`/?${round}`))));
  }
  const seen = await seenAfter(servers.product("/"));
  const missing = seen === null ? " (chromium is not installed)" : "";
  return [
    row(
      "ms",
      `${what}, CPU in a warm isolate that remembers nothing of it`,
      medianOrNull(costs.slice(WARM_ROUNDS / 2)),
      { limit: atMost(MOST_CPU_MS) },
    ),
    row("ms", `${what}, LCP in chromium with an empty cache${missing}`, seen && median(seen), {
      limit: atMost(MOST_SEEN_MS),
    }),
  ];
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
