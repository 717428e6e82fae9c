/** Alerts of a gateway that moved, while its receiver is out: they come in order, each once. */
import { expect, test } from "vitest";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { OPS } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const IDS = ["neo", "papa", "north", "two"];
const of = (shards: number) =>
  config(
    IDS.map((id) => gateway(id, { monitors: [monitor(id)] })),
    { shards, maxProbesPerTick: 5000, alerts: [OPS] },
  );

const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };
const up = () => ({});
const papaDown = (id: string) => (id === "papa/models" ? DOWN : {});

async function ticks(fleet: Fleet, count: number, probe: (id: string) => object): Promise<void> {
  for (let n = 0; n < count; n += 1) await fleet.tick(probe);
}

/** The incident opens while the receiver is out, and its gateway moves to shard 1. */
async function movedWhileOut(): Promise<Fleet> {
  const fleet = new Fleet(of(1), { startMs: START, tickMs: MINUTE_MS });
  await ticks(fleet, 3, up);
  fleet.isReceiverOut = true;
  await ticks(fleet, 30, papaDown);
  fleet.deploy(of(2));
  await ticks(fleet, 5, papaDown);
  return fleet;
}

const types = (fleet: Fleet) => fleet.told.map(({ type }) => type);

test("what the giver owes is told before what the taker tells", async () => {
  const fleet = await movedWhileOut();
  fleet.isReceiverOut = false;
  await ticks(fleet, 60, up);
  expect(types(fleet)).toEqual(["incident.opened", "incident.resolved"]);
  expect(fleet.stateOf(1).moves.behind).toEqual([]);
});

test("both Ledgers die at every tick: the order is the same, and nothing is told twice", async () => {
  const fleet = await movedWhileOut();
  fleet.isReceiverOut = false;
  for (let n = 0; n < 60; n += 1) {
    fleet.restart(0);
    fleet.restart(1);
    await fleet.tick(up);
  }
  expect(types(fleet)).toEqual(["incident.opened", "incident.resolved"]);
});

test("a gateway that moves there and back again has its alerts in order", async () => {
  const fleet = await movedWhileOut();
  await ticks(fleet, 10, up);
  fleet.deploy(of(1));
  await ticks(fleet, 10, papaDown);
  fleet.isReceiverOut = false;
  await ticks(fleet, 90, up);
  expect(types(fleet)).toEqual([
    "incident.opened",
    "incident.resolved",
    "incident.opened",
    "incident.resolved",
  ]);
});

test("a giver that is silent after the move holds alerts up for a quarter of an hour at most", async () => {
  const fleet = await movedWhileOut();
  fleet.isReceiverOut = false;
  fleet.isAway = (shard) => shard === 0;
  const silentMs = fleet.nowMs;
  await ticks(fleet, 30, up);
  expect(types(fleet)).toEqual(["incident.resolved"]);
  const [first] = fleet.told;
  expect((first?.atMs ?? 0) - silentMs).toBeGreaterThan(5 * MINUTE_MS);
  expect((first?.atMs ?? 0) - silentMs).toBeLessThanOrEqual(16 * MINUTE_MS);
});
