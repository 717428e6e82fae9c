/**
 * The command behind `npm start`: the whole monitor on this machine, in the foreground, until it is told to stop.
 */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfigFile } from "../cli/config-file.ts";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { type Demo, startDemo } from "./demo.ts";
import { startMonitor, type Monitor } from "./monitor.ts";
import { readSecrets } from "./secrets.ts";

const USAGE = `usage: npm start -- [--config FILE] [--port 8787] [--host 127.0.0.1] [--tick 60] [--persist DIR]

  --config FILE   a configuration, .ts or .json          (default gatepulse.config.ts)
  --port N        where the status page listens          (default 8787; 0: any free port)
  --host ADDRESS  on which address                       (default 127.0.0.1: this machine alone)
  --tick SECONDS  from check to check, 1 to 3600         (default 60)
  --persist DIR   where state and history are kept       (default .gatepulse)
`;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Order {
  readonly configFile: string;
  readonly port: number;
  readonly host: string;
  readonly tickSeconds: number;
  readonly persistDir: string;
}

/** Null where the arguments are wrong. */
export function readOrder(args: readonly string[]): Order | "help" | null {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({
      args: [...args],
      options: {
        config: text,
        port: text,
        host: text,
        tick: text,
        persist: text,
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help === true) return "help";
    const port = wholeNumber(values.port ?? "8787", 0, 65_535);
    const tickSeconds = wholeNumber(values.tick ?? "60", 1, 3600);
    if (port === null || tickSeconds === null) return null;
    return {
      configFile: resolve(values.config ?? `${ROOT}/gatepulse.config.ts`),
      port,
      host: values.host ?? "127.0.0.1",
      tickSeconds,
      persistDir: resolve(values.persist ?? `${ROOT}/.gatepulse`),
    };
  } catch {
    return null;
  }
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

async function main(): Promise<void> {
  const order = readOrder(process.argv.slice(2));
  if (order === null || order === "help") {
    (order === null ? process.stderr : process.stdout).write(USAGE);
    process.exitCode = order === null ? 2 : 0;
    return;
  }
  const watched = await whatToWatch(order.configFile);
  if (watched === null) {
    process.exitCode = 2;
    return;
  }
  const stopped = await run(order, watched).catch(explain);
  await watched.demo?.stop();
  if (!stopped) process.exitCode = 1;
}

interface Watched {
  readonly configInput: unknown;
  readonly config: Config;
  readonly demo: Demo | null;
}

async function whatToWatch(configFile: string): Promise<Watched | null> {
  const loaded = await loadConfigFile(configFile);
  if (!loaded.ok) return refuse(`${configFile} ${loaded.problem}`);
  const own = parseConfig(loaded.value);
  if (!own.ok) {
    const faults = own.faults.map(({ path, problem, mend }) => `  ${path} ${problem}\n    mend: ${mend}`);
    return refuse(`${configFile} has faults:\n${faults.join("\n")}`);
  }
  if (own.config.gateways.length > 0) return { configInput: loaded.value, config: own.config, demo: null };
  const demo = await startDemo();
  const parsed = parseConfig(demo.config);
  if (!parsed.ok)
    throw new Error(`the demonstration's configuration has faults: ${JSON.stringify(parsed.faults)}`);
  return { configInput: demo.config, config: parsed.config, demo };
}

/** Resolves to true once it was asked to stop and has. */
async function run(order: Order, { configInput, config, demo }: Watched): Promise<boolean> {
  const { secrets, missing } = await readSecrets(config, dirname(order.configFile), process.env);
  const monitor = await startMonitor({
    configInput,
    secrets: { ...secrets, ...demo?.secrets },
    host: order.host,
    port: order.port,
    tickSeconds: order.tickSeconds,
    persistDir: demo === null ? order.persistDir : `${order.persistDir}/demo`,
  });
  greet(monitor, config, demo === null ? missing : []);
  await askedToStop();
  await monitor.stop();
  return true;
}

function greet(monitor: Monitor, config: Config, missing: readonly string[]): void {
  console.log(`${config.title}: ${monitor.url}/`);
  if (config.notice !== null) console.log(config.notice);
  for (const name of missing) {
    console.log(`The secret ${name} is not set: put it into .dev.vars or the environment, and start again.`);
  }
}

function askedToStop(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done());
  });
}

function refuse(problem: string): null {
  console.error(`Gatepulse cannot start: ${problem}`);
  return null;
}

function explain(error: unknown): false {
  refuse(error instanceof Error ? error.message : "unknown");
  return false;
}

if (import.meta.main) await main();
