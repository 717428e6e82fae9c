/** What the platform charges for the Ledger: rows written and writes to KV, of a tick and of a day. Counted, not timed. */
import { ledgerName } from "../../src/ledger/rpc.ts";
import type { AlertInput } from "../../src/config/define-config.ts";
import type { Play, Played, Weather } from "./play.ts";
import type { Limit, Quantity, Row } from "./row.ts";
import { type BenchRuntime, configOf, startRuntime } from "./runtime.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
/** Half past nine: no hour is closed in the ticks that follow. */
const QUIET_MS = MIDNIGHT_MS + 9.5 * 60 * MINUTE_MS;

const MOST_ROWS_A_TICK: Limit = { bound: "at most", of: "figure", value: 20 };
/** The free plan's day. */
const MOST_ROWS_A_DAY: Limit = { bound: "at most", of: "figure", value: 100_000 };
const MOST_KV_WRITES_A_DAY: Limit = { bound: "at most", of: "figure", value: 1_000 };

const ALERTS: readonly AlertInput[] = [
  { kind: "webhook", id: "first", url: "URL", secret: "SIGNING" },
  { kind: "slack", url: "URL" },
  { kind: "webhook", id: "second", url: "URL", secret: "SIGNING" },
];

const TICKS: readonly { readonly weather: Weather; readonly what: string }[] = [
  { weather: "calm", what: "all good" },
  { weather: "broken", what: "all begin to fail at once" },
  { weather: "unavailable", what: "all begin to fail at once, each asked four times" },
];

/** Every monitor due in every tick. */
export async function measureTicks(monitors: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { weather, what } of TICKS) {
    const played = await withLedger({ monitors, every: "1m", channels: 0 }, async (runtime) => {
      await play(runtime, { weather: "calm", fromMs: QUIET_MS, ticks: 5 });
      return play(runtime, { weather, fromMs: QUIET_MS + 5 * MINUTE_MS, ticks: 6 });
    });
    if (weather === "calm") {
      const limit = { ...MOST_ROWS_A_TICK, value: 1 };
      rows.push(row(`KV writes of a publish, ${monitors} monitors`, most(played.kvWrites), limit));
    }
    rows.push(row(`rows of a tick, ${monitors} monitors, ${what}`, most(played.rows), MOST_ROWS_A_TICK));
  }
  return rows;
}

/** As `measureTicks`, with alert channels beside: webhooks get each event, a chat those of a gateway in one message. */
export async function measureAlerts(monitors: number, channels: number): Promise<readonly Row[]> {
  return withLedger({ monitors, every: "1m", channels }, async (runtime) => {
    const of = `${monitors} monitors, ${channels} channels`;
    const calm = { weather: "calm", fromMs: QUIET_MS, ticks: 60 } as const;
    const usual = await play(runtime, calm);
    const second = QUIET_MS + 60 * MINUTE_MS;
    const outage = await play(runtime, { ...calm, weather: "broken", fromMs: second, ticks: 2 });
    return [
      row(`rows of a usual tick, ${of}`, most(usual.rows.slice(5)), MOST_ROWS_A_TICK),
      row(`rows of an hour of them`, sum(usual.rows), null),
      row(`rows of the tick that opens all incidents at once`, outage.rows[1] ?? 0, MOST_ROWS_A_TICK),
      ...partsOf(outage),
    ];
  });
}

/** 100 monitors every five minutes, a tick a minute from midnight to midnight. */
export async function measureDay(weather: Weather, what: string, channels = 0): Promise<readonly Row[]> {
  return withLedger({ monitors: 100, every: "5m", channels }, async (runtime) => {
    // The day before leaves something to close and to forget.
    const eve = {
      ledger: ledgerName(0),
      weather,
      fromMs: MIDNIGHT_MS - DAY_MS,
      stepMs: MINUTE_MS,
      ticks: 1440,
    };
    await runtime.post<Played>("/", eve satisfies Play);
    const played = await play(runtime, { weather, fromMs: MIDNIGHT_MS, ticks: 1440 });
    const told = channels === 0 ? "" : `, ${channels} channels`;
    const day = `a day of 100 monitors every 5 minutes, ${what}${told}`;
    return [
      row(`KV writes, ${day}`, sum(played.kvWrites), MOST_KV_WRITES_A_DAY),
      row(`rows, ${day}`, sum(played.rows), MOST_ROWS_A_DAY),
      row(`  most rows of one of its ticks`, most(played.rows), MOST_ROWS_A_TICK),
      ...partsOf(played),
      row(`  probes`, sum(played.probed), null),
    ];
  });
}

interface Ledger {
  readonly monitors: number;
  readonly every: string;
  /** Of alerts. */
  readonly channels: number;
}

async function withLedger<Measured>(
  { monitors, every, channels }: Ledger,
  measure: (runtime: BenchRuntime) => Promise<Measured>,
): Promise<Measured> {
  const runtime = await startRuntime({
    entry: "ledger-entry.ts",
    config: { ...configOf(monitors, every), alerts: ALERTS.slice(0, channels) },
    secrets: {
      GATEWAY_API_KEY: "key-of-the-bench",
      URL: "https://receiver.example/hook",
      SIGNING: `whsec_${btoa("of the bench, 32 bytes in length")}`,
    },
  });
  try {
    return await measure(runtime);
  } finally {
    await runtime.stop();
  }
}

function play(runtime: BenchRuntime, order: Omit<Play, "ledger" | "stepMs">): Promise<Played> {
  return runtime.post<Played>("/", { ledger: ledgerName(0), ...order, stepMs: MINUTE_MS } satisfies Play);
}

function row(what: string, value: number, limit: Limit | null): Row {
  const figure: Quantity = { value, unit: "" };
  return { what, figure, floor: null, limit };
}

/** What the rows of the costliest tick are. */
function partsOf({ most: parts }: Played): readonly Row[] {
  const sorted = Object.entries(parts).sort(([, a], [, b]) => b - a);
  return sorted.map(([what, rows]) => row(`    of ${what}`, rows, null));
}

function most(values: readonly number[]): number {
  return Math.max(0, ...values);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
