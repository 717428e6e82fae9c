import { expect, test } from "vitest";
import type { AppDeps } from "../../src/http/deps.ts";
import { everything } from "../formats/any-status.ts";
import { readExposition } from "../formats/strict-exposition.ts";
import { NOW_MS, useWorld, statusDocument } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;

async function get(headers: Record<string, string> = {}, deps: Partial<AppDeps> = {}): Promise<Response> {
  return world.ask("/metrics", { headers }, deps);
}

async function families(deps: Partial<AppDeps> = {}) {
  const response = await get({}, deps);
  expect(response.status).toBe(200);
  return readExposition(await response.text());
}

test("what was published is exported", async () => {
  await world.publish(everything());
  const response = await get();
  const read = readExposition(await response.text());
  expect(read.get("gatepulse_stale")?.samples[0]?.value).toBe(0);
  expect(read.get("probe_success")?.samples).toContainEqual({
    name: "probe_success",
    labels: { gateway: "acme", monitor: "acme/chat", kind: "chat", model: "gpt-4o-mini" },
    value: 1,
  });
});

test("where ticks have stopped, no probe succeeds and none fails, and the tag is another", async () => {
  await world.publish(statusDocument());
  const late = { now: () => NOW_MS + 7 * MINUTE_MS + 1 };
  const fresh = (await get()).headers.get("etag") ?? "";
  expect((await get({ "if-none-match": fresh }, late)).status).toBe(200);
  const read = await families(late);
  expect(read.get("gatepulse_stale")?.samples[0]?.value).toBe(1);
  expect(read.has("probe_success")).toBe(false);
  expect(read.has("gatepulse_monitor_uptime_ratio")).toBe(false);
  const hot = read.get("gatepulse_monitor_health")?.samples.filter(({ value }) => value === 1);
  expect(hot?.map(({ labels }) => labels["health"])).toEqual(["unknown"]);
});

test("maintenance begins when its time comes, without a new publication", async () => {
  const window = {
    gateways: [],
    from: "2026-11-20T12:01:00.000Z",
    to: "2026-11-20T13:00:00.000Z",
    title: "Move",
  };
  await world.publish(statusDocument({ maintenance: [window] }));
  const during = async (nowMs: number): Promise<number | undefined> =>
    (await families({ now: () => nowMs })).get("gatepulse_gateway_maintenance")?.samples[0]?.value;
  expect(await during(NOW_MS)).toBe(0);
  expect(await during(NOW_MS + MINUTE_MS)).toBe(1);
});

test("before the first publication, and where KV fails, a scrape fails", async () => {
  const none = await get();
  expect([none.status, none.headers.get("retry-after"), none.headers.get("cache-control")]).toEqual([
    503,
    "60",
    "no-store",
  ]);
  const kv = { getWithMetadata: () => Promise.reject(new Error("KV GET failed: 500 secret-ish detail")) };
  const broken = await get({}, { kv });
  expect(broken.status).toBe(503);
  expect(await broken.text()).not.toContain("secret-ish");
});
