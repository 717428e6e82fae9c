/** What `init` and `add` share: the flags, the questions, and the values of secrets that are known so far. */
import { t } from "../../config/spoken.ts";
import { join } from "node:path";
import type { Fault } from "../../config/faults.ts";
import { type Io, flag, oneOf, option, Refusal } from "../../cli/command.ts";
import { faultsText, readDevVars } from "../../cli/config-file.ts";
import type { Prompts } from "../../cli/prompts.ts";
import { painterFor } from "../../cli/terminal.ts";
import { textAt, template } from "../project.ts";
import { judgeBaseUrl } from "../../config/base-url.ts";
import { isSecretName, looksLikeSecret } from "../../config/secret-shape.ts";
import { OFFERED_KINDS, type OfferedKind } from "./plan-channel.ts";
import { parseEnv } from "node:util";

export interface Talk {
  readonly io: Io;
  readonly wishes: Wishes;
  /** Null: nothing is asked. */
  readonly prompts: Prompts | null;
  /** By name; null: it is set later. They go into `.dev.vars`. */
  readonly secrets: Map<string, string | null>;
  /** From what was typed, from the environment, and from `.dev.vars`. */
  readonly valueOf: (name: string) => string | null;
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
    failures: [],
    say: (text) => io.stdout.write(`${text}\n`),
  };
}

/** Nothing was written. */
export function refusedFaults(file: string, faults: readonly Fault[], { stdout, env }: Io): Refusal {
  stdout.write(`\n${faultsText(file, faults, painterFor(stdout.isTTY, env))}\n${t`Nothing was written.`}\n`);
  return new Refusal();
}

/** @throws Refusal if a value cannot be written. */
export async function devVarsText(directory: string, { secrets }: Talk): Promise<string> {
  const own = await textAt(join(directory, ".dev.vars"));
  const text = withSecrets(own ?? template("dev.vars"), Object.fromEntries(secrets));
  if (text !== null) return text;
  throw new Refusal(
    t`a secret has a line end or all three kinds of quotes, which .dev.vars cannot hold: set it in the environment of npm start alone`,
  );
}

/** What is still to be filled in; empty: nothing is. */
export function unsetWords({ secrets, valueOf }: Talk): string {
  const unset = [...secrets.keys()].filter((name) => valueOf(name) === null);
  return unset.length === 0 ? "" : `\n${t`Write into .dev.vars: ${unset.join(", ")}`}\n`;
}

/** Null: not said. */
export interface Wishes {
  /** Ask nothing. */
  readonly yes: boolean;
  readonly name: string | null;
  readonly baseUrl: string | null;
  readonly keyName: string | null;
  readonly channel: OfferedKind | null;
  /** Send nothing, neither to the gateway nor to the channel. */
  readonly noCheck: boolean;
}

export const WISH_OPTIONS = {
  yes: { ...flag(t`ask nothing`), short: "y" },
  name: option("NAME", t`the name of the gateway (default: from its address)`),
  "base-url": option("URL", t`its base address`),
  "key-env": option("NAME", t`the name of its key (default: like ACME_API_KEY, from the gateway's name)`),
  channel: option("KIND", t`where alerts go: ${OFFERED_KINDS.join(", ")}`),
  "no-check": flag(t`send nothing: neither a check to the gateway nor a test message to the channel`),
};

type Values = { readonly [Name in keyof typeof WISH_OPTIONS]?: string | boolean | undefined };

/** @throws Refusal */
export function readWishes(values: Values, io: Io): Wishes {
  const { yes, name, "base-url": baseUrl, "key-env": keyName, channel, "no-check": noCheck } = values;
  const wishes: Wishes = {
    yes: yes === true,
    name: textOf(name),
    baseUrl: withoutV1(textOf(baseUrl) ?? "") || null,
    keyName: textOf(keyName),
    channel: oneOf("channel", OFFERED_KINDS, textOf(channel) ?? undefined),
    noCheck: noCheck === true,
  };
  const problem = wishesProblem(wishes, io);
  if (problem !== null) throw new Refusal(problem);
  return wishes;
}

function textOf(value: string | boolean | undefined): string | null {
  return typeof value === "string" ? value.trim() : null;
}

function wishesProblem(wishes: Wishes, io: Io): string | null {
  const { yes, name, baseUrl, keyName } = wishes;
  if (!yes && io.prompts === null) return NO_TERMINAL;
  if (keyName !== null && !isSecretName(keyName)) return KEY_NAME;
  const nameFault = name === null ? null : nameProblem(name);
  if (nameFault !== null) return `--name ${nameFault}`;
  const addressFault = baseUrl === null ? null : addressProblem(baseUrl);
  if (addressFault !== null) return `--base-url ${addressFault}`;
  if (yes && baseUrl === null && (name ?? keyName) !== null)
    return t`a gateway needs its address: add --base-url`;
  return null;
}

const NO_TERMINAL = t`there is no terminal to ask questions. Add --yes, with --name NAME, --base-url URL, --key-env NAME and, for alerts, --channel KIND`;

const KEY_NAME = t`--key-env takes the name of an environment variable like ACME_API_KEY (A-Z, 0-9 and _), never the key itself`;

const LONGEST_NAME = 80;

/** Of a gateway. Null: nothing. */
export function nameProblem(name: string): string | null {
  if (name === "") return t`is empty`;
  if (looksLikeSecret(name)) return t`looks like a secret: write the gateway's name`;
  return name.length > LONGEST_NAME || /[\p{Cc}\p{Cs}]/u.test(name)
    ? t`must have 1 to ${LONGEST_NAME} characters, none of them a control character`
    : null;
}

/** Of a base address, whose `/v1` may stand. */
export function addressProblem(written: string): string | null {
  const judged = judgeBaseUrl(withoutV1(written), { insecureHttp: false });
  if (judged.ok) return null;
  return judged.faults
    .map(({ problem, fix }) => t`${problem}: ${fix.replace(t`, or allow it with insecureHttp: true`, "")}`)
    .join("; ");
}

/** Many services show their address with it. Nor does it end with a slash. */
export function withoutV1(written: string): string {
  const whole = written.trim().replace(/\/+$/, "");
  return whole.replace(/^(https?:\/\/[^?#]*?)\/+v1(?:\/+(?:models|chat\/completions))?$/i, "$1");
}

/** The text with these secrets set. One without a value gets a line to fill in. @returns null: a value cannot be written. */
export function withSecrets(text: string, secrets: Readonly<Record<string, string | null>>): string | null {
  const before = parseEnv(text);
  const changed = Object.entries(secrets).filter(
    ([name, value]) => before[name] !== (value ?? before[name] ?? null),
  );
  if (changed.length === 0) return text;
  const without = changed.reduce((rest, [name]) => rest.replace(assignment(name), ""), text);
  const ended = without === "" || without.endsWith("\n") ? without : `${without}\n`;
  const added = changed.map(([name, value]) => {
    const written = quoted(value ?? "");
    return written === null ? null : `${name}=${written}\n`;
  });
  return added.includes(null) ? null : ended + added.join("");
}

/** With its line end; a value in quotes may have several lines. */
function assignment(name: string): RegExp {
  return new RegExp(
    `^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[ \\t]*(?:"[^"]*"|'[^']*'|\`[^\`]*\`)?[^\\n]*(?:\\n|$)`,
    "gm",
  );
}

/** Null: it has a line end, or every kind of quotes. */
export function quoted(value: string): string | null {
  if (/^[\w.~+/=:@%?&,;!*()[\]{}|^<>-]*$/.test(value)) return value;
  if (/[\r\n]/.test(value)) return null;
  // Double quotes come last, and not around a backslash: in them \n is a line end.
  const quote = ["'", "`", ...(value.includes("\\") ? [] : ['"'])].find((mark) => !value.includes(mark));
  return quote === undefined ? null : `${quote}${value}${quote}`;
}
