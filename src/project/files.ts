/** Writes files so that each is there as a whole or not at all, whenever the program ends. */
import { constants } from "node:fs";
import { access, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

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

/** A new directory appears as a whole. In one that is there, files appear one after the other, in their order. */
export async function writeFiles(directory: string, files: Files): Promise<void> {
  if ((await placeAt(directory)) === "absent") return writeDirectory(directory, files);
  const stage = join(directory, ".gatepulse-init");
  await rm(stage, { recursive: true, force: true });
  try {
    await mkdir(stage);
    // A stage that is left behind by the end of the program must not be committed: secrets are in it.
    await writeFile(join(stage, ".gitignore"), "*\n");
    const staged = Array.from(files, ([path, text], number) => ({
      path,
      text,
      at: join(stage, String(number)),
    }));
    for (const { path, text, at } of staged) await writeWhole(at, text, path);
    for (const { path, at } of staged) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await rename(at, join(directory, path));
    }
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function writeDirectory(directory: string, files: Files): Promise<void> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  const stage = join(parent, `.${basename(directory)}.gatepulse-init`);
  await rm(stage, { recursive: true, force: true });
  try {
    for (const [path, text] of files) {
      await mkdir(dirname(join(stage, path)), { recursive: true });
      await writeWhole(join(stage, path), text, path);
    }
    await rename(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function writeWhole(at: string, text: string, path: string): Promise<void> {
  await writeFile(at, text, { flush: true, flag: "wx", mode: path === SECRET_FILE ? 0o600 : 0o666 });
}
