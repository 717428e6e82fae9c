/**
 * Values of the secrets that a configuration names, as this machine has them: from `.dev.vars` beside it, and from the
 * environment, which wins. Only named ones are taken.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Config } from "../config/config.ts";
import { secretNames } from "../config/secrets.ts";

/** Holds the key of a gateway where nobody names another variable. */
export const DEFAULT_KEY_ENV = "GATEWAY_API_KEY";

/** Of the service itself: it is there, though empty, where it is written down. An empty one closes the page. */
const VIEW_TOKEN = "VIEW_TOKEN";

/** Secrets of the service itself. */
const OWN_SECRETS = ["ADMIN_TOKEN", VIEW_TOKEN];

export interface SecretValues {
  readonly secrets: Readonly<Record<string, string>>;
  /** Names of the configuration without a value. */
  readonly missing: readonly string[];
}

/** `directory`: where the configuration lies. */
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
    if (value !== undefined && (value !== "" || name === VIEW_TOKEN)) secrets[name] = value;
  }
  return { secrets, missing: named.filter((name) => !(name in secrets)) };
}

/** What `.dev.vars` sets; nothing where there is none. */
export async function readDevVars(directory: string): Promise<Readonly<Record<string, string | undefined>>> {
  return parseEnv(await readFile(join(directory, ".dev.vars"), "utf8").catch(() => ""));
}
