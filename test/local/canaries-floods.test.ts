/**
 * Canaries that are answered too much: streams without end, in bytes and in time, and what they cost. Real Worker in
 * workerd, real sockets.
 */
import { expect, test } from "vitest";
import { canaryHouse, canaryOf, EVERY_KIND, publishedOf } from "./support/canaries.ts";
import { hangingIn } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";

const MEBIBYTE = 1024 * 1024;
const stream = { ...EVERY_KIND["chat-stream"], every: "24h" } as const;

const { simulator, watching } = await canaryHouse();

test("nine streams that pour for ever, three at once, cost little, are judged, and keep no other canary from its turn", async () => {
  const good = { plays: ["any_key"], monitors: [stream] };
  const small = await watching({ "a-good": good });
  await small.tick(small.startMs);
  const before = small.peakMemoryBytes();
  await small.stop();
  const floods = Array.from({ length: 9 }, (_, n) => `flood-${n}`);
  const flooded = floods.map((id) => [id, { plays: ["stream_endless"], monitors: [stream] }] as const);
  const world = await watching({ ...Object.fromEntries(flooded), "z-good": good });
  await world.tick(world.startMs);
  const cost = world.peakMemoryBytes() - before;
  console.log(`nine endless streams: ${Math.round(cost / MEBIBYTE)} MiB more than one small answer`);
  expect(cost).toBeLessThan(128 * MEBIBYTE);
  await world.publish();
  for (const id of floods) {
    const { monitor, canary } = await canaryOf(world, `${id}/chat-stream`);
    const seen = [monitor.status, monitor.diagnosis?.cause, canary.today.requests];
    expect([id, ...seen]).toEqual([id, "down", "unexpected_response", 1]);
  }
  expect((await canaryOf(world, "z-good/chat-stream")).monitor.status).toBe("up");
});

test("a stream that trickles for ever has its two minutes, and is dropped; the others' results are there long before", async () => {
  const hangs = hangingIn(simulator);
  let isTimeOver = false;
  const recorded: string[] = [];
  const world = await watching(
    {
      slow: { plays: ["stream_trickle"], monitors: [stream] },
      good: { plays: ["any_key"], monitors: [stream, { kind: "models" }] },
    },
    {
      hangs: (path, sinceMs) => isTimeOver && hangs(path, sinceMs),
      onStep: ({ name, batch }) => {
        const results = name === "record:after" ? (batch?.results ?? []) : [];
        recorded.push(...results.map(({ monitorId }) => monitorId));
        return "go";
      },
    },
  );
  const tick = world.fire(world.startMs);
  await expect.poll(() => recorded.length).toBe(2);
  await world.publish();
  expect((await statusOf(world)).summary).toMatchObject({ up: 2, down: 0 });
  expect(recorded.toSorted()).toEqual(["good/chat-stream", "good/models"]);
  isTimeOver = true;
  await tick;
  const { monitor } = await publishedOf(world, "slow/chat-stream");
  expect([monitor.status, monitor.diagnosis?.cause]).toEqual(["down", "stream_dropped"]);
  expect(monitor.lastProbe).toMatchObject({ latencyMs: 120_000, attempts: 1 });
  expect((await statusOf(world)).summary).toMatchObject({ up: 2, down: 1 });
});
