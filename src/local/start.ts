/**
 * The command behind `npm start`: the whole monitor on this machine, in the foreground, until it is told to stop.
 */
import { dirname } from "node:path";
import { loadConfigFile } from "../cli/config-file.ts";
import { readSecrets } from "../cli/secret-values.ts";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { type Demo, startDemo } from "./demo.ts";
import { startMonitor, type Monitor } from "./monitor.ts";
import { lockDirectory } from "./persist-lock.ts";
import { localProblems } from "./secrets.ts";
import { type Order, readOrder, USAGE } from "./start-order.ts";
import { stopSignal } from "./stop-signal.ts";
import { writeProblem } from "./write-test.ts";

async function main(): Promise<void> {
  const read = readOrder(process.argv.slice(2));
  if (read.type === "help") {
    process.stdout.write(USAGE);
    return;
  }
  if (read.type === "refused") {
    refuse(`${read.problem}.\n\n${USAGE.trimEnd()}`);
    process.exitCode = 2;
    return;
  }
  const { order } = read;
  const configInput = await readConfig(order.configFile);
  process.exitCode = configInput === null ? 2 : await runLocked(order, configInput).catch(explain);
}

/** Null, and the reason printed, where there is none to use. */
async function readConfig(file: string): Promise<ConfigOf | null> {
  const loaded = await loadConfigFile(file, process.env);
  if (!loaded.ok) return refuse(`${file} ${loaded.problem}`);
  const parsed = parseConfig(loaded.value);
  if (parsed.ok) return { input: loaded.value, config: parsed.config };
  const faults = parsed.faults.map(({ path, problem, fix }) => `  ${path} ${problem}\n    fix: ${fix}`);
  return refuse(`${file} has faults:\n${faults.join("\n")}`);
}

interface ConfigOf {
  readonly input: unknown;
  readonly config: Config;
}

/** Nothing is started before the directory is this process's own. Resolves to the exit code. */
async function runLocked(order: Order, own: ConfigOf): Promise<number> {
  const isDemo = own.config.gateways.length === 0;
  const persistDir = isDemo ? `${order.persistDir}/demo` : order.persistDir;
  const problem = await writeProblem(persistDir);
  if (problem !== null) {
    refuse(problem);
    return 1;
  }
  const release = lockDirectory(persistDir);
  if (release === null) {
    refuse(
      `${persistDir} is in use by another process. Stop that one, or give this one a --persist of its own.`,
    );
    return 2;
  }
  const demo = isDemo ? await startDemo() : null;
  try {
    return await watch(
      { ...order, persistDir },
      demo === null ? own : configOfDemo(demo),
      demo,
      stopSignal(),
    );
  } finally {
    await demo?.stop();
    release();
  }
}

function configOfDemo({ config: input }: Demo): ConfigOf {
  const parsed = parseConfig(input);
  if (parsed.ok) return { input, config: parsed.config };
  throw new Error(`the demonstration's configuration has faults: ${JSON.stringify(parsed.faults)}`);
}

/** Resolves to the exit code once `stopWanted` has, or the runtime has crashed for good, and all has stopped. */
async function watch(
  order: Order,
  { input, config }: ConfigOf,
  demo: Demo | null,
  stopWanted: Promise<void>,
): Promise<number> {
  const { secrets, missing } = await readSecrets(config, dirname(order.configFile), process.env);
  const monitor = await startMonitor({
    configInput: input,
    secrets: { ...secrets, ...demo?.secrets },
    host: order.host,
    port: order.port,
    tickSeconds: order.tickSeconds,
    persistDir: order.persistDir,
  });
  try {
    greet(monitor, config, demo === null ? missing : []);
    for (const problem of localProblems(config, secrets)) console.log(problem);
    return await Promise.race([stopWanted.then(() => 0), monitor.crashed.then(sayCrashed)]);
  } finally {
    await monitor.stop();
  }
}

function greet(monitor: Monitor, config: Config, missing: readonly string[]): void {
  console.log(`${config.title}: ${monitor.url}/`);
  if (config.notice !== null) console.log(config.notice);
  for (const name of missing) {
    console.log(`The secret ${name} is not set: put it into .dev.vars or the environment, and start again.`);
  }
}

function sayCrashed(): number {
  console.error(
    "Gatepulse ends: its runtime (workerd) crashed and cannot go on. Nothing that was recorded is lost.",
  );
  return 1;
}

function refuse(problem: string): null {
  console.error(`Gatepulse cannot start: ${problem}`);
  return null;
}

function explain(error: unknown): number {
  const isTaken = error instanceof Error && Reflect.get(error, "code") === "EADDRINUSE";
  const fix = isTaken
    ? ". Another program listens there: give this one another --port (0: any free one)"
    : "";
  refuse(error instanceof Error ? `${error.message}${fix}` : "unknown");
  return 1;
}

if (import.meta.main) await main();
