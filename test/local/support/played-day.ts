/** A day of a configuration as it is really used: the real Ledgers in workerd, 1,440 ticks in virtual time, all of it counted. */
import type { ConfigInput } from "../../../src/config/define-config.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/calendar.ts";
import type { Weather } from "../../bench/play.ts";
import { type BenchRuntime, play, startRuntime } from "../../bench/runtime.ts";
import "./files-in-memory.ts";

const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
/** The eve leaves something to close and to forget: a tick every half hour is enough. */
const EVE_STEP_MS = 30 * MINUTE_MS;

export interface CountedDay {
  readonly probeRequests: number;
  readonly messages: number;
  readonly kvWrites: number;
  readonly ledgerRequests: number;
  readonly rowsWritten: number;
  /** With those of an object that is put out of memory after each tick. */
  readonly rowsRead: number;
  readonly ledgerBytes: number;
  /** Of what the day itself wrote. */
  readonly kvBytes: number;
}

/** All shards, one after the other. */
export async function playedDay(config: ConfigInput, weather: Weather): Promise<CountedDay> {
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
    ledgerBytes: rested.storedBytes,
    kvBytes: rested.kvBytes,
  };
}

function added(a: CountedDay, b: CountedDay): CountedDay {
  const sums = Object.entries(a).map(([name, value]) => [name, value + b[name as keyof CountedDay]]);
  return Object.fromEntries(sums) as CountedDay;
}
