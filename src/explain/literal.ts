import { type JsonObject, asList, asObject } from "../protocol/json.ts";
import { headersOf } from "./pasted.ts";

/** Values as JSON, Python (repr) and Node (util.inspect) print them. What is no value of data is null. Pure, total, linear. */

export interface Literal {
  readonly value: unknown;
  readonly end: number;
  readonly isCut: boolean;
}

/** The value that begins at `start` with a bracket or a quote; null: none does. */
export function readLiteral(text: string, start: number): Literal | null {
  if (!/^[{["'`]/.test(text.charAt(start))) return null;
  const cursor: Cursor = { text, at: start, isCut: false };
  const value = readValue(cursor, 0);
  return { value, end: cursor.at, isCut: cursor.isCut };
}

interface Cursor {
  readonly text: string;
  at: number;
  isCut: boolean;
}

const MAX_DEPTH = 60;
const CLOSERS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

function readValue(cursor: Cursor, depth: number): unknown {
  take(cursor, SPACE);
  const first = cursor.text.charAt(cursor.at);
  if (first === "") {
    cursor.isCut = true;
    return null;
  }
  if (QUOTES.has(first)) return readString(cursor);
  if (depth > MAX_DEPTH) {
    cursor.isCut = true;
    cursor.at = cursor.text.length;
    return null;
  }
  const words = take(cursor, INSPECTED_WORDS);
  if (words !== "") return take(cursor, BLANKS_BEFORE_BRACE) === "" ? null : readValue(cursor, depth);
  const closer = CLOSERS[first];
  return closer === undefined ? readBare(cursor, depth) : readHolder(cursor, closer, depth);
}

const SPACE = /[\s\u00a0]+/y;
/** `[Object]`, `[Function: f]`, `[TypeError: fetch failed]`, where braces with members may follow. */
const INSPECTED_WORDS =
  /\[(?:Object|Array|Circular|Function|Getter|Setter|Symbol|class|\w{0,60}Error|DOMException)\b(?:[^[\]\n]|\[[^[\]\n]*\]){0,300}\]/y;
const BLANKS_BEFORE_BRACE = / (?=\{)/y;

function readHolder(cursor: Cursor, closer: string, depth: number): unknown {
  cursor.at += 1;
  const members: [string, unknown][] = [];
  const items: unknown[] = [];
  for (;;) {
    take(cursor, SEPARATORS);
    const next = cursor.text.charAt(cursor.at);
    if (next === "") cursor.isCut = true;
    else if (next === closer) cursor.at += 1;
    else if (isCloser(next))
      return members.length > 0 || closer === "}" ? Object.fromEntries(members) : items;
    if (next === "" || next === closer) break;
    const key = closer === "]" ? null : readKey(cursor, closer);
    const value = readValue(cursor, depth + 1);
    if (key === null) items.push(value);
    else members.push([key, value]);
  }
  return closer === "}" || members.length > 0 ? Object.fromEntries(members) : items;
}

const SEPARATORS = /[\s,\u00a0]+/y;

function isCloser(character: string): boolean {
  return character === "}" || character === "]" || character === ")";
}

/** Null where a value stands without a name: in a set of Python's, or an argument. */
function readKey(cursor: Cursor, closer: string): string | null {
  const start = cursor.at;
  const quoted = QUOTES.has(cursor.text.charAt(start)) ? readString(cursor) : null;
  const key = quoted ?? take(cursor, KEY).replace(/^\[(.*)\]$/s, "$1");
  if (key !== "" && take(cursor, closer === ")" ? EQUALS : COLON) !== "") return key;
  cursor.at = start;
  return null;
}

const KEY = /\[[^\]\n]{1,200}\]|[\w$.@-]{1,200}/y;
const COLON = /\s*:/y;
const EQUALS = /=/y;

/** A number, a word, or the name of a class before its members; an error with its stack, inside another. */
function readBare(cursor: Cursor, depth: number): unknown {
  const start = cursor.at;
  if (take(cursor, ERROR_LINE) !== "") {
    take(cursor, STACK);
    if (cursor.text.startsWith(" {", cursor.at - 2)) cursor.at -= 2;
    const message = cursor.text.slice(start, cursor.at).split("\n", 1)[0] ?? "";
    const members = take(cursor, BLANKS_BEFORE_BRACE) === "" ? null : readValue(cursor, depth + 1);
    return { ...asObject(members), message };
  }
  const word = take(cursor, BARE).trim();
  const next = cursor.text.charAt(cursor.at);
  if (next in CLOSERS) return readValue(cursor, depth + 1);
  // What cannot be read is stepped over, so that every turn moves on.
  if (cursor.at === start) cursor.at += 1;
  return valueOfWord(word);
}

const ERROR_LINE = /\w{0,60}(?:Error|Exception)(?: \[\w{1,60}\])?: [^\n]*/y;
const STACK = /(?:\n[ \t]+at [^\n]*)+/y;
const BARE = /[^,\]})\n{[(]{1,2000}/y;

function valueOfWord(word: string): unknown {
  if (/^true$/i.test(word)) return true;
  if (/^false$/i.test(word)) return false;
  if (/^(?:none|null|undefined|nan)$/i.test(word)) return null;
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(word)) return Number(word);
  return word;
}

const QUOTES: ReadonlySet<string> = new Set(["'", '"', "`"]);

/** Inspected strings of several lines are pieces with a plus between them. */
function readString(cursor: Cursor): string {
  const pieces: string[] = [];
  do {
    const quote = cursor.text.charAt(cursor.at);
    cursor.at += 1;
    const end = endOfString(cursor.text, cursor.at, quote);
    pieces.push(cursor.text.slice(cursor.at, end).replace(ESCAPE, unescaped));
    if (end >= cursor.text.length) cursor.isCut = true;
    cursor.at = end + 1;
  } while (take(cursor, PLUS) !== "");
  return pieces.join("");
}

const PLUS = /\s*\+\s*(?=['"`])/y;
const ESCAPE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[^])/g;
const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
};

function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\") at += 1;
    else if (character === quote) return at;
  }
  return text.length;
}

function unescaped(escape: string): string {
  const letter = escape.charAt(1);
  if (escape.length === 2) return LETTERS[letter] ?? letter;
  const point = Number.parseInt(escape.slice(2), 16);
  return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
}

/** What the sticky pattern finds here; the cursor then stands behind it. */
function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const taken = pattern.exec(cursor.text)?.[0] ?? "";
  cursor.at += taken.length;
  return taken;
}

// The members of an error, as Node prints them behind its stack (util.inspect).

export interface Dump {
  /** Null: the client had no status, because nothing came, or the error was an event of a stream. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** The parsed body; undefined: it was no JSON, or not kept. */
  readonly body: unknown;
  readonly isCut: boolean;
}

export function readDump(text: string): Dump | null {
  const brace = DUMP_START.exec(text)?.index;
  if (brace === undefined) return null;
  const read = readLiteral(text, brace);
  const error = read === null ? null : errorWithin(asObject(read.value));
  return read === null || error === null ? null : dumpOf(error, read.isCut);
}

const DUMP_START = /\{\r?\n[ \t]{1,40}(?:\[\w{1,60}\]|[\w$]{1,60}|'[^'\n]{1,60}'): /;

/** The members of the client's error, which may stand inside what was logged with it. */
function errorWithin(outer: JsonObject | null): JsonObject | null {
  const queue = outer === null ? [] : [outer];
  for (let at = 0; at < queue.length && at < MAX_HOLDERS; at += 1) {
    const one = queue[at];
    if (one === undefined) break;
    const response = asObject(one["response"]);
    if (response !== null && statusOf(response) !== null) return response;
    if (CLIENTS_OWN.some((name) => name in one) || statusOf(one) !== null) return one;
    for (const value of Object.values(one).flatMap((held) => asList(held) ?? [held])) {
      const inner = asObject(value);
      if (inner !== null) queue.push(inner);
    }
  }
  return null;
}

const MAX_HOLDERS = 64;
const CLIENTS_OWN = ["requestID", "request_id", "apiMessage"];

function statusOf(object: JsonObject): number | null {
  const { status } = object;
  return typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599
    ? status
    : null;
}

function dumpOf(error: JsonObject, isCut: boolean): Dump {
  const id = error["requestID"] ?? error["request_id"];
  return {
    status: statusOf(error),
    headers: headersOf(asObject(error["headers"])),
    requestId: typeof id === "string" ? id : null,
    body: bodyOf(error),
    isCut,
  };
}

/** The client for chat keeps what is in `error`, or a flat body; the one for messages the body; HTTP clients call it data. */
function bodyOf(error: JsonObject): unknown {
  if ("data" in error && !("error" in error)) return error["data"] ?? undefined;
  const kept = error["error"] ?? undefined;
  if (kept === undefined) return undefined;
  return "apiMessage" in error || isWholeBody(asObject(kept)) ? kept : { error: kept };
}

function isWholeBody(kept: JsonObject | null): boolean {
  if (kept === null) return false;
  return (
    kept["type"] === "error" ||
    "error" in kept ||
    typeof kept["code"] === "number" ||
    kept["message"] === undefined
  );
}
