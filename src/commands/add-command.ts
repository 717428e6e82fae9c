/** `gatepulse add`: another gateway or channel. */
import { resolve } from "node:path";
import { command } from "../cli/command.ts";
import { CONFIG, configFileIn } from "../cli/config-file.ts";
import { add as addToProject } from "../project/add.ts";
import { interruptible } from "../project/interrupt.ts";
import { SECRETS_HELP, WISH_OPTIONS, WRITE_CODES, readWishes } from "../project/setup/wishes.ts";

const MANUAL = {
  name: "add",
  args: "[FILE]",
  about: `Adds a gateway, a channel or both to a configuration. The rest of the file stays as it is. It asks, and
checks, what gatepulse init does.`,
  options: { ...CONFIG, ...WISH_OPTIONS },
  more: `${SECRETS_HELP}

Examples
  gatepulse add
  BETA_API_KEY=... gatepulse add --yes --name Beta --base-url https://api.beta.example`,
  codes: WRITE_CODES,
};

export const add = command(MANUAL, async (line) => {
  const { values, argument, io, refuse } = line;
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const path = argument === "" ? configFileIn(io.cwd) : resolve(io.cwd, argument);
  if (path === null)
    return refuse("there is no gatepulse.config.ts here: make a project with gatepulse init");
  return interruptible(io, () => addToProject(path, read.wishes, { io, refuse }));
});
