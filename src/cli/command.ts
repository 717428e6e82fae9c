/** What a command is given (arguments, streams) and how it ends. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Clock } from "../probe/clock.ts";
import type { Fetch } from "../probe/exchange.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";

export const EXIT = {
  ok: 0,
  /** Operator, upstream or network must act. */
  others: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** The caller must act. */
  caller: 3,
  /** Wait and try later. */
  later: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOf({ ok, owner }: KeptDiagnosis): ExitCode {
  if (ok) return EXIT.ok;
  switch (owner) {
    case "caller":
      return EXIT.caller;
    case "nobody":
      return EXIT.later;
    case "operator":
    case "upstream":
    case "network":
      return EXIT.others;
  }
}

export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: Input;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative file names start from. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
  /** 0 to 1, 1 excluded. */
  random(): number;
  /** An IANA name: the zone of this machine. */
  readonly timeZone: string;
}

export interface Output {
  write(text: string): void;
  /** Is it a terminal? */
  readonly isTTY: boolean;
  /** The terminal's width; 80 where nobody knows. */
  readonly columns: number;
}

export interface Input {
  readonly isTTY: boolean;
  /** All of it, at most `maxBytes`; null when there is more. */
  readAll(maxBytes: number): Promise<string | null>;
}

export type Arguments =
  | {
      readonly ok: true;
      readonly flags: Readonly<Record<string, boolean>>;
      readonly texts: Readonly<Record<string, string>>;
      readonly positionals: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

export function readArguments(args: readonly string[], options: ParseArgsOptionsConfig): Arguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: true,
    });
    const entries = Object.entries(values);
    return {
      ok: true,
      flags: Object.fromEntries(
        entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
      ),
      texts: Object.fromEntries(
        entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      ),
      positionals,
    };
  } catch (error) {
    return { ok: false, problem: problemOf(error, Object.keys(options)) };
  }
}

function problemOf(error: unknown, known: readonly string[]): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
  const list = known.map((name) => `--${name}`).join(", ");
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE")
    return `an option lacks its value, or has one it does not take`;
  return `unknown option; known here: ${list}`;
}

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
