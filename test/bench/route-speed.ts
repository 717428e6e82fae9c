/** What every page and route brings a second, beside a bare Worker that streams the same bytes from KV. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { cpuOf } from "./cpu.ts";
import type { Published } from "./history.ts";
import { load } from "./load.ts";
import { type RouteServers, startRouteServers } from "./route-servers.ts";
import type { Row } from "./row.ts";
import { median, shortestOrNull, takeTurns } from "./turns.ts";

const ROUNDS = 5;
const LOAD_MS = 400;

const PAGE_RATIO = 0.5;
const ROUTE_RATIO = 0.7;
const MOST_CPU_MS = 10;
const MOST_KILOBYTES = 60;

const MONITOR = "/api/v1/gateways/g9/monitors/models";

const ROUTES: readonly string[] = [
  "/api/v1/status",
  MONITOR,
  `${MONITOR}/history?step=probe`,
  "/api/v1/incidents",
  "/healthz",
  "/metrics",
  "/feed.atom",
  "/badge/g9.svg",
  "/api/v2/summary.json",
  "/api/v2/status.json",
  "/api/v2/components.json",
  "/api/v2/incidents.json",
  "/api/v2/incidents/unresolved.json",
  "/api/v2/scheduled-maintenances.json",
  "/api/v2/scheduled-maintenances/active.json",
  "/api/v2/scheduled-maintenances/upcoming.json",
];

/** @param histories by what they are called. */
export async function measureRoutes(
  monitors: number,
  histories: Readonly<Record<"good" | "one in ten in trouble", Published>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [what, published] of Object.entries(histories)) {
    const servers = await startRouteServers(monitors, published);
    try {
      const page = `GET /, ${monitors} monitors, ${what}`;
      rows.push(...(await sizeOf(page, servers)), ...(await speedOf(page, "/", PAGE_RATIO, servers)));
      if (what === "good") continue;
      for (const path of [...ROUTES, ...(await incidentRoutes(servers))]) {
        rows.push(...(await speedOf(`GET ${path}`, path, ROUTE_RATIO, servers)));
      }
    } finally {
      await servers.stop();
    }
  }
  return rows;
}

async function incidentRoutes(servers: RouteServers): Promise<readonly string[]> {
  const answer = await fetch(servers.product("/api/v1/incidents"));
  const { incidents } = (await answer.json()) as { incidents: { id: string; report: string | null }[] };
  const found = incidents.find(({ report }) => report !== null);
  if (found === undefined) throw new Error("there is no incident with a report");
  return [`/api/v1/incidents/${found.id}`, `/api/v1/reports/${found.report}`];
}

async function speedOf(what: string, path: string, ratio: number, servers: RouteServers): Promise<Row[]> {
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
  const cpuMs = shortestOrNull(taken.product.map((of) => of.cpuMs));
  return [
    {
      what: `${what}; floor: a Worker that streams the same bytes from KV`,
      figure: { value: median(taken.product.map(({ perSecond }) => perSecond)), unit: "/s" },
      floor: { value: median(taken.bare.map(({ perSecond }) => perSecond)), unit: "/s" },
      limit: { bound: "at least", of: "ratio", value: ratio },
    },
    {
      what: "  CPU of workerd a request",
      figure: cpuMs === null ? null : { value: cpuMs, unit: "ms" },
      floor: null,
      limit: { bound: "at most", of: "figure", value: MOST_CPU_MS },
    },
  ];
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
