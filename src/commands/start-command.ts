/** `gatepulse start`: the whole monitor on this machine, until it is stopped. */
import { t } from "../config/spoken.ts";
import { resolve } from "node:path";
import { Refusal, command, option } from "../cli/command.ts";
import { CONFIG, readNamedConfig } from "../cli/config-file.ts";

const OPTIONS = {
  ...CONFIG,
  port: option("N", t`where the status page listens (default 8787; 0: any free port)`),
  host: option("ADDRESS", t`on which address (default 127.0.0.1: this machine only)`),
  tick: option("SECONDS", t`from check to check, 1 to 3600 (default 60)`),
  persist: option("DIR", t`where state and history are kept (default .gatepulse)`),
  "simulator-port": option("N", t`where simulated gateways listen (default: any free port)`),
};

/** What runs the Worker here needs `node:sqlite`. */
const LEAST_NODE = 22;

/** With the limits and an example. */
const NUMBERS = [
  ["port", 0, 65_535, 8787],
  ["simulator-port", 0, 65_535, 8789],
  ["tick", 1, 3600, 60],
] as const;

/** Errors do not repeat what they refuse: it may be a key in the wrong place. */
export const start = command("start", OPTIONS, async (line) => {
  const { values, io } = line;
  const { host = "127.0.0.1", persist = ".gatepulse", port = "8787", tick = "60" } = values;
  const simulatorPort = values["simulator-port"] ?? "0";
  for (const [name, least, most, example] of NUMBERS) {
    const value = values[name] ?? String(example);
    if (!/^\d{1,5}$/.test(value) || Number(value) < least || Number(value) > most)
      throw new Refusal(
        t`--${name} is not a whole number from ${least} to ${most}: write one, such as --${name} ${example}`,
      );
  }
  needNode("start");
  const read = await readNamedConfig(line);
  const { startMonitor } = await import("../local/start.ts");
  const order = {
    configFile: read.path,
    port: Number(port),
    host,
    tickSeconds: Number(tick),
    persistDir: resolve(io.cwd, persist),
    simulatorPort: Number(simulatorPort),
  };
  return startMonitor(order, read.config);
});

/** @throws Refusal if this Node cannot run the Worker. */
export function needNode(name: string): void {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= LEAST_NODE) return;
  throw new Refusal(
    t`the runtime needs Node ${LEAST_NODE} or newer, and this is ${node}: run npx gatepulse ${name} in a project, which brings its own`,
  );
}
