/** `gatepulse init --from CLONE`: makes a project of a clone, in another directory or in its place. Nothing is deleted. */
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  isOfClone,
  keptName,
  NAMES_OF_CLONE,
  readClone,
  type CloneOrder,
  type ProjectOfClone,
} from "./clone.ts";
import { writeInto } from "./files.ts";
import { nextSteps } from "./project.ts";
import type { PackageManager } from "./template.ts";

const STATE = ".gatepulse";
const SECRETS = ".dev.vars";

export interface MoveOrder extends CloneOrder {
  /** That of the clone: in place. */
  readonly directory: string;
}

export type Moved =
  | {
      readonly ok: true;
      readonly version: string;
      /** Files of the user that could not take the new lines. */
      readonly conflicts: readonly string[];
      /** In place: where the files of the clone are now, and the command that brings them back. */
      readonly kept: { readonly directory: string; readonly goBack: string } | null;
    }
  | { readonly ok: false; readonly problem: string };

export async function moveClone(order: MoveOrder): Promise<Moved> {
  const { clone, directory } = order;
  // An interrupted move has read everything already, and no Gatepulse can run in the middle of it.
  if (clone === directory && isMoving(clone)) return moveInPlace(order);
  if (!process.features.typescript) return { ok: false, problem: OLD_NODE };
  const release = await lockState(clone);
  if (typeof release === "string") return { ok: false, problem: release };
  try {
    return clone === directory ? await moveInPlace(order) : await copyClone(order);
  } finally {
    release();
  }
}

/** An old one reads no TypeScript. What npm ci brings is found first by npx. */
const OLD_NODE = `Node ${process.versions.node} cannot read the configuration of the clone. Run npm ci in the clone, which brings Node 24, and repeat`;

/** @returns what is wrong, or a function that releases the lock. */
async function lockState(clone: string): Promise<string | (() => void)> {
  const directory = join(clone, STATE);
  if (!existsSync(directory)) return () => undefined;
  const { lockDirectory } = await import("../local/persist-dir.ts");
  return lockDirectory(directory) ?? `a Gatepulse runs with ${directory}. Stop it first, and repeat.`;
}

/** For people. @param place from the working directory to the project; empty: it is that. */
export function movedText(
  { version, conflicts, kept }: Extract<Moved, { ok: true }>,
  place: string,
  manager: PackageManager,
): string {
  const done =
    kept === null
      ? `Made a project of the clone of ${version}. The clone is as it was; do not run both: each would send alerts.\n`
      : `The clone of ${version} is a project now. Its own files are in ${kept.directory}: delete it when you no longer need it.\n`;
  const open = conflicts.map(
    (path) =>
      `\nYou changed the same lines of ${path} as the new version. ${path}.new is the new file: add your lines to it, and rename it.\n`,
  );
  const goBack = kept === null ? "" : `\nTo go back:\n  ${kept.goBack}\n`;
  return `${done}${open.join("")}
${nextSteps(place, manager)}
The next deploy keeps the data of your Worker: its name, its KV and its Ledger are the same.
${goBack}`;
}

async function copyClone(order: MoveOrder): Promise<Moved> {
  const { clone, directory } = order;
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0)
    return { ok: false, problem: `${directory} is not empty: name a new directory, or the clone itself` };
  const read = await readClone(order);
  if (!read.ok) return read;
  const { version, files, conflicts } = read.project;
  const stage = join(dirname(directory), `.${basename(directory)}.gatepulse-move`);
  await rm(stage, { recursive: true, force: true });
  try {
    await writeInto(stage, files);
    if (existsSync(join(clone, SECRETS))) {
      await cp(join(clone, SECRETS), join(stage, SECRETS));
      await chmod(join(stage, SECRETS), 0o600);
    }
    if (existsSync(join(clone, STATE)))
      await cp(join(clone, STATE), join(stage, STATE), { recursive: true, preserveTimestamps: true });
    await rename(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
  return { ok: true, version, conflicts, kept: null };
}

/** What is being done when the program ends is found by the next run, which goes on with it. */
const PREPARED = ".gatepulse-move-prepared";
/** The new files come to their places; the old ones have left them. */
const PLACING = ".gatepulse-move-placing";

interface Manifest {
  readonly version: string;
  readonly conflicts: readonly string[];
  /** The new files. */
  readonly paths: readonly string[];
  /** The old ones, as far as they are there. */
  readonly leaving: readonly string[];
}

function isMoving(clone: string): boolean {
  return [PREPARED, PLACING].some((name) => existsSync(join(clone, name)));
}

async function moveInPlace(order: MoveOrder): Promise<Moved> {
  const { clone } = order;
  const prepared = join(clone, PREPARED);
  const placing = join(clone, PLACING);
  if (!existsSync(placing)) {
    const problem = existsSync(prepared) ? null : await prepare(order, prepared);
    if (problem !== null) return { ok: false, problem };
    const { version, leaving } = await readManifest(prepared);
    for (const path of leaving) await moveFile(clone, join(clone, keptName(version)), path);
    await rename(prepared, placing);
  }
  const manifest = await readManifest(placing);
  for (const path of manifest.paths) await moveFile(join(placing, "files"), clone, path);
  await rm(placing, { recursive: true });
  const kept = keptName(manifest.version);
  const added = manifest.paths.filter((path) => !existsSync(join(clone, kept, path)));
  const goBack = `rm -rf node_modules ${added.join(" ")} && cp -a ${kept}/. . && rm -r ${kept}`;
  return { ok: true, ...manifest, kept: { directory: kept, goBack } };
}

/** @returns what is wrong; null: nothing. */
async function prepare(order: MoveOrder, prepared: string): Promise<string | null> {
  const { clone } = order;
  const read = await readClone(order);
  if (!read.ok) return read.problem;
  const { project } = read;
  const kept = keptName(project.version);
  if (existsSync(join(clone, kept))) return `${kept} is there already: move it away, and repeat`;
  const taken = takenBy(project, clone);
  if (taken !== null) return `${taken} is your own, and a project needs a file there: rename it, and repeat`;
  const stage = `${prepared}.tmp`;
  await rm(stage, { recursive: true, force: true });
  await writeInto(join(stage, "files"), project.files);
  const paths = [...project.files.keys()];
  const manifest: Manifest = {
    version: project.version,
    conflicts: project.conflicts,
    paths,
    leaving: [...new Set([...NAMES_OF_CLONE, ...paths.filter((path) => !isOfClone(path))])],
  };
  await writeFile(join(stage, "manifest.json"), JSON.stringify(manifest));
  await rename(stage, prepared);
  return null;
}

/** A file of the user's where a new one must go. Modules of the configuration are theirs, too, and are replaced. */
function takenBy({ files, ownModules }: ProjectOfClone, clone: string): string | null {
  const paths = [...files.keys()].filter((path) => !isOfClone(path) && !ownModules.has(path));
  return paths.find((path) => existsSync(join(clone, path))) ?? null;
}

async function readManifest(directory: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(directory, "manifest.json"), "utf8")) as Manifest;
}

/** If it is not there, it has been moved. */
async function moveFile(from: string, to: string, path: string): Promise<void> {
  const target = join(to, path);
  if (!existsSync(join(from, path))) return;
  await mkdir(dirname(target), { recursive: true });
  await rename(join(from, path), target);
}
