/** `gatepulse init`: a project of your own. */
import { t } from "../config/spoken.ts";
import { relative, resolve } from "node:path";
import { EXIT, command, option, type CommandLine } from "../cli/command.ts";
import { init as initProject } from "../project/init.ts";
import { interruptible, uninterrupted } from "../project/interrupt.ts";
import { moveClone, movedText } from "../project/clone.ts";
import { packageManagerOf, specOf } from "../project/project.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/talk.ts";

const OPTIONS = {
  ...WISH_OPTIONS,
  package: option(
    "SPEC",
    t`which gatepulse: a version, an address, or the path of a tarball (default: this one)`,
  ),
  from: option("CLONE", t`a clone that becomes a project`),
};

export const init = command("init", OPTIONS, async (line) => {
  const { values, io, refuse } = line;
  const directory = resolve(io.cwd, line.argument);
  if (values.from !== undefined) return initFrom(line, values.from);
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const asked = { wishes: read.wishes, spec: values.package ?? null };
  return interruptible(io, () => initProject(directory, asked, { io, refuse }));
});

/** The clone itself becomes the project. */
async function initFrom({ values, argument, io, refuse }: CommandLine<typeof OPTIONS>, from: string) {
  const clone = resolve(io.cwd, from);
  if (argument !== "" && resolve(io.cwd, argument) !== clone)
    return refuse(t`--from makes a project of the clone itself: leave DIR out`);
  const gatepulse = await specOf(values.package ?? null, io.cwd, clone);
  const manager = packageManagerOf(io);
  const moved = await uninterrupted(() => moveClone({ clone, gatepulse, manager, env: io.env }));
  if (!moved.ok) return refuse(moved.problem);
  io.stdout.write(movedText(moved, relative(io.cwd, clone), manager));
  return EXIT.ok;
}
