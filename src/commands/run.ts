/** Chooses the command and answers --help and --version. */
import { t } from "../config/spoken.ts";
import { BackupProblem } from "../backup/backup-file.ts";
import { NoWranglerError } from "../local/wrangler.ts";
import { VERSION } from "../probe/version.ts";
import { add, init, upgrade } from "./project-commands.ts";
import { admin } from "./admin-command.ts";
import { alert } from "./alert-command.ts";
import { backup, restore } from "./backup-command.ts";

import { check } from "./check-command.ts";
import { EXIT, programUsage, type Command, type ExitCode, type Io } from "../cli/command.ts";
import { build, deploy } from "./deploy-command.ts";
import { explain } from "./explain-command.ts";
import { mcp } from "./mcp-command.ts";
import { plan } from "./plan-command.ts";
import { probe } from "./probe-command.ts";
import { start } from "./start-command.ts";

const COMMANDS: Readonly<Record<string, Command>> = {
  init,
  add,
  probe,
  explain,
  check,
  alert,
  plan,
  start,
  build,
  deploy,
  upgrade,
  mcp,
  backup,
  restore,
  admin,
};

/** A file that cannot be read or written has a code of the system. Node's own for wrong calls begin with ERR_. */
function isExpected(error: unknown): error is Error {
  if (error instanceof BackupProblem || error instanceof NoWranglerError) return true;
  return error instanceof Error && /^E(?!RR_)/.test(String(Reflect.get(error, "code")));
}

/** `args`: without the interpreter and the script. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name = "", ...rest] = args;
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout.write(programUsage());
    return EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    return command(rest, io).catch((error: unknown) => {
      if (!isExpected(error)) throw error;
      io.stderr.write(`gatepulse ${name}: ${error.message}\n`);
      return error instanceof NoWranglerError ? EXIT.usage : EXIT.others;
    });
  }
  io.stderr.write(`${name === "" ? "" : t`gatepulse: unknown command\n\n`}${programUsage()}`);
  return EXIT.usage;
}
