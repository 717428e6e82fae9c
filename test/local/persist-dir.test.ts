import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDirectory } from "../../src/local/persist-dir.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

test("a directory is locked once, and free again after its release; one that is not there is an error", async () => {
  const directory = await temporaryDirectory();
  const release = lockDirectory(directory);
  expect(release).not.toBeNull();
  expect(lockDirectory(directory)).toBeNull();
  release?.();
  lockDirectory(directory)?.();
  expect(await readdir(directory)).toEqual(["lock.sqlite"]);
  expect(() => lockDirectory(join(directory, "a"))).toThrow("unable to open database file");
});
