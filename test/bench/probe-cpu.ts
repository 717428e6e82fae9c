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
  readonly cpuMicros: number | null;
  readonly seconds: number;
}

async function turnOf(pid: number | null, work: () => Promise<void>): Promise<Turn> {
  const startedMs = performance.now();
  const cpuMs = await cpuOf(pid, work);
  const cpuMicros = cpuMs === null ? null : (cpuMs * 1000) / PROBES;
  return { cpuMicros, seconds: (performance.now() - startedMs) / 1000 };
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
  const taken = await takeTurns(ROUNDS, {
    floor: ours(prober, `/plain/${GATEWAYS}`),
    request: ours(prober, `/request/${GATEWAYS}`),
    probes: ours(prober, `/tick/${GATEWAYS}`),
    tick: ours(whole, "/whole"),
    exporter: async () => exporter && turnOf(exporter.pid, () => exporter.ask(TICKS_A_ROUND)),
  });
  const byExporter = `prometheus-blackbox-exporter${exporter === null ? " (not installed)" : ""}`;
  const isUntold = taken.probes.some((turn) => turn?.cpuMicros === null);
  const unknown = isUntold ? " (CPU of another process: only on Linux)" : "";
  return [
    cpuRow(
      `CPU of a probe, ${GATEWAYS} gateways that answer at once; floor: fetch and JSON.parse${unknown}`,
      [taken.probes, taken.floor],
      timesAtMost(1.5),
    ),
    cpuRow("the same; floor: the probe's own request (uncached, with a time limit) and JSON.parse", [
      taken.probes,
      taken.request,
    ]),
    cpuRow(`the same; floor: a probe of ${byExporter}`, [taken.probes, taken.exporter], timesAtMost(0.5)),
    cpuRow(
      "the same with all of the tick: Ledger, publication and KV, all in one process; floor: fetch and JSON.parse",
      [taken.tick, taken.floor],
    ),
    speedRow("probes a second; floor: fetch and JSON.parse", taken.probes, taken.floor),
    speedRow(`probes a second; floor: ${byExporter}`, taken.probes, taken.exporter),
    speedRow("probes a second, with all of the tick", taken.tick, []),
  ];
}

type Turns = readonly (Turn | null)[];

function cpuRow(what: string, [figures, floors]: readonly [Turns, Turns], limit: Limit | null = null): Row {
  const [figure, floor] = [figures, floors].map((turns) => turns.map((turn) => turn?.cpuMicros ?? null));
  const middle = middleRound(figure ?? [], floor ?? []);
  return row("µs", what, middle && middle.figure, { floor: middle && middle.floor, limit });
}

function speedRow(what: string, figures: Turns, floors: Turns): Row {
  return row("/s", what, aSecond(figures), { floor: aSecond(floors) });
}

function aSecond(taken: Turns): number | null {
  const seconds = taken.flatMap((turn) => turn?.seconds ?? []);
  return seconds.length === 0 ? null : PROBES / median(seconds);
}
