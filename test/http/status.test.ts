import { expect, test } from "vitest";
import { monitorDocument, NOW_MS, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;
const LATEST_MS = 7 * MINUTE_MS;

async function get(nowMs = NOW_MS): Promise<Response> {
  return world.ask("/api/v1/status", {}, { now: () => nowMs });
}

test("the status is the published document byte for byte, without the tail behind it", async () => {
  const status = statusDocument({ title: "Zürich ✓" });
  await world.publish(status);
  const response = await get();
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(JSON.stringify(status));
});

test.each([
  ["three ticks and four minutes ago", { lastTickMs: NOW_MS - LATEST_MS }, false],
  ["longer ago", { lastTickMs: NOW_MS - LATEST_MS - 1 }, true],
  ["a little to come", { lastTickMs: NOW_MS + LATEST_MS }, false],
  ["far to come: what published it ran ahead", { lastTickMs: NOW_MS + LATEST_MS + MINUTE_MS }, true],
  ["never, and it was published just now", { lastTickMs: null, generatedMs: NOW_MS }, false],
  ["never, and it was published long ago", { lastTickMs: null, generatedMs: NOW_MS - LATEST_MS - 1 }, true],
])("where the last tick was %s, the document is judged so", async (_, facts, stale) => {
  await world.publish(statusDocument(), {}, { tickMs: MINUTE_MS, ...facts });
  expect(await (await get()).json()).toMatchObject({ stale, status: stale ? "unknown" : "up" });
});

test("a stale document calls nothing up or down, and keeps the last verdicts beside it", async () => {
  const down = monitorDocument({ id: "acme/chat", status: "down", lastStatus: "down" });
  const never = monitorDocument({ id: "acme/new", status: "unknown", lastStatus: null });
  const overdue = monitorDocument({ id: "acme/late", status: "unknown", lastStatus: "blocked" });
  const status = statusDocument({ status: "down" });
  const first = monitorDocument({ id: "acme/first", status: "down", lastStatus: null });
  const monitors = [monitorDocument(), down, never, overdue, first];
  await world.publish({ ...status, gateways: [{ ...status.gateways[0]!, monitors, status: "down" }] });
  const lasts = ["up", "down", null, "blocked", "down"];
  const told = monitors.map(({ id }, index) => ({ id, status: "unknown", lastStatus: lasts[index] }));
  expect(await (await get(NOW_MS + 60 * MINUTE_MS)).json()).toMatchObject({
    stale: true,
    status: "unknown",
    summary: { up: 0, degraded: 0, down: 0, blocked: 0, unknown: 5 },
    gateways: [{ status: "unknown", monitors: told }],
  });
});

test("in the metrics maintenance begins when its time comes, without a new publication", async () => {
  const times = { from: "2026-11-20T12:01:00.000Z", to: "2026-11-20T13:00:00.000Z" };
  await world.publish(statusDocument({ maintenance: [{ gateways: [], ...times, title: "Move" }] }));
  const toldAt = async (nowMs: number) =>
    /^gatepulse_gateway_maintenance\{.*\} (\d)$/mu.exec(await world.text("/metrics", nowMs))?.[1];
  expect([await toldAt(NOW_MS), await toldAt(NOW_MS + MINUTE_MS)]).toEqual(["0", "1"]);
});

test("before the first publication it says when there will be one", async () => {
  const detail = "There is no result yet: the first check runs within a minute.";
  const told = { type: "about:blank", title: "Service unavailable", status: 503, detail };
  expect(await (await get()).json()).toEqual({ ...told, instance: "/api/v1/status" });
});
