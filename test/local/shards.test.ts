/** Several shards for real: a Ledger and a key in KV each; with workerd's queue where a test asks for it. */
import { expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { eventually } from "./program.ts";
import { alertingHouse, passMinutes } from "./support/alerting.ts";
import { publishedIn } from "./support/readings.ts";
import { MINUTE_MS, type Step, type World, type WorldOptions } from "./support/world.ts";

const house = await alertingHouse();

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];
/** As new ones are placed in three shards. */
const PLACED = [
  ["g0", "g3", "g6"],
  ["g1", "g4", "g7"],
  ["g2", "g5", "g8"],
];

const playing = Object.fromEntries(NINE.map((id) => [id, ["healthy"]]));

const start = (over: Partial<WorldOptions>): Promise<World> =>
  house.start(playing, {}, { ...over, config: { shards: 3 } });

const LOST = { componentType: "system", observedUnit: "ticks within a day", time: expect.any(String) };

/** What `/healthz` says of all, and of lost ticks. */
async function health(world: World): Promise<{ readonly status: string; readonly lost: unknown }> {
  const { json } = await world.get("/healthz");
  const { status, checks } = json as { status: string; checks: Record<string, unknown> };
  return { status, lost: checks["ticks:lost"] };
}

test("three shards watch nine gateways, each with its own Ledger and its own key in KV", async () => {
  const begun: string[] = [];
  const onStep = ({ name, ledger }: Step) => {
    if (name === "begin:before") begun.push(ledger ?? "");
    return "go";
  };
  const world = await start({ onStep });
  await world.tick(world.startMs);
  expect(begun.toSorted()).toEqual(["ledger-0", "ledger-1", "ledger-2"]);
  await world.passUntil(world.startMs + 30_000);
  const { keys } = await (await world.kv()).list();
  expect(keys.map(({ name }) => name)).toEqual([0, 1, 2].map(snapshotKey));
  const shown = await Promise.all([0, 1, 2].map((shard) => publishedIn(world, shard)));
  expect(shown.map(({ status }) => status.gateways.map(({ id }) => id))).toEqual(PLACED);
  expect(shown.flatMap(({ status }) => status.gateways.map((gateway) => gateway.status))).toEqual(
    NINE.map(() => "up"),
  );
  // Each knows where its gateways stand in the whole configuration.
  for (const { tail } of shown) expect(tail.places).toEqual(Object.fromEntries(NINE.map((id, n) => [id, n])));
});

test("a shard whose Ledger fails is asked again; if that fails too, its tick is a dead letter, and /healthz tells of it", async () => {
  const begun = { "ledger-1": 0, "ledger-2": 0 };
  let isFailing = false;
  const world = await start({
    queueRetries: 1,
    onStep: ({ name, ledger }) => {
      if (name !== "begin:before" || !isFailing || (ledger !== "ledger-1" && ledger !== "ledger-2"))
        return "go";
      begun[ledger] += 1;
      // Shard 2 comes back between its two deliveries.
      return ledger === "ledger-1" || begun[ledger] <= 4 ? "the object was ended" : "go";
    },
  });
  await passMinutes(world, 0, 1);
  // Messages are under way when cron's own invocation is over.
  await eventually(
    async () => begun,
    (of) => of["ledger-1"] === 0 && house.simulator.requests.length === 9,
  );
  await world.passUntil(world.startMs + 30_000);
  const none = { ...LOST, status: "pass", observedValue: 0 };
  await eventually(
    () => health(world),
    ({ status }) => status === "pass",
  );
  expect(await health(world)).toEqual({ status: "pass", lost: [none] });
  isFailing = true;
  const lostMs = world.startMs + MINUTE_MS;
  await world.tick(lostMs);
  const asked = (id: string) =>
    house.simulator.requests.filter(({ gateway }) => gateway === `g/${id}`).length;
  const told = await eventually(
    async () => {
      await world.passUntil((await world.nowMs()) + 1000);
      return health(world);
    },
    ({ status }) => status !== "pass" && asked("g2") === 2,
  );
  const output = `the last was that of shard 1 at ${new Date(lostMs).toISOString()}`;
  expect(told).toEqual({ status: "warn", lost: [{ ...LOST, status: "warn", observedValue: 1, output }] });
  // Two deliveries, in each of which the Ledger was asked four times.
  expect(begun).toEqual({ "ledger-1": 8, "ledger-2": 5 });
  // That of shard 2 was probed by its second delivery.
  expect(["g1", "g2"].map(asked)).toEqual([1, 2]);
  expect((await publishedIn(world, 0)).tail.lost).toEqual([{ shard: 1, tickMs: lostMs }]);
  isFailing = false;
  await world.tick(world.startMs + 4 * MINUTE_MS);
  const shown = async () => {
    await world.passUntil((await world.nowMs()) + 1000);
    return (await publishedIn(world, 1)).status.gateways.map(({ status }) => status).join(" ");
  };
  await eventually(shown, (healths) => healths === "up up up");
});
