/**
 * The directory of state and history: one monitor has it, as two would write the same databases, and it can be written to.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

/**
 * The lock is SQLite's own exclusive lock on a file: the system takes it from a process that has died, however it died.
 *
 * @returns what releases it; null: another process has it. @throws where there is no such directory.
 */
export function lockDirectory(directory: string): (() => void) | null {
  const database = new DatabaseSync(join(directory, "lock.sqlite"));
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (error instanceof Error && Reflect.get(error, "errcode") === SQLITE_BUSY) return null;
    throw error;
  }
  return () => database.close();
}

/** More than one tick adds to SQLite's log. */
const TRIAL_BYTES = 256 * 1024;

const FULL = ["The disk is full", "Make room there"] as const;
const REFUSED = ["The disk takes nothing", "Let this user write there"] as const;

const CAUSES = new Map<unknown, readonly [what: string, fix: string]>([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EFBIG", FULL],
  ["EACCES", REFUSED],
  ["EPERM", REFUSED],
  ["EROFS", REFUSED],
]);

/** Makes the directory where there is none. @returns what is wrong, and what to do; null: it can be written to. */
export async function writeProblem(directory: string): Promise<string | null> {
  const trial = join(directory, `write-test-${process.pid}.tmp`);
  try {
    await makeDirectory(directory);
    await writeFile(trial, new Uint8Array(TRIAL_BYTES), { flush: true });
    return null;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
    const cause = CAUSES.get(code);
    if (cause === undefined) {
      return `${directory} cannot be used: ${error instanceof Error ? error.message : "unknown"}`;
    }
    const [what, fix] = cause;
    return `${what}: nothing can be written to ${directory} (${String(code)}). ${fix}, and start again.`;
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

async function makeDirectory(directory: string): Promise<void> {
  const options = { mode: 0o700 };
  // With `recursive`, Node reports a read-only file system as ENOENT.
  await mkdir(directory, { ...options, recursive: true }).catch(() => mkdir(directory, options));
}
