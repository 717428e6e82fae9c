/** What a Ledger that was silent still holds of gateways that were begun without it: orders of people, told models, what was spent. */
import { expect, test } from "vitest";
import type { Config, MonitorConfig } from "../../src/config/config.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { administerShards } from "../../src/ledger/admin-shards.ts";
import { canary, resultOf } from "../fixtures/canary-play.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { OPS } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const IDS = ["neo", "papa", "north", "two"];

type Probe = Parameters<Fleet["tick"]>[0];
const up = () => ({});
const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };
const papaDown: Probe = (id) => (id === "papa/models" ? DOWN : {});
const modelGone: Probe = (id) => (id === "papa/models" ? { missingModels: ["gpt-4o"] } : {});

/** With 2 shards `papa` and `two` are 1's. */
function of(shards: number, monitorsOf = (id: string): MonitorConfig => monitor(id)): Config {
  const gateways = IDS.map((id) => gateway(id, { monitors: [monitorsOf(id)] }));
  return config(gateways, { shards, maxProbesPerTick: 500, alerts: [OPS] });
}

const begunWith = (one: Config): Fleet => new Fleet(one, { startMs: START, tickMs: MINUTE_MS });

async function ticks(fleet: Fleet, count: number, probe: Probe = up): Promise<readonly string[]> {
  let last: readonly string[] = [];
  for (let n = 0; n < count; n += 1) last = await fleet.tick(probe);
  return last;
}

/** There are two shards from now on, and the first one answers nobody. */
function cutOff(fleet: Fleet, two: Config): void {
  fleet.deploy(two);
  fleet.isAway = (shard) => shard === 0;
}

type Order = Parameters<typeof administerShards>[0];

/** While there is one shard. */
function order(fleet: Fleet, asked: Order) {
  const ask = async (_: number, request: Order) => fleet.host(0).administer(request);
  return administerShards(asked, { count: 1, everUsed: async () => 1, ask });
}

test("a monitor that a person paused is paused again, and what began meanwhile ends", async () => {
  const fleet = begunWith(of(1));
  await ticks(fleet, 3);
  const pausedMs = fleet.nowMs;
  expect(await order(fleet, { type: "pause", monitorId: "papa/models" })).toMatchObject({ ok: true });
  await ticks(fleet, 3);
  cutOff(fleet, of(2));
  // Nobody can know of it.
  expect(await ticks(fleet, 6, papaDown)).toEqual(["papa/models", "two/models"]);
  expect(fleet.told.map(({ type }) => type)).toContain("incident.opened");
  fleet.isAway = () => false;
  expect(await ticks(fleet, 12, papaDown)).toEqual(["neo/models", "north/models", "two/models"]);
  const { monitors, incidents } = fleet.stateOf(1);
  expect(monitors["papa/models"]).toMatchObject({
    pausedAtMs: pausedMs,
    health: "unknown",
    incidentId: null,
  });
  expect(Object.keys(incidents)).toEqual([]);
  const papas = fleet.told.filter(({ incident }) => incident?.startsWith("papa.") === true);
  expect(papas.map(({ type, reason }) => [type, reason])).toEqual([
    ["incident.opened", null],
    ["incident.resolved", "paused"],
  ]);
});

test.for(["while the other is silent", "afterwards"] as const)(
  "a model that was told missing and returns %s is told to be back",
  async (when) => {
    const listed = (id: string) => monitor(id, { expect: ["gpt-4o"] });
    const fleet = begunWith(of(1, listed));
    await ticks(fleet, 3);
    await ticks(fleet, 6, modelGone);
    cutOff(fleet, of(2, listed));
    await ticks(fleet, 8, when === "afterwards" ? modelGone : up);
    fleet.isAway = () => false;
    await ticks(fleet, 12, when === "afterwards" ? modelGone : up);
    await ticks(fleet, 12);
    expect(fleet.stateOf(1).monitors["papa/models"]?.models.told).toEqual([]);
    const changes = fleet.told.filter(({ type }) => type === "models.changed");
    // Who knows nothing of before tells it as its own.
    expect(changes).toHaveLength(when === "afterwards" ? 3 : 2);
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(changes.length);
  },
);

test("planned maintenance is learnt from shard 0 as soon as that answers, and so is what all digest keys with", async () => {
  const fleet = begunWith(of(1));
  await ticks(fleet, 3);
  const window = { gateways: ["papa"], fromMs: START + HOUR_MS, toMs: START + 3 * HOUR_MS, title: "Disks" };
  expect(await order(fleet, { type: "plan_maintenance", id: null, ...window })).toMatchObject({ ok: true });
  cutOff(fleet, of(2));
  await ticks(fleet, 6);
  expect(fleet.stateOf(1).journal.planned).toEqual([]);
  const { lastUpMs } = fleet.stateOf(1).monitors["two/models"] ?? {};
  expect(lastUpMs).toBeGreaterThan(START);
  fleet.isAway = () => false;
  const twoDown: Probe = (id) => (id === "two/models" ? DOWN : {});
  await ticks(fleet, 8, twoDown);
  expect(fleet.stateOf(1).journal.planned).toMatchObject([window]);
  expect(fleet.host(1).enrol(2).salt).toBe(fleet.host(0).enrol(2).salt);
  // Its key is the same as before, under whichever salt.
  expect(fleet.stateOf(1).monitors["two/models"]).toMatchObject({ lastUpMs, failedInARow: 8 });
  await ticks(fleet, 50);
  const before = fleet.told.length;
  await ticks(fleet, 10, papaDown);
  expect(fleet.told.slice(before)).toEqual([]);
});

test("a canary is not asked beyond its cap for it, and is asked again on the next day", async () => {
  const chat = canary({ perDay: 3 }, { id: "two/chat", gatewayId: "two", everyMs: MINUTE_MS });
  const ofChat = (shards: number): Config =>
    config([gateway("neo"), gateway("two", { monitors: [chat] })], { shards, maxProbesPerTick: 500 });
  const fleet = begunWith(ofChat(1));
  const askedIn = async (shard: number, minutes: number): Promise<number> => {
    let asked = 0;
    for (let n = 0; n < minutes; n += 1) {
      fleet.nowMs += MINUTE_MS;
      const request = { tickMs: fleet.nowMs, invocation: `i${shard}-${fleet.nowMs}` };
      const { canaries, assignments } = await fleet.host(shard).begin(request);
      const ids = canaries.flatMap(({ errands }) => errands.map(({ monitorId }) => monitorId));
      asked += ids.length;
      const answer = { figures: { inputTokens: 7, outputTokens: 9 } };
      await fleet.host(shard).record({
        ...request,
        results: ids.map((id) => resultOf(id, answer, fleet.nowMs)),
        returned: assignments.flatMap(({ monitorIds }) => monitorIds),
        ownNetworkFailed: false,
      });
    }
    return asked;
  };
  expect(await askedIn(0, 60)).toBe(3);
  cutOff(fleet, ofChat(2));
  expect(await askedIn(1, 60)).toBe(0);
  fleet.nowMs = START + DAY_MS;
  expect(await askedIn(1, 60)).toBe(3);
});
