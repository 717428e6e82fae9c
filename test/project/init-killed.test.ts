/** `gatepulse init`, killed while it writes: each file is whole or absent. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../../src/package/root.ts";
import { runCli } from "../cli/fake-io.ts";
import { folderOfTest } from "../cli/folder.ts";

const ARGS = ["init", "status", "--yes", "--name", "Acme", "--base-url", "https://api.acme.example"];
const ENV = { ACME_API_KEY: "a key", SLACK_URL: "https://hooks.example/1" };
const ALL = [...ARGS, "--channel", "slack", "--no-check"];

/** The text of each file below a directory, but for what is not yet in its place. */
function filesIn(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.endsWith(".tmp"));
  return Object.fromEntries(files.map((path) => [relative(directory, path), readFileSync(path, "utf8")]));
}

/** @param change the number of the change below the directory at which it is killed. */
async function initKilledAt(change: number, cwd: string): Promise<void> {
  const main = packagePath("src", "commands", "main.ts");
  let changes = 0;
  const watcher = watch(cwd, { recursive: true }, () => {
    changes += 1;
    if (changes === change) child.kill("SIGKILL");
  });
  const child = spawn(process.execPath, [main, ...ALL], { cwd, env: ENV, stdio: "ignore" });
  await once(child, "exit");
  watcher.close();
}

/** Of about 50. */
const CHANGES = [1, 12, 24, 36];

async function whole(cwd: string): Promise<Readonly<Record<string, string>>> {
  expect((await runCli(ALL, { cwd, env: ENV })).code).toBe(0);
  return filesIn(join(cwd, "status"));
}

test.each(CHANGES)("killed at change %i, a new directory is absent or whole", async (change) => {
  const expected = await whole(folderOfTest());
  const cwd = folderOfTest();
  await initKilledAt(change, cwd);
  const isThere = readdirSync(cwd).includes("status");
  if (isThere) expect(filesIn(join(cwd, "status"))).toEqual(expected);
  else expect(await whole(cwd)).toEqual(expected);
  expect(readdirSync(cwd).filter((name) => !isThere && name !== "status")).toEqual([]);
});

test.each(CHANGES)("killed at change %i, files in an old directory are absent or whole", async (change) => {
  const expected = await whole(folderOfTest());
  const cwd = folderOfTest();
  const directory = join(cwd, "status");
  mkdirSync(directory);
  await initKilledAt(change, cwd);
  expect(expected).toMatchObject(filesIn(directory));
});
