/** A machine of a newcomer: one Node, npm or pnpm, and nothing of this repository in reach. */
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "vitest";
import { type Program, start } from "../local/program.ts";
import { pack } from "../local/support/pack.ts";
import { temporaryDirectory } from "../local/support/temporary-directory.ts";
import { commandOfMachine } from "../programs.ts";

const execute = promisify(execFile);

export interface Machine {
  /** An empty directory, outside the repository. */
  readonly directory: string;
  /** Rejects with what the program printed if it fails. @returns what it printed on standard output. */
  run(command: string, args: readonly string[], at?: string): Promise<string>;
  attempt(command: string, args: readonly string[], at?: string): Promise<Ran>;
  start(command: string, args: readonly string[], at: string): Program;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Setup {
  /** A major version of Node. */
  readonly node: number;
  readonly manager: "npm" | "pnpm";
}

/** pnpm 10 is the last that Node 20 runs. */
const PNPM: Readonly<Record<number, string>> = { 20: "pnpm@10", 22: "pnpm@12", 24: "pnpm@12" };

const LONGEST_RUN_MS = 300_000;

export async function packed(): Promise<string> {
  const { filename } = await pack(await temporaryDirectory((clean) => afterAll(clean)));
  return filename;
}

/** @param env secrets, and what else the newcomer has set. */
export async function newMachine(setup: Setup, env: Readonly<Record<string, string>>): Promise<Machine> {
  const home = await temporaryDirectory((clean) => afterAll(clean));
  const bin = join(home, "bin");
  const directory = join(home, "work");
  await mkdir(bin);
  await mkdir(directory);
  const npm = commandOfMachine("npm");
  if (npm === null) throw new Error("this machine has no npm");
  const path = [bin, dirname(npm), "/usr/bin", "/bin"].join(":");
  const cache = await emptyNpx(npm, join(home, "cache"));
  const own = {
    ...withoutOurs(process.env),
    PATH: path,
    NO_COLOR: "1",
    WRANGLER_SEND_METRICS: "false",
    npm_config_cache: cache,
    ...env,
  };
  const optionsAt = (cwd: string) => ({
    cwd,
    env: own,
    timeout: LONGEST_RUN_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  const machine: Machine = {
    directory,
    run: async (command, args, at = directory) => (await execute(command, args, optionsAt(at))).stdout,
    attempt: (command, args, at = directory) =>
      execute(command, args, optionsAt(at)).then(
        (done) => ({ code: 0, ...done }),
        (error: unknown) => error as Ran,
      ),
    start: (command, args, at) => start(command, args, { cwd: at, env: own, alone: true }),
  };
  await bring(machine, join(home, "tools"), bin, setup);
  return machine;
}

/** Downloads are those of this machine. What npx has installed is not: the same version may be another package tomorrow. */
async function emptyNpx(npm: string, cache: string): Promise<string> {
  const { stdout } = await execute(npm, ["config", "get", "cache"]);
  const downloads = join(stdout.trim(), "_cacache");
  await mkdir(downloads, { recursive: true });
  await mkdir(cache);
  await symlink(downloads, join(cache, "_cacache"));
  return cache;
}

/** What this process has from `npm run` and vitest would lead back into the repository. */
function withoutOurs(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(?:npm_|VITEST|TEST|NODE_PATH|NODE_ENV|NODE_COMPILE_CACHE|INIT_CWD|OLDPWD|PWD)/.test(name),
  );
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Puts Node, and pnpm if it is asked for, in front of what the machine has. */
async function bring(machine: Machine, tools: string, bin: string, { node, manager }: Setup): Promise<void> {
  await mkdir(tools);
  await writeFile(
    join(tools, "package.json"),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  );
  const wanted = [`node@${node}`, ...(manager === "pnpm" ? [PNPM[node] ?? "pnpm"] : [])];
  await machine.run("npm", ["install", "--foreground-scripts", ...wanted], tools);
  await symlink(join(tools, "node_modules/node/bin/node"), join(bin, "node"));
  if (manager === "pnpm") {
    await symlink(join(tools, "node_modules/.bin/pnpm"), join(bin, "pnpm"));
  }
  const version = await machine.run("node", ["--version"]);
  if (!version.startsWith(`v${node}.`)) throw new Error(`this is Node ${version}`);
}
