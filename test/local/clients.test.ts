/** The comparison is run as `npm run compare` runs it; in the full suite it waits as long as the clients do. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isFull } from "../extent.ts";

const MAIN = fileURLToPath(new URL("../clients/main.ts", import.meta.url));

test("docs/clients.md tells what clients do in a fresh run", async () => {
  const args = [MAIN, "--check", ...(isFull ? [] : ["--quick"])];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect([stdout, stderr]).toEqual(["", ""]);
});
