/** The command behind `npm run simulate`: a simulator in the foreground until it is told to stop. */
import { parseArgs } from "node:util";
import { SIMULATOR_KEYS } from "./simulator/keys.ts";
import { startSimulator } from "./simulator/simulator.ts";

const USAGE = "usage: npm run simulate -- --port N [--host 127.0.0.1]";

interface Order {
  readonly port: number;
  readonly host: string;
}

/** Null where the arguments are wrong. */
export function readArguments(args: readonly string[]): Order | null {
  try {
    const options = { port: { type: "string" }, host: { type: "string" } } as const;
    const { values } = parseArgs({ args: [...args], options });
    const { port = "", host = "127.0.0.1" } = values;
    return /^\d{1,5}$/.test(port) && Number(port) <= 65_535 ? { port: Number(port), host } : null;
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const order = readArguments(process.argv.slice(2));
  if (order === null) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const simulator = await startSimulator(order).catch(explain);
  if (simulator === null) return;
  console.log(`Simulated gateways: ${simulator.url}/`);
  console.log(`A healthy one: ${simulator.url} with the key ${SIMULATOR_KEYS.good}`);
  const stop = () => void simulator.close();
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

function explain(error: unknown): null {
  console.error(`The simulator cannot start: ${error instanceof Error ? error.message : "unknown"}`);
  process.exitCode = 2;
  return null;
}

if (import.meta.main) await main();
