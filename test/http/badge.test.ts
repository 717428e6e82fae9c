/** Badges; and what Homepage and Homarr compute from the addresses of Uptime Kuma and Gatus: `parts/formats.ts` says whence that is known. */
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
import { probesTail, useWorld } from "./published-status.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { readXml } from "../formats/xml-reader.ts";

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

const STATUS = statusDocument({ gateways: [ACME, BROOK] });

beforeEach(() =>
  world.publish(STATUS, {
    ...probesTail(PROBES),
    incidents: [INCIDENT],
    formerly: { "acme/models": ["old/list"] },
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

const GREEN = "#1a7f37";

/** Of an image: its status, its type and its words. */
async function imageAt(path: string, deps: Partial<AppDeps> = {}): Promise<unknown[]> {
  const response = await world.ask(path, {}, deps);
  expect(response.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  if (!response.ok) expect(response.headers.get("cache-control")).toBe("no-store");
  return [response.status, readXml(await response.text()).attributes["aria-label"]];
}

test.each([
  ["/badge/brook.svg", "Brook: down"],
  ["/badge/acme/models.svg", "Acme · models: up"],
  ["/badge/brook/eu.svg", "Brook · models · eu: no access"],
  ["/badge/old/list.svg", "Acme · models: up"],
  ["/badge/brook.svg?label=Our%20API", "Our API: down"],
  [`/badge/brook.svg?label=${encodeURIComponent('"><script>')}`, '"><script>: down'],
])("%s is an image of its words", async (path, words) => {
  expect(await imageAt(path)).toEqual([200, words]);
});

test.each([
  ["/badge/brook.json", { label: "Brook", message: "down", color: "#cf222e", isError: true }],
  ["/badge/acme/models.json", { label: "Acme · models", message: "up", color: GREEN }],
  ["/badge/acme/models.json?label=Models", { label: "Models", message: "up", color: GREEN }],
])("%s is what shields.io reads", async (path, badge) => {
  expect(await (await world.ask(path)).json()).toEqual({ schemaVersion: 1, ...badge });
});

test("a badge has a validator of its words alone: a publication that changes nothing leaves it as it is", async () => {
  const tag = (await world.ask("/badge/acme.svg")).headers.get("etag") ?? "";
  const statusOf = async (path: string) =>
    (await world.ask(path, { headers: { "if-none-match": tag } })).status;
  expect(await statusOf("/badge/acme.svg?label=x")).toBe(200);
  await world.publish({ ...STATUS, generatedAt: "2026-11-20T12:02:00.000Z" });
  expect(await statusOf("/badge/acme.svg")).toBe(304);
});

test.each(["/badge/none.svg", "/badge/acme/beta.svg", "/badge/acme%2Fbeta.svg", "/badge/%E0%A4.svg"])(
  "%s says that there is none: 404, and an image all the same",
  async (path) => {
    expect(await imageAt(path)).toEqual([404, "gatepulse: not found"]);
  },
);

test.each(["/badge/beta.json", "/badge/acme/beta.json", "/badge/acme", "/badge/acme.png", "/badge/.svg"])(
  "%s is 404 as a problem",
  async (path) => {
    const response = await world.ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
  },
);

test("before anything is published the image says so", async () => {
  await world.clear();
  expect(await imageAt("/badge/acme.svg")).toEqual([503, "gatepulse: no data"]);
});
