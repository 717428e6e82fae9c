/** What the platform charges for the Ledger: rows written and writes to KV, of a tick and of a day. Counted, not timed. */
import type { Weather } from "./play.ts";
import { atMost, type Limit, type Row, row } from "./row.ts";
import { type BenchRuntime, CHANNELS, configOf, play, withRuntime } from "./runtime.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
/** Half past nine: no hour is closed in the ticks that follow. */
const QUIET_MS = MIDNIGHT_MS + 9.5 * 60 * MINUTE_MS;

const MOST_ROWS_A_TICK = atMost(20);
/** The free plan's day. */
const MOST_ROWS_A_DAY = atMost(100_000);
const MOST_KV_WRITES_A_DAY = atMost(1_000);

const TICKS: readonly { readonly weather: Weather; readonly what: string }[] = [
  { weather: "calm", what: "all good" },
  { weather: "broken", what: "all begin to fail at once" },
  { weather: "unavailable", what: "all begin to fail at once, each asked four times" },
];

export async function measureLedger(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const monitors of [10, 100, 500, 2000]) rows.push(...(await tickRows(monitors)));
  for (const channels of [0, 1, 3]) rows.push(...(await alertRows(100, channels)));
  rows.push(...(await dayRows("mixed", "three in ten in trouble")));
  rows.push(...(await dayRows("mixed", "three in ten in trouble", 3)));
  rows.push(...(await dayRows("restless", "news at every probe")));
  return rows;
}

const playMinutes = (runtime: BenchRuntime, weather: Weather, fromMs: number, ticks: number) =>
  play(runtime, { weather, fromMs, stepMs: MINUTE_MS, ticks });

const counted = (what: string, value: number, limit: Limit | null = null) => row("", what, value, { limit });

/** Every monitor due in every tick. */
async function tickRows(monitors: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { weather, what } of TICKS) {
    const played = await withLedger({ monitors, every: "1m", channels: 0 }, async (runtime) => {
      await playMinutes(runtime, "calm", QUIET_MS, 5);
      return playMinutes(runtime, weather, QUIET_MS + 5 * MINUTE_MS, 6);
    });
    if (weather === "calm") {
      rows.push(counted(`KV writes of a publish, ${monitors} monitors`, most(played.kvWrites), atMost(1)));
    }
    rows.push(counted(`rows of a tick, ${monitors} monitors, ${what}`, most(played.rows), MOST_ROWS_A_TICK));
  }
  return rows;
}

/** As `tickRows`, with alert channels beside. */
function alertRows(monitors: number, channels: number): Promise<readonly Row[]> {
  return withLedger({ monitors, every: "1m", channels }, async (runtime) => {
    const of = `${monitors} monitors, ${channels} channels`;
    const usual = await playMinutes(runtime, "calm", QUIET_MS, 60);
    const outageMs = QUIET_MS + 60 * MINUTE_MS;
    const outage = await playMinutes(runtime, "broken", outageMs, 2);
    return [
      counted(`rows of a usual tick, ${of}`, most(usual.rows.slice(5)), MOST_ROWS_A_TICK),
      counted(
        `rows of the tick that opens all incidents at once, ${of}`,
        outage.rows[1] ?? 0,
        MOST_ROWS_A_TICK,
      ),
    ];
  });
}

/** 100 monitors every five minutes, a tick a minute from midnight to midnight. */
function dayRows(weather: Weather, what: string, channels = 0): Promise<readonly Row[]> {
  return withLedger({ monitors: 100, every: "5m", channels }, async (runtime) => {
    // The day before leaves something to close and to forget.
    await playMinutes(runtime, weather, MIDNIGHT_MS - DAY_MS, 1440);
    const played = await playMinutes(runtime, weather, MIDNIGHT_MS, 1440);
    const told = channels === 0 ? "" : `, ${channels} channels`;
    const day = `a day of 100 monitors every 5 minutes, ${what}${told}`;
    return [
      counted(`KV writes, ${day}`, sum(played.kvWrites), MOST_KV_WRITES_A_DAY),
      counted(`rows, ${day}`, sum(played.rows), MOST_ROWS_A_DAY),
      counted(`most rows of a tick, ${day}`, most(played.rows), MOST_ROWS_A_TICK),
    ];
  });
}

interface Ledger {
  readonly monitors: number;
  readonly every: string;
  /** Of alerts. */
  readonly channels: number;
}

function withLedger<Measured>(
  { monitors, every, channels }: Ledger,
  measure: (runtime: BenchRuntime) => Promise<Measured>,
): Promise<Measured> {
  const config = { ...configOf(monitors, every), alerts: CHANNELS.slice(0, channels) };
  return withRuntime({ entry: "ledger-entry.ts", config }, measure);
}

function most(values: readonly number[]): number {
  return Math.max(0, ...values);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
