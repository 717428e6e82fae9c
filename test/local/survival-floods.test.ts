/**
 * Answers that are too much: what they cost in memory, time and traffic is bounded, and nobody else notices. Real
 * Worker, real sockets.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createGzip } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { hangingIn } from "./support/playing.ts";
import { monitorOf, samplesByMonitor } from "./support/readings.ts";
import { type Hanging, startWorld, type World } from "./support/world.ts";

const MEBIBYTE = 1024 * 1024;
let simulator: Simulator;
let world: World;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(() => world.stop());
afterAll(() => simulator.close());

async function watching(
  baseUrls: Readonly<Record<string, string>>,
  speed = 20,
  hangs: Hanging = hangingIn(simulator),
): Promise<void> {
  world = await startWorld({
    speed,
    hangs,
    secrets: { KEY: SIMULATOR_KEYS.good },
    gateways: Object.entries(baseUrls).map(([id, baseUrl]) => ({ id, baseUrl, apiKey: "KEY" })),
  });
}

interface Flood {
  readonly url: string;
  /** What was written to each connection that has ended, in bytes. */
  readonly sent: readonly number[];
  stop(): Promise<void>;
}

/** A server that answers with JSON without end, as fast as it is read, and counts. */
async function startFlood(encoding: "identity" | "gzip"): Promise<Flood> {
  const sent: number[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
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
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

describe("a body without end", () => {
  test.each([
    // 8 MiB are read; what the sockets' own buffers hold on both sides comes on top.
    ["plain", "identity", 24 * MEBIBYTE],
    ["compressed a thousandfold", "gzip", MEBIBYTE],
  ] as const)("%s: the connection is closed, and nothing is tried again", async (_name, encoding, most) => {
    const flood = await startFlood(encoding);
    try {
      await watching({ flood: flood.url, good: simulator.baseUrl("healthy") });
      await world.tick(world.startMs);
      await expect.poll(() => flood.sent).toHaveLength(1);
      expect(flood.sent[0]).toBeLessThan(most);
      await world.publish();
      expect(await monitorOf(world, "flood/models")).toMatchObject({
        status: "down",
        diagnosis: { cause: "unexpected_response", owner: "operator", layer: "body", httpStatus: 200 },
        lastProbe: { attempts: 1 },
      });
      expect(await monitorOf(world, "good/models")).toMatchObject({ status: "up" });
    } finally {
      await flood.stop();
    }
  });
});

describe("many floods at once", () => {
  test("six of them cost a few times the 8 MiB that are read of each, whatever they would send", async () => {
    const floods = ["body_50mb", "body_endless", "html_50mb", "gzip_bomb"];
    const named = Object.fromEntries(
      [...floods, ...floods].map((name, n) => [`flood-${n}`, simulator.baseUrl(name)]),
    );
    await watching({ "a-good": simulator.baseUrl("healthy") });
    await world.tick(world.startMs);
    const before = world.peakMemoryBytes();
    await world.stop();
    await watching({ "a-good": simulator.baseUrl("healthy"), ...named }, 1);
    await world.tick(world.startMs);
    const cost = world.peakMemoryBytes() - before;
    console.log(`eight floods, six at once: ${Math.round(cost / MEBIBYTE)} MiB more than one small answer`);
    // The bytes, their text, and as much again that is not collected yet.
    expect(cost).toBeLessThan(256 * MEBIBYTE);
    await world.publish();
    const samples = [...(await samplesByMonitor(world))];
    expect(
      Object.fromEntries(samples.map(([id, [sample]]) => [id, `${sample?.cause} ${sample?.attempts}`])),
    ).toEqual({
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
    await watching({ ...named, good: simulator.baseUrl("healthy") }, 20, async (path, sinceMs) => {
      await waiting.promise;
      return hangs(path, sinceMs);
    });
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
