/** The secrets that a pasted answer may repeat, as this machine knows them: they go wherever they stand. */
import { nameStrength } from "../protocol/redaction/names.ts";
import { DEFAULT_KEY_ENV, readDevVars } from "./secret-values.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A shorter value of a variable that nobody named may be a plain word. */
const MIN_LENGTH = 12;

/** `keyName`: the variable that somebody named; `directory`: where a `.dev.vars` may lie. */
export async function secretsAround(
  keyName: string | null,
  directory: string,
  env: Variables,
): Promise<readonly string[]> {
  const written: Variables = await readDevVars(directory);
  const named = [DEFAULT_KEY_ENV, ...(keyName === null ? [] : [keyName])];
  return [
    ...named.flatMap((name) => [env[name] ?? "", written[name] ?? ""]),
    ...Object.entries(env).flatMap(([name, value = ""]) =>
      saysSecret(name) && isLong(value) ? [value] : [],
    ),
    ...Object.values(written).flatMap((value = "") => (isLong(value) ? [value] : [])),
  ].filter((value) => value !== "");
}

/** Systems have variables of their own with brackets and signs in their names. */
function saysSecret(name: string): boolean {
  return /^\w+$/.test(name) && nameStrength(name) !== null;
}

function isLong(value: string): boolean {
  return value.length >= MIN_LENGTH;
}
