/** `gatepulse upgrade`: the new version brings a project from the installed version to its own. */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { EXIT, type ExitCode, type Io } from "../../cli/command.ts";
import { configFileIn } from "../../cli/config-file.ts";
import { runProgram } from "../../cli/programs.ts";
import { painterFor } from "../../cli/terminal.ts";
import { entriesBetween, compareVersions } from "../../package/versions.ts";
import { packagePath } from "../../package/root.ts";
import { VERSION } from "../../probe/version.ts";
import { writeInto } from "../files.ts";
import type { Given } from "../init.ts";
import { runUnlessStopped, uninterrupted } from "../interrupt.ts";
import { specOf } from "../project.ts";
import { changeText, fileChanges, type FileChange } from "./changes.ts";
import {
  installedGatepulse,
  installedProject,
  installedTemplate,
  isValidHere,
  type InstalledProject,
} from "./installed.ts";

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

export async function upgradeProject(order: UpgradeOrder, given: Given): Promise<ExitCode> {
  const { io, refuse } = given;
  const project = await installedProject(io.cwd, io.env);
  if (project === null || (order.config === null && configFileIn(io.cwd) === null))
    return refuse(
      "this directory is no project with Gatepulse. npx gatepulse init makes one, and npx gatepulse init --from . makes one of a clone",
    );
  if (project.version === "")
    return refuse(`gatepulse is not installed here: run ${project.answers.manager.name} install, and repeat`);
  const { to, spec } = order;
  const difference = compareVersions(VERSION, project.version);
  if (to === null && difference < 0)
    return refuse(`the project has ${project.version}, which is newer than this ${VERSION}`);
  if (to === null && difference > 0) return upgradeTo(order, project, given);
  if (to !== null || spec === null) return passOn(to ?? "latest", order, project);
  io.stdout.write(`The project has gatepulse ${VERSION}: there is nothing to do.\n`);
  return EXIT.ok;
}

/** Lets another version do it: that one knows what it changed. @param to a version or tag, the path of a tarball, or an address. */
async function passOn(
  to: string,
  { yes, config, persist, url }: UpgradeOrder,
  { directory: cwd, env, answers }: InstalledProject,
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
    answers.manager.name === "pnpm"
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

async function upgradeTo(order: UpgradeOrder, project: InstalledProject, given: Given): Promise<ExitCode> {
  const { io, refuse } = given;
  const base = await installedTemplate(project);
  if (base === null)
    return refuse(
      `gatepulse ${project.version} does not say which files it made: run ${project.answers.manager.name} install, and repeat. Versions before 0.3.0 made no project: npx gatepulse init DIR makes one`,
    );
  const source = order.spec !== null && isFileOrAddress(order.spec) ? order.spec : null;
  const changes = await fileChanges(project, base, await specOf(source, io.cwd, project.directory));
  const stamp = new Date(io.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const backups = backupsOf(project, stamp, order);
  io.stdout.write(planText(order, project, { changes, backups }, io));
  const isValid = await isValidHere(project, order.config);
  if (!order.yes) {
    if (io.prompts === null) return refuse("nothing was changed: there is no terminal to ask you. Add --yes");
    if (!(await io.prompts.confirm(`Upgrade to ${VERSION}?`))) {
      io.stdout.write("Nothing was changed.\n");
      return EXIT.ok;
    }
  }
  return uninterrupted(() => doUpgrade(project, { changes, backups, isValid }, given));
}

interface Backup {
  readonly file: string;
  readonly options: readonly [option: string, of: string];
}

/** What there is to save. */
function backupsOf(
  { directory, version }: InstalledProject,
  stamp: string,
  { persist, url }: UpgradeOrder,
): readonly Backup[] {
  const name = `gatepulse-${version}-${stamp}`;
  const isRecorded = existsSync(resolve(directory, persist, "do"));
  return [
    ...(isRecorded ? [{ file: `${name}.backup`, options: ["--persist", persist] as const }] : []),
    ...(url === null ? [] : [{ file: `${name}-deployed.backup`, options: ["--url", url] as const }]),
  ];
}

interface Plan {
  readonly changes: readonly FileChange[];
  readonly backups: readonly Backup[];
  /** Whether this version finds no fault in the configuration. */
  readonly isValid: boolean;
}

async function doUpgrade(
  project: InstalledProject,
  { changes, backups, isValid }: Plan,
  { io }: Given,
): Promise<ExitCode> {
  const { directory: cwd, env, answers } = project;
  for (const { file, options } of backups) {
    // The installed version saves its own data.
    const backup = [...installedGatepulse(project), "backup", file, ...options];
    if ((await runUnlessStopped(backup, { cwd, env, output: "shown" })).code === 0) continue;
    io.stderr.write(`gatepulse upgrade: ${file} was not saved, so nothing was changed.\n`);
    return EXIT.others;
  }
  const paths = changes.map(({ path }) => path);
  await keepOriginals(cwd, [...paths, "package-lock.json", "pnpm-lock.yaml"]);
  // Each file is changed as a whole. If this ends anywhere, it can be done again.
  await writeInto(cwd, new Map(changes.map(({ path, after }) => [path, after])));
  const { name } = answers.manager;
  // Where the variable CI is set, pnpm refuses to change its lock file otherwise.
  const install = [name, "install", ...(name === "pnpm" ? ["--no-frozen-lockfile"] : [])];
  const { code, isStopped } = await runProgram(install, { cwd, env, output: "shown" });
  // The originals go: what is edited afterwards is newer.
  const goBack = `cp -R ${ORIGINALS}/. . && rm -r ${ORIGINALS} && ${name} install`;
  if (code !== 0) {
    io.stderr.write(
      `gatepulse upgrade: the new packages were not installed. To finish: npx gatepulse@${VERSION} upgrade. To go back: ${goBack}\n`,
    );
    return isStopped ? EXIT.interrupted : EXIT.others;
  }
  const restores = backups.map(
    ({ file, options }) =>
      `  npx gatepulse restore ${file} ${options.join(" ")} --replace   # only if the data must go back, too\n`,
  );
  io.stdout.write(
    `\nThe project has gatepulse ${VERSION}. Restart gatepulse start, or run npx gatepulse deploy.\n\nTo go back:\n  ${goBack}\n${restores.join("")}`,
  );
  if (isValid) return EXIT.ok;
  io.stderr.write("gatepulse upgrade: the configuration has the faults above. Fix them first.\n");
  return EXIT.others;
}

/** The files as they were before this upgrade. */
const ORIGINALS = `.gatepulse/before-${VERSION}`;

async function keepOriginals(directory: string, paths: readonly string[]): Promise<void> {
  const kept = join(directory, ORIGINALS);
  // Those that an interrupted upgrade has kept are older.
  if (existsSync(kept)) return;
  const stage = `${kept}.tmp`;
  await rm(stage, { recursive: true, force: true });
  await mkdir(stage, { recursive: true });
  for (const path of paths.filter((of) => existsSync(join(directory, of)))) {
    await mkdir(dirname(join(stage, path)), { recursive: true });
    await cp(join(directory, path), join(stage, path), { dereference: true });
  }
  await rename(stage, kept);
}

function planText(
  { url }: UpgradeOrder,
  project: InstalledProject,
  { changes, backups }: Pick<Plan, "changes" | "backups">,
  io: Io,
): string {
  const { version } = project;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const entries = entriesBetween(readFileSync(packagePath("CHANGELOG.md"), "utf8"), version, VERSION);
  const parts = [
    `${paint(`gatepulse ${version} → ${VERSION}`, "bold")}\n`,
    ...entries.map((entry) => `${paint(entry.version, "bold")}\n${entry.text}\n`),
    ...changes.map(changeText),
    ...backups.map(({ file, options: [, of] }) => `A backup of ${of} is made first: ${file}\n`),
    ...(url === null ? ["To save a deployed Worker first, add --url ADDRESS. It needs ADMIN_TOKEN.\n"] : []),
  ];
  return parts.filter((part) => part !== "").join("\n");
}
