/** Runs a client against a gateway of its own, and counts. */
import { inspect } from "node:util";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { type Case, CASES } from "./cases.ts";
import { type Client, CLIENTS, KEY } from "./clients.ts";
import { waitsOf } from "./waits.ts";

export interface Outcome {
  readonly requests: number;
  /** Of waiting, rounded. */
  readonly seconds: number;
  /** What the caller gets. */
  readonly gets: string;
}

export interface Row {
  readonly does: string;
  /** In the order of the clients. */
  readonly outcomes: readonly Outcome[];
}

/** All at once: what takes long is the waits. */
export async function runAll(): Promise<readonly Row[]> {
  return Promise.all(CASES.map(runCase));
}

async function runCase(played: Case): Promise<Row> {
  const outcomes = await Promise.all(CLIENTS.map((client) => runOne(client, played)));
  return { does: played.does, outcomes };
}

async function runOne(client: Client, played: Case): Promise<Outcome> {
  const { scenario, asks, timeoutMs } = played;
  const simulator = await startSimulator();
  try {
    const baseUrl = simulator.baseUrl(scenario);
    const { value: gets, waitedMs } = await waitsOf(() =>
      client
        .ask(asks, { baseUrl, timeoutMs })
        .catch((error: unknown) => `throws ${client.inWords(error)}${keyIn(error)}`),
    );
    return { requests: simulator.requests.length, seconds: Math.round(waitedMs / 1000), gets };
  } finally {
    await simulator.close();
  }
}

/** Whether the error shows the key: in its message, or elsewhere in what a log would have of it. */
function keyIn(error: unknown): string {
  if (error instanceof Error && error.message.includes(KEY)) return ", with the key in its message";
  return inspect(error, { depth: 6, showHidden: true }).includes(KEY) ? ", with the key in it" : "";
}
