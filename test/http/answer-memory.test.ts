/** What an isolate remembers of its answers: nothing private, nothing old, and not much. */
import { Hono } from "hono";
import { describe, expect, test, vi } from "vitest";
import { AnswerMemory, type StoredPublication } from "../../src/http/cache.ts";
import { remembered } from "../../src/http/remembered.ts";
import { SnapshotMemory, type AppDeps } from "../../src/http/deps.ts";
import { NOW_MS, publishedIncident, statusDocument } from "./documents.ts";
import { depsOf, useWorld } from "./published-status.ts";

const world = useWorld();

const TOKEN = "an-administrators-token-of-tests";
const MINUTE_MS = 60_000;
/** The first instant of a minute. */
const START_MS = Math.ceil(NOW_MS / MINUTE_MS) * MINUTE_MS;

/** One isolate. */
function isolate(): (path: string, atMs: number, init?: RequestInit) => Promise<Response> {
  const memory = new SnapshotMemory();
  return (path, atMs, init) => world.ask(path, init, { memory, now: () => atMs, adminToken: TOKEN });
}

/** The page tells what has begun from what is to come: by that one made anew is known. */
function publishWindow(fromMs: number, sequence = 1): Promise<void> {
  const [from = "", to = ""] = [fromMs, fromMs + 3_600_000].map((ms) => new Date(ms).toISOString());
  const maintenance = [{ gateways: [], from, to, title: "New database" }];
  return world.publish(statusDocument({ maintenance }), {}, { sequence, lastTickMs: fromMs });
}

async function stands(answer: Promise<Response>): Promise<string> {
  return /under way since|planned from/.exec(await (await answer).text())?.[0] ?? "nothing";
}

describe("a page", () => {
  test("is written once a minute, and anew with the next; at an address that is too long, each time", async () => {
    await publishWindow(START_MS + 1000);
    const get = isolate();
    const [long, tooLong] = [`/?${"a".repeat(900)}`, `/?${"a".repeat(1000)}`];
    for (const path of ["/", long, tooLong]) expect(await stands(get(path, START_MS))).toBe("planned from");
    for (const path of ["/", long]) expect(await stands(get(path, START_MS + 59_999))).toBe("planned from");
    for (const path of ["/?other", tooLong])
      expect(await stands(get(path, START_MS + 59_999))).toBe("under way since");
    expect(await stands(get("/", START_MS + 60_000))).toBe("under way since");
  });

  test("is not remembered longer than what it tells of", async () => {
    await publishWindow(START_MS + 3_600_000);
    const get = isolate();
    expect(await stands(get("/", START_MS))).toBe("planned from");
    await publishWindow(START_MS - 1000, 2);
    expect(await stands(get("/", START_MS + 2000))).toBe("under way since");
  });

  test("is stale from the instant on at which the checks have stopped, within a minute too", async () => {
    await world.publish(statusDocument(), {}, { lastTickMs: START_MS - 7 * MINUTE_MS + 500 });
    const get = isolate();
    const isStale = async (atMs: number) =>
      /checks (?:have )?stopped/i.test(await (await get("/", atMs)).text());
    expect(await isStale(START_MS)).toBe(false);
    expect(await isStale(START_MS + 500)).toBe(false);
    expect(await isStale(START_MS + 501)).toBe(true);
  });

  test("that is remembered has the same headers, answers HEAD, and 304 to who has it", async () => {
    await publishWindow(START_MS);
    const get = isolate();
    const first = await get("/", START_MS);
    const tag = first.headers.get("etag") ?? "";
    const again = await get("/", START_MS + 1);
    expect([...again.headers]).toEqual([...first.headers]);
    expect(await again.text()).toBe(await first.text());
    const head = await get("/", START_MS + 2, { method: "HEAD" });
    expect([head.status, head.headers.get("etag")]).toEqual([200, tag]);
    const known = await get("/", START_MS + 3, { headers: { "if-none-match": tag } });
    expect([known.status, known.headers.get("etag"), await known.text()]).toEqual([304, tag, ""]);
    expect(known.headers.get("content-type")).toBeNull();
  });

  test("asked for by who has an old one is remembered whole", async () => {
    await publishWindow(START_MS);
    const get = isolate();
    const asked = await get("/", START_MS, { headers: { "if-none-match": '"old"' } });
    expect([asked.status, (await asked.text()).length > 0]).toEqual([200, true]);
    const tag = asked.headers.get("etag") ?? "";
    const other = isolate();
    expect((await other("/", START_MS, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect(await stands(other("/", START_MS + 1))).toBe("under way since");
  });
});

test.each([
  ["public, max-age=15", null, 1],
  ["public, max-age=15", "Accept, accept-language ,authorization", 1],
  ["public, max-age=15", "accept, user-agent", 2],
  ["public, max-age=15", "*", 2],
  ["private, no-store", null, 2],
  ["no-store", null, 2],
])("of two who ask for what is %s and varies by %j the route answers %i", async (caching, vary, calls) => {
  await world.publish(statusDocument());
  const headers = { "cache-control": caching, ...(vary !== null && { vary }) };
  const route = vi.fn<() => Promise<Response>>(async () => new Response("answer", { headers }));
  const app = new Hono<{ Bindings: AppDeps }>().get("/", remembered(route, MINUTE_MS));
  const deps = depsOf(world.kv);
  for (const agent of ["one", "other"]) {
    const answer = await app.request("https://status.example/", { headers: { "user-agent": agent } }, deps);
    expect(await answer.text()).toBe("answer");
  }
  expect(route).toHaveBeenCalledTimes(calls);
});

test("one address in two forms is remembered as two", async () => {
  await world.publish(statusDocument());
  const get = isolate();
  const path = "/api/v1/gateways/acme/monitors/models/history?step=probe";
  const typeOf = async (accept: string) =>
    (await get(path, START_MS, { headers: { accept } })).headers.get("content-type");
  expect(await typeOf("application/json")).toMatch(/json/);
  expect(await typeOf("text/csv")).toMatch(/csv/);
  expect(await typeOf("application/json")).toMatch(/json/);
});

test("a full report is for who bears the token, whoever asked before", async () => {
  const published = publishedIncident();
  const path = `/api/v1/reports/${published.reports[0]?.id}`;
  await world.publish(statusDocument(), { incidents: [published] });
  const get = isolate();
  const endpoint = async (authorization?: string): Promise<string | undefined> => {
    const answer = await get(path, START_MS, authorization ? { headers: { authorization } } : {});
    return ((await answer.json()) as { endpoint?: string }).endpoint;
  };
  const full = "https://api.acme.example/v1/models";
  expect(await endpoint()).not.toBe(full);
  expect(await endpoint(`Bearer ${TOKEN}`)).toBe(full);
  expect(await endpoint()).not.toBe(full);
  expect(await endpoint("Bearer wrong-token-of-somebody")).toBeUndefined();
});

describe("the memory", () => {
  const snapshot = () => ({}) as StoredPublication;
  const answer = (bytes: number) => ({ headers: {}, body: new ArrayBuffer(bytes) });

  test("forgets the oldest beyond 64 answers or 4 MB", () => {
    const [memory, of] = [new AnswerMemory(), snapshot()];
    memory.find(of, "");
    for (let index = 0; index < 65; index += 1) memory.keep(of, `${index}`, answer(10));
    expect([memory.find(of, "0"), memory.find(of, "1") !== null]).toEqual([null, true]);
    memory.keep(of, "large", answer(4_000_000));
    expect([memory.find(of, "64"), memory.find(of, "large") !== null]).toEqual([null, true]);
    memory.keep(of, "larger", answer(4_000_001));
    expect([memory.find(of, "larger"), memory.find(of, "large") !== null]).toEqual([null, true]);
  });

  test("takes nothing that was begun before the newest publication", () => {
    const [memory, old, present] = [new AnswerMemory(), snapshot(), snapshot()];
    memory.find(old, "");
    memory.find(present, "");
    memory.keep(old, "/", answer(1));
    expect([memory.find(present, "/"), memory.find(old, "/")]).toEqual([null, null]);
  });
});
