/** The command behind `npm run simulate`: a simulator in the foreground until it is stopped. */
import { parseArgs } from "node:util";
import { SIMULATOR_KEYS } from "../simulator/api.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import { stopSignal } from "./stop-signal.ts";

const port = portIn();
if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) {
  await startSimulator({ port: Number(port) }).then(run, (error: unknown) =>
    refuse(`The simulator cannot start: ${error instanceof Error ? error.message : "unknown"}`),
  );
} else refuse("usage: npm run simulate -- --port N");

/** Empty: the arguments name none, or something else. */
function portIn(): string {
  try {
    return parseArgs({ options: { port: { type: "string" } } }).values.port ?? "";
  } catch {
    return "";
  }
}

async function run(simulator: Simulator): Promise<void> {
  console.log(`Simulated gateways: ${simulator.url}/ (shows every path as JSON)`);
  console.log(`A healthy gateway: ${simulator.url} with the key ${SIMULATOR_KEYS.good}`);
  await stopSignal();
  await simulator.close();
}

function refuse(why: string): void {
  console.error(why);
  process.exitCode = 2;
}
