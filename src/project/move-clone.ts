/** `gatepulse init --from CLONE`: makes a project of a clone, in another directory or in its place. Nothing is deleted. */
import { existsSync } from "node:fs";
import { cp, readdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeDirectory } from "../local/make-directory.ts";
import { isKept, isOfClone, keptName, NAMES_OF_CLONE, readClone, type CloneOrder } from "./clone.ts";
import { staged, textAt, writeInto, type Files } from "./files.ts";
import { nextSteps } from "./project.ts";
import { template, type PackageManager } from "./template.ts";

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
      /** In place: where the files of the clone are now, and the command that brings them back. */
      readonly kept: { readonly directory: string; readonly goBack: string } | null;
    }
  | { readonly ok: false; readonly problem: string };

export async function moveClone(order: MoveOrder): Promise<Moved> {
  const { clone, directory } = order;
  if (!process.features.typescript) return { ok: false, problem: OLD_NODE };
  const release = await lockState(clone);
  if (typeof release === "string") return { ok: false, problem: release };
  try {
    const moved = await (clone === directory ? moveInPlace(order) : copyClone(order));
    return moved.ok ? moved : withGoBack(moved.problem, clone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "unknown";
    return withGoBack(`the project was not made (${reason})`, clone);
  } finally {
    release();
  }
}

/** A move that did not end leaves files of the clone there. */
async function withGoBack(problem: string, clone: string): Promise<Moved> {
  const there = await readdir(clone, { withFileTypes: true }).catch(() => []);
  const kept = there.find((entry) => entry.isDirectory() && isKept(entry.name))?.name;
  if (kept === undefined) return { ok: false, problem };
  const command = `cp -a ${kept}/. . && rm -r ${kept}`;
  return {
    ok: false,
    problem: `${problem}\n${kept} has files of the clone. To bring them back, run this in ${clone}:\n  ${command}`,
  };
}

/** An old one reads no TypeScript. npx finds what npm ci brings, but only in the clone itself. */
const OLD_NODE = `Node ${process.versions.node} cannot read the configuration of the clone. In the clone, run npm ci, which brings Node 24, and then npx gatepulse init --from .`;

/** @returns what is wrong, or a function that releases the lock. */
async function lockState(clone: string): Promise<string | (() => void)> {
  const directory = join(clone, STATE);
  if (!existsSync(directory)) return () => undefined;
  const { lockDirectory } = await import("../local/persist-dir.ts");
  return lockDirectory(directory) ?? `a Gatepulse runs with ${directory}. Stop it first, and repeat.`;
}

/** For people. @param place from the working directory to the project; empty: it is that. */
export function movedText(
  { version, kept }: Extract<Moved, { ok: true }>,
  place: string,
  manager: PackageManager,
): string {
  const done =
    kept === null
      ? `Made a project of the clone of ${version}. The clone is as it was; do not run both: each would send alerts.\n`
      : `The clone of ${version} is a project now. Its own files are in ${kept.directory}: delete it when you no longer need it.\n`;
  const goBack = kept === null ? "" : `\nTo go back:\n  ${kept.goBack}\n`;
  return `${done}
${nextSteps(place, manager)}
The next deploy keeps the data of your Worker: its name, its KV and its Ledger are the same.
${goBack}`;
}

async function copyClone(order: MoveOrder): Promise<Moved> {
  const { clone, directory } = order;
  const isThere = existsSync(directory);
  if (isThere && (await readdir(directory)).length > 0)
    return { ok: false, problem: `${directory} is not empty: name a new directory, or the clone itself` };
  const read = await readClone(order);
  if (!read.ok) return read;
  const own = join(clone, SECRETS);
  const secrets = existsSync(own) ? await readFile(own, "utf8") : template("dev.vars");
  await staged(directory, async (stage) => {
    await writeInto(stage, new Map([...read.made, [SECRETS, secrets], ...read.sources]));
    if (existsSync(join(clone, STATE)))
      await cp(join(clone, STATE), join(stage, STATE), { recursive: true, preserveTimestamps: true });
    if (!isThere) return rename(stage, directory);
    // A shell may be in it, so it must stay the same.
    for (const name of await readdir(stage)) await move(name, stage, directory);
  });
  return { ok: true, version: read.version, kept: null };
}

async function moveInPlace(order: MoveOrder): Promise<Moved> {
  const { clone } = order;
  const read = await readClone(order);
  if (!read.ok) return read;
  const { version, made, sources } = read;
  const kept = keptName(version);
  if (existsSync(join(clone, kept)))
    return { ok: false, problem: `${kept} is there already: move it away, and repeat` };
  const taken = await takenBy(made, clone);
  if (taken !== null)
    return {
      ok: false,
      problem: `${taken} is your own, and a project needs a file there: rename it, and repeat`,
    };
  const files = new Map([...made, ...sources]);
  await staged(join(clone, kept), async (stage) => {
    await writeInto(stage, files);
    for (const path of new Set([...NAMES_OF_CLONE, ...sources.keys()]))
      await move(path, clone, join(clone, kept));
    for (const path of files.keys()) await move(path, stage, clone);
  });
  const added = [...made.keys()].filter((path) => !existsSync(join(clone, kept, path)));
  const goBack = `rm -rf node_modules ${added.join(" ")} && cp -a ${kept}/. . && rm -r ${kept}`;
  return { ok: true, version, kept: { directory: kept, goBack } };
}

/** A file of the user's where a new one must go. A move that did not end leaves new ones. */
async function takenBy(made: Files, clone: string): Promise<string | null> {
  for (const [path, text] of made) {
    const own = join(clone, path);
    if (!isOfClone(path) && existsSync(own) && (await textAt(own)) !== text) return path;
  }
  return null;
}

async function move(path: string, from: string, to: string): Promise<void> {
  if (!existsSync(join(from, path))) return;
  await makeDirectory(dirname(join(to, path)));
  await rename(join(from, path), join(to, path));
}
