/** Runs a client against a gateway of its own, and counts. */
import { inspect } from "node:util";
import { startSimulator } from "../../src/local/simulator/simulator.ts";
import { type Case, CASES, HEALTHY } from "./cases.ts";
import { type Client, CLIENTS, KEY } from "./clients.ts";

export interface Outcome {
  readonly requests: number;
  /** What the caller waited, in whole seconds, rounded down. */
  readonly seconds: number;
  /** What the caller gets. */
  readonly gets: string;
}

export interface Row {
  readonly does: string;
  /** In the order of the clients. */
  readonly outcomes: readonly Outcome[];
}

/**
 * A case has all clients side by side, and the cases follow each other, so that none waits for this machine; but those that
 * take long run beside them all. `maxRetries`: null: as each client does untold.
 */
export async function runAll(maxRetries: number | null): Promise<readonly Row[]> {
  const long = new Map(CASES.filter(isLong).map((played) => [played, runCase(played, maxRetries)]));
  const rows: Row[] = [];
  for (const played of CASES) {
    if (!isLong(played)) rows.push(await runCase(played, maxRetries));
  }
  const ended = await Promise.all(long.values());
  return CASES.flatMap(({ does }) => [...rows, ...ended].filter((row) => row.does === does));
}

/** To be called once before the others. */
export async function warmUp(): Promise<void> {
  await runCase(HEALTHY, null);
}

function isLong({ scenario }: Case): boolean {
  return scenario === "rate_limited_31";
}

async function runCase(played: Case, maxRetries: number | null): Promise<Row> {
  const outcomes = await Promise.all(CLIENTS.map((client) => runOne(client, played, maxRetries)));
  return { does: played.does, outcomes };
}

async function runOne(client: Client, played: Case, maxRetries: number | null): Promise<Outcome> {
  const { scenario, asks, timeoutMs } = played;
  const simulator = await startSimulator();
  try {
    const baseUrl = simulator.baseUrl(scenario);
    const startMs = performance.now();
    const gets = await client.ask(asks, { baseUrl, timeoutMs, maxRetries }).catch((error: unknown) => {
      return `throws ${client.inWords(error)}${keyIn(error)}`;
    });
    const waitedMs = performance.now() - startMs;
    return { requests: simulator.requests.length, seconds: Math.floor((waitedMs + EARLY_MS) / 1000), gets };
  } finally {
    await simulator.close();
  }
}

/** A timer may fire a moment before its time. */
const EARLY_MS = 50;

/** Whether the error shows the key: in its message, or elsewhere in what a log would have of it. */
function keyIn(error: unknown): string {
  if (error instanceof Error && error.message.includes(KEY)) return ", with the key in its message";
  return inspect(error, { depth: 6, showHidden: true }).includes(KEY) ? ", with the key in it" : "";
}
