import { expect, test } from "vitest";
import { handleRequest } from "../../src/http/app.ts";
import { textOf } from "./html.ts";
import {
  depsOf,
  endEntry,
  gatewayDocument,
  incidentDocument,
  monitorDocument,
  publishedIncident,
  useWorld,
  statusDocument,
  timelineEntry,
} from "./published-status.ts";

const world = useWorld();

async function get(path: string): Promise<string> {
  return (await handleRequest(new Request(`https://status.example${path}`), depsOf(world.kv))).text();
}

test("a gateway's page has its monitors and its incidents alone", async () => {
  const other = gatewayDocument({
    id: "beta",
    name: "Beta",
    monitors: [monitorDocument({ id: "beta/models" })],
  });
  const status = statusDocument();
  await world.publish(
    { ...status, gateways: [...status.gateways, other] },
    {
      incidents: [
        publishedIncident(),
        publishedIncident({ id: "beta-x", gateway: "beta", monitors: ["beta/models"] }),
      ],
    },
  );
  const text = textOf(await get("/gateways/acme"));
  expect(text).toContain("models acme/models");
  expect(text).toContain("Acme · models: The balance is used up");
  expect(text).not.toContain("beta/models");
});

test("an incident's page tells its timeline, its notes and where its reports are", async () => {
  const incident = incidentDocument({
    resolvedAt: "2026-11-20T09:30:00.000Z",
    timeline: [timelineEntry(), endEntry({ at: "2026-11-20T09:30:00.000Z" })],
    notes: [{ at: "2026-11-20T09:00:00.000Z", text: "The card was charged." }],
  });
  await world.publish(statusDocument(), { incidents: [{ ...publishedIncident(), incident }] });
  const html = await get(`/incidents/${incident.id}`);
  const text = textOf(html);
  expect(text).toContain("Acme · models: The balance is used up");
  expect(text).toContain("This incident is resolved.");
  expect(text).toContain(
    "Resolved 2026-11-20 09:30:00 UTC (after 1 h 31 min, counted from the first failed check)",
  );
  expect(text).toContain(
    "2026-11-20 08:00:00 UTC opened (Blocked: The balance is used up). Whose turn then: the owner of the monitor’s key. Top up.",
  );
  expect(text).toContain("2026-11-20 09:30:00 UTC resolved: The last probes succeeded.");
  expect(text).toContain("2026-11-20 09:00:00 UTC: The card was charged.");
  expect(html).toContain(`href="/reports/${incident.id}-1"`);
});

test("a report's page has every field of the report, and the line that reproduces it", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const text = textOf(await get("/reports/acme-models-20261120t080000z-1"));
  for (const words of [
    "The address is not published: $GATEWAY_BASE_URL stands for it, and $GATEWAY_API_KEY for the key.",
    "Endpoint $GATEWAY_BASE_URL/v1/models",
    "Model none",
    "Requested at 2026-11-20T08:00:00.000+00:00",
    "Time zone UTC",
    "HTTP status 402",
    "Error type insufficient_quota",
    "Error code insufficient_balance",
    "Business code none",
    "Request id req_1",
    "Task id none",
    "Streaming no",
    "Already retried no",
    "Attempts 1",
    "Client gatepulse/0.1.0",
    "Message no credit",
    'curl -H "Authorization: Bearer $GATEWAY_API_KEY" "$GATEWAY_BASE_URL"/v1/models',
  ]) {
    expect(text).toContain(words);
  }
});
