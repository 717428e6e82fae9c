/** The documents over HTTP, as the npm client of Atlassian's service reads them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Statuspage } from "statuspage.js";
import { expect, test } from "vitest";
import { LONGEST_LIST } from "../../src/formats/statuspage.ts";
import { DAY_MS, HOUR_MS } from "../../src/domain/calendar.ts";
import { NEWEST_INCIDENTS } from "../../src/history/incident-archive.ts";
import { dayPeriod } from "../../src/history/keys.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { COMPONENTS, INCIDENTS, MAINTENANCES, STATUS, SUMMARY } from "../formats/statuspage-schemas.ts";
import { watched } from "../history/real-kv.ts";
import { writeIncidents } from "../history/published-history.ts";
import { serveHttp } from "../probe/small-server.ts";
import {
  BALANCE_GONE,
  depsOf,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  resolvedIncident,
  useWorld,
  statusDocument,
} from "./published-status.ts";

const world = useWorld();

const SHAPES = {
  "summary.json": SUMMARY,
  "status.json": STATUS,
  "components.json": COMPONENTS,
  "incidents.json": INCIDENTS,
  "incidents/unresolved.json": INCIDENTS,
  "scheduled-maintenances.json": MAINTENANCES,
  "scheduled-maintenances/active.json": MAINTENANCES,
  "scheduled-maintenances/upcoming.json": MAINTENANCES,
} as const;
const PATHS = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

const BLOCKED = statusDocument({
  gateways: [
    gatewayDocument({
      monitors: [
        monitorDocument({ status: "blocked", diagnosis: BALANCE_GONE }),
        monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o" }),
      ],
    }),
    gatewayDocument({ id: "b", name: "B", monitors: [monitorDocument({ id: "b/models" })] }),
  ],
  maintenance: [
    { gateways: ["b"], from: "2026-11-20T11:00:00.000Z", to: "2026-11-20T13:00:00.000Z", title: "Disks" },
    { gateways: [], from: "2026-11-21T11:00:00.000Z", to: "2026-11-21T13:00:00.000Z", title: "Network" },
  ],
});
const OPEN = publishedIncident();
const ENDED = resolvedIncident(NOW_MS - 5 * HOUR_MS, NOW_MS - 4 * HOUR_MS);

async function get(path: string, init: RequestInit = {}, deps: Partial<AppDeps> = {}): Promise<Response> {
  return world.ask(`/api/v2/${path}`, init, deps);
}

/** The client, at a server that answers as the Worker does. */
async function reader(): Promise<Statuspage> {
  const baseURL = await serveHttp((request, response) => void relay(request, response));
  const client = new Statuspage("anything");
  (client as unknown as { axios: { defaults: { baseURL: string } } }).axios.defaults.baseURL =
    `${baseURL}/api/v2`;
  return client;
}

async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const address = `http://${request.headers.host}${request.url}`;
  const answer = await handleRequest(new Request(address), depsOf(world.kv));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(await answer.text());
}

test("statuspage.js reads all eight documents", async () => {
  await world.publish(BLOCKED, { incidents: [OPEN, ENDED] });
  const client = await reader();
  const summary = await client.summary();
  expect(summary.page).toMatchObject({ name: "Acme gateways", updated_at: new Date(NOW_MS) });
  expect(summary.page.id).toMatch(/^127\.0\.0\.1:\d+$/u);
  expect(summary.page.url).toBe(`http://${summary.page.id}`);
  expect(summary.status).toEqual({
    indicator: "minor",
    description: "1 of 3 monitors with a blocked view, 1 in planned maintenance",
  });
  expect(summary.components?.map(({ id, status }) => [id, status])).toEqual([
    ["acme", "degraded_performance"],
    ["acme/models", "degraded_performance"],
    ["acme/chat", "operational"],
    ["b", "under_maintenance"],
    ["b/models", "under_maintenance"],
  ]);
  expect(summary.incidents?.map(({ id }) => id)).toEqual([OPEN.incident.id]);
  expect(summary.scheduled_maintenances?.map(({ name }) => name)).toEqual(["Disks", "Network"]);
  expect((await client.status()).status).toEqual(summary.status);
  expect((await client.components()).components).toEqual(summary.components);
  expect((await client.unresolvedIncidents()).incidents).toEqual(summary.incidents);
  const { incidents } = await client.allIncidents();
  expect(incidents.map(({ id, status, impact }) => [id, status, impact])).toEqual([
    [OPEN.incident.id, "investigating", "minor"],
    [ENDED.incident.id, "resolved", "minor"],
  ]);
  expect(incidents[0]?.incident_updates[0]).toMatchObject({
    status: "investigating",
    body: "Blocked (insufficient_balance). This is no outage of the gateway. Top up.",
    display_at: new Date("2026-11-20T08:00:00.000Z"),
  });
  const namesOf = (of: { scheduled_maintenances: readonly { name: string }[] }): string[] =>
    of.scheduled_maintenances.map(({ name }) => name);
  expect(namesOf(await client.allScheduledMaintenances())).toEqual(["Network", "Disks"]);
  expect(namesOf(await client.activeScheduledMaintenances())).toEqual(["Disks"]);
  expect(namesOf(await client.upcomingScheduledMaintenances())).toEqual(["Network"]);
});

test("what is over is told where all maintenance is, as completed, and nowhere else", async () => {
  const past = {
    gateways: ["b"],
    from: "2026-11-19T11:00:00.000Z",
    to: "2026-11-19T13:00:00.000Z",
    title: "",
  };
  await world.publish(BLOCKED, { maintenance: [past, ...BLOCKED.maintenance] });
  const statusesAt = async (path: string): Promise<unknown[]> => {
    const { scheduled_maintenances: all } = (await (await get(path)).json()) as {
      scheduled_maintenances: { status: string }[];
    };
    return all.map(({ status }) => status);
  };
  expect(await statusesAt("scheduled-maintenances.json")).toEqual(["scheduled", "in_progress", "completed"]);
  expect(await statusesAt("scheduled-maintenances/active.json")).toEqual(["in_progress"]);
  expect(await statusesAt("scheduled-maintenances/upcoming.json")).toEqual(["scheduled"]);
  expect(await statusesAt("summary.json")).toEqual(["in_progress", "scheduled"]);
});

test("each has its shape", async () => {
  await world.publish(BLOCKED, { incidents: [OPEN, ENDED] });
  for (const path of PATHS) {
    expect(SHAPES[path].safeParse(await (await get(path)).json()).error?.issues, path).toBeUndefined();
  }
});

test("another address below is a 404", async () => {
  await world.publish(BLOCKED);
  for (const path of ["", "summary", "incidents/active.json", "toString.json", "components/x.json"]) {
    expect((await get(path)).status, path).toBe(404);
  }
});

test.each(PATHS)("before anything is published %s is a 503 that says when to come back", async (path) => {
  const response = await get(path);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("60");
});

test("when the checks stop, what was green is green no more, and no cache keeps it so", async () => {
  await world.publish(statusDocument());
  const late = { now: () => NOW_MS + HOUR_MS };
  const etag = (await get("summary.json")).headers.get("etag") ?? "";
  const response = await get("summary.json", { headers: { "if-none-match": etag } }, late);
  const { status, components } = SUMMARY.parse(await response.json());
  expect(status).toEqual({
    indicator: "minor",
    description: "The checks have stopped: nothing is known of now",
  });
  expect(new Set(components.map((component) => component.status))).toEqual(new Set(["degraded_performance"]));
});

test("where a gateway publishes its health alone no document tells a cause", async () => {
  const hidden = monitorDocument({ status: "blocked", diagnosis: null });
  const status = statusDocument({ gateways: [gatewayDocument({ monitors: [hidden] })] });
  await world.publish(status, { incidents: [OPEN, ENDED], withCauses: [] });
  for (const path of PATHS) {
    const text = await (await get(path)).text();
    expect(text, path).not.toMatch(/insufficient|balance|top up|caller|credit/iu);
  }
  expect(await (await get("incidents.json")).text()).toContain(OPEN.incident.id);
});

/** What the pages of the API tell, one after the other. */
async function allIncidents(): Promise<string[]> {
  const ids: string[] = [];
  let path = "https://status.example/api/v1/incidents";
  for (;;) {
    const response = await handleRequest(new Request(path), depsOf(world.kv));
    const page = (await response.json()) as { incidents: { id: string }[]; next: string | null };
    ids.push(...page.incidents.map(({ id }) => id));
    if (page.next === null) return ids;
    path = `https://status.example/api/v1/incidents?before=${page.next}`;
  }
}

test("the list has the fifty newest, the very ones that the archive gives, and reads no segment for them", async () => {
  const newest = Array.from({ length: NEWEST_INCIDENTS }, (_, index) => {
    const endedMs = NOW_MS - (index + 1) * 600_000;
    return resolvedIncident(endedMs - 60_000, endedMs);
  });
  const old = resolvedIncident(NOW_MS - 10 * DAY_MS, NOW_MS - 10 * DAY_MS + HOUR_MS);
  const period = dayPeriod(NOW_MS - 10 * DAY_MS);
  await writeIncidents(world.kv, "day", period, [old]);
  const segments = { hour: [], day: [period], month: [] };
  await world.publish(statusDocument(), { incidents: [...newest, OPEN].toReversed(), segments });
  const kv = watched(world.kv);
  const { incidents } = INCIDENTS.parse(await (await get("incidents.json", {}, { kv })).json());
  expect(incidents).toHaveLength(LONGEST_LIST);
  const archived = (await allIncidents()).slice(0, LONGEST_LIST);
  expect(incidents.map(({ id }) => id).sort()).toEqual(archived.sort());
  const openings = incidents.map(({ created_at }) => created_at);
  expect(openings).toEqual(openings.toSorted().toReversed());
  expect(kv.keys).toHaveLength(1);
});

test("an incident that is open is in the list, however long ago it opened", async () => {
  const newest = Array.from({ length: NEWEST_INCIDENTS }, (_, index) => {
    const endedMs = NOW_MS - (index + 1) * 60_000;
    return resolvedIncident(endedMs - 30_000, endedMs);
  });
  const open = publishedIncident({
    id: "acme-models-20260101t000000z",
    openedAt: "2026-01-01T00:00:00.000Z",
  });
  await world.publish(statusDocument(), { incidents: [...newest, open] });
  const { incidents } = INCIDENTS.parse(await (await get("incidents.json")).json());
  expect(incidents).toHaveLength(LONGEST_LIST);
  expect(incidents.at(-1)?.id).toBe(open.incident.id);
});
