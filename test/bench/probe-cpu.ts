/** CPU of probing 200 gateways that answer at once, beside a loop in the same workerd that fetches and parses. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { cpuOf } from "./cpu.ts";
import type { Quantity, Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";
import { shortestOrNull, takeTurns } from "./turns.ts";

const GATEWAYS = 200;
const ROUNDS = 11;
/** Enough for a clock of 10 ms. */
const TICKS_A_ROUND = 10;

/** As long as real ones are. */
const KEY = "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC";

export async function measureProbing(): Promise<readonly Row[]> {
  const server = fork(fileURLToPath(new URL("gateway-server.ts", import.meta.url)));
  try {
    const [port] = (await once(server, "message")) as [number];
    const config = configOf(GATEWAYS, "1m", `http://127.0.0.1:${port}`);
    const runtime = await startRuntime({
      entry: "probe-entry.ts",
      config,
      secrets: { GATEWAY_API_KEY: KEY },
    });
    try {
      return await measure(runtime);
    } finally {
      await runtime.stop();
    }
  } finally {
    await ended(server);
  }
}

async function measure(runtime: BenchRuntime): Promise<readonly Row[]> {
  const cost = (path: string) => async (): Promise<number | null> =>
    cpuOf(runtime.pid, async () => {
      for (let tick = 0; tick < TICKS_A_ROUND; tick += 1) await runtime.post(path, null);
    });
  const taken = await takeTurns(ROUNDS, {
    floor: cost("/floor"),
    request: cost("/request"),
    probes: cost("/probes"),
    tick: cost("/tick"),
  });
  const floor = aProbe(taken.floor);
  const unknown = floor === null ? " (CPU of another process: only on Linux)" : "";
  return [
    {
      what: `CPU of a probe, ${GATEWAYS} gateways that answer at once; floor: fetch and JSON.parse${unknown}`,
      figure: aProbe(taken.probes),
      floor,
      limit: { bound: "at most", of: "ratio", value: 1.5 },
    },
    {
      what: "the same; floor: the probe's own request (uncached, with a time limit) and JSON.parse",
      figure: aProbe(taken.probes),
      floor: aProbe(taken.request),
      limit: null,
    },
    {
      what: "the same with all of the tick: Ledger, publication and KV, all in one process",
      figure: aProbe(taken.tick),
      floor,
      limit: null,
    },
  ];
}

function aProbe(taken: readonly (number | null)[]): Quantity | null {
  const cpuMs = shortestOrNull(taken);
  return cpuMs === null ? null : { value: (cpuMs * 1000) / (GATEWAYS * TICKS_A_ROUND), unit: "µs" };
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, "exit");
  server.disconnect();
  await exit;
}
