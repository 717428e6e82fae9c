/** What `gatepulse start` does: the whole monitor on this machine, in the foreground, until it is stopped. */
import { t } from "../config/spoken.ts";
import { dirname } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { EXIT, type ExitCode } from "../cli/command.ts";
import { readSecrets } from "../cli/config-file.ts";
import type { Config } from "../config/config.ts";
import { secretFaults } from "../config/secrets.ts";
import { type Demo, startDemo } from "./demo.ts";
import { startFrontServer } from "./front-server.ts";
import { emptyDirectory, lockDirectory, writeProblem } from "./persist-dir.ts";
import { stopSignal } from "./stop-signal.ts";
import { localWorker } from "./bundle.ts";
import { RuntimeGoneError, startWorkerd } from "./workerd.ts";

interface Order {
  /** Secrets are in `.dev.vars` beside it. */
  readonly configFile: string;
  readonly port: number;
  readonly host: string;
  readonly tickSeconds: number;
  readonly persistDir: string;
  /** Only for the demo. */
  readonly simulatorPort: number;
}

/** Resolves to an exit code, after the reason was printed. */
export async function startMonitor(order: Order, config: Config): Promise<ExitCode> {
  return runLocked(order, config).catch(explain);
}

/** Starts nothing before this process holds the directory. */
async function runLocked(order: Order, own: Config): Promise<ExitCode> {
  const isDemo = own.gateways.length === 0;
  const persistDir = isDemo ? `${order.persistDir}/demo` : order.persistDir;
  const problem = await writeProblem(persistDir);
  if (problem !== null) return refuse(problem, EXIT.others);
  const release = lockDirectory(persistDir);
  if (release === null) return refuse(`${persistDir} ${IN_USE}`, EXIT.usage);
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
    if (await Promise.race([stopWanted.then(() => true), nextTurn(false)])) return EXIT.ok;
    throw error;
  } finally {
    await demo?.stop();
    release();
  }
}

const IN_USE = t`is in use by another process. Stop that one, or give this one a --persist of its own.`;

/** Runs the Worker in workerd, with a server before it and its ticks, until `stopWanted` or its end. @returns the exit code. */
async function watch(
  { configFile, host, port, tickSeconds, persistDir }: Order,
  config: Config,
  demo: Demo | null,
  stopWanted: Promise<void>,
): Promise<ExitCode> {
  const { secrets, missing } = await readSecrets(config, dirname(configFile), process.env);
  const runtime = await startWorkerd({
    script: await localWorker(),
    config,
    secrets: { ...secrets, ...demo?.secrets },
    persistDir,
    tickSeconds,
  });
  const { promise: gone, resolve: giveUp } = Promise.withResolvers<void>();
  const onFailure = (error: unknown): void => {
    if (error instanceof RuntimeGoneError) giveUp();
    else console.error(t`A tick failed: ${error instanceof Error ? error.message : "unknown"}`);
  };
  try {
    // Miniflare starts a runtime again that Ctrl+C has ended, and calls to the old one may never be answered.
    const past = demo === null ? Promise.resolve() : runtime.recordPast(demo.begin());
    if (await Promise.race([stopWanted.then(() => true), past.then(() => false)])) return EXIT.ok;
    const front = await startFrontServer(runtime.address, { host, port });
    const stopTicks = startTicks(tickSeconds * 1000, runtime.tick, onFailure);
    greet(front.url, config, demo === null ? missing : []);
    if (demo !== null) console.log(t`Simulated gateways: ${demo.url}/ (another port: --simulator-port)`);
    for (const problem of localProblems(config, secrets)) console.log(problem);
    const code = await Promise.race([stopWanted.then(() => EXIT.ok), gone.then(sayGone)]);
    await stopTicks();
    await front.stop();
    return code;
  } finally {
    await runtime.stop();
  }
}

const LONGEST_FAREWELL_MS = 5000;

/** Fires a tick at once and at each full interval. @returns what stops them and waits for those in flight, up to a limit. */
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
  console.log(`${config.title}: ${url}/${config.parts.includes("pages") ? "" : "api/v1/status"}`);
  if (config.notice !== null) console.log(config.notice);
  for (const name of missing) {
    console.log(t`The secret ${name} is not set: put it into .dev.vars or the environment, and start again.`);
  }
}

function sayGone(): ExitCode {
  console.error(
    t`Gatepulse stops: its runtime (workerd) crashed and cannot restart. No recorded data is lost.`,
  );
  return EXIT.others;
}

function refuse(problem: string, code: ExitCode): ExitCode {
  console.error(t`Gatepulse cannot start: ${problem}`);
  return code;
}

function explain(error: unknown): ExitCode {
  const isTaken = error instanceof Error && Reflect.get(error, "code") === "EADDRINUSE";
  const fix = isTaken
    ? `. ${t`Another program listens there: choose another --port or --simulator-port (0: any free one)`}`
    : "";
  return refuse(error instanceof Error ? `${error.message}${fix}` : "unknown", EXIT.others);
}

/** What is configured but will not work on this machine, one sentence each. */
export function localProblems(config: Config, secrets: Readonly<Record<string, string>>): readonly string[] {
  const token = secrets["ADMIN_TOKEN"]?.trim() ?? "";
  const view = secrets["VIEW_TOKEN"] ?? null;
  const mails = config.alerts.filter(({ kind }) => kind === "email").map(({ id }) => id);
  return [
    ...(token !== "" && token === view?.trim()
      ? [t`VIEW_TOKEN is the same as ADMIN_TOKEN: everyone who can see the page can administer it.`]
      : []),
    ...secretFaults(config, (name) => secrets[name] ?? null).map(({ problem }) => t`${sentence(problem)}.`),
    ...mails.map((id) => t`The channel ${id} sends nothing: only a deployed Worker can send mail.`),
  ];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
