/** `gatepulse start`: the whole monitor on this machine, until it is stopped. */
import { resolve } from "node:path";
import { HELP, command } from "../cli/command.ts";
import { CONFIG, readNamedConfig } from "../cli/config-file.ts";
import { START_USAGE } from "../cli/usage.ts";

const TEXT = { type: "string" } as const;

const OPTIONS = {
  ...CONFIG,
  port: TEXT,
  host: TEXT,
  tick: TEXT,
  persist: TEXT,
  "simulator-port": TEXT,
  ...HELP,
} as const;

/** What runs the Worker here needs `node:sqlite`. */
const LEAST_NODE = 22;

/** Errors do not repeat what they refuse: it may be a key in the wrong place. */
export const start = command({ name: "start", usage: START_USAGE, options: OPTIONS }, async (line) => {
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
