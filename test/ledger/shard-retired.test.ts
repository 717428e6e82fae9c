/** What becomes of shards that are used no more. */
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway } from "../fixtures/config.ts";
import { leftovers } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

/** With 2 shards `papa` and `two` are 1's. */
const of = (shards: number) =>
  config(
    ["neo", "papa", "north", "two"].map((id) => gateway(id)),
    { shards, maxProbesPerTick: 5000 },
  );
const up = () => ({});

async function fleetOf(settings: ReturnType<typeof of>, ticks: number): Promise<Fleet> {
  const fleet = new Fleet(settings, { startMs: START, tickMs: MINUTE_MS });
  for (let n = 0; n < ticks; n += 1) await fleet.tick(up);
  return fleet;
}

test("readers are told of a shard that is used no more for as long as it may hold something", async () => {
  const fleet = await fleetOf(of(2), 130);
  fleet.deploy(of(1));
  const shardsSeen = async () => (await fleet.seen(0))?.metadata.shards;
  for (let n = 0; n < 70; n += 1) await fleet.tick(up);
  expect(Object.keys(fleet.stateOf(1).monitors)).toEqual([]);
  expect([fleet.stateOf(0).moves.shards, await shardsSeen()]).toEqual([2, 2]);
  // Its segments of hours, days and months are gone by then.
  fleet.nowMs += 800 * DAY_MS;
  for (let n = 0; n < 70; n += 1) await fleet.tick(up);
  expect([fleet.stateOf(0).moves.shards, await shardsSeen()]).toEqual([1, 1]);
  fleet.deploy(of(2));
  for (let n = 0; n < 4; n += 1) await fleet.tick(up);
  expect([fleet.stateOf(0).moves.shards, await shardsSeen()]).toEqual([2, 2]);
  expect(Object.keys(fleet.stateOf(1).monitors)).toEqual(["papa/models", "two/models"]);
  expect(leftovers(fleet)).toEqual([]);
});

test("a shard that is used no more publishes anew within the hour, though nothing is new", async () => {
  const fleet = await fleetOf(of(2), 130);
  fleet.deploy(of(1));
  for (let n = 0; n < 5; n += 1) await fleet.tick(up);
  const before = (await fleet.seen(1))?.metadata.generatedMs ?? 0;
  for (let n = 0; n < 130; n += 1) await fleet.tick(up);
  const after = (await fleet.seen(1))?.metadata.generatedMs ?? 0;
  expect(fleet.nowMs - after).toBeLessThanOrEqual(61 * MINUTE_MS);
  expect(after).toBeGreaterThan(before);
});
