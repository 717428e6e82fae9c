/** A project of an earlier version, with what it recorded, gets the packed package, and goes back. */
import { execFile } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../src/probe/version.ts";
import { SIMULATOR_KEYS } from "../../src/simulator/api.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { addressOf, eventually, type Program } from "../local/program.ts";
import { npmPack, pack } from "../local/support/pack.ts";
import { temporaryDirectory } from "../local/support/temporary-directory.ts";
import { type Machine, newMachine, type Setup } from "./machine.ts";
import { startRegistry } from "./registry.ts";

const execute = promisify(execFile);

const EARLIER = "0.2.9";
/** Of npm and of pnpm. */
const REGISTRY_SETTINGS = ["npm_config_registry", "pnpm_config_registry"];
const ADMIN_TOKEN = "0123456789abcdef";

let registry = "";
let tarball = "";
let gateway = "";
beforeAll(async () => {
  const directory = await temporaryDirectory((clean) => afterAll(clean));
  const { filename } = await pack(directory);
  await execute("tar", ["-xzf", filename, "-C", directory]);
  const newer = join(directory, "newer");
  await rename(join(directory, "package"), newer);
  const earlier = join(directory, "earlier");
  await execute("cp", ["-R", newer, earlier]);

  // No setting of a released version has another name yet: one of the earlier version has.
  replaceIn(newer, /\bRENAMED=\s*\{/g, 'RENAMED={address:"url",');
  replaceIn(earlier, /\burl:(?=\s*\w+\(\s*address\(\s*judgePublicUrl)/g, "address:");
  replaceIn(earlier, /\bVERSION="[^"]+"/g, `VERSION="${EARLIER}"`);
  replace(join(earlier, "package.json"), /"version": "[^"]+"/, `"version": "${EARLIER}"`);

  tarball = (await npmPack(newer, directory, "--ignore-scripts")).filename;
  const old = await npmPack(earlier, directory, "--ignore-scripts");
  const started = await startRegistry("gatepulse", { [EARLIER]: old.filename, [VERSION]: tarball });
  registry = started.address;
  const simulator = await startSimulator();
  simulator.play("acme", "envelope_5000");
  gateway = simulator.named("acme");
  return async () => {
    await simulator.close();
    await started.close();
  };
});

function replace(file: string, from: RegExp, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(from);
  writeFileSync(file, text.replace(from, to));
}

/** In the scripts of a package. */
function replaceIn(place: string, from: RegExp, to: string): void {
  const dist = join(place, "dist");
  const scripts = readdirSync(dist).filter((name) => name.endsWith(".js"));
  const found = scripts.filter((name) => readFileSync(join(dist, name), "utf8").search(from) !== -1);
  expect(found).not.toEqual([]);
  for (const name of found) replace(join(dist, name), from, to);
}

const MONITOR = "/api/v1/gateways/acme/monitors/models/history?step=probe";

interface Recorded {
  readonly probes: readonly string[];
  readonly incidents: readonly { readonly id: string; readonly startedAt: string }[];
}

async function recordedAt(address: string): Promise<Recorded> {
  const json = async (path: string) => (await fetch(address + path)).json();
  const { points = [] } = (await json(MONITOR)) as { points?: { at: string }[] };
  const { incidents } = (await json("/api/v1/incidents")) as Recorded;
  return {
    probes: points.map(({ at }) => at),
    incidents: incidents.map(({ id, startedAt }) => ({ id, startedAt })),
  };
}

const MACHINES: readonly Setup[] = [
  { node: 24, manager: "npm" },
  { node: 22, manager: "pnpm" },
];

describe.each(MACHINES)("Node $node with $manager", (setup) => {
  let machine: Machine;
  let project: string;
  let running: Program | null = null;
  let recorded: Recorded = { probes: [], incidents: [] };
  let toGoBack: readonly string[] = [];

  const isNpm = setup.manager === "npm";
  const exec = isNpm ? ["npx", "--no", "--"] : ["pnpm", "exec"];
  const fetched = isNpm ? ["npx", "--yes"] : ["pnpm", "dlx"];
  const attempt = ([command = "", ...args]: readonly string[]) => machine.attempt(command, args, project);
  const gatepulse = (...args: readonly string[]) => attempt([...exec, "gatepulse", ...args]);
  const version = async () => (await gatepulse("--version")).stdout.trim();
  const read = (path: string) => readFile(join(project, path), "utf8");
  const files = () => Promise.all(["package.json", "wrangler.toml"].map(read));

  async function start(): Promise<string> {
    const [command, ...args] = [...exec, "gatepulse", "start", "--port", "0", "--tick", "1"];
    running = machine.start(command, args, project);
    return addressOf(running);
  }
  async function stop(): Promise<void> {
    await running?.stop();
    running = null;
  }
  const configure = (key: string) =>
    writeFile(
      join(project, "gatepulse.config.ts"),
      `import { defineConfig } from "gatepulse/config";
export default defineConfig({
  title: "Acme",
  ${key}: "https://status.acme.example",
  gateways: [{ id: "acme", baseUrl: "${gateway}", apiKey: "ACME_API_KEY" }],
});
`,
    );
  /** Runs what an upgrade printed. */
  const goBack = async () => {
    for (const command of toGoBack) expect(await attempt(["sh", "-c", command])).toMatchObject({ code: 0 });
  };
  /** On the page, too. */
  const isAllThere = async () => {
    const address = await start();
    const { probes, incidents } = await recordedAt(address);
    expect(probes).toEqual(expect.arrayContaining([...recorded.probes]));
    expect(incidents).toEqual(recorded.incidents);
    const page = await (await fetch(`${address}/gateways/acme`)).text();
    for (const { id } of incidents) expect(page).toContain(id);
    await stop();
  };
  const printedIn = (stdout: string) =>
    Array.from(
      stdout.matchAll(/^ {2}((?:npm install|pnpm add|npx gatepulse restore) .*?)(?: +#.*)?$/gm),
      ([, it = ""]) => it,
    );

  beforeAll(async () => {
    const registries = Object.fromEntries(REGISTRY_SETTINGS.map((name) => [name, registry]));
    // With CI set, pnpm keeps its lock file by default.
    const secrets = { ACME_API_KEY: SIMULATOR_KEYS.good, ADMIN_TOKEN };
    machine = await newMachine(setup, { ...registries, ...secrets, CI: "true" });
    project = machine.directory;
    await mkdir(project, { recursive: true });
    const init = await attempt([...fetched, `gatepulse@${EARLIER}`, "init", "--yes"]);
    expect(init).toMatchObject({ code: 0 });
    await configure("address");
    await machine.run(setup.manager, ["install"], project);
    expect(await version()).toBe(EARLIER);
    const address = await start();
    const probe = `${address}/api/v1/admin/gateways/acme/monitors/models/probe`;
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    await eventually(async () => {
      const { ok } = await fetch(probe, { method: "POST", headers });
      recorded = await recordedAt(address);
      return ok && recorded.incidents.length > 0;
    });
    return stop;
  });

  test("while a Gatepulse runs with the data, nothing changes", async () => {
    const { code, stderr } = await gatepulse("upgrade", "--yes");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/a running Gatepulse uses this directory[^]*not saved, so nothing was changed/),
    ]);
    await stop();
    expect(await version()).toBe(EARLIER);
  });

  test("if the registry does not answer, nothing changes", async () => {
    const nobody = "http://127.0.0.1:9";
    const set = [...REGISTRY_SETTINGS, "npm_config_fetch_retries=0", "pnpm_config_fetch_retries=0"];
    const to = set.map((setting) => setting.replace(/_registry$/, `_registry=${nobody}`));
    const { code, stderr } = await attempt(["env", ...to, ...exec, "gatepulse", "upgrade", "--yes"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("127.0.0.1:9")]);
    expect(await version()).toBe(EARLIER);
  });

  test("without a terminal it shows what the newest version changes, and the new names of settings; nothing changes", async () => {
    const before = await files();
    const { code, stdout, stderr } = await gatepulse("upgrade");
    expect([code, stderr]).toEqual([2, expect.stringContaining("Add --yes")]);
    expect(stdout).toContain(`gatepulse ${EARLIER} → ${VERSION}`);
    expect(stdout).toContain("To upgrade, ");
    expect(stdout).toContain(`gatepulse: ${EARLIER} → ${VERSION}`);
    expect(stdout).toMatch(/address has another name now[^]*write url/);
    expect(stdout).toContain("A backup of .gatepulse is made first");
    expect(await files()).toEqual(before);
    expect(await version()).toBe(EARLIER);
  });

  test("it brings the newest version, and keeps your lines and all that was recorded", async () => {
    const [manifest, toml] = await files();
    const { code, stdout, stderr } = await gatepulse("upgrade", "--yes");
    expect([code, stderr]).toEqual([1, expect.stringContaining("Fix them first")]);
    toGoBack = printedIn(stdout);
    expect(await version()).toBe(VERSION);
    expect(await files()).toEqual([manifest?.replace(EARLIER, VERSION), toml]);
    await configure("url");
    expect(await gatepulse("upgrade")).toMatchObject({ code: 0, stdout: /nothing to do/ });
    await isAllThere();
  });

  test("what it printed brings the earlier version back, with its data", async () => {
    await goBack();
    await configure("address");
    expect(await version()).toBe(EARLIER);
    await isAllThere();
    await configure("url");
  });

  test.each([
    ["the newer version itself", () => [...fetched, `gatepulse@${VERSION}`, "upgrade", "--yes"], VERSION],
    [
      "a tarball",
      () => [...exec, "gatepulse", "upgrade", "--yes", "--to", tarball],
      expect.stringMatching(/^file:.*\.tgz$/),
    ],
    ["a named version", () => [...exec, "gatepulse", "upgrade", "--yes", "--to", VERSION], VERSION],
  ])("%s upgrades the project", async (_what, command, spec) => {
    const { code, stdout } = await attempt(command());
    expect([code, stdout]).toEqual([0, expect.stringContaining("gatepulse.config.ts is valid")]);
    expect(await version()).toBe(VERSION);
    expect(JSON.parse(await read("package.json"))).toMatchObject({ devDependencies: { gatepulse: spec } });
    toGoBack = printedIn(stdout).slice(0, 1);
    await goBack();
  });
});
