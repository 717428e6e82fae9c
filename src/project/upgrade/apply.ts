/** Does an upgrade: a backup of the data, the originals of the files, the new files, the installation. */
import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { runProgram, type ProgramEnd } from "../../cli/programs.ts";
import { writeInto } from "../files.ts";
import { runUnlessStopped } from "../interrupt.ts";
import type { FileChange } from "./changes.ts";
import { installedGatepulse, type InstalledProject } from "./installed.ts";

/** The originals, from before the first change until the upgrade is over. */
const UPGRADING = ".gatepulse/upgrading";
const LOCK_FILES = ["package-lock.json", "pnpm-lock.yaml"];

export interface BackupOrder {
  /** For the names of files. */
  readonly stamp: string;
  /** Of `gatepulse start`. */
  readonly persist: string;
  /** Of a running Gatepulse to save; null: none. */
  readonly url: string | null;
}

/** Was an upgrade ended before it was over? */
export function isUpgrading(directory: string): boolean {
  return existsSync(join(directory, UPGRADING));
}

export interface Backup {
  readonly file: string;
  readonly options: readonly [option: string, of: string];
}

/** What there is to save. */
export function backupsOf(
  { directory, version }: InstalledProject,
  { stamp, persist, url }: BackupOrder,
): readonly Backup[] {
  const name = `gatepulse-${version}-${stamp}`;
  return [
    ...(existsSync(resolve(directory, persist, "do"))
      ? [{ file: `${name}.backup`, options: ["--persist", persist] as const }]
      : []),
    ...(url === null ? [] : [{ file: `${name}-deployed.backup`, options: ["--url", url] as const }]),
  ];
}

/** The installed version saves its own data. */
export async function saveBackup(project: InstalledProject, { file, options }: Backup): Promise<boolean> {
  const { directory: cwd, env } = project;
  const program = [...installedGatepulse(project), "backup", file, ...options];
  return (await runUnlessStopped(program, { cwd, env, output: "shown" })).code === 0;
}

/** Each file is changed as a whole. If this ends anywhere, it can be done again. */
export async function changeFiles(directory: string, changes: readonly FileChange[]): Promise<void> {
  await keepOriginals(directory, [...changes.map(({ path }) => path), ...LOCK_FILES]);
  await writeInto(directory, new Map(changes.map(({ path, after }) => [path, after])));
}

async function keepOriginals(directory: string, paths: readonly string[]): Promise<void> {
  const kept = join(directory, UPGRADING);
  // Those that an interrupted upgrade has kept are older.
  if (existsSync(kept)) return;
  const stage = `${kept}.tmp`;
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  for (const path of paths.filter((of) => existsSync(join(directory, of)))) {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await cp(join(directory, path), join(stage, path), { dereference: true });
  }
  await rename(stage, kept);
}

export async function install({ directory: cwd, env, answers }: InstalledProject): Promise<ProgramEnd> {
  const { name } = answers.manager;
  // Where the variable CI is set, pnpm refuses to change its lock file otherwise.
  const options = name === "pnpm" ? ["--no-frozen-lockfile"] : [];
  return runProgram([name, "install", ...options], { cwd, env, output: "shown" });
}

/** @returns where the originals are from now on. */
export async function finish(directory: string, version: string): Promise<string> {
  const originals = `.gatepulse/before-${version}`;
  await rm(join(directory, originals), { recursive: true, force: true });
  await rename(join(directory, UPGRADING), join(directory, originals));
  return originals;
}

/** The commands that bring the files and the packages back. The originals go: what is edited afterwards is newer. */
export function goBackCommand({ answers }: InstalledProject, originals: string = UPGRADING): string {
  return `cp -R ${originals}/. . && rm -r ${originals} && ${answers.manager.name} install`;
}
