/** Writes files so that each is there as a whole or not at all, whenever the program ends. */
import { constants } from "node:fs";
import { access, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeDirectory } from "../local/make-directory.ts";

/** By path below a directory, with forward slashes. */
export type Files = ReadonlyMap<string, string>;

/** Only its owner may read it. */
const SECRET_FILE = ".dev.vars";

/** `absent`: so it may be made. */
export type Place = "absent" | "directory" | "other";

export async function placeAt(path: string): Promise<Place> {
  const found = await stat(path).catch(() => null);
  if (found === null) return "absent";
  return found.isDirectory() ? "directory" : "other";
}

/** Null: there is none. */
export async function textAt(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

export async function isThere(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
}

/** In a directory that is there, what is written and not yet in its place. */
const STAGE = ".gatepulse-init";
const NAMES = "files.txt";

/**
 * A new directory appears as a whole. In one that is there, files appear one after the other, in their order.
 * @returns why nothing can be written; null: all is.
 */
export async function writeFiles(directory: string, files: Files): Promise<string | null> {
  try {
    await ((await placeAt(directory)) === "absent" ? writeDirectory : writeInto)(directory, files);
    return null;
  } catch (error) {
    return `nothing can be written to ${directory} (${error instanceof Error ? error.message : "unknown"})`;
  }
}

async function writeInto(directory: string, files: Files): Promise<void> {
  const stage = join(directory, STAGE);
  await makeDirectory(stage);
  // A stage that the end of the program left behind must not be committed: secrets are in it.
  await writeFile(join(stage, ".gitignore"), "*\n");
  await writeFile(join(stage, NAMES), Array.from(files.keys()).join("\n"));
  const staged = (path: string): string => join(stage, path.replaceAll("/", "--"));
  for (const [path, text] of files) await writeWhole(staged(path), text, path);
  for (const path of files.keys()) {
    await makeDirectory(dirname(join(directory, path)));
    await rename(staged(path), join(directory, path));
  }
  await rm(stage, { recursive: true });
}

/** The files that a program which was ended while it wrote may have put in their places. */
export async function unfinishedIn(directory: string): Promise<ReadonlySet<string>> {
  const names = await textAt(join(directory, STAGE, NAMES));
  return new Set(names?.split("\n"));
}

async function writeDirectory(directory: string, files: Files): Promise<void> {
  const parent = dirname(directory);
  await makeDirectory(parent);
  const stage = join(parent, `.${basename(directory)}.gatepulse-init`);
  await rm(stage, { recursive: true, force: true });
  try {
    for (const [path, text] of files) {
      await makeDirectory(dirname(join(stage, path)));
      await writeWhole(join(stage, path), text, path);
    }
    await rename(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function writeWhole(at: string, text: string, path: string): Promise<void> {
  await writeFile(at, text, { flush: true, mode: path === SECRET_FILE ? 0o600 : 0o666 });
}
