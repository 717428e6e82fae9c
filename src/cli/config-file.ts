/** The configuration of a command, and its secrets: from `.dev.vars` beside it, and from the environment, which wins. */
import { t } from "../config/spoken.ts";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import type { Config } from "../config/config.ts";
import { faultWords, type Fault } from "../config/faults.ts";
import { parseConfig } from "../config/load.ts";
import { looksLikeSecret } from "../config/secret-shape.ts";
import { secretNames } from "../config/secrets.ts";
import { nameStrength } from "../protocol/redaction/fields.ts";
import { REDACTED, createRedactor } from "../protocol/redaction/redact.ts";
import { option, Refusal, type CommandLine } from "./command.ts";
import { harmless, painterFor, type Paint } from "./terminal.ts";

/** `error`: what JSON.parse threw; `Unexpected token 's' at line 1, column 11`. */
export function jsonFault(text: string, error: unknown): string {
  const words = (error instanceof Error ? error.message : "")
    .replace(/, (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "")
    .replace(/ (?:in JSON )?at position \d+.*$/s, "");
  const before = text.slice(0, faultIndex(text));
  const lastLine = before.slice(before.lastIndexOf("\n") + 1);
  return t`${words} at line ${before.split("\n").length}, column ${lastLine.length + 1}`;
}

/** The parser reports the place of only some faults: it is the end of the longest beginning that could become valid. */
function faultIndex(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (couldGoOn(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function couldGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = /at position (\d+)/.exec(message)?.[1];
    return position === undefined
      ? message.startsWith("Unexpected end of JSON input")
      : Number(position) >= beginning.length;
  }
}

const MAX_WORDS = 200;

/** `error`: what the import threw; `RangeError at line 2, column 7: words`. `href`: the module's address. */
function moduleFault(
  error: unknown,
  href: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (!(error instanceof Error)) return t`it throws something that is not an Error`;
  const { stack = "" } = error;
  const at = placeIn(stack, href) ?? placeIn(stack, fileURLToPath(href));
  const words = withoutSecrets(error.message, env).replaceAll(/\s+/g, " ").trim().slice(0, MAX_WORDS);
  return `${error.name}${at === null ? "" : t` at ${at}`}${words === "" ? "" : `: ${words}`}`;
}

/** The place that a stack names for a file; of a syntax error the column is where a mark stands below the line. */
function placeIn(stack: string, file: string): string | null {
  const at = stack.indexOf(`${file}:`);
  if (at === -1) return null;
  const [, line, written] = /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length)) ?? [];
  if (line === undefined) return null;
  const marked = /^[^\n]*\n(?:[^\n]+\n)*?( *)\^+\n/.exec(stack.slice(at))?.[1];
  const column = written ?? (marked === undefined ? null : marked.length + 1);
  return column === null ? t`line ${line}` : t`line ${line}, column ${column}`;
}

/** The words may quote the file: a key without its quotes is a name that is not defined. */
function withoutSecrets(words: string, env: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(env).flatMap(([name, value = ""]) =>
    // PWD has a secret's name and is a folder.
    nameStrength(name) === null || value.startsWith("/") ? [] : [value],
  );
  return harmless(createRedactor(known)(words)).replaceAll(/\S+/g, (word) =>
    looksLikeSecret(word) ? REDACTED : word,
  );
}

export const CONFIG_FILE = "gatepulse.config.ts";

/** The configuration of a project; null: there is none. */
export function configFileIn(directory: string): string | null {
  return (
    [CONFIG_FILE, "gatepulse.config.json"]
      .map((name) => join(directory, name))
      .find((path) => existsSync(path)) ?? null
  );
}

/** @throws Refusal without a secret: neither one of `env`, nor what looks like one. */
export async function loadConfigFile(
  path: string,
  env: Readonly<Record<string, string | undefined>>,
  name = basename(path),
): Promise<unknown> {
  const refuse = (problem: string) => new Refusal(`${name} ${problem}`);
  const found = await stat(path).catch(() => null);
  if (found === null) throw refuse(t`is missing; npx gatepulse init creates a project with one`);
  if (!found.isFile()) throw refuse(t`is not a file`);
  if (extname(path) === ".json") {
    const written = await readFile(path, "utf8").catch(() => null);
    if (written === null) throw refuse(t`cannot be read`);
    const text = written.replace(/^\ufeff/, "");
    try {
      return JSON.parse(text);
    } catch (error) {
      throw refuse(t`is not valid JSON (${jsonFault(text, error)})`);
    }
  }
  const { href } = pathToFileURL(path);
  const module: unknown = await import(href).catch((error: unknown) => {
    throw refuse(importProblem(error, href, env));
  });
  const value: unknown = Reflect.get(Object(module), "default");
  if (value !== undefined) return value;
  throw refuse(t`has no default export: write export default defineConfig({ … })`);
}

function importProblem(
  error: unknown,
  href: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (isTypeScriptUnread(error))
    return t`is TypeScript, which Node ${process.versions.node} does not read: run npm install, then npx gatepulse, which then uses Node 24; or use a .json file`;
  const missing = /^Cannot find package '([^']+)'/.exec(error instanceof Error ? error.message : "")?.[1];
  return missing === undefined
    ? t`cannot be loaded (${moduleFault(error, href, env)})`
    : t`needs the package ${harmless(missing)}: run npm install first`;
}

/** It may be a file that the configuration imports, too. */
function isTypeScriptUnread(error: unknown): boolean {
  return (
    error instanceof Error &&
    Reflect.get(error, "code") === "ERR_UNKNOWN_FILE_EXTENSION" &&
    /\.[cm]?ts\b/.test(error.message)
  );
}

/** Names the configuration where nothing else does: `gatepulse deploy` sets it for what wrangler runs. */
export const CONFIG_VARIABLE = "GATEPULSE_CONFIG";

/** A configuration may also be the first argument. */
export const CONFIG = {
  config: option("FILE", t`the same as FILE (default ./gatepulse.config.ts; a .json file works too)`),
};

/** @param told what is printed about faults; default: all of them. @throws Refusal */
export async function readNamedConfig(
  { argument, io }: CommandLine<typeof CONFIG>,
  told: (file: string, faults: readonly Fault[]) => string = (file, faults) =>
    faultsText(file, faults, painterFor(io.stdout.isTTY, io.env)),
): Promise<{ readonly config: Config; readonly name: string; readonly path: string }> {
  const file = argument || io.env[CONFIG_VARIABLE] || basename(configFileIn(io.cwd) ?? CONFIG_FILE);
  const name = harmless(file);
  const path = resolve(io.cwd, file);
  const parsed = parseConfig(await loadConfigFile(path, io.env, name));
  if (parsed.ok) return { config: parsed.config, name, path };
  io.stdout.write(told(name, parsed.faults));
  throw new Refusal();
}

export function faultsText(file: string, faults: readonly Fault[], paint: Paint): string {
  const title = faults.length === 1 ? t`${file} has 1 fault` : t`${file} has ${faults.length} faults`;
  const lines = faults.map(
    ({ path, fix, ...fault }) =>
      `${faultWords({ ...fault, path: paint(path, "bold") })}\n  ${paint(t`fix: `, "dim")}${fix}\n`,
  );
  return `${paint(title, "red")}\n\n${lines.join("")}`;
}

/** The variable with the gateway's key, unless another is named. */
export const DEFAULT_KEY_ENV = "GATEWAY_API_KEY";

/** A secret of the service itself. It counts as set even if its value is empty, which closes the page. */
const VIEW_TOKEN = "VIEW_TOKEN";

const OWN_SECRETS = ["ADMIN_TOKEN", VIEW_TOKEN];

export interface SecretValues {
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of the configuration without a value. */
  readonly missing: readonly string[];
}

/** `directory`: the one with the configuration. */
export async function readSecrets(
  config: Config,
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretValues> {
  const written = await readDevVars(directory);
  const named = secretNames(config);
  const secrets: Record<string, string> = {};
  for (const name of [...named, ...OWN_SECRETS]) {
    const value = env[name] ?? written[name];
    if (value !== undefined && (value.trim() !== "" || name === VIEW_TOKEN)) secrets[name] = value;
  }
  return { secrets, missing: named.filter((name) => !(name in secrets)) };
}

/** What `.dev.vars` sets; nothing without that file. */
export async function readDevVars(directory: string): Promise<Readonly<Record<string, string | undefined>>> {
  return parseEnv(await readFile(join(directory, ".dev.vars"), "utf8").catch(() => ""));
}
