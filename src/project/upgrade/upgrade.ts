/** `gatepulse upgrade`: the new version brings a project from the installed version to its own. */
import { readFileSync } from "node:fs";
import { EXIT, type ExitCode, type Io } from "../../cli/command.ts";
import { configFileIn } from "../../cli/config-file.ts";
import { harmless, painterFor } from "../../cli/terminal.ts";
import { entriesBetween } from "../../package/changelog.ts";
import { packagePath } from "../../package/root.ts";
import { compareVersions } from "../../package/versions.ts";
import { VERSION } from "../../probe/version.ts";
import { uninterrupted } from "../interrupt.ts";
import { specOf } from "../project.ts";
import {
  backupsOf,
  changeFiles,
  finish,
  goBackCommand,
  install,
  isUpgrading,
  saveBackup,
  type Backup,
} from "./apply.ts";
import { changeText, fileChanges, type FileChange } from "./changes.ts";
import { installedProject, installedTemplate, isValidHere, type InstalledProject } from "./installed.ts";
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
    if (isUpgrading(project.directory)) {
      const isValid = await isValidHere(project, order.config);
      return finishInstalled(project, { backups: [], isValid }, io);
    }
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
  const upgrade = () => upgradeWith(to, yes ? ["--yes", ...args] : args, project);
  const { code, isStopped } = await uninterrupted(upgrade);
  if (isStopped && code !== 0) return EXIT.interrupted;
  return Object.values(EXIT).find((known) => known === code) ?? EXIT.others;
}

async function upgradeTo(
  order: UpgradeOrder,
  project: InstalledProject,
  given: UpgradeIo,
): Promise<ExitCode> {
  const { io, refuse } = given;
  const base = await installedTemplate(project);
  if (base === null)
    return refuse(
      `gatepulse ${project.version} does not say which files it made: run ${project.answers.manager.name} install, and repeat. Versions before 0.3.0 made no project: npx gatepulse init DIR makes one`,
    );
  const changes = await fileChanges(project, base, await specOf(order.spec, io.cwd, project.directory));
  const stamp = new Date(io.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const backups = backupsOf(project, { stamp, persist: order.persist, url: order.url });
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

interface Plan {
  readonly changes: readonly FileChange[];
  readonly backups: readonly Backup[];
  /** Whether this version finds no fault in the configuration. */
  readonly isValid: boolean;
}

async function doUpgrade(
  project: InstalledProject,
  { changes, backups, isValid }: Plan,
  { io }: UpgradeIo,
): Promise<ExitCode> {
  for (const backup of backups) {
    if (await saveBackup(project, backup)) continue;
    io.stderr.write(`gatepulse upgrade: ${backup.file} was not saved, so nothing was changed.\n`);
    return EXIT.others;
  }
  await changeFiles(project.directory, changes);
  const { code, isStopped } = await install(project);
  if (code !== 0) {
    io.stderr.write(
      `gatepulse upgrade: the new packages were not installed. To finish: npx gatepulse@${VERSION} upgrade. To go back: ${goBackCommand(project)}\n`,
    );
    return isStopped ? EXIT.interrupted : EXIT.others;
  }
  return finishInstalled(project, { backups, isValid }, io);
}

async function finishInstalled(
  project: InstalledProject,
  { backups, isValid }: Pick<Plan, "backups" | "isValid">,
  io: Io,
): Promise<ExitCode> {
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

function planText(
  { url }: UpgradeOrder,
  project: InstalledProject,
  { changes, backups }: Pick<Plan, "changes" | "backups">,
  io: Io,
): string {
  const { directory, version } = project;
  const paint = painterFor(io.stdout.isTTY, io.env);
  const entries = entriesBetween(readFileSync(packagePath("CHANGELOG.md"), "utf8"), version, VERSION);
  const parts = [
    `${paint(`gatepulse ${version} → ${VERSION}`, "bold")}\n`,
    ...(isUpgrading(directory) ? ["An upgrade was interrupted. This one finishes it.\n"] : []),
    ...entries.map((entry) => `${paint(entry.version, "bold")}\n${entry.text}\n`),
    ...changes.map(changeText),
    ...backups.map(({ file, options: [, of] }) => `A backup of ${of} is made first: ${file}\n`),
    ...(url === null ? ["To save a deployed Worker first, add --url ADDRESS. It needs ADMIN_TOKEN.\n"] : []),
  ];
  return parts.filter((part) => part !== "").join("\n");
}
