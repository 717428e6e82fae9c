/** What all commands have in common: options, `--help`, and how they refuse. */
import type { ParseArgsOptionsConfig } from "node:util";
import { type Arguments, readArguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";

export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;

/** One that was understood. */
export interface CommandLine {
  readonly wanted: Extract<Arguments, { ok: true }>;
  readonly io: Io;
  /** Says why, and where help is. */
  readonly refuse: (problem: string) => ExitCode;
}

interface CommandFacts {
  readonly name: string;
  readonly usage: string;
  /** Besides `--help`. */
  readonly options: ParseArgsOptionsConfig;
}

export function command(
  { name, usage, options }: CommandFacts,
  run: (line: CommandLine) => Promise<ExitCode>,
): Command {
  return async (args, io) => {
    const refuse = (problem: string): ExitCode => {
      io.stderr.write(`gatepulse ${name}: ${problem}\nSee gatepulse ${name} --help.\n`);
      return EXIT.usage;
    };
    const wanted = readArguments(args, { ...options, help: { type: "boolean", short: "h" } });
    if (!wanted.ok) return refuse(wanted.problem);
    if (wanted.flags["help"] !== true) return run({ wanted, io, refuse });
    io.stdout.write(usage);
    return EXIT.ok;
  };
}
