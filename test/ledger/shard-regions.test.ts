/** What becomes of the vantage points' own incident where nobody asks them any more. */
import { expect, test } from "vitest";
import type { Config, Region } from "../../src/config/config.ts";
import { MINUTE_MS } from "../../src/domain/calendar.ts";
import { config, gateway } from "../fixtures/config.ts";
import { diagnosis, outcome } from "../fixtures/outcome.ts";
import { OPS, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

/** With 2 shards `papa` and `two` are 1's; `neo` is always 0's. */
function of(shards: number, regions: readonly Region[] = ["weur"]): Config {
  const gateways = ["neo", "papa", "two"].map((id) => gateway(id, { regions: id === "neo" ? [] : regions }));
  return config(gateways, { shards, alerts: [OPS], maxProbesPerTick: 500 });
}

const UNSEEN = { latencyMs: null, attempts: [], diagnosis: diagnosis("connection_failed", "unknown") };

/** Shard 1's tick, as its vantage points see it. */
async function tickOfRegions(fleet: Fleet, isReached: boolean): Promise<void> {
  fleet.nowMs += MINUTE_MS;
  await fleet.tickShard(0, () => ({}));
  const request = { tickMs: fleet.nowMs, invocation: `regions-${fleet.nowMs}` };
  const { assignments } = await fleet.host(1).begin(request);
  const seen = outcome({ startedAtMs: fleet.nowMs + 7, ...(isReached ? {} : UNSEEN) });
  const results = assignments
    .flatMap(({ monitorIds }) => monitorIds)
    .map((monitorId) => ({ monitorId, outcome: seen, regions: [{ region: "weur", outcome: seen }] }));
  await fleet.host(1).record({ ...request, results, returned: [], ownNetworkFailed: !isReached });
  await fleet.wake();
}

/** Opened in the second of three ticks. */
async function fleetThatSeesNobody(): Promise<Fleet> {
  const fleet = new Fleet(of(2), { startMs: START, tickMs: MINUTE_MS });
  for (let n = 0; n < 3; n += 1) await fleet.tick(() => ({}));
  for (let n = 0; n < 3; n += 1) await tickOfRegions(fleet, false);
  expect(Object.keys(fleet.stateOf(1).incidents)).toEqual(["vantage-points-1-20261120t090600z"]);
  return fleet;
}

function expectEnded(fleet: Fleet): void {
  expect(Object.keys(fleet.stateOf(1).incidents)).toEqual([]);
  expect(told(fleet).map((line) => line.slice(14))).toEqual([
    "vantage-points-1-20261120t090600z incident.opened null",
    "vantage-points-1-20261120t090600z incident.resolved removed",
  ]);
}

test("it ends with its shard", async () => {
  const fleet = await fleetThatSeesNobody();
  fleet.deploy(of(1));
  for (let n = 0; n < 2; n += 1) await fleet.tick(() => ({}));
  expectEnded(fleet);
});

test("it ends where no gateway has regions any more, also when one was just reached", async () => {
  const fleet = await fleetThatSeesNobody();
  await tickOfRegions(fleet, true);
  fleet.deploy(of(2, []));
  for (let n = 0; n < 2; n += 1) await fleet.tick(() => ({}));
  expectEnded(fleet);
});
