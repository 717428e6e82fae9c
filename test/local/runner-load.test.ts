/**
 * Requests over all public routes of the local runner while ticks run: every answer is the expected one, and no tick is
 * missed. In full it is a part of `npm run endurance`.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import type { LoadFound, LoadOrder } from "../endurance/load.ts";
import { eventually, start } from "./program.ts";
import { chance } from "./support/chance.ts";

/** Fewer on a machine that is busy with other things. */
const REQUESTS = Number(process.env["LOAD_REQUESTS"] ?? 20_000);
const MONITORS = 60;

let directory: string;
let simulator: Simulator;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "gatepulse-load-"));
  simulator = await startSimulator();
});
afterAll(async () => {
  await simulator.close();
  await rm(directory, { recursive: true, force: true });
});

/** In a thread of its own. */
function load(order: LoadOrder): Promise<LoadFound> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("../endurance/load.ts", import.meta.url), { workerData: order });
    worker.once("message", resolve).once("error", reject);
  });
}

test("20,000 requests are answered as they should be, and every monitor is probed each minute all the while", async () => {
  const { seed } = chance("load on the local runner");
  const gateways = Array.from({ length: MONITORS }, (_, n) => ({
    id: `g${n}`,
    baseUrl: simulator.named(`g${n}`),
    apiKey: "KEY",
  }));
  await mkdir(directory, { recursive: true });
  const url = "http://status.example";
  await writeFile(
    join(directory, "config.json"),
    JSON.stringify({ title: "Loaded", plan: "paid", url, gateways }),
  );
  await writeFile(join(directory, ".dev.vars"), `KEY=${SIMULATOR_KEYS.good}\n`);
  const files = ["--config", join(directory, "config.json"), "--persist", join(directory, "data")];
  const program = start("node", ["src/local/start.ts", "--port", "0", "--tick", "1", ...files]);
  try {
    const [, address = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//u);
    await eventually(
      async () => (await fetch(`${address}/api/v1/status`)).json() as Promise<{ summary?: { up: number } }>,
      ({ summary }) => summary?.up === MONITORS,
      120_000,
    );
    const before = simulator.requests.length;
    const startedMs = Date.now();
    const found = await load({
      address,
      state: { seed, done: 0 },
      until: REQUESTS,
      concurrency: 16,
      monitor: "g7/models",
    });
    const tookMs = Date.now() - startedMs;
    expect(found.faults).toEqual([]);
    expect(Object.values(found.statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    // A monitor a minute each: in whole minutes none was left out, and none was asked twice for it.
    const asked = Map.groupBy(simulator.requests.slice(before), ({ gateway }) => gateway);
    const minutes = Math.floor(tookMs / 60_000);
    for (const { id } of gateways) {
      expect([id, (asked.get(`g/${id}`) ?? []).length >= minutes]).toEqual([id, true]);
    }
    expect(program.output()).not.toContain("A tick failed");
  } finally {
    expect(await program.stop()).toBe(0);
  }
}, 600_000);
