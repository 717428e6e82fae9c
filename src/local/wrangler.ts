/** wrangler as the project has it, and with it the runtime of this machine: both are then of one version. */
import { t } from "../config/spoken.ts";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram, type ProgramEnd, type ProgramOptions } from "../cli/programs.ts";

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
      t`wrangler is not installed in this project: run npm install --save-dev wrangler`,
    );
  }
}

export interface WranglerRun extends ProgramEnd {
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

/** It may ask at this terminal, unless it is hidden. @throws NoWranglerError */
export async function runWrangler(args: readonly string[], options: ProgramOptions): Promise<WranglerRun> {
  const { cwd, env } = options;
  const program = join(dirname(wranglerFile(join(cwd, "package.json"))), "bin/wrangler.js");
  const folder = await mkdtemp(join(tmpdir(), "gatepulse-wrangler-"));
  try {
    const report = join(folder, "entries");
    const reporting = { ...env, WRANGLER_OUTPUT_FILE_PATH: report };
    const end = await runProgram([process.execPath, program, ...args], { ...options, env: reporting });
    return { ...end, entries: await entriesIn(report, env) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

type Env = ProgramOptions["env"];

async function entriesIn(report: string, env: Env): Promise<readonly WranglerEntry[]> {
  const text = await readFile(report, "utf8").catch(() => "");
  await passOn(text, env);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as WranglerEntry]));
}

/** The platform's own builds read the same report. */
async function passOn(text: string, env: Env): Promise<void> {
  const { WRANGLER_OUTPUT_FILE_PATH: path, WRANGLER_OUTPUT_FILE_DIRECTORY: folder } = env;
  const file = path ?? (folder === undefined ? null : join(folder, `wrangler-output-${process.pid}.json`));
  if (file !== null) await appendFile(file, text);
}
