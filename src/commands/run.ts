/** Chooses the command and answers --help and --version. */
import { BackupProblem } from "../backup/backup-file.ts";
import { NoWranglerError } from "../local/wrangler.ts";
import { VERSION } from "../probe/version.ts";
import { add } from "./add-command.ts";
import { admin } from "./admin-command.ts";
import { backup } from "./backup-command.ts";
import { build } from "./build-command.ts";
import { check } from "./check-command.ts";
import { DIAGNOSIS_CODES, EXIT, codesText, type Command, type ExitCode, type Io } from "../cli/command.ts";
import { deploy } from "./deploy-command.ts";
import { explain } from "./explain-command.ts";
import { init } from "./init-command.ts";
import { plan } from "./plan-command.ts";
import { probe } from "./probe-command.ts";
import { restore } from "./restore-command.ts";
import { start } from "./start-command.ts";
import { template } from "./template-command.ts";
import { upgrade } from "./upgrade-command.ts";

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

/** A file that cannot be read or written has a code of the system. Node's own for wrong calls begin with ERR_. */
function isExpected(error: unknown): error is Error {
  if (error instanceof BackupProblem || error instanceof NoWranglerError) return true;
  return error instanceof Error && /^E(?!RR_)/.test(String(Reflect.get(error, "code")));
}

const USAGE = `Gatepulse says what is wrong with an LLM gateway, whose turn it is, and when to try again.

Usage
  gatepulse <command> [options]
  gatepulse <command> --help
  gatepulse --version

Commands
  init     makes a project: it asks for a gateway, checks it, and writes the files
  add      adds a gateway or a channel to a project
  probe    checks a gateway once, from this machine
  explain  says what a saved or pasted answer means
  check    checks a configuration and prints every problem
  plan     says what a configuration uses per day, and whether Cloudflare's free plan is enough
  start    runs the whole monitor on this machine
  build    builds the Worker of a configuration; wrangler runs it before each deploy
  deploy   checks a project, deploys it to Cloudflare, and waits for the first result
  upgrade  brings a project to a newer version, and shows first what changes
  backup   saves everything that was recorded, without secrets
  restore  loads a backup
  admin    acknowledges, silences, checks, pauses and plans at a running Gatepulse

${codesText(DIAGNOSIS_CODES)}`;

/** `args`: without the interpreter and the script. */
export async function run(args: readonly string[], io: Io): Promise<ExitCode> {
  const [name = "", ...rest] = args;
  if (name === "--version" || name === "-V") {
    io.stdout.write(`${VERSION}\n`);
    return EXIT.ok;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout.write(USAGE);
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
  io.stderr.write(`${name === "" ? "" : "gatepulse: unknown command\n\n"}${USAGE}`);
  return EXIT.usage;
}
