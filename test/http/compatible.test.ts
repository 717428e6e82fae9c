/** What Homepage and Homarr compute from the addresses of Uptime Kuma and Gatus; `parts/formats.ts` says whence that is known. */
import { beforeEach, expect, test } from "vitest";
import { config, gateway, USUAL_PARTS } from "../fixtures/config.ts";
import {
  gatewayDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  plannedWindow,
  publishedIncident,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { MODELS_NUMBER } from "./every-route.ts";
import { probesTail } from "./published-status.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const uptime = (day: number | null) => ({ "24h": day, "7d": 0.5, "30d": null, "90d": 1 });
const LATENCY = { p50: 212.4, p95: 300, p99: 400 };
const ACME = gatewayDocument({ monitors: [monitorDocument({ uptime: uptime(0.99759), latency: LATENCY })] });
const BROOK = gatewayDocument({
  id: "brook",
  name: "Brook",
  monitors: [
    monitorThatIs("down", { id: "brook/models", uptime: uptime(0.5) }),
    monitorThatIs("blocked", { id: "brook/eu", uptime: uptime(null) }),
    monitorThatIs("degraded", { id: "brook/us", uptime: uptime(1) }),
  ],
});
const PROBES = [
  { health: "down", latencyMs: null },
  { health: "blocked" },
  { health: "up", latencyMs: 180 },
] as const;
const INCIDENT = publishedIncident();

beforeEach(() =>
  world.publish(statusDocument({ gateways: [ACME, BROOK] }), {
    ...probesTail(PROBES),
    incidents: [INCIDENT],
  }),
);

const read = async (path: string, nowMs?: number) => JSON.parse(await world.text(path, nowMs));

interface Heartbeat {
  readonly status: number;
  readonly time: string;
  readonly ping: number | null;
}

/** What the widget for Uptime Kuma of Homepage shows. */
async function homepageKuma(slug: string, nowMs?: number) {
  const { incident } = await read(`/api/status-page/${slug}`, nowMs);
  const { heartbeatList, uptimeList } = await read(`/api/status-page/heartbeat/${slug}`, nowMs);
  const newest = Object.values<Heartbeat[]>(heartbeatList).map((beats) => beats.at(-1)?.status);
  const shares = Object.values<number>(uptimeList);
  return {
    up: newest.filter((status) => status === 1).length,
    others: newest.filter((status) => status !== 1),
    uptime: ((shares.reduce((sum, share) => sum + share, 0) / shares.length || 0) * 100).toFixed(1),
    sinceMs: incident && Date.parse(incident.createdDate),
  };
}

/** What its widget for Gatus shows. */
async function homepageGatus(nowMs?: number) {
  const all: { results: { success: boolean }[] }[] = await read("/api/v1/endpoints/statuses", nowMs);
  const results = all.flatMap((one) => one.results);
  const share = results.filter(({ success }) => success).length / results.length;
  const up = all.filter((one) => one.results.at(-1)?.success === true).length;
  return { up, of: all.length, uptime: (share * 100).toFixed(1) };
}

test("Homepage counts what is up, averages the uptime that is known, and tells since when an incident is open", async () => {
  const sinceMs = Date.parse(INCIDENT.incident.openedAt);
  expect(await homepageKuma("default")).toEqual({ up: 2, others: [0, 2], uptime: "83.3", sinceMs });
  expect(await homepageKuma("acme")).toEqual({ up: 1, others: [], uptime: "99.8", sinceMs });
  expect(await homepageKuma("brook")).toEqual({ up: 1, others: [0, 2], uptime: "75.0", sinceMs: null });
  // Two checks of Acme, and of Brook one that was a success and one that was none.
  expect(await homepageGatus()).toEqual({ up: 2, of: 4, uptime: "50.0" });
});

test("nothing counts as up once the checks have stopped, or while it is worked on", async () => {
  expect(await homepageKuma("default", STALE_MS)).toMatchObject({ up: 0, others: [2, 2, 2, 2] });
  expect(await homepageGatus(STALE_MS)).toMatchObject({ up: 0, of: 4 });
  await world.publish(statusDocument({ gateways: [ACME], maintenance: [plannedWindow(["acme"])] }));
  expect(await homepageKuma("default")).toMatchObject({ up: 0, others: [3] });
});

test("Homarr finds each monitor by a number that stays, with its checks, the newest last", async () => {
  const { publicGroupList } = await read("/api/status-page/default");
  const { heartbeatList, uptimeList } = await read("/api/status-page/heartbeat/default");
  expect(publicGroupList[0]).toEqual({
    id: expect.any(Number),
    name: "Acme",
    monitorList: [{ id: MODELS_NUMBER, name: "Acme · models" }],
  });
  expect(Object.keys(heartbeatList)).toHaveLength(4);
  const at = (minutesAgo: number) => new Date(NOW_MS - minutesAgo * 60_000).toISOString();
  expect(heartbeatList[MODELS_NUMBER]).toEqual([
    { status: 0, time: at(3), msg: "", ping: null },
    { status: 2, time: at(2), msg: "", ping: expect.any(Number) },
    { status: 1, time: at(1), msg: "", ping: 180 },
  ]);
  expect(uptimeList[`${MODELS_NUMBER}_24`]).toBe(0.99759);
});

const KUMA = `/api/badge/${MODELS_NUMBER}`;
const GATUS = "/api/v1/endpoints/acme_models";

test.each([
  [`${KUMA}/status?label=Status`, "Status: up"],
  [`${KUMA}/uptime`, "uptime 24h: 99.75%"],
  [`${KUMA}/uptime/168`, "uptime 7d: 50%"],
  [`${KUMA}/uptime/720`, "uptime 30d: no data"],
  [`${KUMA}/uptime/5`, "uptime 5: no data"],
  [`${KUMA}/ping/24`, "median response time 24h: 212ms"],
  [`${KUMA}/ping/168`, "median response time 7d: no data"],
  [`${GATUS}/health/badge.svg`, "Acme · models: up"],
  [`${GATUS}/uptimes/7d/badge.svg`, "uptime 7d: 50%"],
  [`${GATUS}/response-times/24h/badge.svg`, "median response time 24h: 212ms"],
  ["/api/badge/1/status", "gatepulse: not found"],
])("the badge at %s says %s", async (path, words) => {
  expect(await world.text(path)).toContain(`<title>${words}</title>`);
});

test("a site has these addresses only if it says so", async () => {
  const usual = { config: config([gateway("acme")], { parts: USUAL_PARTS }) };
  for (const path of ["/api/status-page/default", `${KUMA}/status`, "/api/v1/endpoints/statuses"])
    expect((await world.ask(path, {}, usual)).status, path).toBe(404);
});
