/** The network of the monitoring is out, for all shards: one incident is told of it, and shown, whoever sees it first. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import { shardOf } from "../../src/domain/dealing.ts";
import { gatewayOf } from "../../src/domain/monitor-id.ts";
import { rounds } from "../extent.ts";
import { config, gateway, monitor } from "../fixtures/config.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { OPS, ownIncidents, told } from "./fleet-reader.ts";
import { Fleet } from "./shard-fleet.ts";

const START = Date.parse("2026-11-20T09:00:00Z");
const LOST = {
  diagnosis: diagnosis("timeout", "down", { layer: "network", httpStatus: null }),
  latencyMs: null,
};

/** So many gateways in each shard. */
function idsOf(counts: readonly number[]): readonly string[] {
  const shards = counts.length;
  const left = [...counts];
  const ids: string[] = [];
  for (let n = 0; left.some((count) => count > 0); n += 1) {
    const shard = shardOf(`g${n}`, shards);
    if ((left[shard] ?? 0) === 0) continue;
    left[shard] = (left[shard] ?? 0) - 1;
    ids.push(`g${n}`);
  }
  return ids;
}

function fleetOf(counts: readonly number[]): Fleet {
  const gateways = idsOf(counts).map((id) =>
    gateway(id, { monitors: [monitor(id, { everyMs: MINUTE_MS })] }),
  );
  const settings = config(gateways, { shards: counts.length, maxProbesPerTick: 500, alerts: [OPS] });
  const fleet = new Fleet(settings, { startMs: START, tickMs: MINUTE_MS });
  fleet.judgesNetwork = true;
  return fleet;
}

/** By shard the first and the last tick in which it reaches nobody. */
type Outage = readonly (readonly [from: number, to: number])[];

function probeIn(outage: Outage) {
  return (monitorId: string, tickMs: number) => {
    const n = (tickMs - START) / MINUTE_MS;
    const [from, to] = outage[shardOf(gatewayOf(monitorId), outage.length)] ?? [1, 0];
    return n >= from && n <= to ? LOST : {};
  };
}

/** @returns the most own incidents that were shown at once. */
async function play(fleet: Fleet, outage: Outage, ticks: number, turned = false): Promise<number> {
  let most = 0;
  for (let n = 0; n < ticks; n += 1) {
    const order = turned && n % 2 === 1 ? fleet.shards.toReversed() : fleet.shards;
    await fleet.tick(probeIn(outage), order);
    most = Math.max(most, (await ownIncidents(fleet)).length);
  }
  return most;
}

const linesOf = (fleet: Fleet): readonly string[] => told(fleet).map((line) => line.slice(14));

test("an outage of all shards is one incident of shard 0, and one alert", async () => {
  const fleet = fleetOf([2, 2, 3]);
  const most = await play(
    fleet,
    [
      [3, 8],
      [3, 8],
      [3, 8],
    ],
    14,
  );
  expect(most).toBe(1);
  expect(linesOf(fleet)).toEqual([
    "monitoring-20261120t090400z incident.opened null",
    "monitoring-20261120t090400z incident.resolved null",
  ]);
});

test("where shard 0 has too few gateways to tell it by, the next one tells it, a tick later", async () => {
  const fleet = fleetOf([0, 2, 2]);
  await play(
    fleet,
    [
      [3, 8],
      [3, 8],
      [3, 8],
    ],
    14,
  );
  expect(linesOf(fleet)).toEqual([
    "monitoring-1-20261120t090500z incident.opened null",
    "monitoring-1-20261120t090500z incident.resolved null",
  ]);
});

test("what one shard alone sees it tells itself", async () => {
  const fleet = fleetOf([2, 2, 2]);
  await play(
    fleet,
    [
      [1, 0],
      [1, 0],
      [3, 8],
    ],
    14,
  );
  expect(linesOf(fleet)).toEqual([
    "monitoring-2-20261120t090500z incident.opened null",
    "monitoring-2-20261120t090500z incident.resolved null",
  ]);
});

test("one that is out for longer than who told it tells it then", async () => {
  const fleet = fleetOf([2, 2]);
  expect(
    await play(
      fleet,
      [
        [3, 6],
        [3, 12],
      ],
      18,
    ),
  ).toBe(1);
  expect(linesOf(fleet)).toEqual([
    "monitoring-20261120t090400z incident.opened null",
    // In the very tick in which the other one is over.
    "monitoring-1-20261120t090800z incident.opened null",
    "monitoring-20261120t090400z incident.resolved null",
    "monitoring-1-20261120t090800z incident.resolved null",
  ]);
});

test("a shard that begins later leaves it to who told it first", async () => {
  const fleet = fleetOf([2, 2]);
  expect(
    await play(
      fleet,
      [
        [7, 11],
        [3, 11],
      ],
      16,
    ),
  ).toBe(1);
  expect(linesOf(fleet)).toEqual([
    "monitoring-1-20261120t090500z incident.opened null",
    "monitoring-1-20261120t090500z incident.resolved null",
  ]);
});

test("shards that cannot be asked hold nothing back", async () => {
  const fleet = fleetOf([2, 2]);
  fleet.onCall = ({ name }) => (name === "networks" ? "it is lost" : "go");
  await play(
    fleet,
    [
      [3, 8],
      [3, 8],
    ],
    14,
  );
  expect(linesOf(fleet)).toHaveLength(4);
  expect(fleet.warnings.some((line) => line.includes("does not say what it sees of the network"))).toBe(true);
});

test("nobody is asked while the network is well, nor where there is one shard", async () => {
  const asked: string[] = [];
  for (const counts of [[2, 2], [3]]) {
    const fleet = fleetOf(counts);
    fleet.onCall = ({ name }) => {
      if (name === "networks") asked.push(`${counts.length}`);
      return "go";
    };
    await play(
      fleet,
      counts.length === 1
        ? [[3, 8]]
        : [
            [4, 4],
            [1, 0],
          ],
      14,
    );
  }
  expect(asked).toEqual([]);
});

test("whenever shards notice it, within a tick of each other, it is told once and shown once", async () => {
  const lives = fc.record({
    first: fc.integer({ min: 0, max: 3 }),
    others: fc.array(fc.integer({ min: 2, max: 3 }), { minLength: 1, maxLength: 4 }),
    late: fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })), {
      minLength: 5,
      maxLength: 5,
    }),
    lasts: fc.integer({ min: 4, max: 12 }),
    turned: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(lives, async ({ first, others, late, lasts, turned }) => {
      const counts = [first, ...others];
      const fleet = fleetOf(counts);
      const outage = counts.map((_, shard): readonly [number, number] => {
        const [begins = 0, ends = 0] = late[shard] ?? [];
        return [3 + begins, 3 + lasts + ends];
      });
      expect(await play(fleet, outage, 3 + lasts + 6, turned)).toBe(1);
      const own = linesOf(fleet).filter((line) => line.startsWith("monitoring-"));
      expect(own.map((line) => line.split(" ")[1])).toEqual(["incident.opened", "incident.resolved"]);
      expect(fleet.nowMs - START).toBeLessThan(HOUR_MS);
    }),
    { numRuns: rounds(5, 25), endOnFailure: true },
  );
});
