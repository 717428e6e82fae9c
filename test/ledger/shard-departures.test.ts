/** What becomes of gateways while they wait for their new shard, and of what is known besides them. */
import { expect, test } from "vitest";
import type { Config, GatewayConfig } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { watchOwnNetwork, NETWORK_UNSEEN } from "../../src/domain/own-network.ts";
import { NO_MOVES, prunedMoves } from "../../src/ledger/moves.ts";
import { readAnswer } from "../../src/ledger/parcel.ts";
import { canary, PENDING, resultOf, video } from "../fixtures/canary-play.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { documents, leftovers, OPS, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

/** With 2 shards `papa` and `two` are 1's; with 3 `papa` is 1's, `north` and `two` are 2's; `neo` is always 0's. */
const IDS = ["neo", "papa", "north", "two"];

const gatewayOf = (id: string): GatewayConfig =>
  gateway(id, { monitors: [monitor(id, { remindEveryMs: 5 * MINUTE_MS })] });

function of(shards: number, ids: readonly string[] = IDS, over: Partial<Config> = {}): Config {
  return config(ids.map(gatewayOf), { shards, maxProbesPerTick: 5000, alerts: [OPS], ...over });
}

const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };
const up = () => ({});
const papaDown = (monitorId: string) => (monitorId === "papa/models" ? DOWN : {});

async function fleetOf(
  settings: Config,
  ticks: number,
  probe: Parameters<Fleet["tick"]>[0] = up,
): Promise<Fleet> {
  const fleet = new Fleet(settings, { startMs: START, tickMs: MINUTE_MS });
  for (let n = 0; n < ticks; n += 1) await fleet.tick(probe);
  return fleet;
}

const namesOf = (lines: readonly string[]): readonly string[] => lines.map((line) => line.slice(14));

test("one shard asks nobody, and notes nothing", async () => {
  const fleet = await fleetOf(of(1), 3);
  fleet.onCall = () => {
    throw new Error("nobody is to be called");
  };
  fleet.deploy(of(1, [...IDS, "golf"]));
  expect(await fleet.tick(up)).toHaveLength(5);
  expect(fleet.stateOf(0).moves).toEqual(NO_MOVES);
  expect(fleet.warnings).toEqual([]);
});

test("a gateway whose new shard does not come is kept, not asked, not told of, and shown as it was seen while that is fresh", async () => {
  const fleet = await fleetOf(of(1), 3, papaDown);
  fleet.deploy(of(2));
  fleet.isAway = (shard) => shard === 1;
  const before = told(fleet);
  for (let n = 0; n < 6; n += 1) expect(await fleet.tick(papaDown)).toEqual(["neo/models", "north/models"]);
  const statuses = async () => {
    const seen = await fleet.seen(0);
    const shown = seen?.status.gateways.map(({ id, status }) => `${id} ${status}`);
    return { shown, open: seen?.status.incidents.map(({ id }) => id) };
  };
  const open = ["papa.models-20261120t090200z"];
  expect(await statuses()).toEqual({
    shown: ["neo up", "north up", "papa down", "two up"],
    open,
  });
  for (let n = 0; n < 6; n += 1) await fleet.tick(papaDown);
  expect(await statuses()).toEqual({
    shown: ["neo up", "north up", "papa unknown", "two unknown"],
    open,
  });
  expect(told(fleet)).toEqual(before);
  fleet.isAway = () => false;
  expect(await fleet.tick(papaDown)).toHaveLength(4);
  expect((await documents(fleet)).open.map(({ id }) => id)).toEqual(open);
  for (let n = 0; n < 3; n += 1) await fleet.tick(up);
  expect(namesOf(told(fleet)).filter((line) => !line.includes("reminder"))).toEqual([
    "papa.models-20261120t090200z incident.opened null",
    "papa.models-20261120t090200z incident.resolved null",
  ]);
});

test("a gateway that is being probed stays until its result is there, and takes it along", async () => {
  const fleet = await fleetOf(of(1), 2);
  fleet.nowMs += MINUTE_MS;
  const request = { tickMs: fleet.nowMs, invocation: "slow" };
  const { assignments } = await fleet.host(0).begin(request);
  expect(assignments).toHaveLength(4);
  fleet.deploy(of(2));
  expect(await fleet.tick(up)).toEqual([]);
  expect(Object.keys(fleet.stateOf(1).monitors)).toEqual([]);
  const results = IDS.map((id) => ({
    monitorId: `${id}/models`,
    outcome: outcome({ startedAtMs: request.tickMs + 9, ...DOWN }),
  }));
  await fleet.host(0).record({ ...request, results, returned: [], ownNetworkFailed: false });
  expect(await fleet.tick(papaDown)).toEqual(IDS.map((id) => `${id}/models`).toSorted());
  expect(fleet.stateOf(1).monitors["papa/models"]).toMatchObject({ health: "down", failedInARow: 2 });
  const { tail } = (await fleet.seen(1)) ?? {};
  expect(Object.keys(tail?.live.samples ?? {}).toSorted()).toEqual(["papa/models", "two/models"]);
  expect(namesOf(told(fleet))).toEqual(["papa.models-20261120t090500z incident.opened null"]);
});

test("a gateway that may be taken over already is not given to a third shard", async () => {
  const fleet = await fleetOf(of(1), 2);
  fleet.deploy(of(2));
  fleet.onCall = ({ name }) => (name === "settle" ? "it is lost" : "go");
  expect(await fleet.tick(up)).toHaveLength(4);
  fleet.deploy(of(3));
  fleet.isAway = (shard) => shard === 1;
  expect(await fleet.tick(up)).toEqual(["neo/models", "north/models"]);
  expect(await fleet.tick(up)).toEqual(["neo/models", "north/models"]);
  expect(fleet.stateOf(2).monitors).toHaveProperty("north/models");
  fleet.isAway = () => false;
  fleet.onCall = () => "go";
  await fleet.tick(up);
  expect(await fleet.tick(up)).toHaveLength(4);
  expect((await documents(fleet)).monitors).toHaveLength(4);
  expect(leftovers(fleet)).toEqual([]);
});

test("what leaves the configuration with the last tick of its shard is ended by that shard, once", async () => {
  const fleet = await fleetOf(of(3), 3, (id) => (id === "two/models" ? DOWN : {}));
  expect(fleet.stateOf(2).monitors).toHaveProperty("two/models");
  fleet.deploy(of(2, ["neo", "papa"]));
  for (let n = 0; n < 6; n += 1) await fleet.tick(up);
  expect(namesOf(told(fleet))).toEqual([
    "two.models-20261120t090200z incident.opened null",
    "two.models-20261120t090200z incident.resolved removed",
  ]);
  expect(fleet.stateOf(2).monitors).toEqual({});
  expect(fleet.storages.get(2)?.alarmMs ?? null).toBe(null);
});

test("the monitoring's own incident of a shard that is given up is ended", async () => {
  const fleet = await fleetOf(of(3), 2);
  fleet.judgesNetwork = true;
  const lost = {
    diagnosis: diagnosis("timeout", "down", { layer: "network", httpStatus: null }),
    latencyMs: null,
  };
  const cutOff = (id: string) => (["north/models", "two/models"].includes(id) ? lost : {});
  for (let n = 0; n < 3; n += 1) await fleet.tick(cutOff);
  expect(Object.keys(fleet.stateOf(2).incidents)).toEqual(["monitoring-2-20261120t090500z"]);
  fleet.deploy(of(1));
  await fleet.tick(up);
  expect(namesOf(told(fleet))).toEqual([
    "monitoring-2-20261120t090500z incident.opened null",
    "monitoring-2-20261120t090500z incident.resolved removed",
  ]);
});

test("own incidents of two shards, and events of theirs, have ids of their own", async () => {
  const failed = { type: "failed", diagnosis: diagnosis("timeout", "down") } as const;
  const idIn = (shard: number) => {
    const time = { tickMs: START, atMs: START, shard };
    return watchOwnNetwork({ ...NETWORK_UNSEEN, failedInARow: 2 }, null, failed, time).state.incidentId;
  };
  expect([0, 1, 12].map(idIn)).toEqual([
    "monitoring-20261120t090000z",
    "monitoring-1-20261120t090000z",
    "monitoring-12-20261120t090000z",
  ]);
  const fleet = await fleetOf(of(2), 2, papaDown);
  expect(fleet.told.map(({ eventId }) => eventId)).toEqual([
    `papa-models-20261120t090200z-incident-opened-1-${START + 2 * MINUTE_MS}`,
  ]);
});

test("a former id that is named later than the new name brings nothing from another shard, and tells nothing", async () => {
  const named = (formerly: readonly string[]): Config => {
    // `two` is shard 1's, `deux` is 0's.
    const gateways = [
      gatewayOf("papa"),
      gateway("deux", { monitors: [monitor("deux", { formerly: [...formerly] })] }),
    ];
    return config(gateways, { shards: 2, maxProbesPerTick: 500, alerts: [OPS] });
  };
  const fleet = await fleetOf(of(2, ["papa", "two"]), 3, (id) => (id === "two/models" ? DOWN : {}));
  fleet.deploy(named([]));
  for (let n = 0; n < 3; n += 1) expect(await fleet.tick(up)).toEqual(["deux/models", "papa/models"]);
  const before = told(fleet);
  expect(namesOf(before)).toEqual([
    "two.models-20261120t090200z incident.opened null",
    "two.models-20261120t090200z incident.resolved removed",
  ]);
  fleet.deploy(named(["two/models"]));
  let handOvers = 0;
  fleet.onCall = ({ name }) => {
    handOvers += Number(name === "handOver");
    return "go";
  };
  for (let n = 0; n < 3; n += 1) expect(await fleet.tick(up)).toEqual(["deux/models", "papa/models"]);
  expect(handOvers).toBe(0);
  expect(told(fleet)).toEqual(before);
  expect((await documents(fleet)).monitors.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "deux/models up",
    "papa/models up",
  ]);
});

test("maintenance that was planned is known to a shard that is new", async () => {
  const fleet = await fleetOf(of(1), 2);
  const window = { gateways: ["two"], fromMs: START, toMs: START + 60 * MINUTE_MS, title: "Disks" };
  const order = { type: "plan_maintenance", id: null, ...window } as const;
  await fleet.host(0).administer(order);
  fleet.deploy(of(3));
  await fleet.tick(up);
  expect(fleet.stateOf(2).journal.planned).toMatchObject([window]);
  expect((await fleet.seen(2))?.tail.maintenance).toMatchObject([{ gateways: ["two"], title: "Disks" }]);
});

test("a canary's open task, what it spent and what it waits for go along", async () => {
  const chat = canary({ perDay: 3 }, { id: "two/chat", gatewayId: "two", everyMs: MINUTE_MS });
  const clip = video({}, { id: "two/video", gatewayId: "two", everyMs: MINUTE_MS });
  const settings = (shards: number) =>
    config([gateway("neo"), gateway("two", { monitors: [chat, clip] })], { shards, maxProbesPerTick: 500 });
  const fleet = await fleetOf(settings(1), 0);
  fleet.nowMs += MINUTE_MS;
  const request = { tickMs: fleet.nowMs, invocation: "i1" };
  const { canaries } = await fleet.host(0).begin(request);
  expect(canaries.flatMap(({ errands }) => errands.map(({ monitorId }) => monitorId))).toEqual([
    "two/chat",
    "two/video",
  ]);
  const task = { id: "task-1", createdAtMs: fleet.nowMs, deadlineMs: fleet.nowMs + 60 * MINUTE_MS };
  const results = [
    resultOf("two/chat", { figures: { inputTokens: 7, outputTokens: 9 } }, fleet.nowMs),
    resultOf("two/video", { outcome: { diagnosis: PENDING }, task }, fleet.nowMs),
  ];
  await fleet.host(0).record({ ...request, results, returned: ["neo/models"], ownNetworkFailed: false });
  const before = fleet.stateOf(0).canaries;
  expect(before["two/video"]).toMatchObject({ task });
  expect(before["two/chat"]?.days).toMatchObject([{ requests: 1, inputTokens: 7, outputTokens: 9 }]);
  fleet.deploy(settings(2));
  const taker = await fleet.host(1).begin({ tickMs: fleet.nowMs, invocation: "i2" });
  expect(taker.assignments).toEqual([]);
  const { canaries: after } = fleet.stateOf(1);
  expect(after).toEqual(before);
  fleet.nowMs += MINUTE_MS;
  await fleet.host(1).begin({ tickMs: fleet.nowMs, invocation: "i3" });
  expect(fleet.stateOf(0).canaries).toEqual({});
});

test("a parcel is bounded, and as many are taken in a tick as are needed", async () => {
  const ids = Array.from({ length: 900 }, (_, n) => `g${n}`);
  const fleet = await fleetOf(of(1, ids, { alerts: [] }), 2, () => DOWN);
  expect(Object.keys(fleet.stateOf(0).incidents)).toHaveLength(900);
  fleet.deploy(of(2, ids, { alerts: [] }));
  let asked = 0;
  fleet.onCall = ({ name }) => {
    asked += Number(name === "handOver");
    return "go";
  };
  expect(await fleet.tick(() => DOWN)).toHaveLength(900);
  await fleet.tick(() => DOWN);
  const [left, moved] = [0, 1].map((shard) => Object.keys(fleet.stateOf(shard).incidents).length);
  expect([left, moved]).toEqual([450, 450]);
  expect(asked).toBe(2);
  expect(fleet.warnings).toEqual([]);
});

test("a parcel of another version is refused, and its giver is asked again", async () => {
  const fleet = await fleetOf(of(1), 2);
  fleet.deploy(of(2));
  const answer = await fleet
    .host(0)
    .handOver({ to: 1, hoursMs: null, gateways: [{ id: "two", monitorIds: [] }], taken: [] });
  expect(readAnswer(structuredClone(answer)).parcel?.gatewayIds).toEqual(["two"]);
  expect(() => readAnswer({ ...answer, parcel: { ...answer.parcel, version: 2 } })).toThrow();
  expect(await fleet.tick(up)).toHaveLength(4);
});

test("former homes are known until KV has dropped the last of their segments", () => {
  const moves = {
    ...NO_MOVES,
    homes: {
      two: [
        { shard: 1, untilMs: START },
        { shard: 3, untilMs: START - 5 },
      ],
    },
    abroad: {
      1: { "hour/2026-11-20T08": START, "day/2026-11-19": START },
      3: { "hour/2026-11-19T08": START },
    },
  };
  const afterDays = (days: number) => prunedMoves(moves, START + days * 24 * 60 * MINUTE_MS);
  expect(afterDays(12)).toBe(moves);
  expect(afterDays(13.9)).toMatchObject({
    homes: { two: [{ shard: 1 }] },
    abroad: { 1: { "hour/2026-11-20T08": START, "day/2026-11-19": START } },
  });
  expect(afterDays(15).abroad).toEqual({ 1: { "day/2026-11-19": START } });
  expect(afterDays(91)).toMatchObject({ homes: {}, abroad: {} });
});
