/** How long whole ticks take on the real local runtime, over HTTP gateways that answer at once, late or never. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { CONNECTIONS_AT_ONCE, shardParts } from "../../src/config/plan-limits.ts";
import { tickerOf } from "../../src/local/workerd.ts";
import { readConfig } from "../../src/config/load.ts";
import { shardsFor } from "../../src/plan/advice.ts";
import { eventually } from "../local/program.ts";
import type { Order, Seen } from "./gateways.ts";
import { median } from "./measure.ts";
import { atMost, type Limit, type Row, row, timesAtMost } from "./row.ts";
import { type BenchRuntime, withGateways, withRuntime } from "./runtime.ts";

const MINUTE_MS = 60_000;
const ROUNDS = 5;
/** One so short varies by half with what the machine does beside. */
const SHORT_MS = 1_000;
const SHORT_ROUNDS = 15;

const SIZES = [10, 100, 1_000, 10_000];

export async function measureTickTimes(): Promise<readonly Row[]> {
  const rows = [
    await tickRow(200, 0, atMost(150)),
    await tickRow(50, 200, atMost(2_000)),
    await hangingRow(50, 200, 10),
    await alertingRow(20, 10),
  ];
  for (const monitors of SIZES) {
    rows.push(await tickRow(monitors, 100, monitors === 10_000 ? atMost(MINUTE_MS) : null));
  }
  return rows;
}

async function tickRow(monitors: number, delayMs: number, limit: Limit | null): Promise<Row> {
  const gateways = gatewaysOf(monitors, (id) => `/after/${delayMs}/${id}`);
  const { shards, lanes, fullest } = sharedOut(gateways);
  const inLanes = lanes === 1 ? "" : `, ${shards > 1 ? `${shards} shards of ` : ""}${lanes} lanes`;
  const waiting = delayMs === 0 ? "" : "; floor: six connections a lane that only wait";
  const what = `a tick of ${monitors} monitors, answers after ${delayMs} ms${inLanes}${waiting}`;
  const floor = delayMs === 0 ? null : (fullest * delayMs) / CONNECTIONS_AT_ONCE;
  process.stderr.write(`  ${what} …\n`);
  const times = await withTicks({ gateways, shards, lanes }, async (ticks) => {
    // The first warms up.
    const count = (await ticks.timed(monitors)) > SHORT_MS ? ROUNDS : SHORT_ROUNDS;
    const rounds: number[] = [];
    for (let round = 0; round < count; round += 1) rounds.push(await ticks.timed(monitors));
    return rounds;
  });
  return row("ms", what, median(times), { floor, limit });
}

/** As many shards as `gatepulse check` advises and as many lanes as they need, and how many monitors the fullest lane asks for. */
function sharedOut(gateways: readonly Gateway[]): Omit<World, "gateways"> & { readonly fullest: number } {
  const config = readConfig(configFor({ gateways, shards: 1, lanes: 1 }, "http://127.0.0.1:1"));
  const shards = shardsFor(config);
  const most = Math.max(...shardParts({ ...config, shards }).map((part) => part.gateways.length));
  const { maxProbesPerTick } = config;
  return { shards, lanes: Math.ceil(most / maxProbesPerTick), fullest: Math.min(most, maxProbesPerTick) };
}

/** How late the quick ones are all answered where others hung in the tick before, beside a tick without those. */
async function hangingRow(quick: number, delayMs: number, hanging: number): Promise<Row> {
  const what = `when the last of ${quick} monitors of ${delayMs} ms is answered, beside ${hanging} that hung in the tick before; floor: without those`;
  process.stderr.write(`  ${what} …\n`);
  const rest = gatewaysOf(quick, (id) => `/after/${delayMs}/${id}`);
  const silent = gatewaysOf(hanging, (id) => `/hang/${id}`, "h");
  const timesOf = (gateways: readonly Gateway[]): Promise<number> =>
    withTicks({ gateways, shards: 1, lanes: 1 }, async (ticks) => {
      await ticks.timed(quick);
      return ticks.answered(quick);
    });
  const alone = await timesOf(rest);
  // Mixed with the others, as a configuration would have them.
  const beside = await timesOf(rest.flatMap((gateway, at) => [silent[at] ?? [], gateway].flat()));
  return row("ms", what, beside, { floor: alone, limit: timesAtMost(1.5) });
}

/** A tick in which every monitor's incident opens or ends, with so many channels that take a second for each alert. */
async function alertingRow(monitors: number, channels: number): Promise<Row> {
  const what = `a tick in which ${monitors} incidents open or end, ${channels} channels that take 1 s; floor: without channels`;
  process.stderr.write(`  ${what} …\n`);
  const gateways = gatewaysOf(monitors, (id) => `/turns/0/${id}`);
  const timeOf = async (count: number): Promise<number> =>
    withTicks({ gateways, shards: 1, lanes: 1, channels: count }, async (ticks) => {
      await ticks.timed(monitors);
      const times: number[] = [];
      for (let round = 0; round < SHORT_ROUNDS; round += 1) {
        await ticks.turn();
        times.push(await ticks.timed(monitors));
      }
      return median(times);
    });
  const without = await timeOf(0);
  return row("ms", what, await timeOf(channels), { floor: without, limit: timesAtMost(1.5) });
}

interface Gateway {
  readonly id: string;
  readonly path: string;
}

export function gatewaysOf(count: number, pathOf: (id: string) => string, letter = "g"): readonly Gateway[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index}`).map((id) => ({
    id,
    path: pathOf(id),
  }));
}

interface Ticks {
  readonly runtime: BenchRuntime;
  /** Fires ticks until so many gateways were answered: their times together, to the end of all that a tick does. */
  readonly timed: (answers: number) => Promise<number>;
  /** From now on the gateways that take turns answer otherwise. */
  readonly turn: () => Promise<void>;
  /** Fires the next tick and waits until so many gateways were answered. */
  readonly answered: (answers: number) => Promise<number>;
}

interface World {
  readonly gateways: readonly Gateway[];
  readonly shards: number;
  readonly lanes: number;
  readonly channels?: number;
}

function configFor({ gateways, shards, lanes, channels = 0 }: World, origin: string): ConfigInput {
  return {
    title: "Model gateways",
    plan: "paid",
    shards,
    lanes,
    open: 1,
    close: 1,
    flapping: false,
    alerts: Array.from(
      { length: channels },
      (_, index) => ({ kind: "webhook", id: `c${index}`, url: "URL", secret: "SIGNING" }) as const,
    ),
    gateways: gateways.map(({ id, path }) => ({
      id,
      baseUrl: `${origin}${path}`,
      apiKey: "GATEWAY_API_KEY",
      insecureHttp: true,
    })),
  };
}

export async function withTicks<Value>(
  world: World,
  measure: (ticks: Ticks) => Promise<Value>,
): Promise<Value> {
  return withGateways((origin, gateways) => {
    const hook = `${origin}/hook/1000`;
    const worker = { entry: "invocation-entry.ts", config: configFor(world, origin), hook };
    return withRuntime(worker, async (runtime) =>
      measure(ticksOf(runtime, gateways, await tickerOf(runtime.miniflare))),
    );
  });
}

function ticksOf(runtime: BenchRuntime, server: ChildProcess, tick: (atMs: number) => Promise<void>): Ticks {
  let tickMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const next = () => tick((tickMs += MINUTE_MS));
  return {
    runtime,
    timed: async (answers) => {
      let tookMs = 0;
      await told(server, "forget");
      for (let ticks = 0; ticks < MOST_TICKS; ticks += 1) {
        const startedMs = Date.now();
        await next();
        tookMs += Date.now() - startedMs;
        if ((await told(server, "tell")).answered >= answers) return tookMs;
      }
      const { answered } = await told(server, "tell");
      throw new Error(`only ${answered} of ${answers} were answered in ${MOST_TICKS} ticks`);
    },
    turn: async () => void (await told(server, "turn")),
    answered: async (answers) => {
      await told(server, "forget");
      const startedMs = Date.now();
      // What goes on behind the answers ends with the runtime.
      next().catch(() => undefined);
      const all = ({ answered }: Seen) => answered >= answers;
      const { lastMs } = await eventually(() => told(server, "tell"), all, LONGEST_TICK_MS);
      return lastMs - startedMs;
    },
  };
}

/** A tick begins no probe after 90 s, and what is left over comes in the next. */
const MOST_TICKS = 4;
const LONGEST_TICK_MS = 3 * MINUTE_MS;

async function told(server: ChildProcess, order: Order): Promise<Seen> {
  const answer = once(server, "message");
  server.send(order);
  const [seen] = (await answer) as [Seen];
  return seen;
}
