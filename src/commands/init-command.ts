/** `gatepulse init`: a project of your own. */
import { resolve } from "node:path";
import { HELP, command } from "../cli/command.ts";
import { INIT_USAGE } from "../cli/usage.ts";
import { init as initProject } from "../project/init.ts";
import { interruptible } from "../project/interrupt.ts";
import { WISH_OPTIONS, readWishes } from "../project/setup/wishes.ts";

const OPTIONS = {
  ...WISH_OPTIONS,
  worker: { type: "string" },
  package: { type: "string" },
  ...HELP,
} as const;

export const init = command({ name: "init", usage: INIT_USAGE, options: OPTIONS }, async (line) => {
  const { values, positionals, io, refuse } = line;
  const [directory = ".", ...more] = positionals;
  if (more.length > 0) return refuse("name at most one directory");
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const fresh = { worker: values.worker ?? null, package: values.package ?? null };
  const asked = { wishes: read.wishes, fresh };
  return interruptible(io, () => initProject(resolve(io.cwd, directory), asked, { io, refuse }));
});
