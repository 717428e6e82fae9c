/**
 * JSON as it comes from strangers: told apart from pages, from nothing and from JSON that was cut off. Pure.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export type Body =
  | { readonly form: "empty" }
  | { readonly form: "json"; readonly json: unknown }
  /** Begins like JSON and does not parse. */
  | { readonly form: "cut_off" }
  /** Neither JSON nor the beginning of it. */
  | { readonly form: "other" };

/** The body's form; a byte order mark and white space around JSON are no fault. */
export function readBody(text: string): Body {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const first = firstCharacter(body);
  if (first === "") return { form: "empty" };
  if (!'{["-0123456789tfn'.includes(first)) return { form: "other" };
  try {
    const json: unknown = JSON.parse(body);
    return { form: "json", json };
  } catch {
    return { form: looksCutOff(body, first) ? "cut_off" : "other" };
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asList(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null;
}

/** A string that says something, or a number as one; else null. */
export function asText(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string" || value.length === 0) return null;
  return value.trim() === "" ? null : value;
}

/** Null, false, 0, "", [] and {} say nothing (also where `error` is one of them). */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === "") {
    return true;
  }
  if (Array.isArray(value)) return value.length === 0;
  const object = asObject(value);
  if (object === null) return false;
  for (const key in object) if (Object.hasOwn(object, key)) return false;
  return true;
}

/** What a string holds when it is JSON itself; null otherwise. Long strings are left alone. */
export function jsonInString(text: string): unknown {
  if (text.length > MAX_NESTED_LENGTH) return null;
  const start = text.trimStart().charAt(0);
  if (start !== "{" && start !== "[") return null;
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return null;
  }
}

const MAX_NESTED_LENGTH = 16_384;

function firstCharacter(text: string): string {
  return /\S/.exec(text)?.[0] ?? "";
}

/** Words may begin with t, f, n or a digit too: only a beginning of a literal or number counts there. */
function looksCutOff(text: string, first: string): boolean {
  if (first === "{" || first === "[" || first === '"') return true;
  if (text.length > 40) return false;
  const word = text.trim();
  return (
    ["true", "false", "null"].some((literal) => literal.startsWith(word)) || /^-?\d*[.eE+-]*$/.test(word)
  );
}
