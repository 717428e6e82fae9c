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
import { median, middleRound, takeTurns } from "./turns.ts";

const GATEWAYS = 200;
/** Many short ones: the pace of a machine that others use changes within seconds. */
const ROUNDS = 75;
const TICKS_A_ROUND = 2;

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
  const besideExporter = exporter === null ? " (not installed)" : "";
  const isUntold = taken.probes.some((turn) => cpuOfProbe(turn) === null);
  const unknown = isUntold ? " (CPU of another process: only on Linux)" : "";
  const half: Limit = { bound: "at most", of: "ratio", value: 0.5 };
  return [
    cpuRow(
      `CPU of a probe, ${GATEWAYS} gateways that answer at once; floor: fetch and JSON.parse${unknown}`,
      [taken.probes, taken.floor],
      { bound: "at most", of: "ratio", value: 1.5 },
    ),
    cpuRow("the same; floor: the probe's own request (uncached, with a time limit) and JSON.parse", [
      taken.probes,
      taken.request,
    ]),
    cpuRow(
      `the same; floor: a probe of prometheus-blackbox-exporter${besideExporter}`,
      [taken.probes, taken.exporter],
      half,
    ),
    cpuRow("the same; floor: models.list() of openai, in Node", [taken.probes, taken.client]),
    cpuRow(
      "the same with all of the tick: Ledger, publication and KV, all in one process; floor: fetch and JSON.parse",
      [taken.tick, taken.floor],
    ),
    cpuRow(`all of the tick, by the probe; floor: a probe of prometheus-blackbox-exporter${besideExporter}`, [
      taken.tick,
      taken.exporter,
    ]),
    speedRow("probes a second; floor: fetch and JSON.parse", taken.probes, taken.floor),
    speedRow(
      `probes a second; floor: prometheus-blackbox-exporter${besideExporter}`,
      taken.probes,
      taken.exporter,
    ),
    speedRow("probes a second; floor: openai", taken.probes, taken.client),
    speedRow("probes a second, with all of the tick", taken.tick, []),
  ];
}

type Turns = readonly (Turn | null)[];

/** By the probe. */
function cpuRow(what: string, [figures, floors]: readonly [Turns, Turns], limit: Limit | null = null): Row {
  const middle = middleRound(figures.map(cpuOfProbe), floors.map(cpuOfProbe));
  const quantity = (value: number): Quantity => ({ value, unit: "µs" });
  return {
    what,
    figure: middle && quantity(middle.figure),
    floor: middle && quantity(middle.floor),
    limit,
  };
}

function cpuOfProbe(turn: Turn | null): number | null {
  const cpuMs = turn?.cpuMs ?? null;
  return cpuMs === null ? null : (cpuMs * 1000) / (GATEWAYS * TICKS_A_ROUND);
}

function speedRow(what: string, figures: Turns, floors: Turns): Row {
  return { what, figure: aSecond(figures), floor: aSecond(floors), limit: null };
}

function aSecond(taken: Turns): Quantity | null {
  const seconds = taken.flatMap((turn) => turn?.seconds ?? []);
  return seconds.length === 0 ? null : { value: (GATEWAYS * TICKS_A_ROUND) / median(seconds), unit: "/s" };
}
