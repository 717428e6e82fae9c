/** All ways to read a text: unescaped, as the eye sees it, base64 and hexadecimal decoded. A view knows its places in the original. Pure. */
import { type Edit, type Range, applyEdits } from "./ranges.ts";

interface Readings {
  /** Without its outermost escapes; null when there are none. */
  readonly first: RewrittenView | null;
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

function collect(source: View, decoded: readonly View[], depth: number, views: View[], unwrapped: View[]) {
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

export function located(view: View, found: readonly Range[]): readonly Range[] {
  return found.map(({ start, end }) => view.locate(start, end));
}

export function plainView(text: string): View {
  return { text, locate: (start, end) => ({ start, end }) };
}

/** The view with edits applied, which are in order and do not overlap. */
function rewritten(source: View, edits: readonly Edit[]): RewrittenView {
  const text = applyEdits(source.text, edits);
  const origin = originsOf(source.text, text.length, edits);
  let ends: ReadonlyMap<number, number> | undefined;
  const locate = (start: number, end: number): Range => {
    ends ??= new Map(edits.map((edit) => [edit.start, edit.end]));
    const last = origin[end - 1] ?? 0;
    return source.locate(origin[start] ?? 0, ends.get(last) ?? last + 1);
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

/** JSON in a string in a string, percent-encoded: deeper nesting does not occur, and each level costs one pass. */
const MAX_DEPTH = 4;

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

/** Escapes blanked, length kept: the `n` of `\n` is no letter of the next word. Quotes stay for the ends of strings, and so does `\?`. */
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
  const edits: Edit[] = [];
  for (const found of source.text.matchAll(ESCAPE)) {
    const by = unescaped(found);
    if (by !== null) edits.push(editOf(found, by));
  }
  return edits.length === 0 ? null : rewritten(source, edits);
}

function editOf({ index: start, 0: { length } }: RegExpExecArray, by: string): Edit {
  return { start, end: start + length, by };
}

/** Percent-encoding, `\x` bytes of UTF-8, escapes of JSON and Python, entities of HTML (numeric ones also without a semicolon). */
const ESCAPE = new RegExp(
  `${bytesAfter("%")}|${bytesAfter(String.raw`\\x`)}|` +
    String.raw`\\u(?<unit>[\da-fA-F]{4})|\\(?<simple>["'\\/bfnrtv])|` +
    "&(?:#(?<decimal>\\d{1,29})|#[xX](?<hex>[\\da-fA-F]{1,28})|(?<name>amp|lt|gt|quot|apos|nbsp)(?=;));?",
  "g",
);

/** As many bytes as the first one asks for (up to U+10FFFF), or it alone. */
function bytesAfter(lead: string): string {
  const next = (count: number): string => `(?:${lead}[89abAB][\\da-fA-F]){${count}}`;
  const two = `${lead}(?:[cC][2-9a-fA-F]|[dD][\\da-fA-F])${next(1)}`;
  const three = `${lead}[eE][\\da-fA-F]${next(2)}`;
  const four = `${lead}(?:[fF][0-3]${next(1)}|[fF]4${lead}8[\\da-fA-F])${next(2)}`;
  return `(?:${two}|${three}|${four}|${lead}[\\da-fA-F]{2})`;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function unescaped({ 0: whole, groups = {} }: RegExpExecArray): string | null {
  const { unit, simple, decimal, hex, name } = groups;
  const word = simple ?? name;
  if (word !== undefined) return CHARACTERS[word] ?? word;
  const digits = unit ?? hex;
  if (digits !== undefined) return characterOf(Number.parseInt(digits, 16));
  return decimal === undefined ? characterOf(bytesIn(whole)) : characterOf(Number(decimal));
}

function bytesIn(escapes: string): number {
  const [first = 0, ...more] = (escapes.match(/[\da-fA-F]{2}/g) ?? []).map((byte) =>
    Number.parseInt(byte, 16),
  );
  return more.reduce(
    (value, byte) => (value << 6) | (byte & 0x3f),
    more.length === 0 ? first : first & (0x3f >> more.length),
  );
}

function characterOf(value: number): string | null {
  return value <= 0x10ffff ? String.fromCodePoint(value) : null;
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
  for (const found of source.text.matchAll(clusters)) {
    const [cluster] = found;
    const by = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/u.test(cluster)
      ? ""
      : cluster.normalize("NFKC").replaceAll("。", ".");
    // One character may expand to 18; nobody spells a key like that.
    if (by !== cluster && by.length <= cluster.length * MAX_GROWTH) edits.push(editOf(found, by));
  }
  return edits.length === 0 ? null : rewritten(source, edits);
}

const BREAKS = /[ \t]*\r?\n[ \t]*|<w?br ?\/?>/gi;

function unwrappedView(source: View): View | null {
  const edits = Array.from(source.text.matchAll(BREAKS), (found) => editOf(found, ""));
  return edits.length === 0 ? null : rewritten(source, edits);
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

/** In every runtime; the language itself does not have it. */
declare function atob(base64: string): string;

/** The bytes of a base64 or base64url text as Latin-1; empty when it is none. */
export function base64Text(text: string): string {
  const digits = text.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    // A last character alone holds no byte.
    return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits);
  } catch {
    return "";
  }
}
