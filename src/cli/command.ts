/** What a command is given (arguments, streams) and how it ends. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Clock } from "../probe/clock.ts";
import type { Fetch } from "../probe/exchange.ts";
import { judgeEndpoint } from "../config/base-url.ts";
import { spokenLanguage, t } from "../config/spoken.ts";
import { DOCUMENTS } from "../protocol/causes.ts";
import type { KeptDiagnosis } from "../protocol/diagnosis.ts";
import CHINESE from "./manuals.zh.json" with { type: "json" };
import ENGLISH from "./manuals.json" with { type: "json" };
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
  if (owner === "caller") return EXIT.caller;
  return owner === "nobody" ? EXIT.later : EXIT.others;
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

interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What --help calls its value. */
  readonly value?: string;
  /** Left out: the option is internal, and --help does not show it. */
  readonly help?: string;
}

type Options = Readonly<Record<string, Option>>;

export function option(value: string, help: string) {
  return { type: "string", value, help } as const;
}

export function flag(help: string) {
  return { type: "boolean", help } as const;
}

const EVERYWHERE = {
  help: { ...flag(t`print this`), short: "h" },
  lang: option(
    "LANG",
    t`zh or en, the language of what is printed (default: that of the locale, else of the configuration)`,
  ),
} as const;

/** Ends a command with exit code 2. Its message never repeats what may be a key in a wrong place; empty: all is said. */
export class Refusal extends Error {}

function readArguments<const Config extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Config,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : null;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new Refusal(
      code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"
        ? t`an option is missing its value, or takes none`
        : t`unknown option; the options are: ${known.join(", ")}`,
    );
  }
}

export const OPERATOR = {
  operator: option("us", t`you run the gateway: what its operator must do is your turn`),
};

/** Null: it is not given. @throws Refusal if it is none of these. */
export function oneOf<Word extends string>(
  name: string,
  words: readonly Word[],
  given: string | undefined,
): Word | null {
  const found = words.find((word) => word === given);
  if (found === undefined && given !== undefined)
    throw new Refusal(t`--${name} is one of ${words.join(", ")}`);
  return found ?? null;
}

/** The address of a running Gatepulse. @param how it can be given. @throws Refusal */
export function siteAt(written: string | undefined, how: string): string {
  const judged = judgeEndpoint(written ?? "");
  if (judged.ok) return judged.baseUrl;
  throw new Refusal(t`the address of the page is missing, or wrong: write it with https, as ${how}`);
}

/** @throws Refusal */
export function adminTokenIn({ ADMIN_TOKEN = "" }: Io["env"]): string {
  if (ADMIN_TOKEN.trim() === "") throw new Refusal(t`ADMIN_TOKEN is not set in the environment`);
  return ADMIN_TOKEN.trim();
}

export type Command = (args: readonly string[], io: Io) => Promise<ExitCode>;

/** Undefined: it is not given. */
type Values<Own extends Options> = {
  readonly [Name in keyof Own]?: (Own[Name]["type"] extends "string" ? string : boolean) | undefined;
};

export interface CommandLine<Own extends Options = Options> {
  readonly values: Values<Own>;
  readonly positionals: readonly string[];
  /** The only one, or what --config names; empty: there is none, and it may be left out. */
  readonly argument: string;
  readonly io: Io;
}

const MANUALS: typeof ENGLISH = spokenLanguage() === "zh" ? CHINESE : ENGLISH;

/** The words of `--help`: `args` is one argument, in brackets if it may be left out, or several with dots. */
interface Manual {
  readonly args: string;
  readonly about: readonly string[];
  /** Examples, and where to read more. */
  readonly more?: readonly string[];
  readonly codes: Readonly<Record<string, string>>;
}

function usageOf(name: string, { args, about, more = [], codes }: Manual, options: Options): string {
  const all = Object.entries<Option>({ ...options, ...EVERYWHERE });
  const rows = all.flatMap(([long, { short, value, help }]): (readonly [string, string])[] => {
    const words = [short === undefined ? [] : `-${short},`, `--${long}`, value ?? []].flat();
    return help === undefined ? [] : [[words.join(" "), help]];
  });
  const lines = [
    [t`Usage: gatepulse ${name} ${args} [options]`],
    about,
    [t`Options`, columnsOf(rows)],
    more,
    [t`Exit codes`, columnsOf(Object.entries(codes))],
  ];
  const text = lines.flatMap((part) => (part.length === 0 ? [] : `${part.join("\n")}\n`)).join("\n");
  return text.replace("{secrets}", MANUALS.secrets.join("\n")).replaceAll("{documents}", DOCUMENTS);
}

/** Of the whole program. */
export function programUsage(): string {
  const codes = columnsOf(Object.entries(MANUALS.commands.probe.codes));
  return `${MANUALS.usage.join("\n")}\n\n${t`Exit codes`}\n${codes}\n`;
}

const LINE_WIDTH = 108;

/** The second column is wrapped. */
function columnsOf(rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  // A Chinese character takes two columns, and a line may end behind it.
  const longest = Math.floor((LINE_WIDTH - left) / (spokenLanguage() === "zh" ? 2 : 1));
  const line = new RegExp(`.{1,${longest}}(?: |$|(?<=[，；、。]))`, "g");
  const wrapped = (words: string) =>
    (words.match(line) ?? []).map((piece) => piece.trimEnd()).join(`\n${" ".repeat(left)}`);
  return rows.map(([name, words]) => `  ${name}`.padEnd(left) + wrapped(words)).join("\n");
}

/** `manuals.json` has the words of its `--help`. @param run may throw Refusal. */
export function command<const Own extends Options>(
  name: keyof typeof MANUALS.commands,
  options: Own,
  run: (line: CommandLine<Own>) => Promise<ExitCode>,
): Command {
  const manual: Manual = MANUALS.commands[name];
  const lineOf = (args: readonly string[], io: Io): CommandLine<Own> => {
    const { positionals, values } = readArguments(args, { ...options, ...EVERYWHERE });
    const { config = [], lang } = values as { readonly config?: string; readonly lang?: string };
    // One of these is gone by now.
    if (lang !== undefined) throw new Refusal(t`--lang is zh or en`);
    const [argument = "", ...rest] = [config, positionals].flat();
    const [what = ""] = manual.args.match(/\w+/) ?? [];
    if (argument === "" && !manual.args.startsWith("[")) throw new Refusal(t`${what} is missing`);
    if (rest.length > 0 && !manual.args.includes("...")) throw new Refusal(t`give at most one ${what}`);
    return { values, positionals, argument, io };
  };
  return async (args, io) => {
    if (args.some((arg) => arg === "--help" || arg === "-h")) {
      io.stdout.write(usageOf(name, manual, options));
      return EXIT.ok;
    }
    try {
      return await run(lineOf(args, io));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message } = error;
      if (message !== "")
        io.stderr.write(`gatepulse ${name}: ${message}\n${t`See gatepulse ${name} --help.`}\n`);
      return EXIT.usage;
    }
  };
}
