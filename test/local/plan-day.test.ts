/** What `gatepulse plan` says of a day, held against days that were really played. */
import { expect, test } from "vitest";
import { isFull } from "../extent.ts";
import { readConfig } from "../../src/config/load.ts";
import type { ConfigInput } from "../../src/config/define-config.ts";
import { dayOf, QUIET_DAY } from "../../src/plan/usage.ts";
import type { Weather } from "../bench/play.ts";
import { CHANNELS, configOf, type BenchRuntime, play, startRuntime } from "../bench/runtime.ts";
import { DAY_MS, MINUTE_MS } from "../../src/domain/calendar.ts";
import "./support/files-in-memory.ts";

interface Case {
  readonly what: string;
  readonly config: ConfigInput;
  readonly weather: Weather;
  readonly incidents: number;
}

function calm(what: string, config: ConfigInput): Case {
  return { what, config, weather: "calm", incidents: 0 };
}

/** Each gateway is out once a day. */
function troubled(what: string, config: ConfigInput): Case {
  return { what, config, weather: "outages", incidents: config.gateways.length };
}

function withChat(config: ConfigInput): ConfigInput {
  const chat = { kind: "chat", model: "gpt-4o-mini", every: "30m" } as const;
  const gateways = config.gateways.map((of) => ({ ...of, monitors: [...(of.monitors ?? []), chat] }));
  return { ...config, gateways };
}

const ALWAYS: readonly Case[] = [
  troubled("2 gateways with canaries, 2 incidents, told to 3 channels", {
    ...withChat(configOf(2, "5m")),
    alerts: CHANNELS,
  }),
];

const SELDOM: readonly Case[] = [
  troubled("2 gateways with canaries in each of 2 shards, 4 incidents, told to 3 channels", {
    ...withChat(configOf(4, "5m")),
    shards: 2,
    alerts: CHANNELS,
  }),
  calm("3 monitors a minute, each with a canary", withChat(configOf(3, "1m"))),
  calm("6 monitors in 2 shards of the free plan", { ...configOf(6, "5m"), plan: "free", shards: 2 }),
  troubled("5 incidents, told to 3 channels", { ...configOf(5, "5m"), alerts: CHANNELS }),
  calm("1 monitor every 30 minutes", configOf(1, "30m")),
  calm("20 monitors a minute", configOf(20, "1m")),
  calm("100 monitors every 5 minutes", configOf(100, "5m")),
  calm("100 monitors every minute", configOf(100, "1m")),
  calm("100 monitors every 30 minutes", configOf(100, "30m")),
  calm("40 monitors a minute, of which a tick takes 20", { ...configOf(40, "1m"), maxProbesPerTick: 20 }),
  calm("30 monitors in 4 shards", { ...configOf(30, "5m"), shards: 4 }),
  troubled("20 incidents, told to 3 channels", { ...configOf(20, "1m"), alerts: CHANNELS }),
];

const CASES = isFull ? [...ALWAYS, ...SELDOM] : ALWAYS;

/** The day before was played, and no more. */
const YOUNG = { ...QUIET_DAY, ageDays: 2 };
/** Some take minutes by themselves. */
const LONG_DAY = 1_800_000;
/** The channels of the eve get a message about one: its ticks are half an hour apart. */
const EVENTS_OF_THE_EVE = 1;

test.each(CASES)(
  "a day is what it was planned to be: $what",
  { timeout: LONG_DAY },
  async ({ config, weather, incidents }) => {
    const parsed = readConfig(config);
    const channels = parsed.alerts.length * (config.shards ?? 1);
    const { used, requests } = dayOf(parsed, { ...YOUNG, incidents });
    const real = await playedDay(config, weather);
    const { kvWrites, ledgerRequests, rowsWritten, rowsRead } = used;
    const messages = requests.messages + channels * EVENTS_OF_THE_EVE;
    const asked = { probeRequests: requests.probes, messages };
    expect(apart({ ...asked, kvWrites, ledgerRequests, rowsWritten, rowsRead }, real)).toEqual([]);
  },
);

/** The quantities that are further apart than a twentieth of what was counted, with both numbers. */
function apart(planned: CountedDay, real: CountedDay): readonly unknown[] {
  return Object.entries(planned).flatMap(([name, value]) => {
    const counted: number = Reflect.get(real, name);
    const isNear = Math.abs(value - counted) <= 0.05 * Math.min(value, counted);
    return isNear ? [] : [[name, value, counted]];
  });
}

const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
/** The eve leaves something to close and to forget: a tick every half hour is enough. */
const EVE_STEP_MS = 30 * MINUTE_MS;

interface CountedDay {
  readonly probeRequests: number;
  readonly messages: number;
  readonly kvWrites: number;
  readonly ledgerRequests: number;
  readonly rowsWritten: number;
  /** With those of an object that is put out of memory after each tick. */
  readonly rowsRead: number;
}

/** All shards, one after the other. */
async function playedDay(config: ConfigInput, weather: Weather): Promise<CountedDay> {
  const runtime = await startRuntime({ entry: "ledger-entry.ts", config });
  try {
    const days: CountedDay[] = [];
    for (let shard = 0; shard < (config.shards ?? 1); shard += 1) {
      days.push(await dayOfShard(runtime, `ledger-${shard}`, weather));
    }
    return days.reduce(added);
  } finally {
    await runtime.stop();
  }
}

async function dayOfShard(runtime: BenchRuntime, ledger: string, weather: Weather): Promise<CountedDay> {
  const eve = { ledger, fromMs: MIDNIGHT_MS - DAY_MS, stepMs: EVE_STEP_MS, ticks: 48 };
  await play(runtime, { ...eve, weather: "calm" });
  const day = { ledger, fromMs: MIDNIGHT_MS, stepMs: MINUTE_MS, ticks: 1440, weather };
  const { rested, rows, kvWrites, rowsRead, ...requests } = await play(runtime, day);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    ...requests,
    kvWrites: sum(kvWrites),
    rowsWritten: sum(rows),
    rowsRead: rowsRead + rows.length * rested.rowsRead,
  };
}

function added(a: CountedDay, b: CountedDay): CountedDay {
  const sums = Object.entries(a).map(([name, value]) => [name, value + b[name as keyof CountedDay]]);
  return Object.fromEntries(sums) as CountedDay;
}
