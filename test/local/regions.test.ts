/**
 * A gateway that answers otherwise where it is asked from: the real Worker with a real Durable Object for each region, whose
 * requests go to another gateway of the simulator.
 */
import { expect, test } from "vitest";
import type { GatewayInput } from "../../src/config/define-config.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { everyAnswer, everythingKept } from "./support/everything.ts";
import { findLeaks } from "./support/leaks.ts";
import { endingWithTest, freshSimulator } from "./support/playing.ts";
import { monitorOf } from "./support/readings.ts";
import { MINUTE_MS, startWorld, type World } from "./support/world.ts";

const ADMIN_TOKEN = "adm-0123456789-0123456789-abcdefgh";
const REGIONS = ["weur", "apac", "enam"] as const;

const simulator = await freshSimulator();

/** `acme`, asked from three regions, which reach a gateway each. */
async function watched(
  gateway: Partial<GatewayInput> = {},
  key: string = SIMULATOR_KEYS.good,
): Promise<World> {
  const here = simulator.named("acme");
  const fromRegions = Object.fromEntries(
    REGIONS.map((region) => [region, [[here, simulator.named(`acme-${region}`)]] as const]),
  );
  const world = await startWorld({
    gateways: [{ id: "acme", baseUrl: here, apiKey: "KEY", regions: REGIONS, ...gateway }],
    secrets: { KEY: key, ADMIN_TOKEN },
    fromRegions,
    stands: true,
    // Shortly before midnight the day of its samples would end, and begin before the last 24 hours.
    startMs: Date.parse("2026-11-20T12:00:00Z"),
  });
  return endingWithTest(world);
}

/** So many ticks, a minute apart; what they saw is published. */
async function pass(world: World, ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) await world.tick(world.startMs + tick * MINUTE_MS);
  await world.publish();
}

test("the history of one region is its own, as JSON, CSV and NDJSON; of another there is none", async () => {
  simulator.play("acme-apac", "503_always");
  const world = await watched({ monitors: [{ kind: "models" }] });
  await pass(world, 1);
  const path = "/api/v1/gateways/acme/monitors/models/history";
  const points = async (query: string) => {
    const shown = (await world.get(`${path}${query}`)).json.points as { health: string; attempts: number }[];
    return shown.map(({ health, attempts }) => [health, attempts]);
  };
  expect(await points("")).toEqual([["up", 1]]);
  expect(await points("?region=weur")).toEqual([["up", 1]]);
  expect(await points("?region=apac")).toEqual([["down", 4]]);
  expect(await points("?region=apac&step=1d")).toEqual([["down", 4]]);
  const csv = await world.get(`${path}?region=apac`, { accept: "text/csv" });
  expect(csv.text.split("\r\n")[1]).toContain(",down,upstream_unavailable,");
  expect(csv.headers["content-disposition"]).toBe('attachment; filename="acme-models-apac-probe.csv"');
  const lines = await world.get(`${path}?region=apac`, { accept: "application/x-ndjson" });
  expect(JSON.parse(lines.text)).toMatchObject({ health: "down", cause: "upstream_unavailable" });
  expect((await world.get(`${path}?region=oc`)).status).toBe(404);
  expect((await world.get(`${path}?region=mars`)).status).toBe(400);
});

test("what only health is published of tells no cause of a region either", async () => {
  simulator.play("acme-apac", "envelope_5000");
  const world = await watched({ publish: "health" });
  await pass(world, 2);
  const { regions } = await monitorOf(world, "acme/models");
  expect(regions?.map(({ status }) => status)).toEqual(["up", "down", "up"]);
  expect(regions?.map(({ diagnosis }) => diagnosis)).toEqual([null, null, null]);
  const path = "/api/v1/gateways/acme/monitors/models/history?region=apac";
  const hidden = { health: "down", cause: null, httpStatus: null };
  expect((await world.get(path)).json.points[0]).toMatchObject(hidden);
});

test("a gateway that repeats the key to one region shows it nowhere", async () => {
  const key = "sk-live-9Jd7Lw3Rv5Xp1Nc8Tb2Hy6KsQ";
  for (const region of REGIONS) simulator.play(`acme-${region}`, "echo_key_whole");
  const world = await watched({ monitors: [{ kind: "models", open: 1 }] }, key);
  await pass(world, 2);
  const { status, regions } = await monitorOf(world, "acme/models");
  expect([status, ...(regions ?? []).map((seen) => seen.status)]).toEqual(Array(4).fill("blocked"));
  const region = await world.get("/api/v1/gateways/acme/monitors/models/history?region=apac");
  const haystacks = [
    ...(await everyAnswer(world, ["acme/models"], ADMIN_TOKEN)),
    { name: "a region", bytes: Buffer.from(region.text) },
    ...(await everythingKept(world)),
  ];
  expect(findLeaks(haystacks, [key])).toEqual([]);
});
