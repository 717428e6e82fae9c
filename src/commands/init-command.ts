/** `gatepulse init`: a project of your own. */
import { relative, resolve } from "node:path";
import { EXIT, HELP, command, type CommandLine } from "../cli/command.ts";
import { INIT_USAGE } from "../cli/usage.ts";
import { init as initProject } from "../project/init.ts";
import { interruptible, uninterrupted } from "../project/interrupt.ts";
import { moveClone, movedText } from "../project/move-clone.ts";
import { packageManagerOf, specOf } from "../project/project.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/wishes.ts";

const OPTIONS = {
  ...WISH_OPTIONS,
  worker: { type: "string" },
  package: { type: "string" },
  from: { type: "string" },
  ...HELP,
} as const;

export const init = command({ name: "init", usage: INIT_USAGE, options: OPTIONS }, async (line) => {
  const { values, positionals, io, refuse } = line;
  const [directory = ".", ...more] = positionals;
  if (more.length > 0) return refuse("name at most one directory");
  if (values.from !== undefined) return initFrom(line, values.from);
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const fresh = { worker: values.worker ?? null, package: values.package ?? null };
  const asked = { wishes: read.wishes, fresh };
  return interruptible(io, () => initProject(resolve(io.cwd, directory), asked, { io, refuse }));
});

/** The clone itself becomes the project, unless a directory is named. */
async function initFrom({ values, positionals, io, refuse }: CommandLine<typeof OPTIONS>, from: string) {
  const clone = resolve(io.cwd, from);
  const directory = resolve(io.cwd, positionals[0] ?? from);
  const gatepulse = await specOf(values.package ?? null, io.cwd, directory);
  const manager = packageManagerOf(io);
  const { env } = io;
  const moved = await uninterrupted(() => moveClone({ clone, directory, gatepulse, manager, env }));
  if (!moved.ok) return refuse(moved.problem);
  io.stdout.write(movedText(moved, relative(io.cwd, directory), manager));
  return EXIT.ok;
}
