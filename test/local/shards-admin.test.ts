/** An administrator before several Ledgers: nobody need know which shard has what. */
import { expect, test } from "vitest";
import type { AlertsAnswer } from "../../src/ledger/admin/admin-answers.ts";
import { admin, alertingHouse, linesAt, passMinutes } from "./support/alerting.ts";
import { publishedIn } from "./support/readings.ts";
import { MINUTE_MS } from "./support/world.ts";

const house = await alertingHouse();

/** Each has a shard of its own: g1 has 0, g4 has 1, g0 has 2. */
const playing = { g1: ["healthy"], g4: ["healthy"], g0: ["envelope_5000"] };
const webhooks = { ops: undefined };
const config = { shards: 3 };

test("orders find the Ledger of the monitor and of the incident", async () => {
  const world = await house.start(playing, webhooks, { config });
  await passMinutes(world, 0, 3);
  const [incident] = (await publishedIn(world, 2)).status.incidents;
  expect(incident?.id).toMatch(/^g0\.models-/);
  const acknowledged = await admin(world, `POST incidents/${incident?.id}/acknowledge`);
  expect(acknowledged).toMatchObject({ incident: incident?.id, acknowledgedAt: expect.any(String) });
  const noted = await admin(world, `POST incidents/${incident?.id}/notes`, { text: "Told the operator." });
  expect(noted).toMatchObject({ notes: [{ text: "Told the operator." }] });
  const paused = await admin(world, "POST gateways/g4/monitors/models/pause");
  expect(paused).toMatchObject({ monitor: "g4/models", pausedAt: expect.any(String) });
  expect(await admin(world, "POST gateways/g4/monitors/models/resume")).toMatchObject({ pausedAt: null });
  expect(await admin(world, "POST gateways/g1/monitors/models/probe")).toMatchObject({ notBefore: null });
  await expect(admin(world, "POST gateways/none/monitors/models/probe")).rejects.toThrow("404");
  await expect(admin(world, "POST incidents/g0.models-20200101t000000z/acknowledge")).rejects.toThrow("404");
});

test("maintenance is planned in every Ledger under one id, and cancelled in every one", async () => {
  const world = await house.start(playing, webhooks, { config });
  await passMinutes(world, 0, 1);
  const at = (minute: number) => new Date(world.startMs + minute * MINUTE_MS).toISOString();
  const order = { gateways: ["g0", "g4"], from: at(0), to: at(60), title: "Move" };
  const { id } = await admin<{ id: string }>(world, "POST maintenance", order);
  const plannedIn = async (shard: number): Promise<readonly (string | undefined)[]> =>
    (await publishedIn(world, shard)).status.maintenance.map((window) => window.id);
  await world.passUntil(world.startMs + 30_000);
  expect(await Promise.all([0, 1, 2].map(plannedIn))).toEqual([[id], [id], [id]]);
  expect(await admin(world, "POST maintenance", order)).toMatchObject({ id });
  expect(await admin(world, "GET maintenance")).toEqual({ maintenance: [{ id, ...order }] });
  // What fails in it opens no incident, in whichever shard.
  await passMinutes(world, 1, 4);
  expect(linesAt(house.receiver, "ops")).toEqual([]);
  expect(await admin(world, `DELETE maintenance/${id}`)).toEqual({ id });
  expect(await admin(world, "GET maintenance")).toEqual({ maintenance: [] });
});

test("owed alerts are listed with their shard, tried again over all, and a test comes once", async () => {
  const world = await house.start(playing, webhooks, { config });
  house.receiver.answer("ops", () => ({ status: 503 }));
  await passMinutes(world, 0, 2);
  const { channels } = await admin<AlertsAnswer>(world, "GET alerts");
  const waiting = channels.map((of) => [of.shard, of.channel, of.waiting?.count ?? 0]);
  expect(waiting).toEqual([
    [0, "ops", 0],
    [1, "ops", 0],
    [2, "ops", 1],
  ]);
  house.receiver.clear();
  expect(await admin(world, "POST alerts/replay")).toEqual({ replayed: 0, triedNow: 1 });
  await world.settle();
  expect(linesAt(house.receiver, "ops")).toEqual(["incident.opened g0"]);
  await admin(world, "POST alerts/test");
  expect(house.receiver.at("ops")).toHaveLength(2);
});
