/** Chooses the command and answers --help and --version. */
import { NoWranglerError } from "../local/wrangler.ts";
import { VERSION } from "../probe/version.ts";
import { add } from "./add-command.ts";
import { admin } from "./admin-command.ts";
import { backup } from "./backup-command.ts";
import { build } from "./build-command.ts";
import { check } from "./check-command.ts";
import { EXIT, type Command, type ExitCode, type Io } from "../cli/command.ts";
import { deploy } from "./deploy-command.ts";
import { explain } from "./explain-command.ts";
import { init } from "./init-command.ts";
import { plan } from "./plan-command.ts";
import { probe } from "./probe-command.ts";
import { restore } from "./restore-command.ts";
import { start } from "./start-command.ts";
import { template } from "./template-command.ts";
import { upgrade } from "./upgrade-command.ts";
import { PROGRAM_USAGE } from "../cli/usage.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  init,
  add,
  probe,
  explain,
  check,
  plan,
  start,
  build,
  deploy,
  upgrade,
  template,
  backup,
  restore,
  admin,
};

/** `args`: without the interpreter and the script. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name = "", ...rest] = args;
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout.write(PROGRAM_USAGE);
    return EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    return command(rest, io).catch((error: unknown) => {
      if (!(error instanceof NoWranglerError)) throw error;
      io.stderr.write(`gatepulse ${name}: ${error.message}: run npm install --save-dev wrangler\n`);
      return EXIT.usage;
    });
  }
  io.stderr.write(`${name === "" ? "" : "gatepulse: unknown command\n\n"}${PROGRAM_USAGE}`);
  return EXIT.usage;
}
