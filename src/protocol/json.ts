/**
 * JSON as gateways write it: parsed within limits, without surprises, and read by JSON pointers (RFC 6901). Pure.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export type Body =
  | { readonly form: "empty" }
  | { readonly form: "json"; readonly json: unknown }
  /** Begins like JSON and does not parse. */
  | { readonly form: "cut_off" }
  /** Begins like JSON, and has too many values or too deep a nesting to be parsed. */
  | { readonly form: "too_complex" }
  /** Neither JSON nor the beginning of it. */
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

/** The value of JSON within the bounds; null: it is none, or is null itself. */
export function readJson(text: string): unknown {
  const body = readBody(text);
  return body.form === "json" ? body.json : null;
}

/** The form of a body of which only a beginning was read. */
export function readBeginning(text: string): Body {
  const first = /\S/.exec(text)?.[0];
  if (first === undefined) return { form: "empty" };
  return { form: '{["'.includes(first) ? "cut_off" : "other" };
}

/** Begins like JSON, and nothing could be read from it. */
export function isUnreadJson(body: Body): boolean {
  return body.form === "cut_off" || body.form === "too_complex";
}

/**
 * Whether parsing, and reading what comes of it, stays within bounds of memory and time: values of about 30 MB in all,
 * nested at most 1,000 deep, and at most 20,000 members an object. Without them 8 MiB of `{},` take 350 MB, and an
 * isolate has 128.
 */
export function isCheapToParse(text: string): boolean {
  if (text.length <= ALWAYS_CHEAP_LENGTH) return true;
  let weight = 0;
  let depth = 0;
  const members = new Uint32Array(MAX_DEPTH + 1);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      weight += STRING_WEIGHT;
      if (weight > MAX_WEIGHT) return false;
      at = endOfString(text, at + 1);
    } else if (code === COMMA) {
      weight += 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      weight += HOLDER_WEIGHT;
      depth += 1;
      if (weight > MAX_WEIGHT || depth > MAX_DEPTH) return false;
      members[depth] = 0;
    } else if (code === COLON) {
      const count = (members[depth] ?? 0) + 1;
      if (count > MAX_MEMBERS) return false;
      members[depth] = count;
      weight += MEMBER_WEIGHT;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return weight <= MAX_WEIGHT;
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

/** Whether a string is worth an attempt to parse it. */
export function mayBeJson(text: string): boolean {
  return text.length <= MAX_NESTED_LENGTH && /^\s*[{[]/.test(text);
}

/** What a string holds when it is JSON itself; null otherwise. Long strings are left alone. */
export function jsonInString(text: string): unknown {
  if (!mayBeJson(text)) return null;
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return null;
  }
}

const MAX_NESTED_LENGTH = 16_384;

/** The worst of shorter texts takes 4 ms and 4 MB. */
const ALWAYS_CHEAP_LENGTH = 131_072;
/** Of about 12 bytes: what a number in a list takes, and a comma stands for. 10,000 models of 25 fields are within it. */
const MAX_WEIGHT = 2_500_000;
const HOLDER_WEIGHT = 12;
const STRING_WEIGHT = 2;
/** A member that no other object has costs a hidden class. */
const MEMBER_WEIGHT = 4;
const MAX_DEPTH = 1000;
/** Even the first name of an object costs time for all of them. */
const MAX_MEMBERS = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Where the quote stands that ends the string begun before `start`; the text's end where there is none. */
function endOfString(text: string, start: number): number {
  const quote = text.indexOf('"', start);
  if (quote < 0) return text.length;
  if (text.charCodeAt(quote - 1) !== BACKSLASH) return quote;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
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
