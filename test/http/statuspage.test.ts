/** The documents over HTTP, as the npm client of Atlassian's service reads them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Statuspage } from "statuspage.js";
import { expect, test } from "vitest";
import { LONGEST_LIST } from "../../src/formats/statuspage.ts";
import { HOUR_MS } from "../../src/domain/calendar.ts";
import { handleRequest } from "../../src/http/app.ts";
import type { Summary } from "../formats/statuspage-source.ts";
import { watched } from "../history/real-kv.ts";
import { serveHttp } from "../probe/small-server.ts";
import { newestIncidents, publishArchive } from "./published-status.ts";
import {
  BALANCE_GONE,
  gatewayDocument,
  monitorDocument,
  NOW_MS,
  publishedIncident,
  resolvedIncident,
  statusDocument,
} from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();

const windowOf = (gateways: string[], day: string, title: string) => ({
  gateways,
  from: `${day}T11:00:00.000Z`,
  to: `${day}T13:00:00.000Z`,
  title,
});
const ACME = gatewayDocument({
  monitors: [
    monitorDocument({ status: "blocked", diagnosis: BALANCE_GONE }),
    monitorDocument({ id: "acme/chat", kind: "chat", model: "gpt-4o" }),
  ],
});
const BLOCKED = statusDocument({
  gateways: [ACME, gatewayDocument({ id: "b", name: "B", monitors: [monitorDocument({ id: "b/models" })] })],
  maintenance: [windowOf(["b"], "2026-11-20", "Disks"), windowOf([], "2026-11-21", "Network")],
});
const OVER = windowOf(["b"], "2026-11-19", "Before");
const OPEN = publishedIncident();
const ENDED = resolvedIncident(NOW_MS - 5 * HOUR_MS, NOW_MS - 4 * HOUR_MS);

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
  const maintenance = [OVER, ...BLOCKED.maintenance];
  await world.publish(BLOCKED, { incidents: [OPEN, ENDED], maintenance });
  const client = await reader();
  const summary = await client.summary();
  expect(summary.page).toMatchObject({ name: "Acme gateways", updated_at: new Date(NOW_MS) });
  expect(summary.status.indicator).toBe("minor");
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
  type Listed = { scheduled_maintenances: readonly { name: string; status: string }[] };
  const told = (of: Listed) => of.scheduled_maintenances.map(({ name, status }) => `${name} ${status}`);
  const all = ["Network scheduled", "Disks in_progress", "Before completed"];
  expect(told(await client.allScheduledMaintenances())).toEqual(all);
  expect(told(await client.activeScheduledMaintenances())).toEqual(["Disks in_progress"]);
  expect(told(await client.upcomingScheduledMaintenances())).toEqual(["Network scheduled"]);
});

test("the list has the fifty newest, and reads no segment for them", async () => {
  await publishArchive(world, [...newestIncidents(600_000), OPEN].toReversed());
  const kv = watched(world.kv);
  const answer = await world.ask("/api/v2/incidents.json", {}, { kv });
  const { incidents } = (await answer.json()) as Summary;
  expect(incidents).toHaveLength(LONGEST_LIST);
  const openings = incidents.map(({ created_at }) => created_at);
  expect(openings).toEqual(openings.toSorted().toReversed());
  expect(kv.keys).toHaveLength(1);
});
