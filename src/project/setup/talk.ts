/** What `init` and `add` share: the flags, the questions, and the values of secrets that are known so far. */
import { join } from "node:path";
import type { Fault } from "../../config/faults.ts";
import { EXIT, type ExitCode, type Io } from "../../cli/command.ts";
import { faultsText, readDevVars } from "../../cli/config-file.ts";
import type { Prompts } from "../../cli/prompts.ts";
import { painterFor } from "../../cli/terminal.ts";
import { withSecrets } from "../dev-vars.ts";
import { textAt } from "../files.ts";
import { template } from "../template.ts";
import type { Wishes } from "./wishes.ts";

/** Says why nothing was written. */
export type Refuse = (problem: string) => ExitCode;

export interface Talk {
  readonly io: Io;
  readonly wishes: Wishes;
  /** Null: nothing is asked. */
  readonly prompts: Prompts | null;
  /** By name; null: it is set later. They go into `.dev.vars`. */
  readonly secrets: Map<string, string | null>;
  /** From what was typed, from the environment, and from `.dev.vars`. */
  readonly valueOf: (name: string) => string | null;
  /** From the environment, if `.dev.vars` does not have the same. */
  readonly passedIn: (name: string) => string | null;
  /** What failed though files are written: it makes the exit code 1. */
  readonly failures: string[];
  /** A line of its own. */
  readonly say: (text: string) => void;
}

/** @param directory the one with `.dev.vars`. */
export async function beginTalk(directory: string, wishes: Wishes, io: Io): Promise<Talk> {
  const written = await readDevVars(directory);
  const secrets = new Map<string, string | null>();
  return {
    io,
    wishes,
    prompts: wishes.yes ? null : io.prompts,
    secrets,
    valueOf: (name) => (secrets.get(name) ?? io.env[name] ?? written[name])?.trim() || null,
    passedIn: (name) => (io.env[name] === written[name] ? null : io.env[name]?.trim() || null),
    failures: [],
    say: (text) => io.stdout.write(`${text}\n`),
  };
}

export const UNWRITABLE_SECRET =
  "a secret has a line end or all three kinds of quotes, which .dev.vars cannot hold: set it in the environment of npm start alone";

/** Nothing was written. */
export function refuseFaults(file: string, faults: readonly Fault[], { stdout, env }: Io): ExitCode {
  stdout.write(`\n${faultsText(file, faults, painterFor(stdout.isTTY, env))}\nNothing was written.\n`);
  return EXIT.usage;
}

/** Null: a value cannot be written. */
export async function devVarsText(directory: string, { secrets }: Talk): Promise<string | null> {
  const own = await textAt(join(directory, ".dev.vars"));
  return withSecrets(own ?? template("dev.vars"), Object.fromEntries(secrets));
}

/** What is still to be filled in; empty: nothing is. */
export function unsetWords({ secrets, valueOf }: Talk): string {
  const unset = [...secrets.keys()].filter((name) => valueOf(name) === null);
  return unset.length === 0 ? "" : `\nWrite into .dev.vars: ${unset.join(", ")}\n`;
}
