/** What happens to gateways that move while something else changes too. */
import { expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { DAY_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { allSeries, leftovers, OPS, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const TICK_MS = 10 * MINUTE_MS;
const START = Date.parse("2026-11-20T09:00:00Z");

/** With 2 shards `papa` and `two` are 1's; with 3 `papa` is 1's and `two` is 2's; `neo` is always 0's. */
const IDS = ["neo", "papa", "two"];

function of(shards: number, ids: readonly string[] = IDS): Config {
  const gateways = ids.map((id) => gateway(id, { monitors: [monitor(id, { everyMs: TICK_MS })] }));
  return config(gateways, { shards, maxProbesPerTick: 500, alerts: [OPS] });
}

const up = () => ({});
const DOWN = { diagnosis: diagnosis("timeout", "down"), latencyMs: null };

async function fleetOf(
  settings: Config,
  ticks: number,
  probe: Parameters<Fleet["tick"]>[0] = up,
): Promise<Fleet> {
  const fleet = new Fleet(settings, { startMs: START, tickMs: TICK_MS });
  for (let n = 0; n < ticks; n += 1) await fleet.tick(probe);
  return fleet;
}

test("a new shard that is asked while it joins the others takes their salt: no key counts as another one", async () => {
  const fleet = await fleetOf(of(1), 4);
  const { identity } = fleet.stateOf(0).journal.gateways["two"] ?? {};
  fleet.deploy(of(3));
  fleet.nowMs += TICK_MS;
  await Promise.all([
    fleet.host(2).begin({ tickMs: fleet.nowMs, invocation: "first" }),
    fleet.host(2).handOver({
      to: 1,
      hoursMs: null,
      gateways: [{ id: "papa", monitorIds: ["papa/models"] }],
      taken: [],
    }),
  ]);
  const { journal, monitors } = fleet.stateOf(2);
  expect(journal.gateways["two"]?.identity).toBe(identity);
  expect(monitors["two/models"]?.lastUpMs).toBe(Date.parse("2026-11-20T09:40:00.007Z"));
});

test("the incident of a gateway that is removed a tick after it moved ends once", async () => {
  const twoDown = (monitorId: string) => (monitorId === "two/models" ? DOWN : {});
  const fleet = await fleetOf(of(1), 4, twoDown);
  fleet.deploy(of(2));
  await fleet.tick(twoDown);
  fleet.deploy(of(2, ["neo", "papa"]));
  for (let n = 0; n < 3; n += 1) await fleet.tick(twoDown);
  expect(told(fleet).map((line) => line.slice(14))).toEqual([
    "two.models-20261120t092000z incident.opened null",
    "two.models-20261120t092000z incident.resolved removed",
  ]);
  expect(leftovers(fleet)).toEqual([]);
});

/** `papa` under its next name: with 3 shards `papa` is 1's, `north` is 2's and `west` is 0's. */
const renamed = (name: "north" | "west"): Config => {
  const formerly = ["papa/models"];
  const north = gateway(name, {
    baseUrl: "https://papa.example",
    monitors: [monitor(name, { everyMs: TICK_MS, formerly })],
  });
  const neo = gateway("neo", { monitors: [monitor("neo", { everyMs: TICK_MS })] });
  return config([neo, north], { shards: 3, maxProbesPerTick: 500, alerts: [OPS] });
};

test.each([0, 1, 2])(
  "a gateway that is renamed into a third shard before its giver knows that it was taken comes from who took it, who is away for %i ticks",
  async (away) => {
    const down = (monitorId: string) => (monitorId === "papa/models" ? DOWN : {});
    const fleet = await fleetOf(of(1, ["neo", "papa"]), 4, down);
    fleet.deploy(of(3, ["neo", "papa"]));
    fleet.onCall = ({ name }) => (name === "settle" ? "it is lost" : "go");
    await fleet.tick(down);
    for (let n = 0; n < 3; n += 1) await fleet.tick(up);
    fleet.onCall = () => "go";
    fleet.deploy(renamed("north"));
    fleet.isAway = (shard) => shard === 1;
    for (let n = 0; n < away; n += 1) expect(await fleet.tick(up)).toEqual(["neo/models"]);
    fleet.isAway = () => false;
    for (let n = 0; n < 4; n += 1) expect(await fleet.tick(up)).toEqual(["neo/models", "north/models"]);
    expect(fleet.stateOf(2).incidents).toEqual({});
    const incidents = told(fleet).filter((line) => !line.includes("monitoring."));
    expect(incidents.map((line) => line.slice(14))).toEqual([
      "papa.models-20261120t092000z incident.opened null",
      "papa.models-20261120t092000z incident.resolved null",
    ]);
    const { samples } = await allSeries(fleet, "north/models");
    expect(samples).toHaveLength(4 + 1 + 3 + 4);
    expect(leftovers(fleet)).toEqual([]);
    expect(Object.keys(fleet.stateOf(0).monitors)).toEqual(["neo/models"]);
  },
);

test.each([0, 1, 2, 5])(
  "a gateway that comes back under another name before its giver knows that it was taken is not begun with what it had, its taker being away for %i ticks",
  async (away) => {
    const fleet = await fleetOf(of(1, ["neo", "papa"]), 4);
    fleet.deploy(of(3, ["neo", "papa"]));
    fleet.onCall = ({ name }) => (name === "settle" ? "it is lost" : "go");
    for (let n = 0; n < 3; n += 1) await fleet.tick(up);
    fleet.onCall = () => "go";
    fleet.deploy(renamed("west"));
    fleet.isAway = (shard) => shard === 1;
    for (let n = 0; n < away; n += 1) expect(await fleet.tick(up)).toEqual(["neo/models"]);
    fleet.isAway = () => false;
    for (let n = 0; n < 10; n += 1) expect(await fleet.tick(up)).toEqual(["neo/models", "west/models"]);
    const { samples, hours } = await allSeries(fleet, "west/models");
    expect(samples).toHaveLength(4 + 3 + 10);
    expect(hours.reduce((sum, { counts }) => sum + counts.up, 0)).toBe(4 + 3 + 10);
    expect(Object.keys(fleet.stateOf(0).monitors).sort()).toEqual(["neo/models", "west/models"]);
    expect(leftovers(fleet)).toEqual([]);
  },
);

test("what moved, and where it was, is forgotten once nothing of it is left to be read", async () => {
  const fleet = await fleetOf(of(1), 12);
  fleet.deploy(of(2));
  for (let n = 0; n < 3; n += 1) await fleet.tick(up);
  expect(Object.keys(fleet.stateOf(0).moves.gone)).toEqual(["papa/models", "two/models"]);
  const segments = { 0: { "hour/2026-11-20T09": Date.parse("2026-11-20T10:20:00Z") } };
  expect(fleet.stateOf(1).moves.abroad).toEqual(segments);
  fleet.nowMs += 20 * DAY_MS;
  // A clock that went so far ahead is not trusted before it has run evenly for a day.
  for (let n = 0; n < 144; n += 1) await fleet.tick(up);
  expect(fleet.stateOf(1).moves.abroad).toEqual(segments);
  for (let n = 0; n < 2; n += 1) await fleet.tick(up);
  expect(fleet.stateOf(0).moves.gone).toEqual({});
  expect(fleet.stateOf(1).moves).toMatchObject({ homes: {}, abroad: {} });
});

test("a segment that KV took only after a second move is known to whoever has the gateway then", async () => {
  const fleet = new Fleet(of(1), { startMs: START, tickMs: TICK_MS });
  const put = fleet.kv.set.bind(fleet.kv);
  let isRefused = true;
  fleet.kv.set = (key, value) => {
    if (isRefused && key.includes("/hour/")) throw new Error("KV takes no segments now");
    return put(key, value);
  };
  for (let n = 0; n < 11; n += 1) await fleet.tick(up);
  fleet.deploy(of(2));
  for (let n = 0; n < 3; n += 1) await fleet.tick(up);
  fleet.deploy(of(3));
  await fleet.tick(up);
  expect(fleet.stateOf(2).moves.abroad[0]).toEqual({ "hour/2026-11-20T09": null });
  isRefused = false;
  for (let n = 0; n < 6; n += 1) await fleet.tick(up);
  expect(fleet.stateOf(2).moves.abroad[0]).toEqual({
    "hour/2026-11-20T09": Date.parse("2026-11-20T11:40:00Z"),
  });
  expect(leftovers(fleet)).toEqual([]);
  // The samples of before are no longer with the Ledger itself.
  for (let n = 0; n < 30 * 6; n += 1) await fleet.tick(up);
  const { samples } = await allSeries(fleet, "two/models");
  expect(samples).toHaveLength(11 + 3 + 1 + 6 + 30 * 6);
});
