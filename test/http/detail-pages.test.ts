import { expect, test } from "vitest";
import { textOf } from "./html.ts";
import {
  gatewayDocument,
  monitorDocument,
  publishedIncident,
  useWorld,
  statusDocument,
} from "./published-status.ts";

const world = useWorld();

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
  const text = textOf(await world.text("/gateways/acme"));
  expect(text).toContain("models acme/models");
  expect(text).toContain("Acme · models: The balance is used up");
  expect(text).not.toContain("beta/models");
});

test("a report's page has every field of the report, and the line that reproduces it", async () => {
  await world.publish(statusDocument(), { incidents: [publishedIncident()] });
  const text = textOf(await world.text("/reports/acme-models-20261120t080000z-1"));
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
