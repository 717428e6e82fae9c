/**
 * What every page and route brings a second, beside a bare Worker that streams the same bytes from KV. The routes are those
 * of the application's table: none is left out.
 */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { cpuOf } from "./cpu.ts";
import { everyAddress } from "./every-address.ts";
import type { Published } from "./history.ts";
import { load, paced } from "./load.ts";
import { type RouteServers, startRouteServers } from "./route-servers.ts";
import type { Row } from "./row.ts";
import { median, shortestOrNull, takeTurns } from "./turns.ts";

const ROUNDS = 5;
const LOAD_MS = 400;

/** Below what either can do, so that nothing queues but by chance. */
const MOST_PACED = 250;
const PACED_ROUNDS = 3;
const PACED_MS = 600;

/** A page is rendered; what is sent elsewhere is mostly as it was published. */
const PAGE_RATIO = 0.5;
const ROUTE_RATIO = 0.7;
const MOST_CPU_MS = 10;
const MOST_KILOBYTES = 60;

/** @param histories by what they are called. */
export async function measureRoutes(
  monitors: number,
  histories: Readonly<Record<"good" | "one in ten in trouble", Published>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [what, published] of Object.entries(histories)) {
    const servers = await startRouteServers(monitors, published);
    try {
      const overview = `GET /, ${monitors} monitors, ${what}`;
      rows.push(...(await sizeOf(overview, servers)), ...(await speedOf(overview, "/", servers)));
      if (what === "good") continue;
      for (const path of await everyAddress(servers)) {
        if (path !== "/") rows.push(...(await speedOf(`GET ${path}`, path, servers)));
      }
    } finally {
      await servers.stop();
    }
  }
  return rows;
}

async function speedOf(what: string, path: string, servers: RouteServers): Promise<Row[]> {
  const bare = await servers.bare(path);
  const contestant = (url: URL) => async () => {
    const loads: { requests: number; seconds: number }[] = [];
    const cpuMs = await cpuOf(servers.pid, async () => void loads.push(await load(url, LOAD_MS)));
    const [{ requests, seconds } = { requests: 1, seconds: 1 }] = loads;
    return { perSecond: requests / seconds, cpuMs: cpuMs === null ? null : cpuMs / requests };
  };
  const taken = await takeTurns(ROUNDS, {
    product: contestant(servers.product(path)),
    bare: contestant(bare),
  });
  const perSecond = median(taken.product.map((of) => of.perSecond));
  const rate = Math.min(MOST_PACED, Math.round(perSecond / 4));
  const late = await takeTurns(PACED_ROUNDS, {
    product: () => paced(servers.product(path), rate, PACED_MS),
    bare: () => paced(bare, rate, PACED_MS),
  });
  const cpuMs = shortestOrNull(taken.product.map((of) => of.cpuMs));
  const ratio = (await isPage(servers.product(path))) ? PAGE_RATIO : ROUTE_RATIO;
  return [
    {
      what: `${what}; floor: a Worker that streams the same bytes from KV`,
      figure: { value: perSecond, unit: "/s" },
      floor: { value: median(taken.bare.map((of) => of.perSecond)), unit: "/s" },
      limit: { bound: "at least", of: "ratio", value: ratio },
    },
    {
      what: `  99 of 100 answered, at ${rate} requests a second`,
      figure: { value: median(late.product), unit: "ms" },
      floor: { value: median(late.bare), unit: "ms" },
      limit: null,
    },
    {
      what: "  CPU of workerd a request",
      figure: cpuMs === null ? null : { value: cpuMs, unit: "ms" },
      floor: null,
      limit: { bound: "at most", of: "figure", value: MOST_CPU_MS },
    },
  ];
}

async function isPage(url: URL): Promise<boolean> {
  const answer = await fetch(url, { method: "HEAD" });
  return answer.headers.get("content-type")?.startsWith("text/html") === true;
}

async function sizeOf(what: string, servers: RouteServers): Promise<Row[]> {
  const html = Buffer.from(await (await fetch(servers.product("/"))).arrayBuffer());
  const brotli = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  const row = (how: string, bytes: number, isLimited: boolean): Row => ({
    what: `${what}: ${how}`,
    figure: { value: bytes / 1000, unit: "kB" },
    floor: null,
    limit: isLimited ? { bound: "at most", of: "figure", value: MOST_KILOBYTES } : null,
  });
  return [
    row("gzipped", gzipSync(html).length, true),
    row("by brotli, as an edge does it", brotli.length, true),
    row("as it is", html.length, false),
  ];
}
