/**
 * One monitor a directory: two would write the same databases. The lock is SQLite's own exclusive lock on a file: the
 * system takes it from a process that has died, however it died, so no process number has to be trusted for it.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Locked =
  | {
      readonly ok: true;
      /** Lets others know that it is released soon. Never rejects: where nothing can be written they wait without knowing. */
      noteEnd(): Promise<void>;
      /** Never rejects. */
      release(): Promise<void>;
    }
  /** `holder`: the number of the process that has it; null where nobody wrote it down. */
  | { readonly ok: false; readonly holder: number | null; readonly isEnding: boolean };

/** Where the runtime writes its process number down: see `workerd-guard.sh`. */
export function runtimePidFile(directory: string): string {
  return join(directory, "workerd.pid");
}

/** Makes the directory where there is none. @throws (rejects) where it cannot be used. */
export async function lockDirectory(directory: string): Promise<Locked> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pidFile = join(directory, "monitor.pid");
  const database = new DatabaseSync(join(directory, "lock.sqlite"));
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    return { ok: false, holder: await readPid(pidFile), isEnding: await readIsEnding(pidFile) };
  }
  await endOfFormerRuntime(runtimePidFile(directory));
  await note(pidFile, `${process.pid}\n`);
  return {
    ok: true,
    noteEnd: () => note(pidFile, `${process.pid}${ENDING}\n`),
    release: async () => {
      await Promise.all([pidFile, runtimePidFile(directory)].map(forget));
      database.close();
    },
  };
}

/** Behind the number of a process. */
const ENDING = " ending";

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "errcode") === SQLITE_BUSY;
}

/** The watcher of a runtime whose monitor was killed looks once a second. */
const LONGEST_FAREWELL_MS = 5000;
const POLL_MS = 50;

/** A stranger that has got the number of a runtime which is long gone holds the start up, but not for ever. */
async function endOfFormerRuntime(file: string): Promise<void> {
  const pid = await readPid(file);
  const untilMs = Date.now() + LONGEST_FAREWELL_MS;
  for (;;) {
    if (pid === null || !isAlive(pid) || Date.now() >= untilMs) break;
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
  }
  await forget(file);
}

/** Numbers of processes are a courtesy to others: a disk that takes nothing keeps nobody from starting, or from stopping. */
async function note(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(() => undefined);
}

async function forget(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => undefined);
}

async function readPid(file: string): Promise<number | null> {
  const text = await readFile(file, "utf8").catch(() => "");
  const [, pid] = /^(\d{1,10})(?: ending)?\s*$/.exec(text) ?? [];
  return pid === undefined ? null : Number(pid);
}

async function readIsEnding(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trimEnd().endsWith(ENDING);
}

/** A process of another user is alive too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && Reflect.get(error, "code") === "EPERM";
  }
}
