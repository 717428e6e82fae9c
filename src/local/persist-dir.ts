/** The directory of state and history. It must be writable. Only one monitor may use it: two would write the same databases. */
import { t } from "../config/spoken.ts";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;
const LOCK = "lock.sqlite";

/** SQLite's exclusive lock: the system releases it when the process dies. @returns what does; null: another holds it. @throws if damaged. */
export function lockDirectory(directory: string): (() => void) | null {
  const file = join(directory, LOCK);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (error instanceof Error && Reflect.get(error, "errcode") === SQLITE_BUSY) return null;
    throw new Error(t`${file} is damaged: remove it, and start again`, { cause: error });
  }
  return () => database.close();
}

/** Removes only what the runtime keeps there. */
export async function emptyDirectory(directory: string): Promise<void> {
  const stores = ["cache", "do", "kv"];
  await Promise.all(stores.map((name) => rm(join(directory, name), { recursive: true, force: true })));
}

/** Larger than what one tick adds to SQLite's log. */
const TRIAL_BYTES = 256 * 1024;

/** Creates the directory if it does not exist. @returns what is wrong and what to do; null: it is writable. */
export async function writeProblem(directory: string): Promise<string | null> {
  const trial = join(directory, `write-test-${process.pid}.tmp`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(trial, new Uint8Array(TRIAL_BYTES), { flush: true });
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown";
    return t`nothing can be written to ${directory} (${why}). Make room there, or let this user write there, and start again.`;
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}
