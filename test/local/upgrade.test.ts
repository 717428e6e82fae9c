/** The packed package upgrades a project to a newer one, as npm installs both. */
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { packagePath } from "../../src/package/root.ts";
import { VERSION } from "../../src/probe/version.ts";
import { renderProject } from "../../src/project/template.ts";
import { writeClone as writeFiles } from "../project/clone.ts";
import { addressOf, eventually, start } from "./program.ts";
import { npmPack, pack } from "./support/pack.ts";
import { startRegistry } from "./support/registry.ts";
import { directoryOfFile, temporaryDirectory } from "./support/temporary-directory.ts";

const execute = promisify(execFile);
const NEWER = "99.1.0";
const directory = await directoryOfFile();

let registry = "";
let newer = "";
beforeAll(async () => {
  const { filename } = await pack(directory);
  const unpacked = join(directory, "package");
  await execute("tar", ["-xzf", filename, "-C", directory]);
  const scripts = readdirSync(join(unpacked, "dist")).filter((name) => name.endsWith(".js"));
  for (const name of scripts)
    replace(join(unpacked, "dist", name), /\bVERSION="[^"]+"/, `VERSION="${NEWER}"`);
  replace(join(unpacked, "package.json"), /"version": "[^"]+"/, `"version": "${NEWER}"`);
  replace(
    join(unpacked, "CHANGELOG.md"),
    /^## /m,
    `## ${NEWER}\n\nTo upgrade, do nothing.\n\n- New: more.\n\n## `,
  );
  replace(
    join(unpacked, "wrangler.toml"),
    /^send_metrics = false\n/m,
    "send_metrics = false\nlogpush = true\n",
  );
  newer = (await npmPack(unpacked, directory, "--ignore-scripts")).filename;
  const started = await startRegistry("gatepulse", { [VERSION]: filename, [NEWER]: newer });
  registry = started.address;
  return () => started.close();
});

function replace(file: string, from: RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
}

let project = "";
beforeEach(async () => {
  const place = await temporaryDirectory();
  project = join(place, "project");
  // wrangler is found there, and npm does not have to install it.
  symlinkSync(packagePath("node_modules"), join(place, "node_modules"));
  await mkdir(project);
  const answers = { name: "acme", gatepulse: VERSION, manager: { name: "npm" }, secrets: [] } as const;
  const files = Object.fromEntries(renderProject(answers));
  const manifest = JSON.parse(files["package.json"] ?? "") as { devDependencies: object };
  manifest.devDependencies = { gatepulse: VERSION };
  writeFiles(project, {
    ...files,
    "package.json": JSON.stringify(manifest, null, "\t"),
    "wrangler.toml": (files["wrangler.toml"] ?? "").replace("workers_dev = true", "workers_dev = false"),
    "gatepulse.config.ts": `import { defineConfig } from "gatepulse/config";
export default defineConfig({ title: "Acme", gateways: [{ id: "acme", baseUrl: "http://127.0.0.1:9", apiKey: "KEY" }] });
`,
  });
  await run("npm install");
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const { HOME = "", PATH = "" } = process.env;
const environment = () => ({
  HOME,
  PATH: `${dirname(process.execPath)}:${PATH}`,
  npm_config_registry: registry,
  npm_config_cache: join(directory, "cache"),
  npm_config_update_notifier: "false",
});

async function run(command: string): Promise<Ran> {
  return execute("sh", ["-c", command], { cwd: project, env: environment() }).then(
    (done) => ({ code: 0, ...done }),
    (error: unknown) => error as Ran,
  );
}

const read = (path: string) => readFileSync(join(project, path), "utf8");
const version = async () => (await run("npx gatepulse --version")).stdout.trim();

test("without a terminal, npx gatepulse upgrade shows what the newest version changes, and changes nothing", async () => {
  const before = read("package.json");
  const { code, stdout, stderr } = await run("npx gatepulse upgrade");
  expect([code, stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
  expect(stdout).toContain(`gatepulse ${VERSION} → ${NEWER}`);
  expect(stdout).toContain("- New: more.");
  expect(stdout).toContain("+ logpush = true");
  expect(stdout).toContain("gatepulse.config.ts is valid");
  expect(read("package.json")).toBe(before);
  expect(await version()).toBe(VERSION);
});

test("npx gatepulse upgrade brings the newest version, keeps the user's lines, and can be taken back", async () => {
  const before = [read("package.json"), read("wrangler.toml")];
  const { code, stdout } = await run("npx gatepulse upgrade --yes");
  expect([code, stdout]).toEqual([0, expect.stringContaining("gatepulse.config.ts is valid")]);
  expect(await version()).toBe(NEWER);
  expect(read("package.json")).toBe(before[0]?.replace(VERSION, NEWER));
  expect(read("wrangler.toml")).toContain("workers_dev = false\nsend_metrics = false\nlogpush = true\n");
  expect(await run("npx gatepulse upgrade")).toMatchObject({ code: 0, stdout: /nothing to do/ });

  await run(/^ {2}(cp -R .*)$/m.exec(stdout)?.[1] ?? "false");
  expect([read("package.json"), read("wrangler.toml")]).toEqual(before);
  expect(await version()).toBe(VERSION);
});

test.each([
  ["the newer version itself", () => `npx --yes gatepulse@${NEWER} upgrade --yes`, () => NEWER],
  ["a tarball", () => `npx gatepulse upgrade --yes --to ${newer}`, () => /^file:.*\.tgz$/],
  ["a named version", () => `npx gatepulse upgrade --yes --to ${NEWER}`, () => NEWER],
])("%s upgrades the project", async (_what, command, spec) => {
  expect(await run(command())).toMatchObject({ code: 0 });
  expect(await version()).toBe(NEWER);
  expect(JSON.parse(read("package.json"))).toMatchObject({ devDependencies: { gatepulse: spec() } });
});

test("the recorded data are saved first; while a Gatepulse runs with them, nothing changes", async () => {
  const program = join(project, "node_modules/gatepulse/bin/gatepulse.js");
  const running = start(process.execPath, [program, "start", "--port", "0"], { cwd: project });
  const address = await addressOf(running);
  await eventually(
    async () => (await fetch(`${address}/api/v1/status`)).text(),
    (text) => text.includes("authentication"),
  );
  const refused = await run("npx gatepulse upgrade --yes");
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/a running Gatepulse uses this directory[^]*not saved, so nothing was changed/),
  ]);
  await running.stop();
  expect(await version()).toBe(VERSION);

  const { code, stdout } = await run("npx gatepulse upgrade --yes");
  expect([code, await version()]).toEqual([0, NEWER]);
  const restore = /gatepulse restore \S+/.exec(stdout)?.[0] ?? "false";
  expect(await run(`npx ${restore} --persist other`)).toMatchObject({ code: 0 });
});

test("if the registry does not answer, nothing changes", async () => {
  const { code, stderr } = await run(
    "npm_config_registry=http://127.0.0.1:9 npm_config_fetch_retries=0 npx gatepulse upgrade --yes",
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(/which versions there are .*ECONNREFUSED/)]);
  expect(await version()).toBe(VERSION);
});
