/**
 * The command behind `npm start`: the whole monitor on this machine, in the foreground, until it is told to stop.
 */
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadConfigFile } from "../cli/config-file.ts";
import { readSecrets } from "../cli/secret-values.ts";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { type Demo, startDemo } from "./demo.ts";
import { startMonitor, type Monitor } from "./monitor.ts";
import { npmEnded } from "./npm-end.ts";
import { lockDirectory } from "./persist-lock.ts";
import { localProblems } from "./secrets.ts";

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
  const configInput = await readConfig(order.configFile);
  process.exitCode = configInput === null ? 2 : await runLocked(order, configInput).catch(explain);
}

/** Null, and the reason printed, where there is none to use. */
async function readConfig(file: string): Promise<ConfigOf | null> {
  const loaded = await loadConfigFile(file, process.env);
  if (!loaded.ok) return refuse(`${file} ${loaded.problem}`);
  const parsed = parseConfig(loaded.value);
  if (parsed.ok) return { input: loaded.value, config: parsed.config };
  const faults = parsed.faults.map(({ path, problem, mend }) => `  ${path} ${problem}\n    mend: ${mend}`);
  return refuse(`${file} has faults:\n${faults.join("\n")}`);
}

interface ConfigOf {
  readonly input: unknown;
  readonly config: Config;
}

/** Nothing is started before the directory is this process's own. Resolves to the exit code. */
async function runLocked(order: Order, own: ConfigOf): Promise<number> {
  const npmGone = npmEnded(process.env);
  const isDemo = own.config.gateways.length === 0;
  const persistDir = isDemo ? `${order.persistDir}/demo` : order.persistDir;
  const lock = await lockDirectory(persistDir);
  if (!lock.ok) {
    const who = lock.holder === null ? "another process" : `the process ${lock.holder}`;
    refuse(`${persistDir} is in use by ${who}. Stop that one, or give this one a --persist of its own.`);
    return 2;
  }
  const demo = isDemo ? await startDemo() : null;
  try {
    await watch({ ...order, persistDir }, demo === null ? own : configOfDemo(demo), demo, npmGone);
    return 0;
  } finally {
    await demo?.stop();
    await lock.release();
  }
}

function configOfDemo({ config: input }: Demo): ConfigOf {
  const parsed = parseConfig(input);
  if (parsed.ok) return { input, config: parsed.config };
  throw new Error(`the demonstration's configuration has faults: ${JSON.stringify(parsed.faults)}`);
}

/** Resolves once a signal came, or `npmGone`, and all has stopped. */
async function watch(
  order: Order,
  { input, config }: ConfigOf,
  demo: Demo | null,
  npmGone: Promise<void>,
): Promise<void> {
  const { secrets, missing } = await readSecrets(config, dirname(order.configFile), process.env);
  const monitor = await startMonitor({
    configInput: input,
    secrets: { ...secrets, ...demo?.secrets },
    host: order.host,
    port: order.port,
    tickSeconds: order.tickSeconds,
    persistDir: order.persistDir,
  });
  const stopWanted = Promise.race([signalled(), npmGone]);
  greet(monitor, config, demo === null ? missing : []);
  for (const problem of localProblems(config, secrets)) console.log(problem);
  await stopWanted;
  await monitor.stop();
}

function greet(monitor: Monitor, config: Config, missing: readonly string[]): void {
  console.log(`${config.title}: ${monitor.url}/`);
  if (config.notice !== null) console.log(config.notice);
  for (const name of missing) {
    console.log(`The secret ${name} is not set: put it into .dev.vars or the environment, and start again.`);
  }
}

/** A signal that comes twice, from the terminal and from npm, does not break the good order off. */
function signalled(): Promise<void> {
  return new Promise((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => done());
  });
}

function refuse(problem: string): null {
  console.error(`Gatepulse cannot start: ${problem}`);
  return null;
}

function explain(error: unknown): number {
  refuse(error instanceof Error ? error.message : "unknown");
  return 1;
}

if (import.meta.main) await main();
