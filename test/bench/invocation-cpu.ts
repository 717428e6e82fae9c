/** CPU of single invocations, from which `gatepulse plan` is made (`src/plan/figures.ts`): ticks of the Worker, calls of the Ledger. */
import { PLAN_LIMITS } from "../../src/config/plan-limits.ts";
import { ALLOWANCES, LIST_MS } from "../../src/plan/figures.ts";
import { callCosts, tickCpu, viewCpu } from "../../src/plan/usage.ts";
import { makeHistory } from "./history.ts";
import { cpuOf, median } from "./measure.ts";
import { atPaceOf, cost, type Pace, paceOf } from "./pace.ts";
import { type Row, row, timesAtMost } from "./row.ts";
import { type BenchRuntime, configOf, withGateways, withRuntime } from "./runtime.ts";
import { bytesOf, withServers } from "./servers.ts";

const PROBES = [0, 1, 10, 20, 37, 50] as const;
const TICK_ROUNDS = 40;

/** What `gatepulse plan` assumes must be near what is measured, each compared with a bare loop at that very time. */
const NEAR = 1.5;
/** The ratio of what is too short to be measured well says little. */
const SHORTEST_TOLD_MS = 3;

const LEDGERS = [
  { monitors: 2, minutes: 1 },
  { monitors: 20, minutes: 5 },
  { monitors: 20, minutes: 1 },
  { monitors: 100, minutes: 5 },
  { monitors: 500, minutes: 30 },
  { monitors: 2000, minutes: 10 },
] as const;
const VIEWED = [10, 100] as const;
/** A day and four hours: all that a Ledger keeps at hand. */
const TICKS_BEFORE = 28 * 60;
const CALL_ROUNDS = 20;
const VIEW_ROUNDS = 40;

export function measureInvocations(): Promise<readonly Row[]> {
  return withGateways((origin) => {
    const config = configOf(Math.max(...PROBES), "1m", origin);
    return withRuntime({ entry: "invocation-entry.ts", config }, async (runtime) => {
      const pace = paceOf(runtime);
      const rows = await tickRows(runtime, pace);
      for (const { monitors, minutes } of LEDGERS) rows.push(...(await callRows(monitors, minutes, pace)));
      for (const monitors of VIEWED) rows.push(await viewRow(monitors, pace));
      return rows;
    });
  });
}

async function tickRows(runtime: BenchRuntime, pace: Pace): Promise<Row[]> {
  const calls = new Map<number, number[]>(PROBES.map((probes) => [probes, [] as number[]]));
  const nothing: number[] = [];
  for (let round = 0; round <= TICK_ROUNDS; round += 1) {
    await pace.look();
    nothing.push(await cost(runtime, "/nothing"));
    for (const [probes, costs] of calls) costs.push(await cost(runtime, `/tick/${probes}`));
  }
  const tick = (probes: number): string => `CPU of a tick of the Worker that asks ${probes} gateways`;
  const { defaultProbesPerTick: usual } = PLAN_LIMITS.free;
  const listMs = pace.takeListMs();
  return [
    row(
      "ms",
      "CPU of a list that a bare loop fetches and parses: the machine's pace; floor: when the plan's figures were measured",
      listMs,
      { floor: LIST_MS },
    ),
    row(
      "ms",
      `${tick(usual)}, less an empty call as in all rows below; floor: what the free plan allows, at the machine's pace`,
      beyond(calls.get(usual) ?? [], nothing),
      { floor: atPaceOf(listMs, ALLOWANCES.tickCpuMs.free), limit: timesAtMost(1) },
    ),
    ...[...calls].map(([probes, costs]) =>
      heldToPlan(tick(probes), beyond(costs, nothing), tickCpu(probes), listMs),
    ),
  ];
}

/** What was measured beside what `gatepulse plan` assumes, which is of a machine that is as fast as it was when it was measured. */
function heldToPlan(what: string, figure: number, assumedMs: number, listMs: number): Row {
  return row("ms", `${what}; floor: what the plan assumes, at the machine's pace`, figure, {
    floor: atPaceOf(listMs, assumedMs),
    limit: assumedMs < SHORTEST_TOLD_MS ? null : { bound: "within", of: "ratio", value: NEAR },
  });
}

async function viewRow(monitors: number, pace: Pace): Promise<Row> {
  const costs = await withServers(monitors, await makeHistory(monitors), async ({ pid, product }) => {
    const taken: number[] = [];
    // Not the page that was published, and each time another address: it is rendered again. The first half warms up.
    for (let round = 0; round < 2 * VIEW_ROUNDS; round += 1) {
      await pace.look();
      taken.push(await cpuOf(pid, () => bytesOf(product(`/?name=gateway&${round}`))));
    }
    return taken.slice(VIEW_ROUNDS);
  });
  const what = `CPU of an overview of ${monitors} monitors that is rendered for a request, with nothing in memory`;
  return heldToPlan(what, median(costs), viewCpu(monitors), pace.takeListMs());
}

function callRows(monitors: number, minutes: number, pace: Pace): Promise<readonly Row[]> {
  const every = `${minutes}m`;
  const worker = { entry: "invocation-entry.ts", config: configOf(monitors, every) };
  return withRuntime(worker, async (runtime) => {
    await runtime.post(`/ticks/${TICKS_BEFORE}`, null);
    const none: readonly number[] = [];
    const costs = {
      nothing: [...none],
      begin: [...none],
      record: [...none],
      publish: [...none],
      start: [...none],
    };
    for (let round = 0; round < CALL_ROUNDS; round += 1) {
      await pace.look();
      await runtime.post("/evict", null);
      costs.start.push(await cost(runtime, "/nothing"));
      costs.nothing.push(await cost(runtime, "/nothing"));
      costs.begin.push(await cost(runtime, "/begin"));
      // Every other minute is published.
      const first = await cost(runtime, "/record");
      await runtime.post("/begin", null);
      const second = await cost(runtime, "/record");
      costs.record.push(Math.min(first, second));
      costs.publish.push(Math.max(first, second));
    }
    const listMs = pace.takeListMs();
    const held = (what: string, taken: readonly number[], assumedMs: number): Row => {
      const of = `CPU of the Ledger ${what}, ${monitors} monitors every ${every} with a day of history`;
      return heldToPlan(of, beyond(taken, costs.nothing), assumedMs, listMs);
    };
    // Those that are due in a minute are recorded.
    const samples = (monitors * 24 * 60) / minutes;
    const assumed = callCosts(monitors, samples, monitors / minutes);
    return [
      held("put into memory", costs.start, assumed.startMs),
      held("that begins a tick", costs.begin, assumed.beginMs),
      held("that records one", costs.record, assumed.recordMs),
      held("that records one and publishes", costs.publish, assumed.recordMs + assumed.publishMs),
    ];
  });
}

function beyond(costs: readonly number[], nothing: readonly number[]): number {
  return Math.max(0, median(costs) - median(nothing));
}
