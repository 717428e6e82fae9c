/** `gatepulse add`: another gateway or channel. */
import { t } from "../config/spoken.ts";
import { resolve } from "node:path";
import { command } from "../cli/command.ts";
import { CONFIG, configFileIn } from "../cli/config-file.ts";
import { add as addToProject } from "../project/init.ts";
import { interruptible } from "../project/interrupt.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/talk.ts";

const OPTIONS = { ...CONFIG, ...WISH_OPTIONS };

export const add = command("add", OPTIONS, async (line) => {
  const { values, argument, io, refuse } = line;
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const path = argument === "" ? configFileIn(io.cwd) : resolve(io.cwd, argument);
  if (path === null)
    return refuse(t`there is no gatepulse.config.ts here: make a project with gatepulse init`);
  return interruptible(io, () => addToProject(path, read.wishes, { io, refuse }));
});
