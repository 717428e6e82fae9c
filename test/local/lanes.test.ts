/** One Ledger whose ticks three invocations share, by workerd's queue. */
import { expect, test } from "vitest";
import { eventually } from "./program.ts";
import { alertingHouse } from "./support/alerting.ts";
import { MINUTE_MS } from "./support/world.ts";

const { simulator, start } = await alertingHouse();

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];

test("a lane that cannot begin is delivered again; then it is a dead letter that /healthz shows, and its gateways have their turn in the next tick", async () => {
  const lanes = new Set<number>();
  let failures = 0;
  const world = await start(
    Object.fromEntries(NINE.map((id) => [id, ["healthy"]])),
    {},
    {
      config: { maxProbesPerTick: 3, lanes: 3 },
      queueRetries: 1,
      onStep: ({ name, lane }) => {
        if (name !== "begin:before") return "go";
        lanes.add(lane);
        if (lane !== 2 || failures === 8) return "go";
        failures += 1;
        return "the object was ended";
      },
    },
  );
  /** Fires a tick, and waits until all have been asked so often and their results are stored. */
  const passTick = async (minute: number, times: readonly number[]): Promise<void> => {
    await world.passUntil(world.startMs + minute * MINUTE_MS);
    await world.fire(world.startMs + minute * MINUTE_MS);
    const asked = () => NINE.map((id) => simulator.requests.filter((of) => of.gateway === `g/${id}`).length);
    await eventually(
      () => asked().join(),
      (of) => of === times.join(),
    );
    await world.settle();
  };
  await passTick(0, [1, 1, 1, 1, 1, 1, 0, 0, 0]);
  const told = await eventually(
    async () => {
      await world.passUntil((await world.nowMs()) + 1000);
      return (await world.get("/healthz")).json;
    },
    ({ checks }) => checks["ticks:lost"] !== undefined,
  );
  const output = `the last was lane 2 of shard 0 at ${new Date(world.startMs).toISOString()}`;
  expect(told).toMatchObject({ status: "warn", checks: { "ticks:lost": [{ observedValue: 1, output }] } });
  // Two deliveries; in each, the Ledger was asked four times.
  expect(failures).toBe(8);
  await passTick(1, [2, 2, 2, 2, 2, 2, 1, 1, 1]);
  expect(lanes).toEqual(new Set([0, 1, 2]));
  await world.publish();
  expect((await world.get("/api/v1/status")).json).toMatchObject({ summary: { up: 9 }, putOff: 0 });
});
