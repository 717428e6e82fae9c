import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Prompts, terminalPrompts } from "../../src/cli/prompts.ts";
import { packagePath } from "../../src/package/root.ts";
import { VERSION } from "../../src/probe/version.ts";
import { renderProject } from "../../src/project/template.ts";
import { changeText, withVersions } from "../../src/project/upgrade/changes.ts";
import { upgradeProject, type UpgradeOrder } from "../../src/project/upgrade/upgrade.ts";
import { rounds } from "../extent.ts";
import { folderOfTest } from "../cli/folder.ts";
import { fakeIo } from "../cli/fake-io.ts";
import { writeClone as writeFiles } from "./clone.ts";
import { stoppedAtCall } from "./stopped.ts";

const OLD = "0.2.9";
const ANSWERS = {
  name: "acme",
  gatepulse: OLD,
  manager: { name: "npm" },
  secrets: ["ACME_API_KEY"],
} as const;
const NEXT = renderProject({ ...ANSWERS, gatepulse: VERSION });

/** The installed package: it prints its files of a project, and saves data of this machine. */
const PROGRAM = `import { readFileSync, writeFileSync } from "node:fs";
const [command, ...args] = process.argv.slice(2);
if (command === "template") console.log(readFileSync(new URL("../template.json", import.meta.url), "utf8"));
else if (command === "backup" && args[1] === "--persist") writeFileSync("saved.txt", args.join("\\n"));
else process.exitCode = 2;
`;

/** It brings the new version as npm does. */
const NPM = `#!/bin/sh
if [ "$1" = exec ]; then echo "$*" > ran.txt; exit; fi
sed -i 's/"version": "[^"]*"/"version": "${VERSION}"/' node_modules/gatepulse/package.json
echo "{}" > package-lock.json
`;

const ADDED = ".dockerignore";

/** One is not there yet. The others differ from the new ones in these lines. */
const OLD_FILES = new Map(
  [...NEXT]
    .filter(([path]) => path !== ADDED)
    .map(([path, text]) => [
      path,
      text
        .replace(/^compatibility_date = .*$/m, 'compatibility_date = "2026-01-01"')
        .replace(`"gatepulse": "${VERSION}"`, `"gatepulse": "${OLD}"`)
        .replace("EXPOSE 8787", "EXPOSE 80"),
    ]),
);

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
  writeFileSync(join(folder, "bin/npm"), NPM);
  chmodSync(join(folder, "bin/npm"), 0o755);
  env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  writeFiles(project, {
    ...Object.fromEntries(OLD_FILES),
    "gatepulse.config.ts": 'export default { title: "Acme", gateways: [] };\n',
    "node_modules/gatepulse/package.json": JSON.stringify({ type: "module", version: OLD }, null, 2),
    "node_modules/gatepulse/bin/gatepulse.js": PROGRAM,
    "node_modules/node/bin/node": NODE,
    "node_modules/gatepulse/template.json": JSON.stringify(Object.fromEntries(OLD_FILES)),
  });
  chmodSync(join(project, "node_modules/node/bin/node"), 0o755);
});

async function upgrade(
  order: Partial<UpgradeOrder> = {},
  confirm: Prompts["confirm"] | null = null,
  cwd = project,
) {
  const { io, written } = fakeIo({ cwd, env });
  const prompts = confirm === null ? null : { ...terminalPrompts, confirm };
  const refuse = (problem: string) => {
    io.stderr.write(problem);
    return 2 as const;
  };
  const whole = { to: null, spec: null, yes: true, config: null, persist: ".gatepulse", url: null, ...order };
  const code = await upgradeProject(whole, { io: { ...io, prompts }, refuse });
  return { code, ...written };
}

const read = (path: string, directory = project) => readFileSync(join(directory, path), "utf8");

function edit(path: string, from: string | RegExp, to: string): void {
  const text = read(path);
  expect(text).toMatch(from);
  writeFileSync(join(project, path), text.replace(from, to));
}

/** Runs the command that was printed. */
function goBack(printed: string): void {
  const command = /cp -R .*/.exec(printed)?.[0] ?? "false";
  spawnSync("bash", ["-c", command], { cwd: project, env });
}

function snapshot(directory = project): Readonly<Record<string, string>> {
  const names = [...NEXT.keys(), "package-lock.json", "gatepulse.config.ts"];
  const paths = names.flatMap((name) => [name, `${name}.new`]);
  return Object.fromEntries(
    paths.flatMap((path) => (existsSync(join(directory, path)) ? [[path, read(path, directory)]] : [])),
  );
}

test("files take the new lines and keep those of the user; package.json keeps its form", async () => {
  edit("wrangler.toml", "workers_dev = true", 'routes = ["status.acme.example/*"]');
  edit(
    "package.json",
    /\n {2}"devDependencies": \{\n/,
    '\n  "devDependencies": {\n      "other": "1.0.0",\n',
  );
  const { code, stdout } = await upgrade();
  expect(code).toBe(0);
  expect(read("wrangler.toml")).toBe(
    NEXT.get("wrangler.toml")?.replace("workers_dev = true", 'routes = ["status.acme.example/*"]'),
  );
  expect(read("package.json")).toContain('      "other": "1.0.0",\n');
  expect(read("package.json")).toContain(`"gatepulse": "${VERSION}"`);
  expect(read("Dockerfile")).toBe(NEXT.get("Dockerfile"));
  expect(stdout).toContain('- compatibility_date = "2026-01-01"');
  expect(stdout).toContain("To upgrade");
});

test("a file whose lines both changed stays, and the new one is beside it", async () => {
  edit("Dockerfile", "EXPOSE 80", "EXPOSE 9999");
  const { code, stdout } = await upgrade();
  expect(code).toBe(0);
  expect(read("Dockerfile")).toContain("EXPOSE 9999");
  expect(read("Dockerfile.new")).toBe(NEXT.get("Dockerfile"));
  expect(stdout).toContain("Dockerfile.new: you changed the same lines of Dockerfile");
});

test("a file that the user removed stays away", async () => {
  execFileSync("rm", ["Dockerfile"], { cwd: project });
  await upgrade();
  expect(existsSync(join(project, "Dockerfile"))).toBe(false);
});

test("on Windows, too, the installed version is asked for its files", async () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  Object.defineProperty(process, "platform", { value: "win32" });
  const { stdout } = await upgrade({ yes: false });
  expect(stdout).toContain('- compatibility_date = "2026-01-01"');
});

test("a no changes nothing, and a yes upgrades", async () => {
  const before = snapshot();
  expect(await upgrade({ yes: false }, async () => false)).toMatchObject({ code: 0 });
  expect(snapshot()).toEqual(before);
  expect(await upgrade({ yes: false }, async () => true)).toMatchObject({ code: 0 });
  expect(read("wrangler.toml")).toBe(NEXT.get("wrangler.toml"));
});

test("a configuration that the new version finds wrong is named at the end", async () => {
  edit("gatepulse.config.ts", "title", "titel");
  execFileSync("rm", ["-r", "node_modules/node"], { cwd: project });
  expect(await upgrade()).toMatchObject({ code: 1, stderr: /has the faults above\. Fix them first/ });
});

test("asked to stop during the check of the configuration, it changes nothing", () => {
  const before = snapshot();
  writeFileSync(
    join(project, "node_modules/node/bin/node"),
    NODE.replace("\n[", `\n[ "$2" = check ] && kill -TERM $PPID && exec sleep 600\n[`),
  );
  const args = [packagePath("src", "commands", "main.ts"), "upgrade", "--yes"];
  const { status } = spawnSync(process.execPath, args, { cwd: project, env });
  expect([status, snapshot()]).toEqual([130, before]);
});

test("of a file of which much changes, 40 lines are shown", () => {
  const after = Array.from({ length: 50 }, (_, line) => `${line}\n`).join("");
  const text = changeText({ path: "Dockerfile", before: "old\n", after, isConflict: false });
  expect(text.split("\n").slice(-3)).toEqual(["  + 38", "  … and 11 more lines", ""]);
});

test("after a failed installation one goes back, and a later upgrade starts from the files as they are then", async () => {
  writeFileSync(join(dirname(project), "bin/npm"), "#!/bin/sh\nexit 1\n");
  const before = snapshot();
  const failed = await upgrade();
  expect(failed).toMatchObject({ code: 1, stderr: /the new packages were not installed/ });
  goBack(failed.stderr);
  expect(snapshot()).toEqual({ ...before, [ADDED]: NEXT.get(ADDED) });
  edit("wrangler.toml", "workers_dev = true", "workers_dev = false");
  const edited = snapshot();
  goBack((await upgrade()).stderr);
  expect(snapshot()).toEqual(edited);
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
  const before = snapshot();
  const { code, stderr } = await upgrade({ url: "https://status.acme.example" });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/-deployed\.backup was not saved, so nothing was changed/),
  ]);
  expect(snapshot()).toEqual(before);
});

test("an upgrade that is killed is finished by the next, wherever it stopped", async () => {
  const start = join(project, "..", "start");
  cpSync(project, start, { recursive: true });
  await upgrade();
  const whole = snapshot();
  let isStopped = true;
  for (let calls = 1; isStopped; calls += rounds(2, 1)) {
    const stopped = join(dirname(project), `stopped-${calls}`);
    cpSync(start, stopped, { recursive: true });
    const originals = snapshot(stopped);
    isStopped = await stoppedAtCall(calls, () => upgrade({}, null, stopped));
    const { code, stdout } = await upgrade({ spec: "latest" }, null, stopped);
    expect([calls, code, snapshot(stopped)]).toEqual([calls, 0, whole]);
    const kept = join(stopped, `.gatepulse/before-${VERSION}`);
    const { "gatepulse.config.ts": _config, ...changed } = originals;
    if (isStopped) expect(stdout).toContain(`cp -R .gatepulse/before-${VERSION}/. .`);
    expect(changed).toMatchObject(snapshot(kept));
  }
});

test.each([
  [null, "latest"],
  ["99.0.0", "99.0.0"],
  ["next", "next"],
])("--to %j: the version of that name does it, if npm has it", async (to, ran) => {
  edit("node_modules/gatepulse/package.json", OLD, VERSION);
  expect(await upgrade({ to })).toMatchObject({ code: 0 });
  expect(read("ran.txt")).toContain(
    `--package=gatepulse@${ran} -- gatepulse upgrade --yes --package ${ran} `,
  );
  writeFileSync(join(project, "../bin/npm"), "#!/bin/sh\nexit 1\n");
  expect(await upgrade({ to })).toMatchObject({ code: 1 });
});

test.each(["latest", VERSION])(
  "the version that %s names has nothing to do in its own project",
  async (spec) => {
    edit("node_modules/gatepulse/package.json", OLD, VERSION);
    expect(await upgrade({ spec })).toMatchObject({ code: 0, stdout: /there is nothing to do/ });
    expect(existsSync(join(project, "ran.txt"))).toBe(false);
  },
);

describe("refused:", () => {
  test("a project whose installed version does not say which files it made", async () => {
    writeFileSync(join(project, "node_modules/gatepulse/bin/gatepulse.js"), "process.exit(2);");
    expect(await upgrade()).toMatchObject({
      code: 2,
      stderr: /gatepulse 0\.2\.9 does not say .*npm install, and repeat\. Versions before 0\.3\.0/,
    });
  });

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
    expect(await upgrade()).toMatchObject({
      code: 2,
      stderr: /has 99\.0\.0, which is newer/,
    });
  });

  test("a project whose packages are not installed", async () => {
    execFileSync("rm", ["-r", "node_modules"], { cwd: project });
    expect(await upgrade()).toMatchObject({ code: 2, stderr: /run npm install, and repeat/ });
  });
});

test.each(["99.0.0", "^99.0.0", "~99.0", ">=99"])(
  "versions are set in the dependencies alone, and newer ones such as %s stay",
  (newer) => {
    const manifest = `{ "engines": {"node":">=20"}, "devDependencies" : {
    "gatepulse":"0.3.0", "node" : "^24.1.0",
    "wrangler": "${newer}" } }`;
    expect(withVersions(manifest, { gatepulse: "file:../x.tgz", node: "24.2.0", wrangler: "4.0.0" })).toBe(
      `{ "engines": {"node":">=20"}, "devDependencies" : {
    "gatepulse":"file:../x.tgz", "node" : "24.2.0",
    "wrangler": "${newer}" } }`,
    );
  },
);
