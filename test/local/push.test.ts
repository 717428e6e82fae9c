/** Browsers that subscribe to a real Worker of two shards, and the push service between them: a real server. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { browser, VAPID } from "../alert/browser.ts";
import { simulatorOfFile } from "../probe/simulated.ts";
import { ADMIN_TOKEN } from "./support/alerting.ts";
import { MINUTE_MS, startWorld } from "./support/world.ts";

/** By path, what came for a browser; and how the service answers, else 201. */
const arrived = new Map<string, { headers: IncomingMessage["headers"]; body: Buffer }[]>();
const answers = new Map<string, number>();
const service = createServer((request, response) => void receive(request, response));

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = "", headers } = request;
  arrived.set(url, [...(arrived.get(url) ?? []), { headers, body: await buffer(request) }]);
  response.writeHead(answers.get(url) ?? 201).end();
}

await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
const { port } = service.address() as AddressInfo;

const simulator = await simulatorOfFile();
const world = await startWorld({
  gateways: ["acme", "other"].map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" })),
  secrets: { KEY: SIMULATOR_KEYS.good, PUSH_KEY: VAPID.privateKey, ADMIN_TOKEN },
  queueRetries: 1,
  config: {
    shards: 2,
    open: 1,
    close: 1,
    flapping: false,
    push: {
      publicKey: VAPID.publicKey,
      privateKey: "PUSH_KEY",
      subject: "mailto:oncall@acme.example",
      services: ["127.0.0.1"],
    },
  },
});
afterAll(async () => {
  await world.stop();
  service.closeAllConnections();
  service.close();
});

const countArrived = (): number => [...arrived.values()].flat().length;

function subscriber(name: string) {
  const { subscription, read } = browser(`http://127.0.0.1:${port}/${name}`);
  return {
    subscription,
    subscribe: async () => (await world.post("/push", subscription)).status,
    /** The titles of its notifications. */
    titles: () =>
      (arrived.get(`/${name}`) ?? []).map(({ headers, body }) => {
        return (read(headers as Record<string, string>, body) as { title: string }).title;
      }),
  };
}

let minute = 0;
const tick = async () => {
  await world.tick(world.startMs + minute++ * MINUTE_MS);
  await world.settle();
};
const WELCOME = "Notifications are on";

const first = subscriber("first");
const second = subscriber("second");

test("a browser gets a first message at once, then each incident of every shard and its end, once", async () => {
  await tick();
  expect(await first.subscribe()).toBe(201);
  expect(first.titles()).toEqual([WELCOME]);
  simulator.play("acme", "balance_402");
  simulator.play("other", "balance_402");
  await tick();
  expect(first.titles().toSorted()).toEqual([WELCOME, "acme: blocked", "other: blocked"].toSorted());
  expect(await first.subscribe()).toBe(201);
  await tick();
  expect(first.titles()).toHaveLength(3);
});

test("who subscribes later is told what is open; after a restart both are still there", async () => {
  expect(await second.subscribe()).toBe(201);
  await world.settle();
  expect(second.titles().toSorted()).toEqual([WELCOME, "acme: blocked", "other: blocked"].toSorted());
  await world.evictLedger(0);
  await world.evictLedger(1);
  simulator.clear();
  await tick();
  for (const { titles } of [first, second])
    expect(titles().slice(3).toSorted()).toEqual(["No longer blocked: acme", "No longer blocked: other"]);
});

test("a browser that is gone is forgotten, and no warning names its address", async () => {
  answers.set("/second", 410);
  simulator.play("acme", "balance_402");
  simulator.play("other", "balance_402");
  await tick();
  const told = arrived.get("/second")?.length ?? 0;
  simulator.clear();
  await tick();
  await tick();
  expect(arrived.get("/second")).toHaveLength(told);
  expect(first.titles()).toHaveLength(9);
  expect(await world.ledgerRows(["subscription"], 0)).toHaveLength(1);
  expect(await world.ledgerRows(["subscription"], 1)).toHaveLength(1);
  expect(world.logs.join("\n")).not.toContain("/second");
});

test("an address that a push service does not know, or that is no push service's, is not stored", async () => {
  const stranger = subscriber("stranger");
  answers.set("/stranger", 404);
  expect(await stranger.subscribe()).toBe(422);
  const { keys } = stranger.subscription;
  const ofNoPoint = { ...stranger.subscription, keys: { ...keys, p256dh: `B${"A".repeat(86)}` } };
  const before = countArrived();
  for (const endpoint of [
    `http://localhost:${port}/x`,
    `http://127.0.0.1.example:${port}/x`,
    `${first.subscription.endpoint}#1`,
    first.subscription.endpoint.replace("//", "//me:secret@"),
    "https://fcm.googleapis.com/x",
    "ftp://127.0.0.1/x",
  ])
    expect((await world.post("/push", { endpoint, keys })).status, endpoint).toBe(422);
  for (const body of [
    {},
    [],
    "x",
    { endpoint: "x", keys },
    { ...stranger.subscription, keys: {} },
    ofNoPoint,
  ])
    expect((await world.post("/push", body)).status, JSON.stringify(body)).toBe(400);
  expect((await world.post("/push", { endpoint: "x".repeat(5000), keys })).status).toBe(413);
  expect(countArrived()).toBe(before);
  expect(await world.ledgerRows(["subscription"], 0)).toHaveLength(1);
});

test("administrators see one browser of all, and nothing of its address", async () => {
  const { status, json, text } = await world.get("/api/v1/admin/alerts", {
    authorization: `Bearer ${ADMIN_TOKEN}`,
  });
  expect(status).toBe(200);
  expect(json.channels).toMatchObject(
    [0, 1].map((shard) => ({ shard, channel: "push", kind: "push", problem: null })),
  );
  expect(text).not.toContain("/first");
});

test("a browser that unsubscribes is forgotten by every shard", async () => {
  expect((await world.post("/push/off", first.subscription)).status).toBe(201);
  for (const shard of [0, 1]) expect(await world.ledgerRows(["subscription"], shard)).toEqual([]);
  expect(await first.subscribe()).toBe(201);
  expect(first.titles().at(-1)).toBe(WELCOME);
});

test("a client that subscribes more than ten times a minute must wait", async () => {
  const statuses: number[] = [];
  // A new minute may begin meanwhile.
  while (statuses.at(-1) !== 429 && statuses.length < 21) statuses.push(await first.subscribe());
  expect(statuses).toContain(201);
  expect(statuses.at(-1)).toBe(429);
});
