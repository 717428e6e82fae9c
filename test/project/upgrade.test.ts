import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { type Prompts, terminalPrompts } from "../../src/cli/prompts.ts";
import { packagePath } from "../../src/package/root.ts";
import { VERSION } from "../../src/probe/version.ts";
import { EXIT, Refusal } from "../../src/cli/command.ts";
import { upgradeProject, type UpgradeOrder } from "../../src/project/upgrade.ts";
import { folderOfTest } from "../cli/folder.ts";
import { fakeIo } from "../cli/fake-io.ts";
import { writeClone as writeFiles } from "./clone.ts";

const OLD = "0.2.9";
const { node, wrangler } = manifest.devDependencies;

/** The installed package: it saves data of this machine. */
const PROGRAM = `import { writeFileSync } from "node:fs";
const [command, ...args] = process.argv.slice(2);
if (command === "backup" && args[1] === "--persist") writeFileSync("saved.txt", args.join("\\n"));
else process.exitCode = 2;
`;

/** npm or pnpm. */
const MANAGER = `#!/bin/sh
echo "$(basename "$0") $*" >> ran.txt
`;

/** The Node of the project: it runs all but the check of the new version, which takes long. */
const NODE = `#!/bin/sh
[ "$2" = check ] || exec '${process.execPath}' "$@"
`;

let project = "";
let env: Record<string, string> = {};
beforeEach(() => {
  const folder = folderOfTest();
  project = join(folder, "project");
  mkdirSync(join(folder, "bin"));
  for (const name of ["npm", "pnpm"]) manager(name, MANAGER);
  env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  writeFiles(project, {
    "package.json": JSON.stringify({
      devDependencies: { gatepulse: OLD, node: "24.0.0", wrangler: "^4.1.0" },
    }),
    "gatepulse.config.ts": 'export default { title: "Acme", gateways: [] };\n',
    "node_modules/gatepulse/package.json": JSON.stringify({ type: "module", version: OLD }, null, 2),
    "node_modules/gatepulse/bin/gatepulse.js": PROGRAM,
    "node_modules/node/bin/node": NODE,
  });
  chmodSync(join(project, "node_modules/node/bin/node"), 0o755);
});

function manager(name: string, text: string): void {
  const path = join(dirname(project), "bin", name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

async function upgrade(order: Partial<UpgradeOrder> = {}, confirm: Prompts["confirm"] | null = null) {
  const { io, written } = fakeIo({ cwd: project, env });
  const prompts = confirm === null ? null : { ...terminalPrompts, confirm };
  const whole = { to: null, spec: null, yes: true, config: null, persist: ".gatepulse", url: null, ...order };
  const code = await upgradeProject(whole, { ...io, prompts }).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    io.stderr.write(error.message);
    return EXIT.usage;
  });
  return { code, ...written };
}

const read = (path: string) => readFileSync(join(project, path), "utf8");
const ran = () => (existsSync(join(project, "ran.txt")) ? read("ran.txt").trimEnd() : "");

function edit(path: string, from: string | RegExp, to: string): void {
  const text = read(path);
  expect(text).toMatch(from);
  writeFileSync(join(project, path), text.replace(from, to));
}

test("npm installs the new version, with the Node and wrangler that it is tested with, and the old ones to go back", async () => {
  const { code, stdout } = await upgrade();
  expect(code).toBe(0);
  const install = "npm install --save-dev --save-exact";
  expect(ran()).toBe(`${install} gatepulse@${VERSION} node@${node} wrangler@${wrangler}`);
  expect(stdout).toContain(`gatepulse: ${OLD} → ${VERSION}\n`);
  expect(stdout).toContain("To upgrade");
  expect(stdout).toContain(`To go back:\n  ${install} gatepulse@${OLD} node@24.0.0 "wrangler@^4.1.0"\n`);
});

test.each(["99.0.0", "^99.0.0", "~99.0", ">=99"])("a newer version such as %s stays", async (newer) => {
  edit("package.json", "^4.1.0", newer);
  edit("package.json", '"node":"24.0.0",', "");
  await upgrade();
  expect(ran()).toBe(`npm install --save-dev --save-exact gatepulse@${VERSION}`);
});

test("pnpm, and a tarball that this version came from", async () => {
  writeFileSync(join(project, "pnpm-lock.yaml"), "");
  await upgrade({ spec: "/tmp/gatepulse.tgz" });
  expect(ran()).toMatch(/^pnpm add --save-dev --save-exact \/tmp\/gatepulse\.tgz node@/);
});

test("a no changes nothing, and a yes upgrades", async () => {
  expect(await upgrade({ yes: false }, async () => false)).toMatchObject({ code: 0 });
  expect(ran()).toBe("");
  expect(await upgrade({ yes: false }, async () => true)).toMatchObject({ code: 0 });
  expect(ran()).not.toBe("");
});

test("a configuration that the new version finds wrong is named at the end", async () => {
  edit("gatepulse.config.ts", "title", "titel");
  execFileSync("rm", ["-r", "node_modules/node"], { cwd: project });
  expect(await upgrade()).toMatchObject({ code: 1, stderr: /has the faults above\. Fix them first/ });
});

test("asked to stop during the check of the configuration, it changes nothing", () => {
  writeFileSync(
    join(project, "node_modules/node/bin/node"),
    NODE.replace("\n[", `\n[ "$2" = check ] && kill -TERM $PPID && exec sleep 600\n[`),
  );
  const args = [packagePath("src", "commands", "main.ts"), "upgrade", "--yes"];
  const { status } = spawnSync(process.execPath, args, { cwd: project, env });
  expect([status, ran()]).toEqual([130, ""]);
});

test("a failed installation says how to go back", async () => {
  manager("npm", "#!/bin/sh\nexit 1\n");
  const stderr = expect.stringMatching(/were not installed.*go back: npm install .*gatepulse@0\.2\.9/);
  expect(await upgrade()).toMatchObject({ code: 1, stderr });
});

test.each([
  ["in the project", ".gatepulse", ""],
  ["elsewhere", "data", "/"],
])("recorded data %s are saved first, and the commands to go back name the backup", async (_, name, root) => {
  const persist = root === "" ? name : join(project, "..", name);
  const before = await upgrade({ yes: false, persist });
  expect(before.stdout).not.toContain("is made first");
  writeFiles(root === "" ? project : dirname(project), { [`${name}/do/ledger.sqlite`]: "history" });
  const { code, stdout } = await upgrade({ persist });
  expect(code).toBe(0);
  const file = /^gatepulse-0\.2\.9-\w+\.backup$/m.exec(read("saved.txt"))?.[0] ?? "none";
  expect(read("saved.txt")).toBe(`${file}\n--persist\n${persist}`);
  expect(stdout).toContain(`A backup of ${persist} is made first: ${file}\n`);
  expect(stdout).toContain(`  npx gatepulse restore ${file} --persist ${persist} --replace   #`);
});

test("if a backup fails, nothing changes", async () => {
  const { code, stderr } = await upgrade({ url: "https://status.acme.example" });
  const told = expect.stringMatching(/-deployed\.backup was not saved, so nothing was changed/);
  expect([code, stderr, ran()]).toEqual([1, told, ""]);
});

test.each([
  [null, "latest"],
  ["99.0.0", "99.0.0"],
  ["next", "next"],
])("--to %j: the version of that name does it, if npm has it", async (to, named) => {
  edit("node_modules/gatepulse/package.json", OLD, VERSION);
  expect(await upgrade({ to })).toMatchObject({ code: 0 });
  expect(ran()).toContain(`--package=gatepulse@${named} -- gatepulse upgrade --yes --package ${named} `);
  manager("npm", "#!/bin/sh\nexit 1\n");
  expect(await upgrade({ to })).toMatchObject({ code: 1 });
});

test.each(["latest", VERSION])(
  "the version that %s names has nothing to do in its own project",
  async (spec) => {
    edit("node_modules/gatepulse/package.json", OLD, VERSION);
    expect(await upgrade({ spec })).toMatchObject({ code: 0, stdout: /there is nothing to do/ });
    expect(ran()).toBe("");
  },
);

describe("refused:", () => {
  test("a directory that is no project", async () => {
    writeFileSync(join(project, "package.json"), "{}");
    expect(await upgrade()).toMatchObject({ code: 2, stderr: /no project with Gatepulse/ });
  });

  test("a program that only imports the library", async () => {
    execFileSync("rm", ["gatepulse.config.ts"], { cwd: project });
    expect(await upgrade()).toMatchObject({ code: 2, stderr: /no project with Gatepulse/ });
  });

  test("a project from a newer version", async () => {
    edit("node_modules/gatepulse/package.json", OLD, "99.0.0");
    expect(await upgrade()).toMatchObject({ code: 2, stderr: /has 99\.0\.0, which is newer/ });
  });

  test("a project whose packages are not installed", async () => {
    execFileSync("rm", ["-r", "node_modules"], { cwd: project });
    expect(await upgrade()).toMatchObject({ code: 2, stderr: /run npm install, and repeat/ });
  });
});
