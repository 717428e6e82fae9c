/** Several shards with a Ledger each, and one Ledger whose ticks several invocations share: by workerd's queue or without one. */
import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { eventually } from "./program.ts";
import { alertingHouse, linesAt, passMinutes } from "./support/alerting.ts";
import { publishedIn, sampleCounts } from "./support/readings.ts";
import { MINUTE_MS, type Order, type Step, type World, type WorldOptions } from "./support/world.ts";

const house = await alertingHouse();

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];
const config = { maxProbesPerTick: 3, lanes: 3 };

const start = (scenario: string, onStep: (step: Step) => Order, over: Partial<WorldOptions> = {}) =>
  house.start(
    Object.fromEntries(NINE.map((id) => [id, [scenario]])),
    { ops: undefined },
    { config, onStep, ...over },
  );

const asked = () =>
  NINE.map((id) => house.simulator.requests.filter((of) => of.gateway === `g/${id}`).length);
const allAsked = (times: number) => NINE.map(() => times);

/** Fires a tick, and waits until all have been asked so often and their results are stored. */
async function passTick(world: World, minute: number, times: readonly number[]): Promise<void> {
  await world.passUntil(world.startMs + minute * MINUTE_MS);
  await world.fire(world.startMs + minute * MINUTE_MS);
  await eventually(
    async () => asked().join(),
    (of) => of === times.join(),
  );
  await world.settle();
}

test("three shards watch nine gateways, each with its own Ledger and its own key in KV", async () => {
  const begun: string[] = [];
  const onStep = ({ name, ledger }: Step) => {
    if (name === "begin:before") begun.push(ledger ?? "");
    return "go";
  };
  const world = await start("healthy", onStep, { config: { shards: 3 } });
  await world.tick(world.startMs);
  expect(begun.toSorted()).toEqual(["ledger-0", "ledger-1", "ledger-2"]);
  await world.passUntil(world.startMs + 30_000);
  const { keys } = await (await world.kv()).list();
  expect(keys.map(({ name }) => name)).toEqual([0, 1, 2].map(snapshotKey));
  const shown = await Promise.all([0, 1, 2].map((shard) => publishedIn(world, shard)));
  // As new ones are placed in three shards.
  const placed = ["g0 g3 g6", "g1 g4 g7", "g2 g5 g8"];
  const inShard = ({ status }: (typeof shown)[0]) => status.gateways.map(({ id }) => id).join(" ");
  expect(shown.map(inShard)).toEqual(placed);
  const healths = shown.flatMap(({ status }) => status.gateways.map((of) => of.status));
  expect(healths).toEqual(NINE.map(() => "up"));
  // Each knows where its gateways stand in the whole configuration.
  for (const { tail } of shown) expect(tail.places).toEqual(Object.fromEntries(NINE.map((id, n) => [id, n])));
});

test.each([
  ["workerd's queue", 1],
  ["no queue", undefined],
])("three lanes share a tick by %s, and readers see one page", async (_, queueRetries) => {
  const lanes = new Set<number>();
  const world = await start(
    "healthy",
    ({ name, lane }) => {
      if (name === "begin:before") lanes.add(lane);
      return "go";
    },
    queueRetries === undefined ? {} : { queueRetries },
  );
  await passTick(world, 0, allAsked(1));
  expect(lanes).toEqual(new Set([0, 1, 2]));
  await world.publish();
  const { json } = await world.get("/api/v1/status");
  expect(json).toMatchObject({ summary: { up: 9 }, putOff: 0 });
  const { keys } = await (await world.kv()).list();
  expect(keys.map(({ name }) => name)).toEqual([snapshotKey(0)]);
});

test("a lane that cannot begin is delivered again; then it is a dead letter that /healthz shows, and its gateways have their turn in the next tick", async () => {
  let failures = 0;
  const world = await start(
    "healthy",
    ({ name, lane }) => {
      const fails = name === "begin:before" && lane === 2 && failures < 8;
      if (fails) failures += 1;
      return fails ? "the object was ended" : "go";
    },
    { queueRetries: 1 },
  );
  await passTick(world, 0, [1, 1, 1, 1, 1, 1, 0, 0, 0]);
  const told = await eventually(
    async () => {
      await world.passUntil((await world.nowMs()) + 1000);
      return (await world.get("/healthz")).json;
    },
    ({ checks }) => checks["ticks:lost"] !== undefined,
  );
  const output = `the last was lane 2 of shard 0 at ${new Date(world.startMs).toISOString()}`;
  expect(told).toMatchObject({ status: "warn", checks: { "ticks:lost": [{ observedValue: 1, output }] } });
  // Two deliveries, in each of which the Ledger was asked four times.
  expect(failures).toBe(8);
  await passTick(world, 1, [2, 2, 2, 2, 2, 2, 1, 1, 1]);
});

test("lanes whose Ledger dies under them, and that are delivered again, send each incident once and store each result once", async () => {
  let deaths = 0;
  const world = await start(
    "balance_402",
    ({ name, lane }) => {
      // The transaction is over, and the lane hears nothing of it; in the second tick it has not begun.
      const dies =
        (name === "record:after" && lane === 1 && deaths === 0) ||
        (name === "record:before" && lane === 2 && deaths === 1);
      if (dies) deaths += 1;
      return dies ? "abort" : "go";
    },
    { queueRetries: 1 },
  );
  await passMinutes(world, 0, 1);
  await eventually(
    async () => asked(),
    (of) => of.every((times) => times > 0),
  );
  await passMinutes(world, 1, 7);
  await eventually(
    async () => {
      await world.settle();
      return linesAt(house.receiver, "ops").length;
    },
    (lines) => lines >= 9,
  );
  expect(deaths).toBe(2);
  expect(linesAt(house.receiver, "ops").toSorted()).toEqual(NINE.map((id) => `incident.opened ${id}`));
  await world.publish();
  expect(Object.values(await sampleCounts(world))).toEqual(asked());
});
