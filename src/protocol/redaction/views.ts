/**
 * All the ways to read one text: without its escapes (percent-encoding, backslashes of JSON and Python, HTML entities, several
 * deep), and as the eye sees it. Its parts in base64 or hexadecimal are decoded and read in the same ways. A view knows the place
 * of each of its characters in the original, so that everything found in it is a range of the original. Pure; linear in the
 * text, since the number of views of a place is bounded.
 */
import { type Edit, type Range, applyEdits } from "./ranges.ts";

interface Readings {
  /** Without its outermost escapes; null when there are none. */
  readonly first: RewrittenView | null;
  /** All views that differ from the text itself. */
  readonly views: readonly View[];
  /** Without line breaks, since a secret may go on in the next line. */
  readonly unwrapped: readonly View[];
}

/** base64 of base64 occurs; deeper nesting costs more than it finds. */
const MAX_NESTING = 2;

export function readingsOf(text: string): Readings {
  const source = plainView(text);
  const decoded = viewsWithoutEscapes(source);
  const views: View[] = [];
  const unwrapped: View[] = [];
  collect(source, decoded, MAX_NESTING, views, unwrapped);
  return { first: decoded[0] ?? null, views, unwrapped };
}

function collect(
  source: View,
  decoded: readonly View[],
  depth: number,
  views: View[],
  unwrapped: View[],
): void {
  const deepest = decoded.at(-1) ?? source;
  const visible = visibleView(deepest);
  views.push(...decoded);
  if (visible !== null) views.push(visible);
  const legible = visible ?? deepest;
  const whole = unwrappedView(legible);
  if (whole !== null) unwrapped.push(whole);
  if (depth === 0) return;
  for (const encoded of encodedViews(legible)) {
    views.push(encoded);
    collect(encoded, viewsWithoutEscapes(encoded), depth - 1, views, unwrapped);
  }
}

export interface View {
  readonly text: string;
  /** Where the range [start, end) of this view, which is not empty, lies in the original. */
  readonly locate: (start: number, end: number) => Range;
}

/** A view that was made by edits; `origin` has the offset in the source of each unit and of the end. */
export interface RewrittenView extends View {
  readonly origin: Uint32Array;
}

export function plainView(text: string): View {
  return { text, locate: (start, end) => ({ start, end }) };
}

/** The view with edits applied, which are in order and do not overlap. */
function rewritten(source: View, edits: readonly Edit[]): RewrittenView {
  const text = applyEdits(source.text, edits);
  const origin = originsOf(source.text, text.length, edits);
  const locate = (start: number, end: number): Range => {
    let last = end;
    while (last < text.length && origin[last] === origin[end - 1]) last += 1;
    return source.locate(origin[start] ?? 0, origin[last] ?? source.text.length);
  };
  return { text, origin, locate };
}

function originsOf(source: string, length: number, edits: readonly Edit[]): Uint32Array {
  const origin = new Uint32Array(length + 1);
  let written = 0;
  let copied = 0;
  const copyTo = (end: number): void => {
    for (; copied < end; copied += 1, written += 1) origin[written] = copied;
  };
  for (const { start, end, by } of edits) {
    copyTo(start);
    origin.fill(start, written, written + by.length);
    written += by.length;
    copied = end;
  }
  copyTo(source.length + 1);
  return origin;
}

/** What is left of the view without all that `dropped` matches; its offsets are worked out when they are asked for. */
function reduced(source: View, dropped: RegExp): View {
  let kept: Uint32Array | null = null;
  const text = source.text.replaceAll(dropped, "");
  return {
    text,
    locate: (start, end) => {
      kept ??= keptOffsets(source.text, text.length, dropped);
      return source.locate(kept[start] ?? 0, (kept[end - 1] ?? 0) + 1);
    },
  };
}

function keptOffsets(source: string, length: number, dropped: RegExp): Uint32Array {
  const kept = new Uint32Array(length);
  let written = 0;
  let at = 0;
  const keepTo = (end: number): void => {
    for (; at < end; at += 1, written += 1) kept[written] = at;
  };
  for (const match of source.matchAll(dropped)) {
    keepTo(match.index);
    at = match.index + match[0].length;
  }
  keepTo(source.length);
  return kept;
}

/** JSON in a string in a string, percent-encoded: deeper nesting does not occur, and each level costs one pass. */
const MAX_DEPTH = 4;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;

/** The decoded views of a text, shallowest first; none when it holds no escape. */
export function viewsWithoutEscapes(source: View): readonly RewrittenView[] {
  const views: RewrittenView[] = [];
  let view = decodeOnce(source);
  while (view !== null) {
    views.push(view);
    view = views.length < MAX_DEPTH ? decodeOnce(view) : null;
  }
  return views;
}

/**
 * The text with backslash escapes blanked, length kept: the letter of a `\n` must not pass for the first letter of
 * the word behind it. Escaped quotes stay, for code that looks for the end of a string; a question mark
 * is never escaped, but may have a backslash before it.
 */
export function blankEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:u[0-9A-Fa-f]{4}|[^"'?])/g, (escape) => " ".repeat(escape.length));
}

/** The range, widened so that it cuts through no escape of the original; `first` is the original's shallowest view. */
export function snapToEscapes({ origin }: RewrittenView, { start, end }: Range): Range {
  const from = lowerBound(origin, start);
  const to = lowerBound(origin, end);
  return { start: origin[from] === start ? start : (origin[from - 1] ?? start), end: origin[to] ?? end };
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

function decodeOnce(source: View): RewrittenView | null {
  const { text } = source;
  const edits: Edit[] = [];
  for (let at = nextEscape(text, 0); at < text.length; at = nextEscape(text, at)) {
    const escape = readEscape(text, at);
    const end = at + (escape?.length ?? 1);
    if (escape !== null) edits.push({ start: at, end, by: escape.text });
    at = end;
  }
  return edits.length === 0 ? null : rewritten(source, edits);
}

function nextEscape(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit === PERCENT || unit === BACKSLASH || unit === AMPERSAND) break;
    at += 1;
  }
  return at;
}

interface Escape {
  readonly text: string;
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
};
const MAX_ENTITY = 32;

/** Numeric ones without their semicolon too, as browsers read them (HTML 13.2.5.80). */
function readEntity(text: string, at: number): Escape | null {
  const entity = /^&(?:#(\d+)|#[xX]([0-9A-Fa-f]+)|([a-z]+)(?=;));?/.exec(text.slice(at, at + MAX_ENTITY));
  if (entity === null) return null;
  const [whole, decimal, hex, name = ""] = entity;
  if (decimal !== undefined) return codePoint(Number(decimal), whole.length);
  if (hex !== undefined) return codePoint(Number.parseInt(hex, 16), whole.length);
  const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  return character === undefined ? null : { text: character, length: whole.length };
}

function codePoint(value: number, length: number): Escape | null {
  return value >= 0 && value <= 0x10ffff ? { text: String.fromCodePoint(value), length } : null;
}

/** The number in `count` hexadecimal digits, or -1. */
function hexAt(text: string, at: number, count: number): number {
  const digits = text.slice(at, at + count);
  return digits.length === count && /^[\dA-Fa-f]+$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

/** Only these characters may look unlike what they are; printable ASCII and line breaks do not. */
const UNUSUAL = /[^\t\n\r\u0020-\u007e]/;

const MAX_GROWTH = 4;

/** As the eye sees it: compatibility letters as plain ones (Unicode NFKC), nothing invisible; null: no difference. */
function visibleView(source: View): View | null {
  if (!UNUSUAL.test(source.text)) return null;
  // Runs of invisible characters, and characters that may have a plain form; Han and Hangul have none.
  const clusters =
    /[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--[\t\n\r]]+|[\P{ASCII}--[\u3400-\u9fff\uac00-\ud7a3]]/gv;
  const edits: Edit[] = [];
  for (const { index: start, 0: cluster } of source.text.matchAll(clusters)) {
    const by = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u.test(cluster)
      ? ""
      : cluster.normalize("NFKC").replaceAll("。", ".");
    // One character may expand to 18; nobody spells a key like that.
    if (by !== cluster && by.length <= cluster.length * MAX_GROWTH)
      edits.push({ start, end: start + cluster.length, by });
  }
  return edits.length === 0 ? null : rewritten(source, edits);
}

const BREAKS = /[ \t]*\r?\n[ \t]*|<w?br ?\/?>/gi;

/** Without line breaks, of text or of a page; null if there are none. */
function unwrappedView(source: View): View | null {
  return /\n|<w?br/i.test(source.text) ? reduced(source, BREAKS) : null;
}

const BASE64_RUN = /[\w+/-]{16,}/g;
const HEX_RUN = /(?:[\dA-Fa-f]{2}){8,}/g;
/** How many first characters show whether a run encodes a text. */
const SAMPLE = 16;
const TEXT = /^[\0\t\n\r -~]+$/;

/** The texts in it that are encoded in base64, whatever directly precedes them, or in hexadecimal. */
function encodedViews(source: View): readonly View[] {
  const views: View[] = [];
  for (const { index, 0: run } of source.text.matchAll(BASE64_RUN)) {
    const start = textStart(run);
    if (start !== null) views.push(base64View(source, index + start, run.slice(start)));
  }
  for (const { index, 0: run } of source.text.matchAll(HEX_RUN)) {
    if (isTextInHex(run)) views.push(hexView(source, index, run));
  }
  return views;
}

function isTextInHex(run: string): boolean {
  return TEXT.test(hexText(run.slice(0, SAMPLE)));
}

/** Where base64 of a text begins in a run: at its first characters, or after a `/`, `-` or `_`. */
function textStart(run: string): number | null {
  for (let start = 0; start < 4; start += 1) if (isTextAt(run, start)) return start;
  if (!/[/_-][A-Za-z0-9+]{16}/.test(run)) return null;
  for (const { index } of run.matchAll(/[/_-](?=[A-Za-z0-9+]{16})/g))
    if (isTextAt(run, index + 1)) return index + 1;
  return null;
}

/** Three bytes first: it looks at nearly every id and name, and almost none is base64. */
function isTextAt(run: string, start: number): boolean {
  const isText = (length: number): boolean => TEXT.test(base64Text(run.slice(start, start + length)));
  return isText(4) && isText(SAMPLE);
}

/** Three bytes are four characters; a character with bits of two bytes belongs to both. */
function base64View(source: View, at: number, run: string): View {
  const locate: View["locate"] = (start, end) =>
    source.locate(at + Math.floor((start * 4) / 3), at + Math.min(run.length, Math.ceil((end * 4) / 3)));
  return { text: base64Text(run), locate };
}

function hexView(source: View, at: number, run: string): View {
  return { text: hexText(run), locate: (start, end) => source.locate(at + start * 2, at + end * 2) };
}

function hexText(digits: string): string {
  return digits.replaceAll(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** The value of a character of base64 or base64url; -1: it is neither. */
function sextetOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return unit - 71;
  if (unit >= 0x41 && unit <= 0x5a) return unit - 65;
  if (unit >= 0x30 && unit <= 0x39) return unit + 4;
  if (unit === 0x2b || unit === 0x2d) return 62;
  return unit === 0x2f || unit === 0x5f ? 63 : -1;
}

/** The bytes of a base64 or base64url text as Latin-1; empty when it is none. */
export function base64Text(text: string): string {
  let bytes = "";
  let bits = 0;
  let held = 0;
  const digits = text.endsWith("=") ? text.replace(/=+$/, "") : text;
  for (let at = 0; at < digits.length; at += 1) {
    const value = sextetOf(digits.charCodeAt(at));
    if (value < 0) return "";
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += String.fromCharCode((bits >> held) & 0xff);
  }
  return bytes;
}
