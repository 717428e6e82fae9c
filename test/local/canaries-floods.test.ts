/**
 * Canaries that are answered too much: streams without end, in bytes and in time, and what they cost. Real Worker in
 * workerd, real sockets.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { eventually } from "./program.ts";
import { type Canaries, canaryOf, EVERY_KIND, startCanaries } from "./support/canaries.ts";
import { hangingIn } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import type { World } from "./support/world.ts";

const MEBIBYTE = 1024 * 1024;
const stream = { ...EVERY_KIND["chat-stream"], every: "24h" } as const;

let simulator: Simulator;
let world: World;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  await world.stop();
  simulator.clear();
});
afterAll(() => simulator.close());

test("nine streams that pour for ever, three at once, cost little, are judged, and keep no other canary from its turn", async () => {
  const good = { plays: ["any_key"], monitors: [stream] };
  world = await startCanaries(simulator, { "a-good": good }, { stands: true });
  await world.tick(world.startMs);
  const before = world.peakMemoryBytes();
  await world.stop();
  const floods = Array.from({ length: 9 }, (_, n) => `flood-${n}`);
  const flooded = floods.map((id) => [id, { plays: ["stream_endless"], monitors: [stream] }] as const);
  const canaries: Canaries = { ...Object.fromEntries(flooded), "z-good": good };
  world = await startCanaries(simulator, canaries, { stands: true });
  await world.tick(world.startMs);
  const cost = world.peakMemoryBytes() - before;
  console.log(`nine endless streams: ${Math.round(cost / MEBIBYTE)} MiB more than one small answer`);
  expect(cost).toBeLessThan(128 * MEBIBYTE);
  await world.publish();
  for (const id of floods) {
    const { monitor, canary } = await canaryOf(world, `${id}/chat-stream`);
    expect([id, monitor.status, monitor.diagnosis?.cause, canary.today.requests]).toEqual([
      id,
      "down",
      "unexpected_response",
      1,
    ]);
  }
  expect((await canaryOf(world, "z-good/chat-stream")).monitor.status).toBe("up");
});

test("a stream that trickles for ever has its two minutes, and is dropped; the others' results are there long before", async () => {
  const hangs = hangingIn(simulator);
  let isTimeOver = false;
  const recorded: string[] = [];
  world = await startCanaries(
    simulator,
    {
      slow: { plays: ["stream_trickle"], monitors: [stream] },
      good: { plays: ["any_key"], monitors: [stream, { kind: "models" }] },
    },
    {
      stands: true,
      hangs: (path, sinceMs) => isTimeOver && hangs(path, sinceMs),
      onStep: ({ name, batch }) => {
        if (name === "record:after")
          recorded.push(...(batch?.results ?? []).map(({ monitorId }) => monitorId));
        return "go";
      },
    },
  );
  const tick = world.fire(world.startMs);
  await eventually(
    async () => recorded.length,
    (results) => results === 2,
  );
  await world.publish();
  expect((await statusOf(world)).summary).toMatchObject({ up: 2, down: 0 });
  expect(recorded.toSorted()).toEqual(["good/chat-stream", "good/models"]);
  isTimeOver = true;
  await tick;
  await world.publish();
  const { monitor } = await canaryOf(world, "slow/chat-stream");
  expect([monitor.status, monitor.diagnosis?.cause]).toEqual(["down", "stream_dropped"]);
  expect(monitor.lastProbe).toMatchObject({ latencyMs: 120_000, attempts: 1 });
  expect((await statusOf(world)).summary).toMatchObject({ up: 2, down: 1 });
});
