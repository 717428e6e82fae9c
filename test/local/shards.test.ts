/** Several shards for real: a Ledger and a key in KV each; with workerd's queue where a test asks for it. */
import { describe, expect, test } from "vitest";
import { snapshotKey } from "../../src/history/keys.ts";
import { eventually } from "./program.ts";
import { alertingHouse, linesAt, passMinutes, toldAt } from "./support/alerting.ts";
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

const start = (over: Partial<WorldOptions> = {}, webhooks = {}): Promise<World> =>
  house.start(playing, webhooks, { ...over, config: { shards: 3, ...over.config } });

const LOST = { componentType: "system", observedUnit: "ticks within a day", time: expect.any(String) };

/** What `/healthz` says of all, and of lost ticks. */
async function health(world: World): Promise<{ readonly status: string; readonly lost: unknown }> {
  const { json } = await world.get("/healthz");
  const { status, checks } = json as { status: string; checks: Record<string, unknown> };
  return { status, lost: checks["ticks:lost"] };
}

/** Ticks that fail where no queue is, for one shard's sake. */
async function passFailing(world: World, from: number, count: number): Promise<void> {
  for (let minute = from; minute < from + count; minute += 1) {
    await expect(passMinutes(world, minute, 1)).rejects.toThrow("the tick ended");
  }
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

test("a shard that takes long holds up neither the others nor its own next tick", async () => {
  const others = Promise.withResolvers<void>();
  const next = Promise.withResolvers<void>();
  let recorded = 0;
  let ticks = 0;
  const world = await start({
    onStep: async ({ name, ledger }) => {
      if (name === "begin:before" && ledger === "ledger-0" && (ticks += 1) === 2) next.resolve();
      if (name === "record:after" && ledger !== "ledger-0" && (recorded += 1) === 2) others.resolve();
      // The first result of shard 0 is taken when the others have theirs, and its second tick has begun.
      if (name === "record:before" && ledger === "ledger-0")
        await Promise.all([others.promise, next.promise]);
      return "go";
    },
  });
  const first = world.fire(world.startMs);
  await others.promise;
  await world.setClock(world.startMs + MINUTE_MS);
  await Promise.all([first, world.fire(world.startMs + MINUTE_MS)]);
  expect(ticks).toBe(2);
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

test("the heartbeat is beaten once a tick, by shard 0, and only when its own tick is well", async () => {
  let failing: string | null = null;
  const world = await start({
    config: { shards: 3, heartbeat: "HEARTBEAT" },
    secrets: { HEARTBEAT: house.receiver.url("heartbeat") },
    onStep: ({ name, ledger }) => (name === "begin:before" && ledger === failing ? "it is away" : "go"),
  });
  const beats = () => house.receiver.at("heartbeat").length;
  await passMinutes(world, 0, 2);
  expect(beats()).toBe(2);
  failing = "ledger-1";
  await passFailing(world, 2, 1);
  expect(beats()).toBe(3);
  failing = "ledger-0";
  await passFailing(world, 3, 1);
  expect(beats()).toBe(3);
});

describe("ticks that stop", () => {
  const webhooks = { ops: undefined };

  test("of all shards are told of once, and so is their return", async () => {
    const world = await start({}, webhooks);
    await passMinutes(world, 0, 3);
    await world.passUntil(world.startMs + 60 * MINUTE_MS);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
    await passMinutes(world, 61, 3);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -", "monitoring.resumed -"]);
  });

  test("of one shard alone are told of by that one", async () => {
    let isFailing = false;
    const world = await start(
      {
        onStep: ({ name, ledger }) =>
          isFailing && name === "begin:before" && ledger === "ledger-2" ? "it is away" : "go",
      },
      webhooks,
    );
    await passMinutes(world, 0, 2);
    isFailing = true;
    await passFailing(world, 2, 6);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -"]);
    isFailing = false;
    await passMinutes(world, 8, 2);
    expect(linesAt(house.receiver, "ops")).toEqual(["monitoring.stalled -", "monitoring.resumed -"]);
    expect(toldAt(house.receiver, "ops").map(({ data }) => data)).toMatchObject([{ shard: 2 }, { shard: 2 }]);
  });
});
