/** Requests a second of every route, beside a bare Worker that streams the same bytes, and what the overview costs. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { startChromium } from "../local/support/chromium.ts";
import { programPath } from "../programs.ts";
import type { Published } from "./history.ts";
import { cpuOf, median } from "./measure.ts";
import { atMost, type Row, row, timesAtLeast } from "./row.ts";
import { besideBare, bytesOf, type Servers, withServers } from "./servers.ts";
import { fileURLToPath } from "node:url";
import { bundleWorker } from "../../src/local/bundle.ts";
import type { Config } from "../../src/config/config.ts";
import { USUAL_PARTS } from "../fixtures/config.ts";

const LOAD = { rounds: 5, loadMs: 400 };
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
    ...(await speedRows(what, "/", servers)),
  ];
}

export function brotliBytes(html: Uint8Array): number {
  return brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length;
}

async function speedRows(what: string, path: string, servers: Servers): Promise<Row[]> {
  const { product, bare } = await besideBare(servers, path, await servers.bare(path), LOAD);
  const { headers } = await fetch(servers.product(path), { method: "HEAD" });
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  return [
    row("/s", `${what}; floor: a Worker that streams the same bytes from KV`, product.perSecond, {
      floor: bare.perSecond,
      limit: timesAtLeast(isPage ? PAGE_RATIO : ROUTE_RATIO),
    }),
    row("ms", `${what}, CPU of workerd a request`, product.cpuMs, { limit: atMost(MOST_CPU_MS) }),
  ];
}

async function costRows(what: string, servers: Servers): Promise<Row[]> {
  const costs: number[] = [];
  // Another query is another address: the page is written again.
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    costs.push(await cpuOf(servers.pid, () => bytesOf(servers.product(`/?name=gateway&${round}`))));
  }
  const path = programPath("chromium");
  const missing = path === null ? " (chromium is not installed)" : "";
  return [
    row(
      "ms",
      `${what}, CPU in a warm isolate that remembers nothing of it`,
      median(costs.slice(WARM_ROUNDS / 2)),
      { limit: atMost(MOST_CPU_MS) },
    ),
    row(
      "ms",
      `${what}, LCP in chromium with an empty cache${missing}`,
      path === null ? null : await seenAfterMs(path, servers.product("/")),
      { limit: atMost(MOST_SEEN_MS) },
    ),
  ];
}

const LARGEST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
  .observe({ type: "largest-contentful-paint", buffered: true }))`;

async function seenAfterMs(chromiumPath: string, address: URL): Promise<number> {
  const server = await startChromium(chromiumPath);
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const times: number[] = [];
    for (let round = 0; round < SEEN_ROUNDS; round += 1) {
      // Each page of its own begins with an empty cache.
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.goto(address.href, { waitUntil: "load" });
      times.push(await page.evaluate<number>(LARGEST_PAINT));
      await page.close();
    }
    return median(times);
  } finally {
    await server.close();
  }
}

const MONITOR = "/api/v1/gateways/:gateway/monitors/:monitor";

/** Of routes that have several faces, and of files; the others answer at their own path. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  [`${MONITOR}/history`]: ["probe", "1h", "1d"].map((step) => `${MONITOR}/history?step=${step}`),
  "/badge/:file": ["/badge/:gateway.svg", "/badge/:gateway.json"],
  "/badge/:gateway/:file": ["/badge/:gateway/:monitor.svg"],
  "/assets/:card{[a-z]+-[a-z]+\\.png}": ["/assets/up-en.png"],
};

/** In the order of the application's own table. @throws where a route has a part that is not known here. */
async function everyAddress(servers: Servers): Promise<readonly string[]> {
  const parts = { gateway: "g9", monitor: "models", ...(await anIncident(servers.product("/"))) };
  return (await everyPath()).flatMap((path) => FACES[path] ?? [path]).map((face) => fillFace(face, parts));
}

/** @throws where `face` has a part that is not among them. */
function fillFace(face: string, parts: object): string {
  return face.replaceAll(/:(\w+)/gu, (_, name: string) => {
    const part = Reflect.get(parts, name) as unknown;
    if (typeof part !== "string") throw new Error(`${face}: no ${name} is known to ask for`);
    return part;
  });
}

/** Node does not read the pages as they are written. */
async function everyPath(): Promise<readonly string[]> {
  const app = await bundleWorker(fileURLToPath(new URL("../../src/http/app.ts", import.meta.url)));
  const url = `data:text/javascript,${encodeURIComponent(app)}`;
  const { routes } = (await import(url)) as {
    readonly routes: (parts: Config["parts"]) => readonly { readonly path: string }[];
  };
  return routes(USUAL_PARTS).map(({ path }) => path);
}

/** One that has a report. @throws where there is none. */
async function anIncident(site: string | URL): Promise<{ incident: string; report: string }> {
  const answer = await fetch(new URL("/api/v1/incidents", site));
  const { incidents } = (await answer.json()) as { incidents: { id: string; report: string | null }[] };
  for (const { id, report } of incidents) if (report !== null) return { incident: id, report };
  throw new Error("there is no incident with a report");
}
