/** `gatepulse init`: a project of your own. */
import { relative, resolve } from "node:path";
import { EXIT, command, option, type CommandLine } from "../cli/command.ts";
import { init as initProject } from "../project/init.ts";
import { interruptible, uninterrupted } from "../project/interrupt.ts";
import { moveClone, movedText } from "../project/move-clone.ts";
import { packageManagerOf, specOf } from "../project/project.ts";
import { SECRETS_HELP, WISH_OPTIONS, WRITE_CODES, readWishes } from "../project/setup/wishes.ts";

const MANUAL = {
  name: "init",
  args: "[DIR]",
  about: `Makes a project in DIR (default: this directory): configuration, Worker, secrets, GitHub workflow and
Dockerfile. It asks for a gateway, checks it, suggests what to watch, asks where alerts go, and sends a test
message there. It overwrites nothing. In a project, it adds a gateway: see gatepulse add.

With --from it makes a project of a clone of Gatepulse 0.2.0 or later instead, and asks nothing. It keeps
the configuration, the secrets, the recorded data and the names in wrangler.toml. Without DIR, the clone
itself becomes the project: its own files move into a directory like gatepulse-0.2.0.`,
  options: {
    ...WISH_OPTIONS,
    worker: option("NAME", "the name of the Worker (default: the name of the directory)"),
    package: option(
      "SPEC",
      "which gatepulse: a version, an address, or the path of a tarball (default: this one)",
    ),
    from: option("CLONE", "a clone to make a project of"),
  },
  more: `${SECRETS_HELP}

Examples
  gatepulse init status
  gatepulse init --from .
  ACME_API_KEY=... gatepulse init status --yes --name Acme --base-url https://api.acme.example`,
  codes: WRITE_CODES,
};

export const init = command(MANUAL, async (line) => {
  const { values, io, refuse } = line;
  const directory = resolve(io.cwd, line.argument);
  if (values.from !== undefined) return initFrom(line, values.from);
  const read = readWishes(values, io);
  if (!read.ok) return refuse(read.problem);
  const fresh = { worker: values.worker ?? null, package: values.package ?? null };
  const asked = { wishes: read.wishes, fresh };
  return interruptible(io, () => initProject(directory, asked, { io, refuse }));
});

/** The clone itself becomes the project, unless a directory is named. */
async function initFrom({ values, argument, io, refuse }: CommandLine<typeof MANUAL.options>, from: string) {
  const clone = resolve(io.cwd, from);
  const directory = resolve(io.cwd, argument || from);
  const gatepulse = await specOf(values.package ?? null, io.cwd, directory);
  const manager = packageManagerOf(io);
  const { env } = io;
  const moved = await uninterrupted(() => moveClone({ clone, directory, gatepulse, manager, env }));
  if (!moved.ok) return refuse(moved.problem);
  io.stdout.write(movedText(moved, relative(io.cwd, directory), manager));
  return EXIT.ok;
}
