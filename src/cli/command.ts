/** What a command is given (arguments, streams) and how it ends. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Clock } from "../probe/clock.ts";
import type { Fetch } from "../probe/exchange.ts";
import { type KeptDiagnosis, OPERATORS, type Operator } from "../protocol/diagnosis.ts";
import type { Prompts } from "./prompts.ts";

export const EXIT = {
  ok: 0,
  /** It is the turn of the operator, the provider or the network. */
  others: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** It is the caller's turn. */
  caller: 3,
  /** Wait and try later. */
  later: 4,
  /** Ctrl-C. */
  interrupted: 130,
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
  /** Null: there is no terminal. */
  readonly prompts: Prompts | null;
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
  readonly isTTY: boolean;
}

export interface Input {
  readonly isTTY: boolean;
  /** All of it, at most `maxBytes`; null when there is more. */
  readAll(maxBytes: number): Promise<string | null>;
}

/** `ok` false: what is wrong, without repeating it: it may be a key in a wrong place. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return { ok: true, ...parseArgs({ args: [...args], options, allowPositionals: true }) } as const;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
    const known = Object.keys(options).map((name) => `--${name}`);
    const problem =
      code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"
        ? "an option is missing its value, or takes none"
        : `unknown option; the options are: ${known.join(", ")}`;
    return { ok: false, problem } as const;
  }
}

export const HELP = { help: { type: "boolean", short: "h" } } as const;

export const OPERATOR = { operator: { type: "string" } } as const;

type OperatorRead =
  | { readonly ok: true; readonly operator: Operator | null }
  | { readonly ok: false; readonly problem: string };

/** Of `--operator`. */
export function operatorOf(who: string | undefined): OperatorRead {
  const operator = OPERATORS.find((known) => known === who) ?? null;
  if (who !== undefined && operator === null)
    return { ok: false, problem: `--operator is one of ${OPERATORS.join(", ")}` };
  return { ok: true, operator };
}

function asksForHelp(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--help" || arg === "-h");
}

export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;

type Read<Options extends ParseArgsOptionsConfig> = Extract<
  ReturnType<typeof readArguments<Options>>,
  { ok: true }
>;

export interface CommandLine<Options extends ParseArgsOptionsConfig = ParseArgsOptionsConfig> {
  readonly values: Read<Options>["values"];
  readonly positionals: readonly string[];
  readonly io: Io;
  /** Says why, and where help is. */
  readonly refuse: (problem: string) => ExitCode;
}

/** @param options with `HELP`. */
export function command<const Options extends ParseArgsOptionsConfig>(
  { name, usage, options }: { readonly name: string; readonly usage: string; readonly options: Options },
  run: (line: CommandLine<Options>) => Promise<ExitCode>,
): Command {
  return async (args, io) => {
    if (asksForHelp(args)) {
      io.stdout.write(usage);
      return EXIT.ok;
    }
    const refuse = (problem: string): ExitCode => {
      io.stderr.write(`gatepulse ${name}: ${problem}\nSee gatepulse ${name} --help.\n`);
      return EXIT.usage;
    };
    const read = readArguments(args, options);
    return read.ok ? run({ ...read, io, refuse }) : refuse(read.problem);
  };
}
