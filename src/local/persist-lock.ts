/**
 * One monitor a directory: two would write the same databases. The lock is SQLite's own exclusive lock on a file: the
 * system takes it from a process that has died, however it died.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const SQLITE_BUSY = 5;

/** @returns what releases it; null: another process has it. @throws where there is no such directory. */
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
