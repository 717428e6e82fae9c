/** `gatepulse start`: the whole monitor on this machine, until it is stopped. */
import { resolve } from "node:path";
import { command, text } from "../cli/command.ts";
import { CONFIG, readNamedConfig } from "../cli/config-file.ts";

const MANUAL = {
  name: "start",
  args: "[FILE]",
  about: `Runs the whole monitor on this machine with a configuration. Secrets are in .dev.vars beside it, or in the
environment, which wins. The page is updated after each check. A line is printed when an incident opens,
changes or ends, and at the start for each that is open. Ctrl+C stops it.

Without gateways in the configuration it shows a demo: simulated gateways with 90 days of made-up history,
and one that fails while you watch: its incident opens within a minute. The demo starts over each time. It
keeps its data in DIR/demo, apart from yours.`,
  options: {
    ...CONFIG,
    port: text("N", "where the status page listens (default 8787; 0: any free port)"),
    host: text("ADDRESS", "on which address (default 127.0.0.1: this machine only)"),
    tick: text("SECONDS", "from check to check, 1 to 3600 (default 60)"),
    persist: text("DIR", "where state and history are kept (default .gatepulse)"),
    "simulator-port": text("N", "where simulated gateways listen (default: any free port)"),
  },
  codes: {
    0: "it was stopped",
    1: "it could not start, or its runtime ended",
    2: "wrong usage or configuration, or DIR is in use",
  },
};

/** What runs the Worker here needs `node:sqlite`. */
const LEAST_NODE = 22;

/** Errors do not repeat what they refuse: it may be a key in the wrong place. */
export const start = command(MANUAL, async (line) => {
  const { values, io, refuse } = line;
  const { host = "127.0.0.1", persist = ".gatepulse" } = values;
  const port = wholeNumber(values.port ?? "8787", 0, 65_535);
  if (port === null)
    return refuse("--port is not a whole number from 0 to 65535: write one, such as --port 8787");
  const simulatorPort = wholeNumber(values["simulator-port"] ?? "0", 0, 65_535);
  if (simulatorPort === null) {
    return refuse(
      "--simulator-port is not a whole number from 0 to 65535: write one, such as --simulator-port 8789",
    );
  }
  const tickSeconds = wholeNumber(values.tick ?? "60", 1, 3600);
  if (tickSeconds === null) {
    return refuse("--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60");
  }
  const tooOld = nodeProblem("start");
  if (tooOld !== null) return refuse(tooOld);
  const read = await readNamedConfig(line);
  if (!read.ok) return read.exit;
  const { startMonitor } = await import("../local/start.ts");
  const { config, path } = read;
  const persistDir = resolve(io.cwd, persist);
  return startMonitor({ configFile: path, port, host, tickSeconds, persistDir, simulatorPort }, config);
});

/** Null: this Node can run the Worker. */
export function nodeProblem(name: string): string | null {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= LEAST_NODE) return null;
  return `the runtime needs Node ${LEAST_NODE} or newer, and this is ${node}: run npx gatepulse ${name} in a project, which brings its own`;
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
