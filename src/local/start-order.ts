/**
 * The arguments of `npm start`. What is refused is never repeated: it may be a key in a wrong place. Paths start at the
 * working directory.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../cli/command.ts";

export interface Order {
  readonly configFile: string;
  readonly port: number;
  readonly host: string;
  readonly tickSeconds: number;
  readonly persistDir: string;
}

export type OrderRead =
  | { readonly type: "start"; readonly order: Order }
  | { readonly type: "help" }
  | { readonly type: "refused"; readonly problem: string };

export const USAGE = `usage: npm start -- [--config FILE] [--port 8787] [--host 127.0.0.1] [--tick 60] [--persist DIR]

  --config FILE   a configuration, .ts or .json          (default gatepulse.config.ts)
  --port N        where the status page listens          (default 8787; 0: any free port)
  --host ADDRESS  on which address                       (default 127.0.0.1: this machine alone)
  --tick SECONDS  from check to check, 1 to 3600         (default 60)
  --persist DIR   where state and history are kept       (default .gatepulse)
`;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const TEXT = { type: "string" } as const;

const OPTIONS = {
  config: TEXT,
  port: TEXT,
  host: TEXT,
  tick: TEXT,
  persist: TEXT,
  help: { type: "boolean", short: "h" },
} as const;

export function readOrder(args: readonly string[]): OrderRead {
  const read = readArguments(args, OPTIONS);
  if (!read.ok) return refused(read.problem);
  if (read.flags["help"] === true) return { type: "help" };
  if (read.positionals.length > 0)
    return refused("one argument belongs to no option: write its option before it");
  const {
    config = `${ROOT}/gatepulse.config.ts`,
    host = "127.0.0.1",
    persist = `${ROOT}/.gatepulse`,
  } = read.texts;
  const port = wholeNumber(read.texts["port"] ?? "8787", 0, 65_535);
  if (port === null)
    return refused("--port is not a whole number from 0 to 65535: write one, such as --port 8787");
  const tickSeconds = wholeNumber(read.texts["tick"] ?? "60", 1, 3600);
  if (tickSeconds === null) {
    return refused("--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60");
  }
  const paths = { configFile: resolve(config), persistDir: resolve(persist) };
  return { type: "start", order: { ...paths, port, host, tickSeconds } };
}

function refused(problem: string): OrderRead {
  return { type: "refused", problem };
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
