/** The command behind `npm start`: the whole monitor on this machine, in the foreground, until it is stopped. */
import { dirname, resolve } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { asksForHelp, HELP, readArguments } from "../cli/command.ts";
import { loadConfigFile, readSecrets } from "../cli/config-file.ts";
import type { Config } from "../config/config.ts";
import { parseConfig } from "../config/load.ts";
import { secretFaults, SHORTEST_TOKEN, viewTokenProblem } from "../config/secrets.ts";
import { bundleWorker } from "./bundle.ts";
import { type Demo, startDemo } from "./demo.ts";
import { startFrontServer } from "./front-server.ts";
import { emptyDirectory, lockDirectory, writeProblem } from "./persist-dir.ts";
import { stopSignal } from "./stop-signal.ts";
import { RuntimeGoneError, startWorkerd } from "./workerd.ts";

interface Order {
  readonly configFile: string;
  readonly port: number;
  readonly host: string;
  readonly tickSeconds: number;
  readonly persistDir: string;
  /** Only for the demo. */
  readonly simulatorPort: number;
}

type OrderRead =
  | { readonly type: "start"; readonly order: Order }
  | { readonly type: "help" }
  | { readonly type: "refused"; readonly problem: string };

const USAGE = `usage: npm start -- [--config FILE] [--port 8787] [--host 127.0.0.1] [--tick 60] [--persist DIR]
                    [--simulator-port N]

  --config FILE       a configuration, .ts or .json      (default gatepulse.config.ts)
  --port N            where the status page listens      (default 8787; 0: any free port)
  --host ADDRESS      on which address                   (default 127.0.0.1: this machine only)
  --tick SECONDS      from check to check, 1 to 3600     (default 60)
  --persist DIR       where state and history are kept   (default .gatepulse)
  --simulator-port N  where simulated gateways listen    (default: any free port)
  --help              prints this text

Without gateways in the configuration it shows a demo: simulated gateways with 90 days of made-up history, and
one that fails while you watch: its incident opens within a minute. The demo starts over each time. It keeps its data in DIR/demo, apart from yours.

The page is updated after each check. A line is printed when an incident opens, changes or ends, and at the
start for each that is open.
Ctrl+C stops it.
`;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const TEXT = { type: "string" } as const;

const OPTIONS = {
  config: TEXT,
  port: TEXT,
  host: TEXT,
  tick: TEXT,
  persist: TEXT,
  "simulator-port": TEXT,
  ...HELP,
} as const;

/** Errors do not repeat what they refuse: it may be a key in the wrong place. Paths are relative to the working directory. */
export function readOrder(args: readonly string[]): OrderRead {
  if (asksForHelp(args)) return { type: "help" };
  const read = readArguments(args, OPTIONS);
  if (!read.ok) return refused(read.problem);
  if (read.positionals.length > 0)
    return refused("one argument belongs to no option: write its option before it");
  const {
    config = `${ROOT}/gatepulse.config.ts`,
    host = "127.0.0.1",
    persist = `${ROOT}/.gatepulse`,
    port: portText = "8787",
    tick = "60",
    "simulator-port": simulatorText = "0",
  } = read.values;
  const port = wholeNumber(portText, 0, 65_535);
  if (port === null)
    return refused("--port is not a whole number from 0 to 65535: write one, such as --port 8787");
  const simulatorPort = wholeNumber(simulatorText, 0, 65_535);
  if (simulatorPort === null) {
    return refused(
      "--simulator-port is not a whole number from 0 to 65535: write one, such as --simulator-port 8789",
    );
  }
  const tickSeconds = wholeNumber(tick, 1, 3600);
  if (tickSeconds === null) {
    return refused("--tick is not a whole number of seconds from 1 to 3600: write one, such as --tick 60");
  }
  const paths = { configFile: resolve(config), persistDir: resolve(persist) };
  return { type: "start", order: { ...paths, port, host, tickSeconds, simulatorPort } };
}

function refused(problem: string): OrderRead {
  return { type: "refused", problem };
}

function wholeNumber(text: string, least: number, most: number): number | null {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : null;
}

export async function main(): Promise<void> {
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
  const config = await loadConfig(order.configFile);
  process.exitCode = config === null ? 2 : await runLocked(order, config).catch(explain);
}

/** Null, with the reason printed, if no directory can be used. */
async function loadConfig(file: string): Promise<Config | null> {
  const loaded = await loadConfigFile(file, process.env);
  if (!loaded.ok) return refuse(`${file} ${loaded.problem}`);
  const parsed = parseConfig(loaded.value);
  if (parsed.ok) return parsed.config;
  const faults = parsed.faults.map(({ path, problem, fix }) => `  ${path} ${problem}\n    fix: ${fix}`);
  return refuse(`${file} has faults:\n${faults.join("\n")}`);
}

/** Starts nothing before this process holds the directory. Resolves to the exit code. */
async function runLocked(order: Order, own: Config): Promise<number> {
  const isDemo = own.gateways.length === 0;
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
  const stopWanted = stopSignal();
  let demo: Demo | null = null;
  try {
    if (isDemo) {
      await emptyDirectory(persistDir);
      demo = await startDemo(order.simulatorPort, order.tickSeconds * 1000);
    }
    return await watch({ ...order, persistDir }, demo?.config ?? own, demo, stopWanted);
  } catch (error) {
    // Ctrl+C also ends the runtime, even while it starts. This process sees the signal in the next turn of the event loop.
    if (await Promise.race([stopWanted.then(() => true), nextTurn(false)])) return 0;
    throw error;
  } finally {
    await demo?.stop();
    release();
  }
}

/**
 * Runs the Worker in workerd, with a server in front of it and its ticks. After `stopWanted` resolves, or the runtime ends,
 * everything is stopped; resolves to the exit code.
 */
async function watch(
  { configFile, host, port, tickSeconds, persistDir }: Order,
  config: Config,
  demo: Demo | null,
  stopWanted: Promise<void>,
): Promise<number> {
  const { secrets, missing } = await readSecrets(config, dirname(configFile), process.env);
  const runtime = await startWorkerd({
    script: await bundleWorker(config),
    secrets: { ...secrets, ...demo?.secrets },
    persistDir,
    tickSeconds,
  });
  const { promise: gone, resolve: giveUp } = Promise.withResolvers<void>();
  const onFailure = (error: unknown): void => {
    if (error instanceof RuntimeGoneError) giveUp();
    else console.error(`A tick failed: ${error instanceof Error ? error.message : "unknown"}`);
  };
  try {
    if (demo !== null) await runtime.recordPast(demo.begin());
    const open = await runtime.openIncidents();
    const front = await startFrontServer(runtime.address, { host, port });
    const stopTicks = startTicks(tickSeconds * 1000, runtime.tick, onFailure);
    greet(front.url, config, demo === null ? missing : []);
    if (demo !== null) console.log(`Simulated gateways: ${demo.url}/ (another port: --simulator-port)`);
    for (const problem of localProblems(config, secrets)) console.log(problem);
    sayOpen(open);
    const code = await Promise.race([stopWanted.then(() => 0), gone.then(sayGone)]);
    await stopTicks();
    await front.stop();
    return code;
  } finally {
    await runtime.stop();
  }
}

const LONGEST_FAREWELL_MS = 5000;

/**
 * Fires a tick at once and at each full interval, even while earlier ones run: the Ledger knows what is in flight.
 *
 * @returns a function that stops them and waits for the ticks in flight, up to a limit.
 */
function startTicks(
  intervalMs: number,
  tick: (scheduledMs: number) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => Promise<void> {
  const inFlight = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  const fire = (scheduledMs: number): void => {
    const running = tick(scheduledMs)
      .catch(async (error: unknown) => {
        // The signal that ends this process may have ended the runtime too.
        await nextTurn();
        if (!isStopping) onFailure(error);
      })
      .finally(() => inFlight.delete(running));
    inFlight.add(running);
    const nowMs = Date.now();
    const dueMs = (Math.floor(nowMs / intervalMs) + 1) * intervalMs;
    timer = setTimeout(() => fire(dueMs), dueMs - nowMs);
  };
  fire(Math.floor(Date.now() / intervalMs) * intervalMs);
  return async () => {
    isStopping = true;
    clearTimeout(timer);
    await Promise.race([Promise.all(inFlight), sleep(LONGEST_FAREWELL_MS, undefined, { ref: false })]);
  };
}

function greet(url: string, config: Config, missing: readonly string[]): void {
  console.log(`${config.title}: ${url}/`);
  if (config.notice !== null) console.log(config.notice);
  for (const name of missing) {
    console.log(`The secret ${name} is not set: put it into .dev.vars or the environment, and start again.`);
  }
}

function sayOpen(open: readonly string[]): void {
  if (open.length === 0) return;
  console.log(open.length === 1 ? "An incident is open:" : `${open.length} incidents are open:`);
  for (const line of open) console.log(`  ${line}`);
}

function sayGone(): number {
  console.error(
    "Gatepulse stops: its runtime (workerd) crashed and cannot restart. No recorded data is lost.",
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
    ? ". Another program listens there: choose another --port or --simulator-port (0: any free one)"
    : "";
  refuse(error instanceof Error ? `${error.message}${fix}` : "unknown");
  return 1;
}

/** What is configured but will not work on this machine, one sentence each. */
export function localProblems(config: Config, secrets: Readonly<Record<string, string>>): readonly string[] {
  const token = secrets["ADMIN_TOKEN"]?.trim() ?? "";
  const view = secrets["VIEW_TOKEN"] ?? null;
  const viewProblem = view === null ? null : viewTokenProblem(view);
  const mails = config.alerts.filter(({ kind }) => kind === "email").map(({ id }) => id);
  return [
    ...(token !== "" && token.length < SHORTEST_TOKEN
      ? [`ADMIN_TOKEN is shorter than ${SHORTEST_TOKEN} characters: administration is off.`]
      : []),
    ...(viewProblem === null ? [] : [`${sentence(viewProblem)}: no page is shown to anyone.`]),
    ...(token !== "" && token === view?.trim()
      ? ["VIEW_TOKEN is the same as ADMIN_TOKEN: everyone who can see the page can administer it."]
      : []),
    ...secretFaults(config, (name) => secrets[name] ?? null).map(({ problem }) => `${sentence(problem)}.`),
    ...mails.map((id) => `The channel ${id} sends nothing: only a deployed Worker can send mail.`),
  ];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

if (import.meta.main) await main();
