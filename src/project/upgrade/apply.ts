/** Does an upgrade: a backup of the data, the originals of the files, the new files, the installation. */
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../../cli/programs.ts";
import { compareVersions } from "../../package/versions.ts";
import { existing, type FileChange } from "./changes.ts";
import { installedGatepulse, type InstalledProject } from "./installed.ts";

/** The originals, from before the first change until the upgrade is over. */
const UPGRADING = ".gatepulse/upgrading";
const LOCK_FILES = ["package-lock.json", "pnpm-lock.yaml"];
/** The first that has `gatepulse backup`. */
const FIRST_WITH_BACKUP = "0.3.0";

export interface BackupOrder {
  /** For the names of files. */
  readonly stamp: string;
  /** Of `gatepulse start`. */
  readonly persist: string;
  /** Of a running Gatepulse to save; null: none. */
  readonly url: string | null;
}

export type Backups =
  | {
      readonly ok: true;
      /** The commands that bring the data back. */
      readonly restores: readonly string[];
    }
  | { readonly ok: false; readonly file: string };

/** Was an upgrade ended before it was over? */
export function isUpgrading(directory: string): boolean {
  return existsSync(join(directory, UPGRADING));
}

/** The installed version saves its own data. */
export async function saveBackups(project: InstalledProject, order: BackupOrder): Promise<Backups> {
  const { stamp, persist, url } = order;
  const { directory, version } = project;
  const name = `gatepulse-${version}-${stamp}`;
  const wanted = [
    ...(existsSync(join(directory, persist, "do")) ? [[`${name}.backup`, "--persist", persist]] : []),
    ...(url === null ? [] : [[`${name}-deployed.backup`, "--url", url]]),
  ];
  const restores: string[] = [];
  for (const [file = "", ...options] of wanted) {
    if (!(await saveBackup(project, file, options))) return { ok: false, file };
    restores.push(
      hasBackup(project)
        ? `npx gatepulse restore ${file} ${options.join(" ")} --replace`
        : `rm -r ${persist} && cp -R ${file} ${persist}`,
    );
  }
  return { ok: true, restores };
}

function hasBackup({ version }: InstalledProject): boolean {
  return compareVersions(version, FIRST_WITH_BACKUP) >= 0;
}

async function saveBackup(
  project: InstalledProject,
  file: string,
  options: readonly string[],
): Promise<boolean> {
  const { directory: cwd, env } = project;
  if (!hasBackup(project)) {
    const [option, persist = ""] = options;
    if (option !== "--persist") return false;
    await cp(join(cwd, persist), join(cwd, file), { recursive: true, preserveTimestamps: true });
    return true;
  }
  const program = [...installedGatepulse(project), "backup", file, ...options];
  return (await runProgram(program, { cwd, env, output: "shown" })).code === 0;
}

/** Each file is changed as a whole. If this ends anywhere, it can be done again. */
export async function changeFiles(directory: string, changes: readonly FileChange[]): Promise<void> {
  await keepOriginals(directory, [...changes.map(({ path }) => path), ...LOCK_FILES]);
  for (const { path, after } of changes) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(`${target}.tmp`, after, { flush: true });
    await rename(`${target}.tmp`, target);
  }
}

async function keepOriginals(directory: string, paths: readonly string[]): Promise<void> {
  const kept = join(directory, UPGRADING);
  // Those that an interrupted upgrade has kept are older.
  if (existsSync(kept)) return;
  const stage = `${kept}.tmp`;
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  for (const path of existing(directory, paths)) {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await cp(join(directory, path), join(stage, path));
  }
  await rename(stage, kept);
}

export async function install({ directory: cwd, env, answers }: InstalledProject): Promise<boolean> {
  return (await runProgram([answers.manager.name, "install"], { cwd, env, output: "shown" })).code === 0;
}

export async function check(project: InstalledProject, config: string): Promise<boolean> {
  const { directory: cwd, env } = project;
  const program = [...installedGatepulse(project), "check", config];
  return (await runProgram(program, { cwd, env, output: "shown" })).code === 0;
}

/** @returns where the originals are from now on. */
export async function finish(directory: string, version: string): Promise<string> {
  const originals = `.gatepulse/before-${version}`;
  await rm(join(directory, originals), { recursive: true, force: true });
  await rename(join(directory, UPGRADING), join(directory, originals));
  return originals;
}

/** The commands that bring the files and the packages back. */
export function goBackCommand({ answers }: InstalledProject, originals: string = UPGRADING): string {
  return `cp -R ${originals}/. . && ${answers.manager.name} install`;
}
