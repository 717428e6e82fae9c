/** A Node without TypeScript and SQLite, as 20 is: this one with both switched off. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { folderOfFile } from "./folder.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { node } = process.versions;

const folder = folderOfFile();
beforeAll(async () => {
  const entryPoints = { cli: join(ROOT, "src/commands/main.ts") };
  // As it is published: with its package.json above it.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await build({
    entryPoints,
    bundle: true,
    platform: "node",
    format: "esm",
    splitting: true,
    outdir: folder,
  });
});

function run(program: string, ...given: readonly string[]) {
  const old = ["--no-experimental-strip-types", "--no-experimental-sqlite", program];
  const args = [...old, ...(given.length === 0 ? ["check"] : given)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("a configuration in TypeScript is refused in words that say what to do", () => {
  writeFileSync(join(folder, "gatepulse.config.ts"), "export default { title: 't', gateways: [] };\n");
  const { status, stdout, stderr } = run("cli.js");
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(
    `gatepulse.config.ts is TypeScript, which Node ${node} does not read: run npm install, then npx gatepulse, which then uses Node 24; or use a .json file`,
  );
});

test("a clone is refused with the way that works", () => {
  expect(run("cli.js", "init", "--from", "clone").stderr).toContain(
    `Node ${node} cannot read the configuration of the clone. In the clone, run npm ci, which brings Node 24, and then npx gatepulse init --from .\n`,
  );
});

test("the launcher of a checkout ends in words, with exit code 2", () => {
  expect(run(join(ROOT, "bin/gatepulse.js"))).toEqual({
    status: 2,
    stdout: "",
    stderr: `gatepulse: Node ${node} does not run the sources of a checkout, which are TypeScript: use npx gatepulse, which brings its own Node, or Node 24\n`,
  });
});
