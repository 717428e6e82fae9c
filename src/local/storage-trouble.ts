/**
 * Whether the directory of state and history can be written to, and whether the databases in it are whole: told in words
 * that name the file and what to do. The runtime says only that a tick failed.
 */
import { existsSync, readdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface StorageTrouble {
  /** By what `/healthz` calls it. */
  readonly check: "storage:room" | "storage:files";
  /** What is wrong, where, and what to do. */
  readonly problem: string;
}

/** SQLite grows its log by less than this a tick. */
const ROOM_BYTES = 256 * 1024;

/** Null: what was tried went well. @param files whether to look through the databases too, which takes time. */
export async function findTrouble(directory: string, files: boolean): Promise<StorageTrouble | null> {
  const room = await roomTrouble(directory);
  if (room !== null || !files) return room;
  const damaged = databasesIn(directory).flatMap(([file, holds]) => {
    const why = damageOf(file);
    return why === null ? [] : [`${file} is damaged (${why}). ${fixOf(file, holds)}`];
  });
  return damaged.length === 0 ? null : { check: "storage:files", problem: damaged.join(" ") };
}

/** What to say where a monitor cannot have the directory because of `error`. */
export async function refusalWords(directory: string, error: unknown): Promise<string> {
  // SQLite says only that it could not open a file, and Node of a read-only file system that there is none.
  const codes = [codeOf(error), await roomFailure(nearest(directory))];
  const code = codes.find((of) => of !== null && WORDS.has(of));
  if (code) return `${roomWords(directory, code)}, and start again.`;
  return `${directory} cannot be used: ${error instanceof Error ? error.message : "unknown"}`;
}

/** Itself, or what it was to be made in. */
function nearest(directory: string): string {
  const above = dirname(directory);
  return above === directory || existsSync(directory) ? directory : nearest(above);
}

async function roomTrouble(directory: string): Promise<StorageTrouble | null> {
  const code = await roomFailure(directory);
  if (code === null) return null;
  const then = "checks go on by themselves then, and nothing that was recorded is lost";
  return { check: "storage:room", problem: `${roomWords(directory, code)}: ${then}.` };
}

/** Tries it: quotas, limits and file systems that turned read-only are full too. Null: there is room. */
async function roomFailure(directory: string): Promise<string | null> {
  const trial = join(directory, "room.tmp");
  try {
    const file = await open(trial, "w", 0o600);
    try {
      await file.writeFile(new Uint8Array(ROOM_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    await rm(trial, { force: true }).catch(() => undefined);
  }
}

/** What is wrong, and what to do. */
function roomWords(directory: string, code: string): string {
  const [what, fix] = WORDS.get(code) ?? REFUSED;
  return `${what}: nothing can be written to ${directory} (${code}). ${fix}`;
}

type RoomWords = readonly [what: string, fix: string];
const FULL: RoomWords = ["The disk is full", "Make room there"];
const REFUSED: RoomWords = ["The disk takes nothing", "Let this user write there"];

const WORDS: ReadonlyMap<string, RoomWords> = new Map([
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
  ["EFBIG", FULL],
  ["EACCES", REFUSED],
  ["EPERM", REFUSED],
  ["EROFS", REFUSED],
]);

function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
  return typeof code === "string" ? code : "unknown error";
}

const LEDGERS = join("do", "-Ledger");
/** Without it no runtime starts; it is made anew, and alarms are set anew with the next tick. */
const NOTES = "metadata.sqlite";
const KEYS = join("kv", "miniflare-KVNamespaceObject");

type Holds = "a shard's state" | "what was published" | "notes of the runtime";

function databasesIn(directory: string): readonly (readonly [file: string, holds: Holds])[] {
  const named = (folder: string, holds: Holds): (readonly [string, Holds])[] => {
    const path = join(directory, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path)
      .filter((name) => name.endsWith(".sqlite"))
      .map((name) => [join(path, name), name === NOTES ? "notes of the runtime" : holds] as const);
  };
  return [...named(LEDGERS, "a shard's state"), ...named(KEYS, "what was published")];
}

function fixOf(file: string, holds: Holds): string {
  const rest = `with ${file}-wal and ${file}-shm where they are there`;
  const after = {
    "a shard's state":
      "this shard then begins anew, and keeps showing what of its history was published before",
    "what was published": "pages come back with the next tick, without the history of before",
    "notes of the runtime": "they are made anew, and nothing is lost",
  };
  return `Stop the monitor, move the file aside ${rest}, and start again: ${after[holds]}.`;
}

/** In SQLite's words, which have none of what is stored; null: it is whole, or nobody can look now. */
function damageOf(file: string): string | null {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      database.exec("PRAGMA busy_timeout = 0");
      const [found] = database.prepare("PRAGMA quick_check(1)").all();
      const words = String(found?.["quick_check"] ?? "ok");
      return words === "ok" ? null : words.replaceAll(/\s+/gu, " ").slice(0, 200);
    } finally {
      database.close();
    }
  } catch (error) {
    return isDamage(error) ? (error as Error).message : null;
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOT_A_DATABASE = 26;

function isDamage(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "errcode") : null;
  // The lowest byte is what the extended codes say more exactly.
  return typeof code === "number" && [SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE].includes(code & 0xff);
}
