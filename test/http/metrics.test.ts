import { expect, test } from "vitest";
import { everything } from "../formats/any-status.ts";
import { readExposition } from "../formats/strict-exposition.ts";
import { NOW_MS, statusDocument } from "./documents.ts";
import { useWorld } from "./published-status.ts";

const world = useWorld();

const MINUTE_MS = 60_000;

async function familiesAt(nowMs = NOW_MS) {
  return readExposition(await world.text("/metrics", nowMs));
}

test("what was published is exported", async () => {
  await world.publish(everything());
  const read = await familiesAt();
  expect(read.get("gatepulse_stale")?.samples[0]?.value).toBe(0);
  const labels = { gateway: "acme", monitor: "acme/chat", kind: "chat", model: "gpt-4o-mini" };
  expect(read.get("probe_success")?.samples).toContainEqual({ name: "probe_success", labels, value: 1 });
});

test("maintenance begins when its time comes, without a new publication", async () => {
  const times = { from: "2026-11-20T12:01:00.000Z", to: "2026-11-20T13:00:00.000Z" };
  await world.publish(statusDocument({ maintenance: [{ gateways: [], ...times, title: "Move" }] }));
  const valueAt = async (nowMs: number) =>
    (await familiesAt(nowMs)).get("gatepulse_gateway_maintenance")?.samples[0]?.value;
  expect([await valueAt(NOW_MS), await valueAt(NOW_MS + MINUTE_MS)]).toEqual([0, 1]);
});
