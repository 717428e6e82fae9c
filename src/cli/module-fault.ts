/** Says why a module could not be loaded, and where, without the secrets that its text or its words may hold. Pure. */
import { fileURLToPath } from "node:url";
import { looksLikeSecret } from "../config/secret-shape.ts";
import { createRedactor, REDACTED } from "../protocol/redaction/redact.ts";
import { nameStrength } from "../protocol/redaction/names.ts";
import { harmless } from "./terminal.ts";

const MAX_WORDS = 200;

/** `error`: what the import threw; `RangeError at line 2, column 7: words`. `href`: the module's address. */
export function moduleFault(
  error: unknown,
  href: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  if (!(error instanceof Error)) return "it throws what is no Error";
  const { stack = "" } = error;
  const at = placeIn(stack, href) ?? placeIn(stack, fileURLToPath(href));
  const words = withoutSecrets(error.message, env).replaceAll(/\s+/g, " ").trim().slice(0, MAX_WORDS);
  return `${error.name}${at === null ? "" : ` at ${at}`}${words === "" ? "" : `: ${words}`}`;
}

/** The place that a stack names for a file; of a syntax error the column is where a mark stands below the line. */
function placeIn(stack: string, file: string): string | null {
  const at = stack.indexOf(`${file}:`);
  if (at === -1) return null;
  const [, line, written] = /^:(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length)) ?? [];
  if (line === undefined) return null;
  const marked = /^[^\n]*\n(?:[^\n]+\n)*?( *)\^+\n/.exec(stack.slice(at))?.[1];
  const column = written ?? (marked === undefined ? null : marked.length + 1);
  return column === null ? `line ${line}` : `line ${line}, column ${column}`;
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
