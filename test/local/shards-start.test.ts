/** `npm start` with several shards, which need no queue there. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type StatusDocument, statusSchema } from "../../src/history/documents.ts";
import { SIMULATOR_KEYS } from "../../src/local/simulator/keys.ts";
import { type Simulator, startSimulator } from "../../src/local/simulator/simulator.ts";
import { eventually, type Program, start } from "./program.ts";
import { fetchDescribed } from "./support/described-fetch.ts";

const NINE = ["g0", "g1", "g2", "g3", "g4", "g5", "g6", "g7", "g8"];

let simulator: Simulator;
let directory: string;
beforeAll(async () => {
  simulator = await startSimulator();
  directory = await mkdtemp(join(tmpdir(), "gatepulse-shards-"));
});
afterAll(async () => {
  await simulator.close();
  await rm(directory, { recursive: true });
});

async function run(): Promise<Program> {
  const gateways = NINE.map((id) => ({ id, baseUrl: simulator.named(id), apiKey: "KEY" }));
  const config = join(directory, "gatepulse.config.json");
  await writeFile(config, JSON.stringify({ title: "Nine", plan: "paid", shards: 3, gateways }));
  const kept = join(directory, "kept");
  const args = ["--port", "0", "--tick", "1", "--config", config, "--persist", kept];
  return start("node", ["src/local/start.ts", ...args], { env: { KEY: SIMULATOR_KEYS.good } });
}

async function statusOf(program: Program): Promise<StatusDocument | null> {
  const [, address = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//);
  const answer = await fetchDescribed(`${address}/api/v1/status`);
  return answer.ok ? statusSchema.parse(await answer.json()) : null;
}

const isUp = (seen: StatusDocument | null, ids: readonly string[]): boolean =>
  ids.every((id) => seen?.gateways.find((gateway) => gateway.id === id)?.status === "up");

test("three shards are one page, end in good order with messages under way, and go on where they were", async () => {
  // Of g0 nothing comes for two minutes: its shard's ticks are under way when the program is told to end.
  const others = NINE.slice(1);
  simulator.play("g0", "delay_120000");
  const first = await run();
  try {
    await eventually(
      () => statusOf(first),
      (seen) => isUp(seen, others),
    );
  } finally {
    expect(await first.stop()).toBe(0);
  }
  expect(first.output()).not.toMatch(/error|failed/i);
  simulator.play("g0", "healthy");
  const second = await run();
  try {
    const status = await eventually(
      () => statusOf(second),
      (seen) => isUp(seen, NINE),
    );
    expect(status?.gateways.map(({ id }) => id)).toEqual(NINE);
    expect(status?.summary.up).toBe(9);
  } finally {
    expect(await second.stop()).toBe(0);
  }
  expect(second.output()).not.toMatch(/error|failed/i);
});
