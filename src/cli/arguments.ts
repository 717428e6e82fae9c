/**
 * Command-line arguments to options. What is refused is never repeated: a key may have been typed where it does not
 * belong. Pure.
 */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

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
