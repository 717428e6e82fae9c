/**
 * Answers and streams without end: what they cost in memory and traffic is bounded, and nobody else notices. Real
 * Worker, real sockets.
 */
import { createGzip } from "node:zlib";
import { expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { serveHttp } from "../probe/small-server.ts";
import { type Canaries, canaryOf, EVERY_KIND, MIDNIGHT_MS, startCanaries } from "./support/canaries.ts";
import { endingWithTest, freshSimulator, hangingIn } from "./support/playing.ts";
import { monitorOf, samplesByMonitor } from "./support/readings.ts";
import { startWorld, type World } from "./support/world.ts";

const MEBIBYTE = 1024 * 1024;
const simulator = await freshSimulator();

async function watching(baseUrls: Readonly<Record<string, string>>, speed = 20): Promise<World> {
  const secrets = { KEY: SIMULATOR_KEYS.good };
  const gateways = Object.entries(baseUrls).map(([id, baseUrl]) => ({ id, baseUrl, apiKey: "KEY" }));
  return endingWithTest(await startWorld({ speed, hangs: hangingIn(simulator), secrets, gateways }));
}

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
  const flood = await serveFlood(encoding, sent);
  const world = await watching({ flood, good: simulator.baseUrl("healthy") });
  await world.tick(world.startMs);
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

test("six floods at once cost a few times the 8 MiB that are read of each, whatever they would send", async () => {
  const floods = ["body_50mb", "body_endless", "html_50mb", "gzip_bomb"];
  const named = Object.fromEntries(
    [...floods, ...floods].map((name, n) => [`flood-${n}`, simulator.baseUrl(name)]),
  );
  const small = await watching({ "a-good": simulator.baseUrl("healthy") });
  await small.tick(small.startMs);
  const before = small.peakMemoryBytes();
  await small.stop();
  const world = await watching({ "a-good": simulator.baseUrl("healthy"), ...named }, 1);
  await world.tick(world.startMs);
  const cost = world.peakMemoryBytes() - before;
  console.log(`eight floods, six at once: ${Math.round(cost / MEBIBYTE)} MiB more than one small answer`);
  // The bytes, their text, and as much again that is not collected yet.
  expect(cost).toBeLessThan(256 * MEBIBYTE);
  await world.publish();
  const samples = [...(await samplesByMonitor(world))];
  const seen = samples.map(([id, [sample]]) => [id, `${sample?.cause} ${sample?.attempts}`]);
  expect(Object.fromEntries(seen)).toEqual({
    "a-good/models": "ok 1",
    ...Object.fromEntries(Object.keys(named).map((id) => [`${id}/models`, "unexpected_response 1"])),
  });
});

test("nine streams that pour for ever, three at once, cost little, are judged, and keep no other canary from its turn", async () => {
  const stream = { ...EVERY_KIND["chat-stream"], every: "24h" } as const;
  const canaries = async (of: Canaries) =>
    endingWithTest(await startCanaries(simulator, of, { startMs: MIDNIGHT_MS }));
  const good = { plays: ["any_key"], monitors: [stream] };
  const small = await canaries({ "a-good": good });
  await small.tick(small.startMs);
  const before = small.peakMemoryBytes();
  await small.stop();
  const floods = Array.from({ length: 9 }, (_, n) => `flood-${n}`);
  const flooded = floods.map((id) => [id, { plays: ["stream_endless"], monitors: [stream] }] as const);
  const world = await canaries({ ...Object.fromEntries(flooded), "z-good": good });
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
