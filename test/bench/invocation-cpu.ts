/** CPU of single invocations, from which `gatepulse plan` is made (`src/plan/figures.ts`): ticks of the Worker, calls of the Ledger. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { PLAN_LIMITS } from "../../src/config/plan-limits.ts";
import { ALLOWANCES } from "../../src/plan/allowances.ts";
import { type CallCosts, callCosts, tickCpu, viewCpu } from "../../src/plan/usage.ts";
import { LIST_MS } from "../../src/plan/figures.ts";
import { fineCpuOf } from "./cpu.ts";
import { ended } from "./others.ts";
import { Pace } from "./pace.ts";
import type { Quantity, Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";
import { median } from "./turns.ts";
import { viewCosts } from "./view-cpu.ts";

const KEY = { GATEWAY_API_KEY: "sk-bench-7Qd2mVx9Lr4TzK1cYb8NfW3hJp6SgE5uA0oRiXtC" };
const PROBES = [0, 1, 10, 20, 37, 50] as const;
const TICK_ROUNDS = 40;

/**
 * What `gatepulse plan` assumes is to be near what is measured, when both are told by what the machine needs for a bare loop at that
 * very time: by itself it needs half as much again when others use it. Half of it and twice as much would be another program.
 */
const NEAR = 1.5;
/** What is too short to be told well says little by its ratio. */
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

export async function measureInvocations(): Promise<readonly Row[]> {
  const server = fork(fileURLToPath(new URL("gateway-server.ts", import.meta.url)));
  try {
    const [port] = (await once(server, "message")) as [number];
    const config = configOf(Math.max(...PROBES), "1m", `http://127.0.0.1:${port}`);
    const runtime = await startRuntime({ entry: "invocation-entry.ts", config, secrets: KEY });
    try {
      return await measureBeside(runtime, new Pace(runtime));
    } finally {
      await runtime.stop();
    }
  } finally {
    await ended(server, () => server.disconnect());
  }
}

async function measureBeside(runtime: BenchRuntime, pace: Pace): Promise<readonly Row[]> {
  const rows = [...(await tickRows(runtime, pace))];
  for (const { monitors, minutes } of LEDGERS)
    rows.push(...(await measureLedgerCalls(monitors, minutes, pace)));
  for (const monitors of VIEWED) rows.push(...(await measureViews(monitors, pace)));
  return rows;
}

async function tickRows(runtime: BenchRuntime, pace: Pace): Promise<readonly Row[]> {
  const calls = Object.fromEntries(PROBES.map((probes) => [`/tick/${probes}`, [] as (number | null)[]]));
  const nothing: (number | null)[] = [];
  for (let round = 0; round <= TICK_ROUNDS; round += 1) {
    await pace.look();
    nothing.push(await cost(runtime, "/nothing"));
    for (const [path, costs] of Object.entries(calls)) costs.push(await cost(runtime, path));
  }
  const tick = (probes: number): string => `CPU of a tick of the Worker that asks ${probes} gateways`;
  const took = (probes: number): Quantity | null => beyond(calls[`/tick/${probes}`] ?? [], nothing);
  const { defaultProbesPerTick } = PLAN_LIMITS.free;
  const listMs = pace.takeListMs();
  return [
    {
      what: `CPU of a list that a bare loop fetches and parses: the machine's pace; floor: when the plan's figures were measured`,
      figure: listMs === null ? null : { value: listMs, unit: "ms" },
      floor: { value: LIST_MS, unit: "ms" },
      limit: null,
    },
    {
      what: `${tick(defaultProbesPerTick)}; floor: an empty call, which is taken off here and below`,
      figure: took(defaultProbesPerTick),
      floor: quantity(nothing),
      limit: { bound: "at most", of: "figure", value: ALLOWANCES.tickCpuMs.free },
    },
    ...PROBES.map((probes) => heldToPlan(tick(probes), took(probes), tickCpu(probes), listMs)),
  ];
}

/** What was measured beside what `gatepulse plan` assumes, which is of a machine that is as fast as it was when it was measured. */
function heldToPlan(what: string, figure: Quantity | null, assumedMs: number, listMs: number | null): Row {
  return {
    what: `${what}; floor: what the plan assumes, at the machine's pace`,
    figure,
    floor: listMs === null ? null : { value: (assumedMs * listMs) / LIST_MS, unit: "ms" },
    limit: assumedMs < SHORTEST_TOLD_MS ? null : { bound: "within", of: "ratio", value: NEAR },
  };
}

async function measureViews(monitors: number, pace: Pace): Promise<readonly Row[]> {
  const { nothing, page, status } = await viewCosts(monitors, () => pace.look());
  const what = `CPU of the overview of ${monitors} monitors that nothing is remembered of`;
  return [
    heldToPlan(what, quantity(page), viewCpu(monitors), pace.takeListMs()),
    {
      what: `CPU of the status of ${monitors} monitors; floor: of an answer that has nothing`,
      figure: quantity(status),
      floor: quantity(nothing),
      limit: null,
    },
  ];
}

async function measureLedgerCalls(monitors: number, minutes: number, pace: Pace): Promise<readonly Row[]> {
  const every = `${minutes}m`;
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
      await pace.look();
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
    const listMs = pace.takeListMs();
    const row = (what: string, taken: readonly (number | null)[], assumedMs: number): Row => {
      const of = `CPU of the Ledger ${what}, ${monitors} monitors every ${every} with a day of history`;
      return heldToPlan(of, beyond(taken, costs.nothing), assumedMs, listMs);
    };
    const { startMs, beginMs, recordMs, publishMs } = assumed(monitors, minutes);
    return [
      row("put into memory", costs.start, startMs),
      row("that begins a tick", costs.begin, beginMs),
      row("that records one", costs.record, recordMs),
      row("that records one and publishes", costs.publish, recordMs + publishMs),
    ];
  } finally {
    await runtime.stop();
  }
}

/** Those that are due in a minute are recorded. */
function assumed(monitors: number, minutes: number): CallCosts {
  const samples = (monitors * 24 * 60) / minutes;
  return callCosts({ monitors, samples, probes: monitors / minutes });
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
