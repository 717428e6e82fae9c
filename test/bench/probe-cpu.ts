/**
 * Probing 200 gateways that answer at once: its CPU and how many a second, beside a loop in the same workerd that fetches
 * and parses, and beside another program that asks the same gateways.
 */
import { cpuOf, median, middleRound, takeTurns } from "./measure.ts";
import { type Other, startExporter, withGateways } from "./others.ts";
import { type Limit, type Row, row, timesAtMost } from "./row.ts";
import { type BenchRuntime, configOf, withRuntime } from "./runtime.ts";

const GATEWAYS = 200;
/** Many short ones: the pace of a machine that others use changes within seconds. */
const ROUNDS = 75;
const TICKS_A_ROUND = 2;
const PROBES = GATEWAYS * TICKS_A_ROUND;

export function measureProbing(): Promise<readonly Row[]> {
  return withGateways(async (origin) => {
    const worker = { entry: "invocation-entry.ts", config: configOf(GATEWAYS, "1m", origin) };
    const exporter = await startExporter(Array.from({ length: GATEWAYS }, (_, at) => `${origin}/g${at}`));
    try {
      // The Ledger of whole ticks is no burden on probes: deployed, it has an isolate of its own.
      return await withRuntime(worker, (prober) =>
        withRuntime(worker, (whole) => measure(prober, whole, exporter)),
      );
    } finally {
      await exporter?.stop();
    }
  });
}

interface Turn {
  /** Of a probe. */
  readonly cpuMicros: number;
  readonly seconds: number;
}

async function turnOf(pid: number, work: () => Promise<void>): Promise<Turn> {
  const startedMs = performance.now();
  const cpuMs = await cpuOf(pid, work);
  return { cpuMicros: (cpuMs * 1000) / PROBES, seconds: (performance.now() - startedMs) / 1000 };
}

async function measure(
  prober: BenchRuntime,
  whole: BenchRuntime,
  exporter: Other | null,
): Promise<readonly Row[]> {
  const ours = (runtime: BenchRuntime, path: string) => (): Promise<Turn> =>
    turnOf(runtime.pid, async () => {
      for (let tick = 0; tick < TICKS_A_ROUND; tick += 1) await runtime.post(path, null);
    });
  const taken = await takeTurns<string, Turn>(ROUNDS, {
    floor: ours(prober, `/plain/${GATEWAYS}`),
    probes: ours(prober, `/tick/${GATEWAYS}`),
    tick: ours(whole, "/whole"),
    ...(exporter && { exporter: () => turnOf(exporter.pid, () => exporter.ask(TICKS_A_ROUND)) }),
  });
  /** Where one of both is not there, nothing is told. */
  const cpuRow = (what: string, figures: string, floors: string, limit: Limit | null = null): Row => {
    const cpuOfAll = (turns: string) => (taken[turns] ?? []).map(({ cpuMicros }) => cpuMicros);
    const middle = taken[floors] === undefined ? null : middleRound(cpuOfAll(figures), cpuOfAll(floors));
    return row("µs", what, middle && middle.figure, { floor: middle && middle.floor, limit });
  };
  const speedRow = (what: string, figures: string, floors: string): Row => {
    const aSecond = (turns: readonly Turn[] | undefined) =>
      turns === undefined ? null : PROBES / median(turns.map(({ seconds }) => seconds));
    return row("/s", what, aSecond(taken[figures]), { floor: aSecond(taken[floors]) });
  };
  const least = "fetch and JSON.parse";
  const byExporter = `prometheus-blackbox-exporter${exporter === null ? " (not installed)" : ""}`;
  const cpu = `CPU of a probe, ${GATEWAYS} gateways that answer at once`;
  const allOfIt = "with all of the tick: Ledger, publication and KV, all in one process";
  return [
    cpuRow(`${cpu}; floor: ${least}`, "probes", "floor", timesAtMost(1.5)),
    cpuRow(`the same; floor: a probe of ${byExporter}`, "probes", "exporter", timesAtMost(0.5)),
    cpuRow(`the same ${allOfIt}; floor: ${least}`, "tick", "floor"),
    speedRow(`probes a second; floor: ${least}`, "probes", "floor"),
    speedRow(`probes a second; floor: ${byExporter}`, "probes", "exporter"),
    speedRow("probes a second, with all of the tick", "tick", "none"),
  ];
}
