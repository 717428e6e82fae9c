/** What Homepage and Homarr compute from the addresses of Uptime Kuma and Gatus; `src/formats/compatible.ts` says whence that is known. */
import { beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { config, gateway } from "../fixtures/config.ts";
import { readConfig } from "../../src/config/load.ts";
import {
  gatewayDocument,
  monitorDocument,
  monitorThatIs,
  NOW_MS,
  publishedIncident,
  plannedWindow,
  STALE_MS,
  statusDocument,
} from "./documents.ts";
import { MODELS_NUMBER } from "./every-route.ts";
import { probesTail } from "./published-day.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const UPTIME = { "24h": 0.99759, "7d": 0.5, "30d": null, "90d": 1 };
const LATENCY = { p50: 212.4, p95: 300, p99: 400 };
const BROOK = gatewayDocument({
  id: "brook",
  name: "Brook",
  monitors: [
    monitorThatIs("down", { id: "brook/models", uptime: { ...UPTIME, "24h": 0.5 } }),
    monitorThatIs("blocked", { id: "brook/eu", uptime: { ...UPTIME, "24h": null } }),
    monitorThatIs("degraded", { id: "brook/us", uptime: { ...UPTIME, "24h": 1 } }),
  ],
});
const ACME = gatewayDocument({ monitors: [monitorDocument({ uptime: UPTIME, latency: LATENCY })] });
const PROBES = [
  { health: "down", latencyMs: null },
  { health: "blocked" },
  { health: "up", latencyMs: 180 },
] as const;

beforeEach(() =>
  world.publish(statusDocument({ gateways: [ACME, BROOK] }), {
    ...probesTail(PROBES),
    incidents: [publishedIncident()],
  }),
);

/** As Homarr reads them, and refuses others. */
const PAGE = z.object({
  publicGroupList: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      monitorList: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  ),
  incident: z.nullable(z.object({ createdDate: z.string() })),
});
const BEATS = z.object({
  heartbeatList: z.record(
    z.string(),
    z.array(z.object({ status: z.int(), time: z.iso.datetime(), ping: z.nullable(z.number()) })),
  ),
  uptimeList: z.record(z.string(), z.number()),
});
const STATUSES = z.array(
  z.object({
    name: z.string(),
    group: z.string(),
    key: z.string(),
    results: z.array(
      z.object({ success: z.boolean(), timestamp: z.iso.datetime(), duration: z.optional(z.int()) }),
    ),
  }),
);

async function read<Schema extends z.ZodMiniType>(
  schema: Schema,
  path: string,
  nowMs = NOW_MS,
): Promise<z.infer<Schema>> {
  return z.parse(schema, JSON.parse(await world.text(path, nowMs)));
}

/** What the widget for Uptime Kuma of Homepage shows. */
async function homepageKuma(slug: string, nowMs?: number) {
  const { incident } = await read(PAGE, `/api/status-page/${slug}`, nowMs);
  const { heartbeatList, uptimeList } = await read(BEATS, `/api/status-page/heartbeat/${slug}`, nowMs);
  const newest = Object.values(heartbeatList).map((beats) => beats.at(-1)?.status);
  const shares = Object.values(uptimeList);
  return {
    up: newest.filter((status) => status === 1).length,
    others: newest.filter((status) => status !== 1),
    uptime: ((shares.reduce((sum, share) => sum + share, 0) / shares.length || 0) * 100).toFixed(1),
    since: incident && (NOW_MS - Date.parse(incident.createdDate)) / 3_600_000,
  };
}

/** What its widget for Gatus shows. */
async function homepageGatus(nowMs?: number) {
  const all = await read(STATUSES, "/api/v1/endpoints/statuses", nowMs);
  const results = all.flatMap((one) => one.results);
  const share = results.filter(({ success }) => success).length / results.length;
  return {
    up: all.filter((one) => one.results.at(-1)?.success === true).length,
    of: all.length,
    uptime: (share * 100).toFixed(1),
  };
}

test("Homepage counts what is up, averages the uptime that is known, and tells since when an incident is open", async () => {
  const { openedAt } = publishedIncident().incident;
  const since = (NOW_MS - Date.parse(openedAt)) / 3_600_000;
  const uptime = (((UPTIME["24h"] + 0.5 + 1) / 3) * 100).toFixed(1);
  expect(await homepageKuma("default")).toEqual({ up: 2, others: [0, 2], uptime, since });
  expect(await homepageKuma("acme")).toEqual({ up: 1, others: [], uptime: "99.8", since });
  expect(await homepageKuma("brook")).toEqual({ up: 1, others: [0, 2], uptime: "75.0", since: null });
  // Two checks of Acme, and of Brook one that was a success and one that was none.
  expect(await homepageGatus()).toEqual({ up: 2, of: 4, uptime: "50.0" });
});

test("nothing counts as up once the checks have stopped, or while it is worked on", async () => {
  expect(await homepageKuma("default", STALE_MS)).toMatchObject({ up: 0, others: [2, 2, 2, 2] });
  expect(await homepageGatus(STALE_MS)).toMatchObject({ up: 0, of: 4 });
  await world.publish(statusDocument({ gateways: [ACME], maintenance: [plannedWindow(["acme"])] }));
  expect(await homepageKuma("default")).toMatchObject({ up: 0, others: [3] });
});

test("Homarr finds each monitor by its number, with its checks, the newest last", async () => {
  const { publicGroupList } = await read(PAGE, "/api/status-page/default");
  const { heartbeatList, uptimeList } = await read(BEATS, "/api/status-page/heartbeat/default");
  const monitors = publicGroupList.flatMap(({ monitorList }) => monitorList);
  expect(monitors.map(({ name }) => name)).toContain("Brook · models · us");
  expect(new Set(monitors.map(({ id }) => String(id)))).toEqual(new Set(Object.keys(heartbeatList)));
  expect(heartbeatList[MODELS_NUMBER]?.map(({ status, ping }) => [status, ping])).toEqual([
    [0, null],
    [2, expect.any(Number)],
    [1, 180],
  ]);
  expect(uptimeList[`${MODELS_NUMBER}_24`]).toBe(UPTIME["24h"]);
  expect(Object.keys(uptimeList)).toHaveLength(3);
});

test("a number stays, whatever else is monitored", async () => {
  const other = monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o" });
  await world.publish(
    statusDocument({ gateways: [BROOK, { ...ACME, monitors: [other, ...ACME.monitors] }] }),
  );
  const { heartbeatList } = await read(BEATS, "/api/status-page/heartbeat/default");
  expect(heartbeatList).toHaveProperty(String(MODELS_NUMBER));
});

const KUMA = `/api/badge/${MODELS_NUMBER}`;
const GATUS = "/api/v1/endpoints/acme_models";

test.each([
  [`${KUMA}/status`, "Acme · models: up"],
  [`${KUMA}/status?label=Status`, "Status: up"],
  [`${KUMA}/uptime`, "uptime 24h: 99.75%"],
  [`${KUMA}/uptime/24h?label=Day`, "Day: 99.75%"],
  [`${KUMA}/uptime/168`, "uptime 7d: 50%"],
  [`${KUMA}/uptime/720`, "uptime 30d: no data"],
  [`${KUMA}/uptime/5`, "uptime 5: no data"],
  [`${KUMA}/ping/24`, "median response time 24h: 212ms"],
  [`${KUMA}/ping/168`, "median response time 7d: no data"],
  [`${GATUS}/health/badge.svg`, "Acme · models: up"],
  [`${GATUS}/uptimes/7d/badge.svg`, "uptime 7d: 50%"],
  [`${GATUS}/uptimes/1h/badge.svg`, "uptime 1h: no data"],
  [`${GATUS}/response-times/24h/badge.svg`, "median response time 24h: 212ms"],
  ["/api/badge/1/status", "gatepulse: not found"],
  ["/api/v1/endpoints/acme_none/health/badge.svg", "gatepulse: not found"],
])("the badge at %s says %s", async (path, words) => {
  expect(await world.text(path)).toContain(`<title>${words}</title>`);
});

test("shields.io reads the badge of Gatus", async () => {
  const badge = JSON.parse(await world.text(`${GATUS}/health/badge.shields`));
  expect(badge).toEqual({ schemaVersion: 1, label: "Acme · models", message: "up", color: "#1a7f37" });
});

test("a site has these addresses only if it says so", async () => {
  const parts = readConfig({ title: "t", gateways: [] }).parts;
  const usual = { config: config([gateway("acme")], { parts }) };
  for (const path of ["/api/status-page/default", `${KUMA}/status`, "/api/v1/endpoints/statuses"])
    expect((await world.ask(path, {}, usual)).status, path).toBe(404);
});
