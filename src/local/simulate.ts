/** The command behind `npm run simulate`: a simulator in the foreground until it is stopped. */
import { readArguments } from "../cli/command.ts";
import { SCENARIOS } from "../simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../simulator/api.ts";
import { startSimulator } from "../simulator/simulator.ts";
import { stopSignal } from "./stop-signal.ts";

const USAGE = `usage: npm run simulate -- --port N [--host 127.0.0.1]
       npm run simulate -- --list

  --list  prints every path and what its gateway means: cause, status, kind of request. The address itself
          answers the same as JSON. More paths: /delay_<ms>`;

const TEXT = { type: "string" } as const;

/** Null: the arguments are wrong. */
function readOrder(): { readonly port: number; readonly host: string } | "list" | null {
  const read = readArguments(process.argv.slice(2), { port: TEXT, host: TEXT, list: { type: "boolean" } });
  if (!read.ok || read.positionals.length > 0) return null;
  const { list = false, port = "", host = "127.0.0.1" } = read.values;
  if (list) return "list";
  return /^\d{1,5}$/.test(port) && Number(port) <= 65_535 ? { port: Number(port), host } : null;
}

async function main(): Promise<void> {
  const order = readOrder();
  if (order === null) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  if (order === "list") {
    process.stdout.write(listText());
    return;
  }
  const simulator = await startSimulator(order).catch(explain);
  if (simulator === null) return;
  console.log(`Simulated gateways: ${simulator.url}/ (every path as JSON; --list prints them)`);
  console.log(`A healthy gateway: ${simulator.url} with the key ${SIMULATOR_KEYS.good}`);
  await stopSignal();
  await simulator.close();
}

/** Gateways on their own port have no path: their ports change at each start. */
function listText(): string {
  return SCENARIOS.filter(({ place }) => place === "path")
    .map(({ name, kind, outcome, expect }) => {
      const { cause, httpStatus } = outcome ?? expect;
      return `  /${name.padEnd(32)} ${cause.padEnd(21)} ${String(httpStatus ?? "-").padEnd(3)}  ${kind}\n`;
    })
    .join("");
}

function explain(error: unknown): null {
  console.error(`The simulator cannot start: ${error instanceof Error ? error.message : "unknown"}`);
  process.exitCode = 2;
  return null;
}

await main();
