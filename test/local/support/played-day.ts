/** A day of a configuration as it is really used: the real Ledgers in workerd, 1,440 ticks in virtual time, all of it counted. */
import type { ConfigInput } from "../../../src/config/define-config.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/domain/calendar.ts";
import type { Play, Played, Weather } from "../../bench/play.ts";
import { type BenchRuntime, startRuntime } from "../../bench/runtime.ts";
import "./files-in-memory.ts";

const MIDNIGHT_MS = Date.UTC(2026, 10, 20);
/** The eve leaves something to close and to forget: a tick every half hour is enough. */
const EVE_STEP_MS = 30 * MINUTE_MS;

const SECRETS = {
  GATEWAY_API_KEY: "key-of-the-test",
  URL: "https://receiver.example/hook",
  SIGNING: `whsec_${btoa("of the test, 32 bytes in length.")}`,
};

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
  const runtime = await startRuntime({ entry: "ledger-entry.ts", config, secrets: SECRETS });
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
  const play = (order: Pick<Play, "fromMs" | "stepMs" | "ticks" | "weather">): Promise<Played> =>
    runtime.post<Played>("/", { ...order, ledger } satisfies Play);
  await play({ fromMs: MIDNIGHT_MS - DAY_MS, stepMs: EVE_STEP_MS, ticks: 48, weather: "calm" });
  const day = { fromMs: MIDNIGHT_MS, stepMs: MINUTE_MS, ticks: 1440, weather };
  const { used, rested, rows } = await play(day);
  const { probeRequests, messages, kvWrites, ledgerRequests, rowsWritten } = used;
  const rowsRead = used.rowsRead + rows.length * rested.rowsRead;
  const written = { probeRequests, messages, kvWrites, ledgerRequests, rowsWritten };
  return { ...written, rowsRead, ledgerBytes: rested.storedBytes, kvBytes: rested.kvBytes };
}

function added(a: CountedDay, b: CountedDay): CountedDay {
  const sums = Object.entries(a).map(([name, value]) => [name, value + b[name as keyof CountedDay]]);
  return Object.fromEntries(sums) as CountedDay;
}
