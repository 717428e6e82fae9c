/** The comparison is run as `npm run compare` runs it: it waits as long as the clients do. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("../clients/main.ts", import.meta.url));

test("docs/clients.md tells what clients do in a fresh run", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, "--check"]);
  expect([stdout, stderr]).toEqual(["", ""]);
});
