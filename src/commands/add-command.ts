/** `gatepulse add`: another gateway or channel. */
import { resolve } from "node:path";
import { HELP, command } from "../cli/command.ts";
import { CONFIG, configFileIn } from "../cli/config-file.ts";
import { ADD_USAGE } from "../cli/usage.ts";
import { add as addToProject } from "../project/add.ts";
import { interruptible } from "../project/interrupt.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/wishes.ts";

const OPTIONS = { ...CONFIG, ...WISH_OPTIONS, ...HELP } as const;

export const add = command({ name: "add", usage: ADD_USAGE, options: OPTIONS }, async (line) => {
  const { values, positionals, io, refuse } = line;
  const [named, ...more] = [values.config ?? [], positionals].flat();
  if (more.length > 0) return refuse("give at most one file");
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const path = named === undefined ? configFileIn(io.cwd) : resolve(io.cwd, named);
  if (path === null)
    return refuse("there is no gatepulse.config.ts here: make a project with gatepulse init");
  return interruptible(io, () => addToProject(path, read.wishes, { io, refuse }));
});
