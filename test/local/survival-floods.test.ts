/**
 * Answers that are too much: what they cost in memory, time and traffic is bounded, and nobody else notices. Real
 * Worker, real sockets.
 */
import { createGzip } from "node:zlib";
import { describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { serveHttp } from "../probe/small-server.ts";
import { endingWithTest, freshSimulator, hangingIn } from "./support/playing.ts";
import { monitorOf, samplesByMonitor } from "./support/readings.ts";
import { type Hanging, startWorld, type World } from "./support/world.ts";

const MEBIBYTE = 1024 * 1024;
const simulator = await freshSimulator();

async function watching(
  baseUrls: Readonly<Record<string, string>>,
  speed = 20,
  hangs: Hanging = hangingIn(simulator),
): Promise<World> {
  const secrets = { KEY: SIMULATOR_KEYS.good };
  const gateways = Object.entries(baseUrls).map(([id, baseUrl]) => ({ id, baseUrl, apiKey: "KEY" }));
  return endingWithTest(await startWorld({ speed, hangs, secrets, gateways }));
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

describe("a body without end", () => {
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
});

describe("many floods at once", () => {
  test("six of them cost a few times the 8 MiB that are read of each, whatever they would send", async () => {
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
});

describe("answers that never end", () => {
  test("keep nobody else's result back, and are ended by their time limit, headers and body together, after one attempt", async () => {
    const silent = ["no_answer", "headers_then_silence", "byte_a_second", "header_a_second"];
    const named = Object.fromEntries(
      silent.map((name) => [name.replaceAll("_", "-"), simulator.baseUrl(name)]),
    );
    const waiting = Promise.withResolvers<void>();
    const hangs = hangingIn(simulator);
    const world = await watching(
      { ...named, good: simulator.baseUrl("healthy") },
      20,
      async (path, sinceMs) => {
        await waiting.promise;
        return hangs(path, sinceMs);
      },
    );
    await world.setClock(world.startMs);
    const tick = world.fire(world.startMs);
    const summary = async () => (await world.get("/api/v1/status")).json?.summary;
    await expect.poll(summary).toMatchObject({ up: 1 });
    waiting.resolve();
    await tick;
    await world.publish();
    for (const id of Object.keys(named)) {
      const { status, diagnosis, lastProbe } = await monitorOf(world, `${id}/models`);
      expect([id, status, diagnosis?.cause, lastProbe?.attempts]).toEqual([id, "down", "timeout", 1]);
      expect(lastProbe?.latencyMs).toBeGreaterThanOrEqual(30_000);
    }
    expect(simulator.requests.filter(({ gateway }) => silent.includes(gateway))).toHaveLength(silent.length);
  });
});
