/** `gatepulse init`, `add` and `upgrade`: a project of your own, another gateway or channel in it, and a newer Gatepulse for it. */
import { t } from "../config/spoken.ts";
import { relative, resolve } from "node:path";
import { Refusal, EXIT, type CommandLine, command, flag, option } from "../cli/command.ts";
import { init as initProject, add as addToProject } from "../project/init.ts";
import { uninterrupted, interruptible } from "../cli/programs.ts";
import { moveClone, movedText } from "../project/clone.ts";
import { packageManagerOf, specOf } from "../project/project.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/talk.ts";
import { configFileIn, CONFIG } from "../cli/config-file.ts";
import { upgradeProject } from "../project/upgrade.ts";

const OPTIONS = {
  ...WISH_OPTIONS,
  package: option(
    "SPEC",
    t`which gatepulse: a version, an address, or the path of a tarball (default: this one)`,
  ),
  from: option("CLONE", t`a clone that becomes a project`),
};

export const init = command("init", OPTIONS, async (line) => {
  const { values, io } = line;
  const directory = resolve(io.cwd, line.argument);
  if (values.from !== undefined) return initFrom(line, values.from);
  const asked = { wishes: readWishes(values, io), spec: values.package ?? null };
  return interruptible(io, () => initProject(directory, asked, io));
});

/** The clone itself becomes the project. */
async function initFrom({ values, argument, io }: CommandLine<typeof OPTIONS>, from: string) {
  const clone = resolve(io.cwd, from);
  if (argument !== "" && resolve(io.cwd, argument) !== clone)
    throw new Refusal(t`--from makes a project of the clone itself: leave DIR out`);
  const gatepulse = await specOf(values.package ?? null, io.cwd, clone);
  const manager = packageManagerOf(io);
  const moved = await uninterrupted(() => moveClone({ clone, gatepulse, manager, env: io.env }));
  io.stdout.write(movedText(moved, relative(io.cwd, clone), manager));
  return EXIT.ok;
}

export const add = command("add", { ...CONFIG, ...WISH_OPTIONS }, async (line) => {
  const { values, argument, io } = line;
  const wishes = readWishes(values, io);
  const path = argument === "" ? configFileIn(io.cwd) : resolve(io.cwd, argument);
  if (path === null)
    throw new Refusal(t`there is no gatepulse.config.ts here: make a project with gatepulse init`);
  return interruptible(io, () => addToProject(path, wishes, io));
});

const UPGRADE = {
  ...CONFIG,
  to: option("SPEC", t`a version, the path of a tarball, or its address (default: the newest version)`),
  yes: { ...flag(t`do not ask`), short: "y" },
  url: option("ADDRESS", t`also save a deployed Gatepulse, with ADMIN_TOKEN (default GATEPULSE_URL)`),
  persist: option("DIR", t`where gatepulse start keeps its data (default .gatepulse)`),
  /** Where this version came from; an older one that runs it says so. */
  package: { type: "string" } as const,
};

export const upgrade = command("upgrade", UPGRADE, async (line) => {
  const { values, argument, io } = line;
  const hasToken = (io.env["ADMIN_TOKEN"] ?? "") !== "";
  const order = {
    to: values.to ?? null,
    spec: values.package ?? null,
    yes: values.yes === true,
    config: argument || null,
    persist: values.persist ?? ".gatepulse",
    url: values.url ?? (hasToken ? (io.env["GATEPULSE_URL"] ?? null) : null),
  };
  return interruptible(io, () => upgradeProject(order, io));
});
