/** wrangler as the project has it, and with it the runtime of this machine: both are then of one version. */
import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export class NoWranglerError extends Error {
  override readonly name = "NoWranglerError";
}

/** Loads packages that wrangler depends on, wherever the package manager put them. @throws NoWranglerError */
export function requireOfWrangler(): NodeJS.Require {
  return createRequire(wranglerFile(import.meta.url));
}

/** @param from a file or its address. */
function wranglerFile(from: string): string {
  try {
    return createRequire(from).resolve("wrangler/package.json");
  } catch {
    throw new NoWranglerError(
      "wrangler is not installed in this project: run npm install --save-dev wrangler",
    );
  }
}

export interface WranglerRun {
  readonly code: number;
  /** By Ctrl-C, or by a signal. */
  readonly isStopped: boolean;
  /** What a quiet one said. */
  readonly said: string;
  /** What it reported for programs, one entry each. */
  readonly entries: readonly WranglerEntry[];
}

export interface WranglerEntry {
  readonly type: string;
  /** Of `deploy`: addresses, routes, schedules. */
  readonly targets?: readonly string[];
  /** Of `command-failed`; the code is that of Cloudflare's API. */
  readonly message?: string;
  readonly code?: number | string;
}

interface WranglerOrder {
  readonly project: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It does not use the terminal. */
  readonly isQuiet?: boolean;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** It may ask at this terminal, unless it is quiet. @throws NoWranglerError */
export async function runWrangler({
  project,
  args,
  env,
  isQuiet = false,
}: WranglerOrder): Promise<WranglerRun> {
  const program = join(dirname(wranglerFile(join(project, "package.json"))), "bin/wrangler.js");
  const folder = await mkdtemp(join(tmpdir(), "gatepulse-wrangler-"));
  const report = join(folder, "entries");
  const { promise: ended, resolve: end, reject } = Promise.withResolvers<number>();
  let isStopped = false;
  let said = "";
  const child = spawn(process.execPath, [program, ...args], {
    cwd: project,
    env: { ...env, WRANGLER_OUTPUT_FILE_PATH: report },
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  const stop = (): void => {
    isStopped = true;
    child.kill();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (said += text));
  child.on("error", reject).on("close", (code) => end(code ?? 1));
  try {
    const code = await ended;
    return { code, isStopped, said, entries: await entriesIn(report, env) };
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await rm(folder, { recursive: true });
  }
}

async function entriesIn(report: string, env: WranglerOrder["env"]): Promise<readonly WranglerEntry[]> {
  const text = await readFile(report, "utf8").catch(() => "");
  await passOn(text, env);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as WranglerEntry]));
}

/** The platform's own builds read the same report. */
async function passOn(text: string, env: WranglerOrder["env"]): Promise<void> {
  const { WRANGLER_OUTPUT_FILE_PATH: path, WRANGLER_OUTPUT_FILE_DIRECTORY: folder } = env;
  const file = path ?? (folder === undefined ? null : join(folder, `wrangler-output-${process.pid}.json`));
  if (file !== null) await appendFile(file, text);
}
