import { beforeEach, expect, test } from "vitest";
import type { AppDeps } from "../../src/http/deps.ts";
import { readXml } from "../formats/xml-reader.ts";
import { gatewayDocument, monitorDocument, NOW_MS, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();
beforeEach(async () => {
  await world.publish(STATUS, { formerly: { "acme/models": ["old/list"] } });
});

const STATUS = statusDocument({
  gateways: [
    gatewayDocument({
      status: "down",
      monitors: [monitorDocument(), monitorDocument({ id: "acme/chat", kind: "chat", status: "down" })],
    }),
  ],
});
const SVG = "image/svg+xml; charset=utf-8";
const PROBLEM = "application/problem+json";

async function wordsAt(path: string, deps: Partial<AppDeps> = {}): Promise<string | undefined> {
  return readXml(await (await world.ask(path, {}, deps)).text()).attributes["aria-label"];
}

test.each([
  ["/badge/acme.svg", "Acme: down"],
  ["/badge/acme/models.svg", "Acme · models: up"],
  ["/badge/acme/chat.svg", "Acme · chat: down"],
  ["/badge/old/list.svg", "Acme · models: up"],
  ["/badge/acme.svg?label=Our%20API", "Our API: down"],
  ["/badge/acme.svg?label=", "Acme: down"],
  [`/badge/acme.svg?label=${encodeURIComponent('"><script>')}`, '"><script>: down'],
  [`/badge/acme.svg?label=${"x".repeat(5000)}`, `${"x".repeat(39)}…: down`],
])("%s is an image of its words", async (path, words) => {
  const response = await world.ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(SVG);
  expect(readXml(await response.text()).attributes["aria-label"]).toBe(words);
});

test.each([
  ["/badge/acme.json", { label: "Acme", message: "down", color: "#cf222e", isError: true }],
  ["/badge/acme/models.json", { label: "Acme · models", message: "up", color: "#1a7f37" }],
  ["/badge/acme/models.json?label=Models", { label: "Models", message: "up", color: "#1a7f37" }],
])("%s is what shields.io reads", async (path, badge) => {
  const response = await world.ask(path);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await response.json()).toEqual({ schemaVersion: 1, ...badge });
});

test("a badge may be shown by any page, is kept for seconds, and is not sent twice", async () => {
  const first = await world.ask("/badge/acme.svg");
  expect(first.headers.get("access-control-allow-origin")).toBe("*");
  expect(first.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(first.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(first.headers.get("cache-control")).toBe("public, max-age=15");
  const etag = first.headers.get("etag") ?? "";
  const again = await world.ask("/badge/acme.svg", { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
  expect(again.headers.get("access-control-allow-origin")).toBe("*");
  const labelled = await world.ask("/badge/acme.svg?label=x", { headers: { "if-none-match": etag } });
  expect(labelled.status).toBe(200);
});

test("a publication that changes nothing leaves the badge's validator as it is", async () => {
  const before = (await world.ask("/badge/acme.svg")).headers.get("etag");
  await world.publish({ ...STATUS, generatedAt: "2026-11-20T12:02:00.000Z" });
  expect((await world.ask("/badge/acme.svg")).headers.get("etag")).toBe(before);
});

test("when the checks have stopped every badge says so", async () => {
  const later = { now: () => NOW_MS + 420_001 };
  expect(await wordsAt("/badge/acme.svg", { now: () => NOW_MS + 420_000 })).toBe("Acme: down");
  expect(await wordsAt("/badge/acme.svg", later)).toBe("Acme: checks stopped");
  expect(await wordsAt("/badge/acme/models.svg", later)).toBe("Acme · models: checks stopped");
  expect(await (await world.ask("/badge/acme/models.json", {}, later)).json()).toEqual({
    schemaVersion: 1,
    label: "Acme · models",
    message: "checks stopped",
    color: "#59636e",
    isError: true,
  });
});

test.each(["/badge/beta.svg", "/badge/acme/beta.svg", "/badge/acme%2Fbeta.svg", "/badge/%E0%A4.svg"])(
  "%s says that there is none: 404, and an image all the same",
  async (path) => {
    const response = await world.ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe(SVG);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(readXml(await response.text()).attributes["aria-label"]).toBe("gatepulse: not found");
  },
);

test.each(["/badge/beta.json", "/badge/acme/beta.json", "/badge/acme", "/badge/acme.png", "/badge/.svg"])(
  "%s is 404 as a problem",
  async (path) => {
    const response = await world.ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe(PROBLEM);
  },
);

test("before anything is published the image says so, and the JSON is a problem", async () => {
  await world.clear();
  const image = await world.ask("/badge/acme.svg");
  expect(image.status).toBe(503);
  expect(image.headers.get("retry-after")).toBe("60");
  expect(readXml(await image.text()).attributes["aria-label"]).toBe("gatepulse: no data");
  const json = await world.ask("/badge/acme.json");
  expect(json.status).toBe(503);
  expect(json.headers.get("content-type")).toBe(PROBLEM);
});
