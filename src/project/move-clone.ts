/** `gatepulse init --from CLONE`: makes a project of a clone, in another directory or in its place. Nothing is deleted. */
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isOfClone, keptName, NAMES_OF_CLONE, readClone, type CloneOrder } from "./clone.ts";
import { textAt, writeInto, type Files } from "./files.ts";
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
    return clone === directory ? await moveInPlace(order) : await copyClone(order);
  } finally {
    release();
  }
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
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0)
    return { ok: false, problem: `${directory} is not empty: name a new directory, or the clone itself` };
  const read = await readClone(order);
  if (!read.ok) return read;
  if (existsSync(join(clone, STATE)))
    await cp(join(clone, STATE), join(directory, STATE), { recursive: true, preserveTimestamps: true });
  const secrets = (await textAt(join(clone, SECRETS))) ?? template("dev.vars");
  await writeInto(directory, new Map([...read.made, [SECRETS, secrets], ...read.sources]));
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
  const taken = takenBy(made, clone);
  if (taken !== null)
    return {
      ok: false,
      problem: `${taken} is your own, and a project needs a file there: rename it, and repeat`,
    };
  for (const path of new Set([...NAMES_OF_CLONE, ...sources.keys()])) await keep(path, clone, kept);
  await writeInto(clone, new Map([...made, ...sources]));
  const added = [...made.keys()].filter((path) => !existsSync(join(clone, kept, path)));
  const goBack = `rm -rf node_modules ${added.join(" ")} && cp -a ${kept}/. . && rm -r ${kept}`;
  return { ok: true, version, kept: { directory: kept, goBack } };
}

/** A file of the user's where a new one must go. */
function takenBy(made: Files, clone: string): string | null {
  const paths = [...made.keys()].filter((path) => !isOfClone(path));
  return paths.find((path) => existsSync(join(clone, path))) ?? null;
}

async function keep(path: string, clone: string, kept: string): Promise<void> {
  if (!existsSync(join(clone, path))) return;
  const target = join(clone, kept, path);
  await mkdir(dirname(target), { recursive: true });
  await rename(join(clone, path), target);
}
