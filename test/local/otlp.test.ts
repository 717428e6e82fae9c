/** A collector: a real Worker sends it metrics with each publication, and a span when an incident ends. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { mustBeOtlp } from "../formats/official-otlp.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { eventually } from "./program.ts";
import { MINUTE_MS, startWorld } from "./support/world.ts";

interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const seen: Seen[] = [];
/** Whether the collector never answers. */
let hangs = false;
const collector = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    seen.push({ path: request.url ?? "", headers: request.headers, body });
    if (!hangs) response.setHeader("content-type", "application/json").end("{}");
  });
});
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/base`;

const simulator = await simulatorOfFile();
const world = await startWorld({
  gateways: [{ id: "acme", baseUrl: simulator.named("acme"), apiKey: "KEY" }],
  secrets: { KEY: SIMULATOR_KEYS.good, HEADERS: "api-key=abc,tenant=def" },
  config: { otlp: { endpoint, headers: "HEADERS" }, open: 1, close: 1 },
});
afterAll(() => world.stop());

let minute = 0;
const tick = () => world.tick(world.startMs + minute++ * MINUTE_MS);
const sentTo = (path: string) => seen.filter((one) => one.path === `/base/v1/${path}`);

test("metrics come with each publication, with the headers of the secret, and are those of the page", async () => {
  await tick();
  await world.publish();
  await eventually(async () => sentTo("metrics").length > 0);
  const [first] = sentTo("metrics");
  expect(first?.headers).toMatchObject({
    "api-key": "abc",
    tenant: "def",
    "content-type": "application/json",
  });
  mustBeOtlp("metrics", first?.body ?? "");
  expect(first?.body).toContain('"probe_success"');
});

test("the end of an incident is one span; its opening is none", async () => {
  simulator.play("acme", "balance_402");
  await tick();
  simulator.clear();
  await tick();
  await tick();
  await eventually(async () => sentTo("traces").length > 0);
  const [{ body } = { body: "" }, ...more] = sentTo("traces");
  expect(more).toEqual([]);
  mustBeOtlp("trace", body);
  expect(body).toContain('"incident insufficient_balance"');
});

test("a collector that hangs keeps no tick and no page waiting", async () => {
  hangs = true;
  const before = sentTo("metrics").length;
  await tick();
  await world.publish();
  await eventually(async () => sentTo("metrics").length > before);
  await tick();
  const { json } = await world.get("/api/v1/status");
  expect(json.status).toBe("up");
});
