import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import type { AppDeps } from "../../src/http/deps.ts";
import { monitorDocument, NOW_MS, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;

async function get(headers: Record<string, string> = {}, deps: Partial<AppDeps> = {}): Promise<Response> {
  return world.ask("/api/v1/status", { headers }, deps);
}

test("the status is the published document byte for byte, without the tail behind it", async () => {
  const status = statusDocument({ title: "Zürich ✓" });
  await world.publish(status);
  const response = await get();
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(JSON.stringify(status));
});

test("the document is fresh until the last tick is three ticks and four minutes old, and stale after", async () => {
  await world.publish(statusDocument(), {}, { lastTickMs: NOW_MS, tickMs: MINUTE_MS });
  const fresh = await get({}, { now: () => NOW_MS + 7 * MINUTE_MS });
  const stale = await get({}, { now: () => NOW_MS + 7 * MINUTE_MS + 1 });
  expect(await fresh.json()).toMatchObject({ stale: false, status: "up" });
  expect(await stale.json()).toMatchObject({ stale: true, status: "unknown" });
});

test("a last tick that is still to come is none: what published it ran ahead", async () => {
  await world.publish(statusDocument(), {}, { lastTickMs: NOW_MS + 8 * MINUTE_MS });
  expect(await (await get()).json()).toMatchObject({ stale: true, status: "unknown" });
  await world.publish(statusDocument(), {}, { lastTickMs: NOW_MS + 7 * MINUTE_MS });
  expect(await (await get()).json()).toMatchObject({ stale: false });
});

test("where no tick ever ran, age counts from the publication", async () => {
  await world.publish(statusDocument(), {}, { lastTickMs: null, generatedMs: NOW_MS });
  const stale = await get({}, { now: () => NOW_MS + 7 * MINUTE_MS + 1 });
  expect(await stale.json()).toMatchObject({ stale: true });
  expect(await (await get()).json()).toMatchObject({ stale: false });
});

test("a stale document calls nothing up or down, and keeps the last verdicts beside it", async () => {
  const down = monitorDocument({ id: "acme/chat", status: "down", lastStatus: "down" });
  const never = monitorDocument({ id: "acme/new", status: "unknown", lastStatus: null });
  const overdue = monitorDocument({ id: "acme/late", status: "unknown", lastStatus: "blocked" });
  const status = statusDocument({ status: "down" });
  const monitors = [monitorDocument(), down, never, overdue];
  await world.publish({ ...status, gateways: [{ ...status.gateways[0]!, monitors, status: "down" }] });
  const body = await (await get({}, { now: () => NOW_MS + 60 * MINUTE_MS })).json();
  expect(body).toMatchObject({
    stale: true,
    status: "unknown",
    summary: { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 4 },
    gateways: [
      {
        status: "unknown",
        monitors: [
          { id: "acme/models", status: "unknown", lastStatus: "up" },
          { id: "acme/chat", status: "unknown", lastStatus: "down" },
          { id: "acme/new", status: "unknown", lastStatus: null },
          { id: "acme/late", status: "unknown", lastStatus: "blocked" },
        ],
      },
    ],
  });
});

test("the tag changes when the document becomes stale, so that no cache keeps it green", async () => {
  await world.publish(statusDocument());
  const fresh = (await get()).headers.get("etag") ?? "";
  const late = { now: () => NOW_MS + 60 * MINUTE_MS };
  const response = await get({ "if-none-match": fresh }, late);
  expect(response.status).toBe(200);
  const stale = response.headers.get("etag") ?? "";
  expect(stale).not.toBe(fresh);
  expect((await get({ "if-none-match": stale }, late)).status).toBe(304);
});

test("before the first publication the answer is 503, says when to come back, and is kept by nobody", async () => {
  const response = await get();
  expect(response.status).toBe(503);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("retry-after")).toBe("60");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await response.json()).toEqual({
    type: "about:blank",
    title: "Service unavailable",
    status: 503,
    detail: "There is no result yet: the first check runs within a minute.",
    instance: "/api/v1/status",
  });
});

test("a KV that throws is a 503, not an exception", async () => {
  const kv = { getWithMetadata: () => Promise.reject(new Error("KV GET failed: 500 secret-ish detail")) };
  const response = await get({}, { kv });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("30");
  expect(await response.text()).not.toContain("secret-ish");
});

test.each([
  ["metadata of another version", { v: 2, bytes: 1 }],
  ["no metadata", null],
  ["foreign metadata", { hello: "there" }],
])("a snapshot with %s is a 503", async (_name, metadata) => {
  await world.kv.put(snapshotKey(0), new TextEncoder().encode("{}"), { metadata });
  expect((await get()).status).toBe(503);
});

interface Stored {
  readonly value: Uint8Array<ArrayBuffer>;
  readonly metadata: unknown;
}

async function published(): Promise<Stored> {
  await world.publish(statusDocument());
  return stored();
}

async function stored(): Promise<Stored> {
  const { value, metadata } = await world.kv.getWithMetadata(snapshotKey(0), {
    type: "arrayBuffer",
    cacheTtl: 30,
  });
  return { value: new Uint8Array(value ?? new ArrayBuffer()), metadata };
}

const READ_WHOLE = ["/", "/api/v1/incidents"];
const READ_STATUS = ["/api/v1/status", "/metrics", "/healthz"];

async function statusesOf(paths: readonly string[]): Promise<Record<string, number>> {
  const statuses = paths.map(async (path) => {
    const answer = await world.ask(path);
    return [path, answer.status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}

function all(paths: readonly string[], status: number): Record<string, number> {
  return Object.fromEntries(paths.map((path) => [path, status]));
}

test("a snapshot of which a byte of the status is another one is not shown", async () => {
  const { value, metadata } = await published();
  value[20] = (value[20] ?? 0) ^ 1;
  await world.kv.put(snapshotKey(0), value, { metadata });
  const paths = [...READ_STATUS, ...READ_WHOLE];
  expect(await statusesOf(paths)).toEqual(all(paths, 503));
});

test("of a snapshot with another one's tail the status alone is shown", async () => {
  const { value, metadata } = await published();
  await world.publish(statusDocument(), { withCauses: [] });
  const other = await stored();
  expect(other.value).not.toEqual(value);
  await world.kv.put(snapshotKey(0), other.value, { metadata });
  expect(await statusesOf([...READ_STATUS, ...READ_WHOLE])).toEqual({
    ...all(READ_STATUS, 200),
    ...all(READ_WHOLE, 503),
    // It says that readers are told less than all.
    "/healthz": 503,
  });
});

test("a snapshot that is cut off is a 503", async () => {
  const { value, metadata } = await published();
  await world.kv.put(snapshotKey(0), value.slice(0, 100), { metadata });
  expect((await get()).status).toBe(503);
});
