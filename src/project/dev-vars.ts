/** The text of `.dev.vars`, which Node's `parseEnv` and wrangler's dotenv read alike. Pure. */
import { parseEnv } from "node:util";

/**
 * The text with these secrets set, and other lines as they are. A secret without a value yet gets a line to fill in.
 * @returns null: a value cannot be written.
 */
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
