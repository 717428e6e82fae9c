/** Chooses the command and answers --help and --version. */
import { VERSION } from "../probe/version.ts";
import { admin } from "./admin-command.ts";
import { check } from "./check-command.ts";
import { EXIT, type Command, type ExitCode, type Io } from "../cli/command.ts";
import { explain } from "./explain-command.ts";
import { plan } from "./plan-command.ts";
import { probe } from "./probe-command.ts";
import { PROGRAM_USAGE } from "../cli/usage.ts";

const COMMANDS: Readonly<Record<string, Command>> = { probe, explain, check, plan, admin };

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
  if (command !== undefined) return command(rest, io);
  io.stderr.write(`${name === "" ? "" : "gatepulse: unknown command\n\n"}${PROGRAM_USAGE}`);
  return EXIT.usage;
}
