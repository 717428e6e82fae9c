/** JSON as gateways write it: parsed within limits, without surprises, and read by JSON pointers (RFC 6901). Pure. */

export type JsonObject = Readonly<Record<string, unknown>>;

export type Body =
  | { readonly form: "empty" }
  | { readonly form: "json"; readonly json: unknown }
  | { readonly form: "cut_off" }
  /** Begins like JSON, and has too many values to be parsed. */
  | { readonly form: "too_complex" }
  | { readonly form: "other" };

/** The body's form; byte order marks and white space around JSON are no fault. */
export function readBody(text: string): Body {
  const start = /\S/.exec(text)?.index;
  if (start === undefined) return { form: "empty" };
  const first = text.charAt(start);
  if (!'{["-0123456789tfn'.includes(first)) return { form: "other" };
  const body = start === 0 ? text : text.slice(start);
  if ("{[".includes(first) && !isCheapToParse(body)) return { form: "too_complex" };
  try {
    const json: unknown = JSON.parse(body);
    return { form: "json", json };
  } catch {
    return { form: looksCutOff(body, first) ? "cut_off" : "other" };
  }
}

export function readJson(text: string): unknown {
  const body = readBody(text);
  return body.form === "json" ? body.json : null;
}

export function readBeginning(text: string): Body {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) return { form: "empty" };
  return { form: '{["'.includes(first) ? "cut_off" : "other" };
}

/** Begins like JSON, and nothing could be read from it. */
export function isUnreadJson(body: Body): boolean {
  return body.form === "cut_off" || body.form === "too_complex";
}

/** Whether parsing stays within about 30 MB: 8 MiB of `{},` take 350 MB. It counts the characters that begin values. */
export function isCheapToParse(text: string): boolean {
  if (text.length <= ALWAYS_CHEAP_LENGTH) return true;
  let left = MAX_WEIGHT;
  for (const [sign, weight] of WEIGHTS) {
    for (let at = text.indexOf(sign); at >= 0 && left >= 0; at = text.indexOf(sign, at + 1)) left -= weight;
  }
  return left >= 0;
}

/** What `read` finds first; null: it finds nothing in any of them. */
export function firstOf<Item, Found>(
  items: readonly Item[],
  read: (item: Item) => Found | null,
): Found | null {
  for (const item of items) {
    const found = read(item);
    if (found !== null) return found;
  }
  return null;
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

/** Also an object whose members are all empty: records have such an error while nothing is wrong. */
export function isHollow(value: unknown): boolean {
  return isEmptyValue(value) || Object.values(asObject(value) ?? { value }).every(isEmptyValue);
}

export function mayBeJson(text: string): boolean {
  return text.length <= MAX_NESTED_LENGTH && /^\s*[{[]/.test(text);
}

/** What a string holds when it is JSON itself; null otherwise. Long strings are left alone. */
export function jsonInString(text: string): unknown {
  return mayBeJson(text) ? readJson(text) : null;
}

const MAX_NESTED_LENGTH = 16_384;

/** The worst of shorter texts takes 4 ms and 4 MB. */
const ALWAYS_CHEAP_LENGTH = 131_072;
/** Of about 12 bytes: what a number in a list takes. 10,000 models of 25 fields are within it. */
const MAX_WEIGHT = 2_500_000;
/** An object or a list, a quote of a string, a member's name, and what a comma stands before. */
const WEIGHTS = [
  ["{", 12],
  ["[", 12],
  [":", 4],
  ['"', 1],
  [",", 1],
] as const;

/** Words may begin with t, f, n or a digit too: only a beginning of a literal or number counts there. */
function looksCutOff(text: string, first: string): boolean {
  if (first === "{" || first === "[" || first === '"') return true;
  if (text.length > 40) return false;
  const word = text.trim();
  return (
    ["true", "false", "null"].some((literal) => literal.startsWith(word)) || /^-?\d*[.eE+-]*$/.test(word)
  );
}

/** Whether a text is a pointer by its letter; "" points at the whole document. */
export function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && !/~(?![01])/.test(text));
}

/** Undefined where there is nothing, or the pointer is none. Only a document's own members are found. */
export function valueAt(json: unknown, pointer: string): unknown {
  if (!isJsonPointer(pointer)) return undefined;
  let value = json;
  for (const token of pointer.split("/").slice(1)) {
    value = memberOf(value, token.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (value === undefined) return undefined;
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  const list = asList(value);
  if (list !== null) return CANONICAL_INDEX.test(name) ? list[Number(name)] : undefined;
  const object = asObject(value);
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Without leading zeros; longer ones than any list has are not read as numbers. */
const CANONICAL_INDEX = /^(?:0|[1-9]\d{0,9})$/;
