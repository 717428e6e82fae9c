/** Answers and streams without end: what they cost in memory is bounded, and nobody else notices. Real Worker, real sockets. */
import { expect, test } from "vitest";
import type { GatewayInput } from "../../src/config/define-config.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { endingWithTest, freshSimulator, hangingIn } from "./support/playing.ts";
import { statusOf } from "./support/readings.ts";
import { startWorld, type World } from "./support/world.ts";

const MEBIBYTE = 1024 * 1024;
const simulator = await freshSimulator();

/** Base addresses, and what else a gateway has, by its id. */
type Gateways = Readonly<Record<string, Partial<GatewayInput> & { readonly baseUrl: string }>>;

/** After its first tick. */
async function watching(gateways: Gateways): Promise<World> {
  const world = await startWorld({
    stands: true,
    startMs: Date.UTC(2026, 10, 20),
    hangs: hangingIn(simulator),
    secrets: { KEY: SIMULATOR_KEYS.good },
    gateways: Object.entries(gateways).map(([id, { baseUrl, monitors }]) => {
      return { id, baseUrl, apiKey: "KEY", monitors };
    }),
  });
  endingWithTest(world);
  await world.tick(world.startMs);
  return world;
}

const GOOD = { baseUrl: simulator.baseUrl("healthy") };

const stream = { kind: "chat", model: "sim-chat-small", stream: true, every: "24h" } as const;
const endless = { baseUrl: simulator.baseUrl("stream_endless"), monitors: [stream] };
const answer = (name: string) => ({ baseUrl: simulator.baseUrl(name) });
test.each([
  // The bytes, their text, and as much again that is not collected yet.
  ["answers", ["body_50mb", "body_endless", "html_50mb", "gzip_bomb"].map(answer), 256],
  ["streams", [endless, endless, endless, endless, endless], 128],
] as const)(
  "many %s at once that pour for ever cost a few times what is read of each, and are judged as any other",
  async (what, some, most) => {
    const floods = Object.fromEntries([...some, ...some].map((flood, n) => [`flood-${n}`, flood]));
    const good = what === "streams" ? { baseUrl: simulator.baseUrl("any_key"), monitors: [stream] } : GOOD;
    const small = await watching({ "a-good": good });
    const before = small.peakMemoryBytes();
    await small.stop();
    const world = await watching({ "a-good": good, ...floods, "z-good": good });
    const cost = world.peakMemoryBytes() - before;
    console.log(`${what}: ${Math.round(cost / MEBIBYTE)} MiB more than one small answer`);
    expect(cost).toBeLessThan(most * MEBIBYTE);
    await world.publish();
    const { gateways } = await statusOf(world);
    const seen = gateways.map(({ id, monitors: [monitor] }) => [
      id,
      `${monitor?.diagnosis?.cause} ${monitor?.lastProbe?.attempts}`,
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      "a-good": "ok 1",
      ...Object.fromEntries(Object.keys(floods).map((id) => [id, "unexpected_response 1"])),
      "z-good": "ok 1",
    });
  },
);
