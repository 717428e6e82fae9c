/**
 * Answers and streams without end: what they cost in memory and traffic is bounded, and nobody else notices. Real
 * Worker, real sockets.
 */
import { createGzip } from "node:zlib";
import { expect, test } from "vitest";
import type { GatewayInput } from "../../src/config/define-config.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { serveHttp } from "../probe/small-server.ts";
import { endingWithTest, freshSimulator, hangingIn } from "./support/playing.ts";
import { monitorOf, statusOf } from "./support/readings.ts";
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

/**
 * A server that answers with JSON without end, as fast as it is read.
 *
 * @param sent what was written to each connection that has ended, in bytes.
 */
async function serveFlood(encoding: "identity" | "gzip", sent: number[]): Promise<string> {
  return serveHttp((request, response) => {
    request.socket.once("close", () => sent.push(request.socket.bytesWritten));
    response.writeHead(200, {
      "content-type": "application/json",
      ...(encoding === "gzip" && { "content-encoding": "gzip" }),
    });
    const body = encoding === "gzip" ? createGzip({ level: 9 }) : response;
    if (body !== response) body.pipe(response);
    body.on("error", () => undefined);
    response.on("error", () => undefined);
    const filler = Buffer.alloc(MEBIBYTE, " ");
    const pour = (): void => {
      if (response.destroyed) return void body.destroy();
      if (body.write(filler)) setImmediate(pour);
      else body.once("drain", pour);
    };
    body.write('{"data":[');
    pour();
  });
}

test.each([
  // 8 MiB are read; what the sockets' own buffers hold on both sides comes on top.
  ["plain", "identity", 24 * MEBIBYTE],
  ["compressed a thousandfold", "gzip", MEBIBYTE],
] as const)("%s: the connection is closed, and nothing is tried again", async (_name, encoding, most) => {
  const sent: number[] = [];
  const world = await watching({ flood: { baseUrl: await serveFlood(encoding, sent) }, good: GOOD });
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).toBeLessThan(most);
  await world.publish();
  expect(await monitorOf(world, "flood/models")).toMatchObject({
    status: "down",
    diagnosis: { cause: "unexpected_response", owner: "operator", layer: "body", httpStatus: 200 },
    lastProbe: { attempts: 1 },
  });
  expect(await monitorOf(world, "good/models")).toMatchObject({ status: "up" });
});

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
