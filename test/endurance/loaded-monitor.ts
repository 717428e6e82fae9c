/**
 * The local runner as `npm start` runs it, with sixty monitors and twelve ticks a minute: first for some time in peace, then
 * under requests from another process. What its ticks did is read from what it has stored.
 */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SIMULATOR_KEYS } from "../../src/simulator/keys.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { eventually, start } from "../local/program.ts";
import type { LoadFound, LoadOrder, LoadState } from "./load.ts";
import { type TicksFound, ticksOf } from "./loaded-ticks.ts";
import { storedLedger } from "./stored-ledger.ts";

const MONITORS = 60;
const TICK_SECONDS = 5;
const TICK_MS = TICK_SECONDS * 1000;
const MINUTE_MS = 60_000;

export interface LoadedWish {
  readonly state: LoadState;
  readonly until: number;
  readonly quietMs: number;
  /** Of its own, and empty. */
  readonly directory: string;
}

export interface Loaded {
  readonly found: LoadFound;
  readonly ticks: TicksFound;
  /** Of the load. */
  readonly tookMs: number;
}

export async function loadMonitor({ state, until, quietMs, directory }: LoadedWish): Promise<Loaded> {
  const simulator = await startSimulator();
  try {
    // Somebody has an incident and a report.
    simulator.play("g59", "envelope_5000");
    const files = await writeConfig(directory, (id) => simulator.named(id));
    const program = start(
      "node",
      ["src/local/start.ts", "--port", "0", "--tick", String(TICK_SECONDS), ...files],
      {
        // It ends with the process that started it, as it does below npm.
        env: { npm_lifecycle_event: "start" },
      },
    );
    let played: Played;
    try {
      const [, address = ""] = await program.printed(/(http:\/\/127\.0\.0\.1:\d+)\//u);
      played = await playLoad(address, { state, until, quietMs });
    } finally {
      await program.stop();
    }
    const { found, quiet, loaded } = played;
    const { samples } = storedLedger(directory);
    const ticks = ticksOf(samples, { tickMs: TICK_MS, everyMs: MINUTE_MS, quiet, loaded });
    const missing = MONITORS - samples.size;
    const failed: string[] = program.output().includes("A tick failed")
      ? ["a tick failed, says the runner"]
      : [];
    if (missing > 0) failed.push(`${missing} monitors have no samples`);
    return {
      found,
      ticks: { ...ticks, faults: [...ticks.faults, ...failed] },
      tookMs: played.tookMs,
    };
  } finally {
    await simulator.close();
  }
}

async function writeConfig(directory: string, named: (id: string) => string): Promise<readonly string[]> {
  const ids = Array.from({ length: MONITORS }, (_, n) => `g${n}`);
  const gateways = ids.map((id) => ({ id, baseUrl: named(id), apiKey: "KEY" }));
  const config = { title: "Loaded", plan: "paid", open: 1, url: "http://status.example", gateways };
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "config.json"), JSON.stringify(config));
  await writeFile(join(directory, ".dev.vars"), `KEY=${SIMULATOR_KEYS.good}\n`);
  return ["--config", join(directory, "config.json"), "--persist", join(directory, "data")];
}

interface Played {
  readonly found: LoadFound;
  readonly quiet: { readonly fromMs: number; readonly toMs: number };
  readonly loaded: { readonly fromMs: number; readonly toMs: number };
  readonly tookMs: number;
}

/** Spans end with a tick that is over: what began in them has its samples. */
async function playLoad(
  address: string,
  { state, until, quietMs }: Pick<LoadedWish, "state" | "until" | "quietMs">,
): Promise<Played> {
  await eventually(
    async () => (await fetch(`${address}/api/v1/status`)).json() as Promise<Status>,
    ({ summary }) => summary?.up === MONITORS - 1 && summary.down === 1,
    180_000,
  );
  const fromMs = nextTickMs();
  await sleepUntil(fromMs + quietMs);
  const startMs = nextTickMs();
  await sleepUntil(startMs);
  const found = await runLoad({ address, state, until, concurrency: 16, gateway: "g59" });
  const tookMs = Date.now() - startMs;
  const toMs = nextTickMs();
  await sleepUntil(toMs + TICK_MS);
  return { found, quiet: { fromMs, toMs: startMs }, loaded: { fromMs: startMs, toMs }, tookMs };
}

interface Status {
  readonly summary?: { readonly up: number; readonly down: number };
}

async function runLoad(order: LoadOrder): Promise<LoadFound> {
  const program = fileURLToPath(new URL("load.ts", import.meta.url));
  const { stdout } = await promisify(execFile)("node", [program, JSON.stringify(order)], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as LoadFound;
}

function nextTickMs(): number {
  return (Math.floor(Date.now() / TICK_MS) + 1) * TICK_MS;
}

async function sleepUntil(atMs: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, atMs - Date.now()));
  });
}
