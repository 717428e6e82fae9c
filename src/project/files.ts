/** Writes files so that each is there as a whole or not at all, whenever the program ends. */
import { t } from "../config/spoken.ts";
import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** By path below a directory, with forward slashes. */
export type Files = ReadonlyMap<string, string>;

/** Only its owner may read it. */
const SECRET_FILE = ".dev.vars";

/** Null: there is none. */
export async function textAt(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

/** A new directory appears as a whole; in an old one files appear in their order. @returns why nothing can be written, or null. */
export async function writeFiles(directory: string, files: Files): Promise<string | null> {
  try {
    await (existsSync(directory) ? writeInto : writeDirectory)(directory, files);
    return null;
  } catch (error) {
    return t`nothing can be written to ${directory} (${error instanceof Error ? error.message : "unknown"})`;
  }
}

async function writeDirectory(directory: string, files: Files): Promise<void> {
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  const stage = join(parent, `.${basename(directory)}.gatepulse-init`);
  await rm(stage, { recursive: true, force: true });
  try {
    await writeInto(stage, files);
    await rename(stage, directory);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

export async function writeInto(directory: string, files: Files): Promise<void> {
  for (const [path, text] of files) {
    await writeWhole(join(directory, path), text, path === SECRET_FILE ? 0o600 : 0o666);
  }
}

/** A link stays, and the file that it leads to changes. */
async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const target = await realpath(path).catch(() => path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(`${target}.tmp`, text, { flush: true, mode });
  await rename(`${target}.tmp`, target);
}

/** The lines that are not there yet come after the others. */
export function withLines(text: string, lines: readonly string[]): string {
  const known = new Set(["", ...text.split(/\r?\n/)]);
  const missing = lines.filter((line) => !known.has(line)).map((line) => `${line}\n`);
  const isEnded = missing.length === 0 || text === "" || text.endsWith("\n");
  return `${text}${isEnded ? "" : "\n"}${missing.join("")}`;
}
