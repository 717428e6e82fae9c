/** Parts of the site that a configuration leaves out. */
import { beforeEach, expect, test } from "vitest";
import { readConfig } from "../../src/config/load.ts";
import { config, gateway } from "../fixtures/config.ts";
import { statusDocument } from "./documents.ts";
import { BROWSER } from "./every-route.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(statusDocument()));

/** Asks a site that lacks this part. */
const askWithout = async (without: string, path: string, init?: RequestInit) => {
  const { parts } = readConfig({ title: "t", gateways: [], parts: { [without]: false } });
  return world.ask(path, init, { config: config([gateway("acme")], { parts }), adminToken: "x".repeat(32) });
};

test.each([
  ["pages", "/", "/causes"],
  ["pages", "/explain", "/admin"],
  ["explain", "/explain", "/api/v1/explain"],
  ["admin", "/admin", "/api/v1/admin/maintenance"],
  ["route", "/api/v1/route?model=gpt-4o", "/api/v1/route"],
  ["metrics", "/metrics", "/metrics"],
  ["statuspage", "/api/v2/summary.json", "/api/v2/incidents.json"],
  ["feeds", "/feed.atom", "/gateways/acme/feed.json"],
  ["calendar", "/calendar.ics", "/calendar.ics?gateway=acme"],
  ["badges", "/badge/acme.svg", "/badge/acme/models.json"],
  ["embed", "/embed", "/embed.js"],
  ["pages", "/embed", "/embed.js"],
])("without %s there is no %s and no %s, and the rest is there", async (without, ...absent) => {
  for (const path of absent) {
    expect((await world.ask(path)).status, path).not.toBe(500);
    expect((await askWithout(without, path)).status, path).toBe(404);
  }
  expect((await askWithout(without, "/api/v1/status")).status).toBe(200);
});

test("without pages, a browser gets a problem as JSON", async () => {
  const answer = await askWithout("pages", "/nowhere", { headers: BROWSER });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
});

test.each([
  ["explain", "/explain"],
  ["feeds", "/feed.atom"],
  ["calendar", "/calendar.ics"],
])("without %s, no page links to it", async (without, path) => {
  expect(await world.text("/")).toContain(`href="${path}`);
  expect(await (await askWithout(without, "/")).text()).not.toContain(`href="${path}`);
});
