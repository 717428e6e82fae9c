/** The command behind `npm run simulate`: a simulator in the foreground until it is stopped. */
import { readArguments } from "../cli/command.ts";
import { SIMULATOR_KEYS } from "../simulator/api.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { stopSignal } from "./stop-signal.ts";

const USAGE = "usage: npm run simulate -- --port N [--host 127.0.0.1]";

const TEXT = { type: "string" } as const;

/** Null: the arguments are wrong. */
function readOrder(): { readonly port: number; readonly host: string } | null {
  const read = readArguments(process.argv.slice(2), { port: TEXT, host: TEXT });
  if (!read.ok || read.positionals.length > 0) return null;
  const { port = "", host = "127.0.0.1" } = read.values;
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535 ? { port: Number(port), host } : null;
}

async function main(): Promise<void> {
  const order = readOrder();
  if (order === null) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const simulator = await startSimulator(order).catch(explain);
  if (simulator === null) return;
  console.log(`Simulated gateways: ${simulator.url}/ (shows every path as JSON)`);
  console.log(`A healthy gateway: ${simulator.url} with the key ${SIMULATOR_KEYS.good}`);
  await stopSignal();
  await simulator.close();
}

function explain(error: unknown): null {
  console.error(`The simulator cannot start: ${error instanceof Error ? error.message : "unknown"}`);
  process.exitCode = 2;
  return null;
}

await main();
