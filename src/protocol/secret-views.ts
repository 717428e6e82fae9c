/**
 * What a text says under its escapes: percent-encoding, JSON and Python backslashes, HTML entities, several deep.
 * Each view remembers where its characters came from, so that a find in it is a range of the original. Pure, linear.
 */

/** A text, and for each of its UTF-16 units (and its end) the offset in the original; null where they are the same. */
export interface View {
  readonly text: string;
  readonly origin: Uint32Array | null;
}

/** JSON in a string in a string, percent-encoded: deeper nesting does not occur, and each level costs one pass. */
const MAX_DEPTH = 4;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;

/** The decoded views of a text, shallowest first; none when it holds no escape. */
export function decodedViews(text: string): readonly View[] {
  const views: View[] = [];
  let view: View | null = { text, origin: null };
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    view = decodeOnce(view);
    if (view === null) break;
    views.push(view);
  }
  return views;
}

/**
 * The text with backslash escapes blanked, length kept: the letter of a `\n` must not pass for the first letter of
 * the word behind it. Escaped quotes stay, for whoever looks for the end of a string.
 */
export function blankEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u[0-9A-Fa-f]{4}|[^])/g, (escape) =>
    escape === '\\"' || escape === "\\'" ? escape : " ".repeat(escape.length),
  );
}

/** Where the range [start, end) of a view lies in the original. */
export function toOriginal(view: View, start: number, end: number): readonly [number, number] {
  const { origin } = view;
  if (origin === null) return [start, end];
  let last = end;
  while (last < view.text.length && origin[last] === origin[end - 1]) last += 1;
  return [origin[start] ?? 0, origin[last] ?? 0];
}

/** The range, widened so that it cuts through no escape of the original; `first` is the original's shallowest view. */
export function snapToEscapes(first: View, start: number, end: number): readonly [number, number] {
  const { origin } = first;
  if (origin === null) return [start, end];
  const from = lowerBound(origin, start);
  const to = lowerBound(origin, end);
  return [origin[from] === start ? start : (origin[from - 1] ?? start), origin[to] ?? end];
}

function lowerBound(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function decodeOnce(source: View): View | null {
  const { text } = source;
  const parts: string[] = [];
  let origin: Uint32Array | null = null;
  let length = 0;
  let copied = 0;
  for (let at = nextEscape(text, 0); at < text.length; at = nextEscape(text, at)) {
    const escape = readEscape(text, at);
    if (escape === null) {
      at += 1;
      continue;
    }
    origin ??= new Uint32Array(text.length + 1);
    length = copyOrigin(source, copied, at, origin, length);
    origin.fill(source.origin?.[at] ?? at, length, length + escape.text.length);
    length += escape.text.length;
    parts.push(text.slice(copied, at), escape.text);
    at += escape.length;
    copied = at;
  }
  if (origin === null) return null;
  parts.push(text.slice(copied));
  length = copyOrigin(source, copied, text.length + 1, origin, length);
  return { text: parts.join(""), origin: origin.subarray(0, length) };
}

/** The next place where an escape may begin, or the text's length. */
function nextEscape(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === PERCENT || unit === BACKSLASH || unit === AMPERSAND) break;
    at += 1;
  }
  return at;
}

/** Notes where the source's units from `from` to `to` come from; returns the new length. */
function copyOrigin(source: View, from: number, to: number, into: Uint32Array, length: number): number {
  const shift = length - from;
  for (let at = from; at < to; at += 1) into[at + shift] = source.origin?.[at] ?? at;
  return to + shift;
}

interface Escape {
  readonly text: string;
  /** Characters that it takes in the source. */
  readonly length: number;
}

function readEscape(text: string, at: number): Escape | null {
  const unit = text.charCodeAt(at);
  if (unit === PERCENT) return readBytes(text, at, "%");
  if (unit === AMPERSAND) return readEntity(text, at);
  return readBackslash(text, at);
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

function readBackslash(text: string, at: number): Escape | null {
  const letter = text.charAt(at + 1);
  if (letter === "u") return codePoint(hexAt(text, at + 2, 4), 6);
  if (letter === "U") return codePoint(hexAt(text, at + 2, 8), 10);
  if (letter === "x") return readBytes(text, at, "\\x");
  const simple = Object.hasOwn(SIMPLE_ESCAPES, letter) ? SIMPLE_ESCAPES[letter] : undefined;
  return simple === undefined ? null : { text: simple, length: 2 };
}

/** One character from percent or `\x` escapes: UTF-8, and a lone byte as Latin-1. */
function readBytes(text: string, at: number, lead: "%" | "\\x"): Escape | null {
  const width = lead.length + 2;
  const byte = hexAt(text, at + lead.length, 2);
  if (byte < 0) return null;
  const size = byte >= 0xf0 && byte < 0xf5 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
  if (size === 1 || byte >= 0xf5) return { text: String.fromCharCode(byte), length: width };
  let value = byte & (0x7f >> size);
  for (let index = 1; index < size; index += 1) {
    const start = at + index * width;
    const next = text.startsWith(lead, start) ? hexAt(text, start + lead.length, 2) : -1;
    if (next < 0x80 || next > 0xbf) return { text: String.fromCharCode(byte), length: width };
    value = (value << 6) | (next & 0x3f);
  }
  return codePoint(value, size * width);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  equals: "=",
  colon: ":",
  commat: "@",
};

function readEntity(text: string, at: number): Escape | null {
  const end = text.slice(at + 1, at + 11).indexOf(";");
  if (end < 1) return null;
  const name = text.slice(at + 1, at + 1 + end);
  const length = end + 2;
  if (Object.hasOwn(ENTITIES, name)) return { text: ENTITIES[name] ?? "", length };
  if (/^#\d+$/.test(name)) return codePoint(Number(name.slice(1)), length);
  if (/^#[xX][0-9A-Fa-f]+$/.test(name)) return codePoint(Number.parseInt(name.slice(2), 16), length);
  return null;
}

function codePoint(value: number, length: number): Escape | null {
  return value >= 0 && value <= 0x10ffff ? { text: String.fromCodePoint(value), length } : null;
}

/** The number in `count` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, count: number): number {
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const unit = text.charCodeAt(index);
    const lower = unit | 0x20;
    const digit =
      unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
