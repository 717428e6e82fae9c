/** `gatepulse upgrade`: the new version brings a project from the installed version to its own. */
import { spokenLanguage, t } from "../config/spoken.ts";
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { Refusal, EXIT, type ExitCode, type Io } from "../cli/command.ts";
import { configFileIn } from "../cli/config-file.ts";
import { runProgram, runUnlessStopped, uninterrupted } from "../cli/programs.ts";
import { painterFor } from "../cli/terminal.ts";
import { compareVersions, entriesBetween, versionIn } from "../package/versions.ts";
import { packagePath } from "../package/root.ts";
import { VERSION } from "../probe/version.ts";
import { installedIn, wantedIn, type Dependencies } from "./project.ts";

export interface UpgradeOrder {
  /** What to upgrade to; null: the newest. */
  readonly to: string | null;
  /** What package.json will ask for; null: this version. */
  readonly spec: string | null;
  readonly yes: boolean;
  readonly config: string | null;
  readonly persist: string;
  readonly url: string | null;
}

interface Project {
  readonly cwd: string;
  readonly env: Io["env"];
  /** Of gatepulse in node_modules. */
  readonly version: string;
  /** What package.json asks for. */
  readonly wanted: Dependencies;
  readonly manager: "npm" | "pnpm";
}

export async function upgradeProject(order: UpgradeOrder, io: Io): Promise<ExitCode> {
  const { cwd, env } = io;
  const wanted = await wantedIn(cwd);
  if (wanted["gatepulse"] === undefined || (order.config === null && configFileIn(cwd) === null))
    throw new Refusal(
      t`this directory is no project with Gatepulse. npx gatepulse init makes one, and npx gatepulse init --from . makes one of a clone`,
    );
  const isPnpm = ["pnpm-lock.yaml", "pnpm-workspace.yaml"].some((path) => existsSync(join(cwd, path)));
  const manager = isPnpm ? "pnpm" : "npm";
  const version = await installedIn(cwd);
  if (version === null)
    throw new Refusal(t`gatepulse is not installed here: run ${manager} install, and repeat`);
  const project = { cwd, env, version, wanted, manager } as const;
  const { to, spec } = order;
  const difference = compareVersions(VERSION, version);
  if (to === null && difference < 0)
    throw new Refusal(t`the project has ${version}, which is newer than this ${VERSION}`);
  if (to === null && difference > 0) return upgradeTo(order, project, io);
  if (to !== null || spec === null) return passOn(to ?? "latest", order, project);
  io.stdout.write(t`The project has gatepulse ${VERSION}: there is nothing to do.\n`);
  return EXIT.ok;
}

/** Lets another version do it: that one knows what it changed. @param to a version or tag, the path of a tarball, or an address. */
async function passOn(
  to: string,
  { yes, config, persist, url }: UpgradeOrder,
  { cwd, env, manager }: Project,
): Promise<ExitCode> {
  const path = resolve(cwd, to);
  const spec = existsSync(path) ? path : to;
  const named = isFileOrAddress(spec) ? spec : `gatepulse@${spec}`;
  const options = Object.entries({ package: spec, config, persist, url }).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value],
  );
  const upgrade = ["gatepulse", "upgrade", ...(yes ? ["--yes"] : []), ...options];
  // pnpm would take yesterday's newest version.
  const command =
    manager === "pnpm"
      ? ["pnpm", "--config.dlx-cache-max-age=0", `--package=${named}`, "dlx", ...upgrade]
      : ["npm", "exec", "--yes", `--package=${named}`, "--", ...upgrade];
  const { code, isStopped } = await uninterrupted(() => runProgram(command, { cwd, env, output: "shown" }));
  if (isStopped && code !== 0) return EXIT.interrupted;
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.others;
}

/** Else it is a version or a tag. */
function isFileOrAddress(spec: string): boolean {
  return isAbsolute(spec) || /^[\w+]+:/.test(spec);
}

async function upgradeTo(order: UpgradeOrder, project: Project, io: Io): Promise<ExitCode> {
  const backups = backupsOf(project, order, new Date(io.clock.now()));
  const versions = versionsOf(project, order);
  io.stdout.write(planText(order, project, { versions, backups }, io));
  const isValid = await isValidHere(project, order.config);
  if (!order.yes) {
    if (io.prompts === null)
      throw new Refusal(t`nothing was changed: there is no terminal to ask you. Add --yes`);
    if (!(await io.prompts.confirm(t`Upgrade to ${VERSION}?`))) {
      io.stdout.write(t`Nothing was changed.\n`);
      return EXIT.ok;
    }
  }
  return uninterrupted(() => doUpgrade(project, { versions, backups, isValid }, io));
}

interface Version {
  readonly name: string;
  /** What package.json asked for before. */
  readonly from: string;
  readonly to: string;
  /** As the package manager takes it. */
  readonly package: string;
}

/** Of gatepulse, and of the Node and wrangler that it is tested with. Newer ones stay. */
function versionsOf({ wanted }: Project, { spec }: UpgradeOrder): readonly Version[] {
  const own = JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<"node" | "wrangler", string>>;
  };
  const { node, wrangler } = own.devDependencies;
  return Object.entries({ gatepulse: VERSION, node, wrangler }).flatMap(([name, to]) => {
    const from = wanted[name];
    const isOwn = name === "gatepulse";
    const isNewer = compareVersions(versionIn(from ?? "") ?? "0", to) >= 0;
    if (from === undefined || (isNewer && !isOwn)) return [];
    const isElsewhere = isOwn && spec !== null && isFileOrAddress(spec);
    return [{ name, from, to, package: isElsewhere ? spec : `${name}@${to}` }];
  });
}

interface Backup {
  readonly file: string;
  readonly options: readonly [option: string, of: string];
}

/** What there is to save. */
function backupsOf({ cwd, version }: Project, { persist, url }: UpgradeOrder, now: Date): readonly Backup[] {
  const name = `gatepulse-${version}-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  const isRecorded = existsSync(resolve(cwd, persist, "do"));
  return [
    ...(isRecorded ? [{ file: `${name}.backup`, options: ["--persist", persist] as const }] : []),
    ...(url === null ? [] : [{ file: `${name}-deployed.backup`, options: ["--url", url] as const }]),
  ];
}

interface Plan {
  readonly versions: readonly Version[];
  readonly backups: readonly Backup[];
  /** Whether this version finds no fault in the configuration. */
  readonly isValid: boolean;
}

async function doUpgrade(project: Project, { versions, backups, isValid }: Plan, io: Io): Promise<ExitCode> {
  const { cwd, env, manager } = project;
  for (const { file, options } of backups) {
    // The installed version saves its own data.
    const program = [nodeOf(cwd), join(cwd, "node_modules/gatepulse/bin/gatepulse.js")];
    const backup = [...program, "backup", file, ...options];
    if ((await runUnlessStopped(backup, { cwd, env, output: "shown" })).code === 0) continue;
    io.stderr.write(t`gatepulse upgrade: ${file} was not saved, so nothing was changed.\n`);
    return EXIT.others;
  }
  const install = [manager, manager === "npm" ? "install" : "add", "--save-dev", "--save-exact"];
  const program = [...install, ...versions.map((version) => version.package)];
  const { code, isStopped } = await runProgram(program, { cwd, env, output: "shown" });
  const before = versions.map(({ name, from }) => inShell(`${name}@${from}`));
  const goBack = [...install, ...before].join(" ");
  if (code !== 0) {
    io.stderr.write(
      t`gatepulse upgrade: the new packages were not installed. Run it again, or go back: ${goBack}\n`,
    );
    return isStopped ? EXIT.interrupted : EXIT.others;
  }
  const restores = backups.map(
    ({ file, options }) =>
      `  npx gatepulse restore ${file} ${options.join(" ")} --replace   # ${t`only if the data must go back, too`}\n`,
  );
  io.stdout.write(
    `\n${t`The project has gatepulse ${VERSION}. Restart gatepulse start, or run npx gatepulse deploy.`}\n\n${t`To go back:`}\n  ${goBack}\n${restores.join("")}`,
  );
  if (isValid) return EXIT.ok;
  io.stderr.write(t`gatepulse upgrade: the configuration has the faults above. Fix them first.\n`);
  return EXIT.others;
}

function inShell(word: string): string {
  return /^[\w@./:-]+$/.test(word) ? word : JSON.stringify(word);
}

function planText(
  { url }: UpgradeOrder,
  { version }: Project,
  { versions, backups }: Pick<Plan, "versions" | "backups">,
  io: Io,
): string {
  const paint = painterFor(io.stdout.isTTY, io.env);
  const entries = entriesBetween(readFileSync(packagePath("CHANGELOG.md"), "utf8"), version, VERSION);
  const parts = [
    `${paint(`gatepulse ${version} → ${VERSION}`, "bold")}\n`,
    ...entries.map((entry) => `${paint(entry.version, "bold")}\n${entry.text}\n`),
    `package.json:\n${versions.map(({ name, from, to }) => `  ${name}: ${from} → ${to}\n`).join("")}`,
    ...backups.map(({ file, options: [, of] }) => t`A backup of ${of} is made first: ${file}\n`),
    ...(url === null ? [t`To save a deployed Worker first, add --url ADDRESS. It needs ADMIN_TOKEN.\n`] : []),
  ];
  return parts.join("\n");
}

/** Shows what this version finds in the configuration. The Node of the project runs it: this one may not read TypeScript. */
async function isValidHere({ cwd, env }: Project, config: string | null): Promise<boolean> {
  const check = [nodeOf(cwd), packagePath("bin/gatepulse.js"), "check", "--lang", spokenLanguage()];
  const program = config === null ? check : [...check, config];
  return (await runUnlessStopped(program, { cwd, env, output: "shown" })).code === 0;
}

function nodeOf(directory: string): string {
  // Not the one in node_modules/.bin: on Windows that is a script, which needs a shell.
  const name = process.platform === "win32" ? "node.exe" : "node";
  const node = join(directory, "node_modules/node/bin", name);
  return existsSync(node) ? node : process.execPath;
}
