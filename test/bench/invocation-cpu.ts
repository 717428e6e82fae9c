/** CPU of single invocations, from which `gatepulse plan` is made (`src/plan/figures.ts`): ticks of the Worker, calls of the Ledger. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { fineCpuOf } from "./cpu.ts";
import type { Quantity, Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";
import { median } from "./turns.ts";

const KEY = { GATEWAY_API_KEY: "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC" };
const PROBES = [0, 1, 10, 20, 37, 50] as const;
const TICK_ROUNDS = 40;

/** What the free plan allows. */
const MOST_CPU_MS = 10;
const DEFAULT_PROBES = 20;

const LEDGERS = [
  { monitors: 20, every: "5m" },
  { monitors: 20, every: "1m" },
  { monitors: 100, every: "5m" },
  { monitors: 500, every: "30m" },
] as const;
/** A day and four hours: all that a Ledger keeps at hand. */
const TICKS_BEFORE = 28 * 60;
const CALL_ROUNDS = 20;

export async function measureInvocations(): Promise<readonly Row[]> {
  const rows = [...(await measureTicksOfWorker())];
  for (const { monitors, every } of LEDGERS) rows.push(...(await measureLedgerCalls(monitors, every)));
  return rows;
}

async function measureTicksOfWorker(): Promise<readonly Row[]> {
  const server = fork(fileURLToPath(new URL("gateway-server.ts", import.meta.url)));
  try {
    const [port] = (await once(server, "message")) as [number];
    const config = configOf(Math.max(...PROBES), "1m", `http://127.0.0.1:${port}`);
    const runtime = await startRuntime({ entry: "invocation-entry.ts", config, secrets: KEY });
    try {
      return await tickRows(runtime);
    } finally {
      await runtime.stop();
    }
  } finally {
    await ended(server);
  }
}

async function tickRows(runtime: BenchRuntime): Promise<readonly Row[]> {
  const calls = Object.fromEntries(PROBES.map((probes) => [`/tick/${probes}`, [] as (number | null)[]]));
  const nothing: (number | null)[] = [];
  for (let round = 0; round <= TICK_ROUNDS; round += 1) {
    nothing.push(await cost(runtime, "/nothing"));
    for (const [path, costs] of Object.entries(calls)) costs.push(await cost(runtime, path));
  }
  return PROBES.map((probes) => ({
    what: `CPU of a tick of the Worker that asks ${probes} gateways; floor: an empty call, which is taken off`,
    figure: beyond(calls[`/tick/${probes}`] ?? [], nothing),
    floor: quantity(nothing),
    limit: probes === DEFAULT_PROBES ? { bound: "at most", of: "figure", value: MOST_CPU_MS } : null,
  }));
}

async function measureLedgerCalls(monitors: number, every: string): Promise<readonly Row[]> {
  const runtime = await startRuntime({
    entry: "invocation-entry.ts",
    config: configOf(monitors, every),
    secrets: KEY,
  });
  try {
    await runtime.post(`/ticks/${TICKS_BEFORE}`, null);
    const names = ["nothing", "begin", "record", "publish", "start"] as const;
    const costs = { nothing: [], begin: [], record: [], publish: [], start: [] } as Record<
      (typeof names)[number],
      (number | null)[]
    >;
    for (let round = 0; round < CALL_ROUNDS; round += 1) {
      await runtime.post("/evict", null);
      costs.start.push(await cost(runtime, "/nothing"));
      costs.nothing.push(await cost(runtime, "/nothing"));
      costs.begin.push(await cost(runtime, "/begin"));
      // Every other minute is published.
      const first = await cost(runtime, "/record");
      await runtime.post("/begin", null);
      const second = await cost(runtime, "/record");
      const [less, more] = [first ?? 0, second ?? 0].sort((a, b) => a - b);
      costs.record.push(first === null ? null : (less ?? null));
      costs.publish.push(first === null ? null : (more ?? null));
    }
    const of = `${monitors} monitors every ${every} with a day of history`;
    const row = (what: string, taken: readonly (number | null)[]): Row => ({
      what: `CPU of the Ledger ${what}, ${of}; floor: an empty call, which is taken off`,
      figure: beyond(taken, costs.nothing),
      floor: quantity(costs.nothing),
      limit: null,
    });
    return [
      row("put into memory", costs.start),
      row("that begins a tick", costs.begin),
      row("that records one", costs.record),
      row("that records one and publishes", costs.publish),
    ];
  } finally {
    await runtime.stop();
  }
}

function cost(runtime: BenchRuntime, path: string): Promise<number | null> {
  return fineCpuOf(runtime.pid, () => runtime.post(path, null));
}

function quantity(costs: readonly (number | null)[]): Quantity | null {
  const known = costs.filter((of) => of !== null);
  return known.length === 0 ? null : { value: median(known), unit: "ms" };
}

function beyond(costs: readonly (number | null)[], nothing: readonly (number | null)[]): Quantity | null {
  const [all, least] = [quantity(costs), quantity(nothing)];
  return all && least && { value: Math.max(0, all.value - least.value), unit: "ms" };
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, "exit");
  server.disconnect();
  await exit;
}
