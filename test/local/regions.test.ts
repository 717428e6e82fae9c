/** Gateways that are asked from regions, over two shards: an object a region and shard, a Ledger a shard. */
import { expect, test } from "vitest";
import { unpackAll } from "../../src/history/packing.ts";
import { unpackSamples } from "../../src/history/segment.ts";
import { alertingHouse, linesAt, passMinutes, toldAt } from "./support/alerting.ts";
import { monitorOf, statusOf } from "./support/readings.ts";
import { textOf } from "../http/html.ts";
import type { World } from "./support/world.ts";

const house = await alertingHouse();

const REGIONS = ["weur", "apac", "enam"] as const;
/** Each has a shard of its own: `neo` has 0, `papa` has 1. */
const IDS = ["neo", "papa"] as const;

const EVENTS = ["incident.opened", "incident.updated", "incident.resolved"] as const;

/** From each region each gateway is another one. */
function started(): Promise<World> {
  const there = (region: string) =>
    IDS.map((id) => [house.simulator.named(id), house.simulator.named(`${id}-${region}`)] as const);
  return house.start(
    // Between the parts of the story no tick comes, which is an event too.
    {},
    { ops: { event: EVENTS } },
    {
      config: { shards: 2 },
      gateways: IDS.map((id) => ({
        id,
        baseUrl: house.simulator.named(id),
        apiKey: "KEY",
        regions: REGIONS,
      })),
      fromRegions: Object.fromEntries(REGIONS.map((region) => [region, there(region)])),
      // Shortly before midnight the day of its samples would end, and begin before the last 24 hours.
      startMs: Date.parse("2026-11-20T12:00:00Z"),
    },
  );
}

async function healths(world: World, id: string): Promise<readonly string[]> {
  const { status, regions = [] } = await monitorOf(world, `${id}/models`);
  return [status, ...regions.map((seen) => `${seen.region} ${seen.status} ${seen.uptime["24h"]}`)];
}

/** How many samples of each series a Ledger has stored. */
async function storedIn(world: World, shard: number): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const row of await world.ledgerRows(["batch"], shard)) {
    const { body } = row as { body: ArrayBuffer };
    for (const samples of unpackAll(new Uint8Array(body))) {
      for (const [series, packed] of Object.entries(samples as Record<string, Uint8Array>)) {
        counts[series] = (counts[series] ?? 0) + unpackSamples(packed).length;
      }
    }
  }
  return counts;
}

const seriesOf = (id: string, count: number) => ({
  [`${id}/models`]: count,
  ...Object.fromEntries(REGIONS.map((region) => [`${id}/models@${region}`, count])),
});

test("each shard asks from objects of its own, stores what its regions saw, its history is its own, and a majority is one incident", async () => {
  const world = await started();
  house.simulator.play("papa-apac", "close_before_headers");
  await passMinutes(world, 0, 2);
  await world.publish();
  expect(await world.vantagePoints()).toEqual(["apac-0", "apac-1", "enam-0", "enam-1", "weur-0", "weur-1"]);
  expect(await healths(world, "neo")).toEqual(["up", "weur up 1", "apac up 1", "enam up 1"]);
  expect(await healths(world, "papa")).toEqual(["up", "weur up 1", "apac down 0", "enam up 1"]);
  expect(linesAt(house.receiver, "ops")).toEqual([]);
  const asked = Map.groupBy(house.simulator.requests, ({ gateway }) => gateway);
  const own = ["papa", ...REGIONS.map((region) => `papa-${region}`)];
  expect(own.map((id) => asked.get(`g/${id}`)?.length ?? 0)).toEqual([0, 2, 2, 2]);
  const { regions } = await monitorOf(world, "papa/models");
  expect(regions?.[1]).toMatchObject({ diagnosis: { cause: "connection_failed" }, latency: null });
  const history = "/api/v1/gateways/papa/monitors/models/history";
  for (const [query, seen] of [
    ["", "up"],
    ["?region=weur", "up"],
    ["?region=apac", "down"],
  ] as const) {
    const points = (await world.get(`${history}${query}`)).json.points as { health: string }[];
    expect([query, ...points.map(({ health }) => health)]).toEqual([query, seen, seen]);
  }
  expect(textOf((await world.get("/")).text)).toContain("fails from Asia-Pacific");
  expect(textOf((await world.get("/gateways/papa")).text)).toMatch(
    /Asia-Pacific apac Down: The connection failed/u,
  );

  for (const region of ["apac", "enam"]) house.simulator.play(`papa-${region}`, "envelope_5000");
  await passMinutes(world, 5, 4);
  await world.publish();
  expect(await healths(world, "neo")).toEqual(["up", "weur up 1", "apac up 1", "enam up 1"]);
  expect(await healths(world, "papa")).toEqual(["down", "weur up 1", "apac down 0", "enam down 0.3333"]);
  const { incidents } = await statusOf(world);
  expect(incidents).toMatchObject([{ gateway: "papa", cause: "business_error", regions: ["apac", "enam"] }]);
  const { json: report } = await world.get(`/api/v1/reports/${incidents[0]?.report}`);
  expect(report).toMatchObject({ cause: "business_error", regions: ["apac", "enam"] });
  const page = (await world.get(`/reports/${incidents[0]?.report}`)).text;
  expect(page).toContain("Asia-Pacific, Eastern North America");
  expect(linesAt(house.receiver, "ops")).toEqual(["incident.opened papa"]);

  house.simulator.play("papa-enam", "healthy");
  await passMinutes(world, 12, 4);
  await world.publish();
  expect((await healths(world, "papa"))[0]).toBe("up");
  expect((await statusOf(world)).incidents).toEqual([]);
  expect(linesAt(house.receiver, "ops")).toEqual(["incident.opened papa", "incident.resolved papa"]);
  const ids = toldAt(house.receiver, "ops").map(({ data }) => data.incident?.id);
  expect(new Set(ids)).toEqual(new Set([incidents[0]?.id]));

  expect(await storedIn(world, 0)).toEqual(seriesOf("neo", 10));
  expect(await storedIn(world, 1)).toEqual(seriesOf("papa", 10));
});
