/**
 * The arguments of `npm start`. What is refused is named by its option and never by its value: a key may have been typed
 * where it does not belong. Paths are resolved against the working directory.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { harmless } from "../cli/terminal.ts";

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
  /** `problem` says also how to fix it. */
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
} as const satisfies ParseArgsOptionsConfig;

export function readOrder(args: readonly string[]): OrderRead {
  const problem = problemOf(args);
  if (problem !== null) return refused(problem);
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help === true) return { type: "help" };
  const port = wholeNumber(values.port ?? "8787", 0, 65_535);
  if (port === null)
    return refused("--port is not a whole number from 0 to 65535: write one, such as --port 8787");
  const tickSeconds = wholeNumber(values.tick ?? "60", 1, 3600);
  if (tickSeconds === null) {
    return refused("--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60");
  }
  const {
    config = `${ROOT}/gatepulse.config.ts`,
    host = "127.0.0.1",
    persist = `${ROOT}/.gatepulse`,
  } = values;
  const paths = { configFile: resolve(config), persistDir: resolve(persist) };
  return { type: "start", order: { ...paths, port, host, tickSeconds } };
}

/** The first argument that `parseArgs` would throw at; null: there is none. */
function problemOf(args: readonly string[]): string | null {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === "positional") return "one argument belongs to no option: write its option before it";
    if (token.kind !== "option") continue;
    const { value, inlineValue } = token;
    const name = harmless(token.rawName);
    const option = Object.entries(OPTIONS).find(([known]) => known === token.name)?.[1];
    if (option === undefined) return `there is no option ${name}: use one of those below`;
    if (option.type === "boolean") {
      if (value !== undefined) return `${name} takes no value: leave it out`;
    } else if (value === undefined || (!inlineValue && /^-./.test(value))) {
      return `${name} lacks its value: write it behind the option`;
    }
  }
  return null;
}

function refused(problem: string): OrderRead {
  return { type: "refused", problem };
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}
