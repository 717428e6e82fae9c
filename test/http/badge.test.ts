import { beforeEach, expect, test } from "vitest";
import type { AppDeps } from "../../src/http/deps.ts";
import { readXml } from "../formats/xml-reader.ts";
import { gatewayDocument, monitorDocument, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();
beforeEach(() => world.publish(STATUS, { formerly: { "acme/models": ["old/list"] } }));

const CHAT = monitorDocument({ id: "acme/chat", kind: "chat", status: "down" });
const ACME = gatewayDocument({ status: "down", monitors: [monitorDocument(), CHAT] });
const STATUS = statusDocument({ gateways: [ACME] });
const GREEN = "#1a7f37";

/** Of an image: its status, its type and its words. */
async function imageAt(path: string, deps: Partial<AppDeps> = {}): Promise<unknown[]> {
  const response = await world.ask(path, {}, deps);
  expect(response.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  if (!response.ok) expect(response.headers.get("cache-control")).toBe("no-store");
  return [response.status, readXml(await response.text()).attributes["aria-label"]];
}

test.each([
  ["/badge/acme.svg", "Acme: down"],
  ["/badge/acme/models.svg", "Acme · models: up"],
  ["/badge/acme/chat.svg", "Acme · chat: down"],
  ["/badge/old/list.svg", "Acme · models: up"],
  ["/badge/acme.svg?label=Our%20API", "Our API: down"],
  [`/badge/acme.svg?label=${encodeURIComponent('"><script>')}`, '"><script>: down'],
])("%s is an image of its words", async (path, words) => {
  expect(await imageAt(path)).toEqual([200, words]);
});

test.each([
  ["/badge/acme.json", { label: "Acme", message: "down", color: "#cf222e", isError: true }],
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

test.each(["/badge/beta.svg", "/badge/acme/beta.svg", "/badge/acme%2Fbeta.svg", "/badge/%E0%A4.svg"])(
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
