/**
 * Values of the secrets that a configuration names: from `.dev.vars` beside it, and from the environment, which wins.
 * Only named ones are taken.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Config } from "../config/config.ts";

/** Secrets of the service itself. */
const OWN_SECRETS = ["ADMIN_TOKEN"];

export async function readSecrets(
  config: Config,
  directory: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ secrets: Record<string, string>; missing: readonly string[] }> {
  const file = await readFile(join(directory, ".dev.vars"), "utf8").catch(() => "");
  const written = parseEnv(file);
  const keys = [...new Set(config.gateways.map(({ apiKey }) => apiKey))];
  const secrets: Record<string, string> = {};
  for (const name of [...keys, ...OWN_SECRETS]) {
    const value = env[name] ?? written[name];
    if (value !== undefined && value !== "") secrets[name] = value;
  }
  return { secrets, missing: keys.filter((name) => !(name in secrets)) };
}
