/**
 * The local runner as `npm start` runs it, with sixty monitors and twelve ticks a minute: first for some time in peace, then
 * under requests from another process. What its ticks did is read from what it has stored.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StatusDocument } from "../../src/history/documents.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { eventually } from "../local/program.ts";
import { startWatching, type Watching } from "../local/support/watched-directory.ts";
import type { LoadFound, LoadOrder } from "./load.ts";
import { type TicksFound, ticksOf } from "./loaded-ticks.ts";
import { storedLedger } from "./stored-ledger.ts";

const MONITORS = 60;
const TICK_MS = 5000;
const MINUTE_MS = 60_000;

export interface LoadedOrder extends Omit<LoadOrder, "address" | "gateway"> {
  readonly quietMs: number;
}

export interface Loaded extends LoadFound {
  readonly ticks: TicksFound;
  /** Of the load. */
  readonly tookMs: number;
}

/** @param directory of its own, and empty. */
export async function loadMonitor(order: LoadedOrder, directory: string): Promise<Loaded> {
  const simulator = await startSimulator();
  try {
    // Someone has an incident and a report.
    simulator.play("g59", "envelope_5000");
    const running = await startWatching({
      simulator,
      gateways: Array.from({ length: MONITORS }, (_, n) => `g${n}`),
      directory,
      persist: join(directory, "data"),
      tickSeconds: TICK_MS / 1000,
      config: { open: 1, url: "http://status.example" },
      // It ends with the process that started it, as it does below npm.
      env: { npm_lifecycle_event: "start" },
    });
    let played: Awaited<ReturnType<typeof playLoad>>;
    try {
      played = await playLoad(running, order);
    } finally {
      await running.program.stop();
    }
    const { found, tookMs, quiet, loaded } = played;
    const { samples } = storedLedger(directory);
    const ticks = ticksOf(samples, { tickMs: TICK_MS, everyMs: MINUTE_MS, quiet, loaded });
    const faults = [...found.faults, ...ticks.faults];
    if (running.program.output().includes("A tick failed")) faults.push("a tick failed, says the runner");
    if (samples.size < MONITORS) faults.push(`${MONITORS - samples.size} monitors have no samples`);
    return { ...found, faults, ticks, tookMs };
  } finally {
    await simulator.close();
  }
}

/** Spans end with a tick that is over: what began in them has its samples. */
async function playLoad(running: Watching, { quietMs, ...order }: LoadedOrder) {
  const isShown = (seen: StatusDocument | null) =>
    seen?.summary.up === MONITORS - 1 && seen.summary.down === 1;
  await eventually(() => running.status(), isShown, 180_000);
  const fromMs = nextTickMs();
  await sleep(fromMs + quietMs - Date.now());
  const startMs = nextTickMs();
  await sleep(startMs - Date.now());
  const program = fileURLToPath(new URL("load.ts", import.meta.url));
  const asked = JSON.stringify({ ...order, address: running.address, gateway: "g59" } satisfies LoadOrder);
  const { stdout } = await promisify(execFile)("node", [program, asked], { maxBuffer: 2 ** 26 });
  const found = JSON.parse(stdout) as LoadFound;
  const tookMs = Date.now() - startMs;
  const toMs = nextTickMs();
  await sleep(toMs + TICK_MS - Date.now());
  return { found, tookMs, quiet: { fromMs, toMs: startMs }, loaded: { fromMs: startMs, toMs } };
}

function nextTickMs(): number {
  return (Math.floor(Date.now() / TICK_MS) + 1) * TICK_MS;
}
