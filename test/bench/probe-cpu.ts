/**
 * Probing 200 gateways that answer at once: its CPU and how many a second, beside a loop in the same workerd that fetches
 * and parses, and beside other programs that ask the same gateways.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { fineCpuOf } from "./cpu.ts";
import { ended, type Other, startExporter, startOpenAi } from "./others.ts";
import type { Limit, Quantity, Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";
import { median, shortestOrNull, takeTurns } from "./turns.ts";

const GATEWAYS = 200;
const ROUNDS = 11;
/** Enough for a garbage collection now and then to be everybody's. */
const TICKS_A_ROUND = 10;

/** As long as real ones are. */
const KEY = "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC";

export async function measureProbing(): Promise<readonly Row[]> {
  const server = fork(fileURLToPath(new URL("gateway-server.ts", import.meta.url)));
  const [port] = (await once(server, "message")) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const asked = { baseUrls: Array.from({ length: GATEWAYS }, (_, at) => `${origin}/g${at}`), apiKey: KEY };
  const start = (): Promise<BenchRuntime> =>
    startRuntime({
      entry: "probe-entry.ts",
      config: configOf(GATEWAYS, "1m", origin),
      secrets: { GATEWAY_API_KEY: KEY },
    });
  // The Ledger of whole ticks is no burden on probes: deployed, it has an isolate of its own.
  const [prober, whole] = [await start(), await start()];
  const [exporter, client] = [await startExporter(asked), await startOpenAi(asked)];
  try {
    return await measure({ prober, whole }, exporter, client);
  } finally {
    await Promise.all([prober.stop(), whole.stop(), exporter?.stop(), client.stop()]);
    await ended(server, () => server.disconnect());
  }
}

interface Turn {
  readonly cpuMs: number | null;
  readonly seconds: number;
}

async function turnOf(pid: number | null, work: () => Promise<void>): Promise<Turn> {
  const startedMs = performance.now();
  const cpuMs = await fineCpuOf(pid, work);
  return { cpuMs, seconds: (performance.now() - startedMs) / 1000 };
}

async function measure(
  { prober, whole }: { readonly prober: BenchRuntime; readonly whole: BenchRuntime },
  exporter: Other | null,
  client: Other,
): Promise<readonly Row[]> {
  const ours = (runtime: BenchRuntime, path: string) => (): Promise<Turn> =>
    turnOf(runtime.pid, async () => {
      for (let tick = 0; tick < TICKS_A_ROUND; tick += 1) await runtime.post(path, null);
    });
  const theirs = (other: Other | null) => async (): Promise<Turn | null> =>
    other === null ? null : turnOf(other.pid, () => other.ask(TICKS_A_ROUND));
  const taken = await takeTurns(ROUNDS, {
    floor: ours(prober, "/floor"),
    request: ours(prober, "/request"),
    probes: ours(prober, "/probes"),
    tick: ours(whole, "/tick"),
    exporter: theirs(exporter),
    client: theirs(client),
  });
  const probe = aProbe(taken.probes);
  const tick = aProbe(taken.tick);
  const besideExporter = exporter === null ? " (not installed)" : "";
  const unknown = probe === null ? " (CPU of another process: only on Linux)" : "";
  const half: Limit = { bound: "at most", of: "ratio", value: 0.5 };
  return [
    {
      what: `CPU of a probe, ${GATEWAYS} gateways that answer at once; floor: fetch and JSON.parse${unknown}`,
      figure: probe,
      floor: aProbe(taken.floor),
      limit: { bound: "at most", of: "ratio", value: 1.5 },
    },
    row(
      "the same; floor: the probe's own request (uncached, with a time limit) and JSON.parse",
      probe,
      aProbe(taken.request),
      null,
    ),
    row(
      `the same; floor: a probe of prometheus-blackbox-exporter${besideExporter}`,
      probe,
      aProbe(taken.exporter),
      half,
    ),
    row("the same; floor: models.list() of openai, in Node", probe, aProbe(taken.client), null),
    row(
      "the same with all of the tick: Ledger, publication and KV, all in one process; floor: fetch and JSON.parse",
      tick,
      aProbe(taken.floor),
      null,
    ),
    row(
      `all of the tick, by the probe; floor: a probe of prometheus-blackbox-exporter${besideExporter}`,
      tick,
      aProbe(taken.exporter),
      null,
    ),
    row("probes a second; floor: fetch and JSON.parse", aSecond(taken.probes), aSecond(taken.floor), null),
    row(
      `probes a second; floor: prometheus-blackbox-exporter${besideExporter}`,
      aSecond(taken.probes),
      aSecond(taken.exporter),
      null,
    ),
    row("probes a second; floor: openai", aSecond(taken.probes), aSecond(taken.client), null),
    row("probes a second, with all of the tick", aSecond(taken.tick), null, null),
  ];
}

function row(what: string, figure: Quantity | null, floor: Quantity | null, limit: Limit | null): Row {
  return { what, figure, floor, limit };
}

function aProbe(taken: readonly (Turn | null)[]): Quantity | null {
  const cpuMs = shortestOrNull(taken.map((turn) => turn?.cpuMs ?? null));
  return cpuMs === null ? null : { value: (cpuMs * 1000) / (GATEWAYS * TICKS_A_ROUND), unit: "µs" };
}

function aSecond(taken: readonly (Turn | null)[]): Quantity | null {
  const seconds = taken.flatMap((turn) => turn?.seconds ?? []);
  return seconds.length === 0 ? null : { value: (GATEWAYS * TICKS_A_ROUND) / median(seconds), unit: "/s" };
}
