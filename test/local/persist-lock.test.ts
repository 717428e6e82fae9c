import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { isAlive, lockDirectory } from "../../src/local/persist-lock.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

test("a directory is locked once, told with its holder, and free again after its release", async () => {
  const first = await lockDirectory(directory);
  expect(await lockDirectory(directory)).toEqual({ ok: false, holder: process.pid, isEnding: false });
  if (first.ok) await first.noteEnd();
  expect(await lockDirectory(directory)).toEqual({ ok: false, holder: process.pid, isEnding: true });
  if (first.ok) await first.release();
  const second = await lockDirectory(directory);
  expect(second.ok).toBe(true);
  if (second.ok) await second.release();
  expect(await readdir(directory)).toEqual(["lock.sqlite"]);
});

test("the number of a dead or a strange process in the file keeps nobody out", async () => {
  for (const text of ["1\n", `${process.ppid}\n`, "99999999\n", "", "no number", "-1"]) {
    await writeFile(join(directory, "monitor.pid"), text);
    const lock = await lockDirectory(directory);
    expect([text, lock.ok]).toEqual([text, true]);
    if (lock.ok) await lock.release();
  }
});

test("a directory that is not there is made; one that cannot be is an error", async () => {
  const lock = await lockDirectory(join(directory, "a", "b"));
  expect(lock.ok).toBe(true);
  if (lock.ok) await lock.release();
  await writeFile(join(directory, "file"), "");
  await expect(lockDirectory(join(directory, "file"))).rejects.toThrow("EEXIST");
  await mkdir(join(directory, "c", "lock.sqlite"), { recursive: true });
  await expect(lockDirectory(join(directory, "c"))).rejects.toThrow("unable to open database file");
});

test("a process that has ended is not alive, this one and its parent are", () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  expect([isAlive(pid), isAlive(process.pid), isAlive(process.ppid)]).toEqual([false, true, true]);
});
