/** `gatepulse upgrade`: the new version brings a project from the installed version to its own. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { EXIT, type ExitCode, type Io } from "../../cli/command.ts";
import { CONFIG_FILE, configFileIn, faultsText, loadConfigFile } from "../../cli/config-file.ts";
import { harmless, painterFor } from "../../cli/terminal.ts";
import { parseConfig } from "../../config/load.ts";
import { entriesBetween } from "../../package/changelog.ts";
import { packagePath } from "../../package/root.ts";
import { compareVersions } from "../../package/versions.ts";
import { VERSION } from "../../probe/version.ts";
import { uninterrupted } from "../interrupt.ts";
import { specOf } from "../project.ts";
import {
  backupsOf,
  changeFiles,
  check,
  finish,
  goBackCommand,
  install,
  isUpgrading,
  saveBackup,
  type Backup,
} from "./apply.ts";
import { changeText, fileChanges, type FileChange } from "./changes.ts";
import { installedProject, type InstalledProject } from "./installed.ts";
import { isFileOrAddress, publishedVersions, upgradeWith } from "./newest.ts";

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

export interface UpgradeIo {
  readonly io: Io;
  readonly refuse: (problem: string) => ExitCode;
}

export async function upgradeProject(order: UpgradeOrder, given: UpgradeIo): Promise<ExitCode> {
  const { io, refuse } = given;
  const project = await installedProject(io.cwd, io.env);
  if (project === null || (order.config === null && configFileIn(io.cwd) === null))
    return refuse(
      "this directory is no project with Gatepulse. npx gatepulse init makes one, and npx gatepulse init --from . makes one of a clone",
    );
  if (project.version === "")
    return refuse(`gatepulse is not installed here: run ${project.answers.manager.name} install, and repeat`);
  const { to } = order;
  if (to !== null && isFileOrAddress(to, project.directory)) return passOn(to, order, project);
  if (to === null) {
    const difference = compareVersions(VERSION, project.version);
    if (difference < 0)
      return refuse(
        `the project has ${project.version}, which is newer than this ${VERSION}. Run npx gatepulse@latest upgrade`,
      );
    if (difference > 0) return upgradeTo(order, project, given);
    if (isUpgrading(project.directory)) return finishInstalled(order, project, given);
    if (order.spec !== null) return nothingToDo(given);
  }
  const published = await publishedVersions(project);
  if (!published.ok) {
    io.stderr.write(`gatepulse upgrade: ${published.problem}\n`);
    return EXIT.others;
  }
  const { newest, names } = published;
  if (to === null)
    return compareVersions(newest, VERSION) > 0 ? passOn(newest, order, project) : nothingToDo(given);
  if (names.includes(to)) return passOn(to, order, project);
  return refuse(`there is no version ${harmless(to)} of gatepulse; the newest is ${newest}`);
}

function nothingToDo({ io }: UpgradeIo): ExitCode {
  io.stdout.write(`The project has gatepulse ${VERSION}: there is nothing to do.\n`);
  return EXIT.ok;
}

async function passOn(
  to: string,
  { yes, config, persist, url }: UpgradeOrder,
  project: InstalledProject,
): Promise<ExitCode> {
  const options = { config, persist, url };
  const args = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`--${name}`, value],
  );
  const code = await uninterrupted(() => upgradeWith(to, yes ? ["--yes", ...args] : args, project));
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.others;
}

async function upgradeTo(
  order: UpgradeOrder,
  project: InstalledProject,
  given: UpgradeIo,
): Promise<ExitCode> {
  const { io, refuse } = given;
  const changes = await fileChanges(project, await specOf(order.spec, io.cwd, project.directory));
  const stamp = new Date(io.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const backups = backupsOf(project, { stamp, persist: order.persist, url: order.url });
  io.stdout.write(await planText(order, project, { changes, backups }, io));
  if (!order.yes) {
    if (io.prompts === null) return refuse("nothing was changed: there is no terminal to ask you. Add --yes");
    if (!(await io.prompts.confirm(`Upgrade to ${VERSION}?`))) {
      io.stdout.write("Nothing was changed.\n");
      return EXIT.ok;
    }
  }
  return uninterrupted(() => doUpgrade(order, project, { changes, backups }, given));
}

interface Plan {
  readonly changes: readonly FileChange[];
  readonly backups: readonly Backup[];
}

async function doUpgrade(
  order: UpgradeOrder,
  project: InstalledProject,
  { changes, backups }: Plan,
  given: UpgradeIo,
): Promise<ExitCode> {
  const { io } = given;
  for (const backup of backups) {
    if (await saveBackup(project, backup)) continue;
    io.stderr.write(`gatepulse upgrade: ${backup.file} was not saved, so nothing was changed.\n`);
    return EXIT.others;
  }
  await changeFiles(project.directory, changes);
  if (!(await install(project))) {
    io.stderr.write(
      `gatepulse upgrade: the new packages were not installed. To finish: npx gatepulse@${VERSION} upgrade. To go back: ${goBackCommand(project)}\n`,
    );
    return EXIT.others;
  }
  return finishInstalled(order, project, given, backups);
}

async function finishInstalled(
  { config }: UpgradeOrder,
  project: InstalledProject,
  { io }: UpgradeIo,
  backups: readonly Backup[] = [],
): Promise<ExitCode> {
  const isValid = await check(project, configOf(config, project));
  const originals = await finish(project.directory, VERSION);
  const commands = backups.map(
    ({ file, options }) =>
      `  npx gatepulse restore ${file} ${options.join(" ")} --replace   # only if the data must go back, too\n`,
  );
  io.stdout.write(
    `\nThe project has gatepulse ${VERSION}. Restart gatepulse start, or run npx gatepulse deploy.\n\nTo go back:\n  ${goBackCommand(project, originals)}\n${commands.join("")}`,
  );
  if (isValid) return EXIT.ok;
  io.stderr.write("gatepulse upgrade: the configuration has the faults above. Fix them first.\n");
  return EXIT.others;
}

async function planText(
  { config, url }: UpgradeOrder,
  project: InstalledProject,
  { changes, backups }: Plan,
  io: Io,
): Promise<string> {
  const { directory, version } = project;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const entries = entriesBetween(readFileSync(packagePath("CHANGELOG.md"), "utf8"), version, VERSION);
  const parts = [
    `${paint(`gatepulse ${version} → ${VERSION}`, "bold")}\n`,
    ...(isUpgrading(directory) ? ["An upgrade was interrupted. This one finishes it.\n"] : []),
    ...entries.map((entry) => `${paint(entry.version, "bold")}\n${entry.text}\n`),
    ...changes.map(changeText),
    await faultsOf(directory, config, io),
    ...backups.map(({ file, options: [, of] }) => `A backup of ${of} is made first: ${file}\n`),
    ...(url === null ? ["To save a deployed Worker first: set ADMIN_TOKEN, and add --url.\n"] : []),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** What the new version finds in the configuration, with its fixes. */
async function faultsOf(directory: string, config: string | null, io: Io): Promise<string> {
  const file = configOf(config, { directory });
  const loaded = await loadConfigFile(resolve(directory, file), io.env);
  if (!loaded.ok) return `${file} ${loaded.problem}\n`;
  const parsed = parseConfig(loaded.value);
  return parsed.ok ? "" : faultsText(file, parsed.faults, painterFor(io.stdout.isTTY, io.env));
}

/** From the project. */
function configOf(config: string | null, { directory }: Pick<InstalledProject, "directory">): string {
  const path = config === null ? configFileIn(directory) : resolve(directory, config);
  return path === null ? CONFIG_FILE : relative(directory, path);
}
