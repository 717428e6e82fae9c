/** Finds known secrets, whole or in part, also in base64 and hexadecimal. Pure, linear: an index has six characters of each run. */
import type { Range } from "./ranges.ts";
import { isPlainRun } from "./shapes.ts";
import { plainView, viewsWithoutEscapes } from "./views.ts";

/** Finds every run of a known secret; the ranges may overlap and are in no order. */
export type FindKnown = (text: string) => readonly Range[];

const GRAM = 6;

export function createKnownFinder(secrets: readonly string[]): FindKnown {
  const anchors = collectAnchors([...new Set(secrets)].flatMap(secretForms));
  if (anchors.length === 0) return () => [];
  const table = byGram(anchors);
  const starts = new Uint8Array(MOST_STARTS);
  for (const gram of table.keys()) starts[startOf(gram, 0)] = 1;
  return (text) => find(text, table, starts);
}

/** Six characters of a form, and how far around them to compare. */
interface Anchor {
  readonly form: SecretForm;
  readonly folded: string;
  readonly at: number;
  readonly reach: number;
  /** Whether the form continues on both sides as far as the reach. */
  readonly isInner: boolean;
}

type Anchors = ReadonlyMap<string, readonly Anchor[]>;

function collectAnchors(forms: readonly SecretForm[]): readonly Anchor[] {
  const anchors: Anchor[] = [];
  const seen = new Set<string>();
  for (const form of forms) {
    const folded = foldText(form.text);
    const reach = form.sureRun - GRAM;
    const interval = form.minRun - GRAM + 1;
    for (let at = 0; at + GRAM <= folded.length; at += interval) {
      // A secret of one repeated letter must not fill its slot: anchors with the same surroundings are one.
      const ends = (at < reach ? at : reach) * 64 + Math.min(folded.length - at - GRAM, reach);
      const around = `${ends} ${folded.slice(Math.max(0, at - reach), at + GRAM + reach)}`;
      if (seen.has(around)) continue;
      seen.add(around);
      anchors.push({ form, folded, at, reach, isInner: ends === reach * 65 });
    }
  }
  return anchors;
}

function byGram(anchors: readonly Anchor[]): Anchors {
  const found = new Map<string, Anchor[]>();
  for (const anchor of [...anchors].sort(farthestFirst)) {
    const gram = anchor.folded.slice(anchor.at, anchor.at + GRAM);
    found.set(gram, [...(found.get(gram) ?? []), anchor]);
  }
  return found;
}

/** What the farthest finds on both sides needs no other. */
function farthestFirst(a: Anchor, b: Anchor): number {
  return Number(b.isInner) - Number(a.isInner) || b.reach - a.reach;
}

/** `starts`: the pairs of characters that grams begin with, so that nearly every place in a text costs one look. */
function find(text: string, anchors: Anchors, starts: Uint8Array): readonly Range[] {
  const found: Range[] = [];
  const folded = foldText(text);
  for (let start = 0; start + GRAM <= folded.length; start += 1) {
    if (starts[startOf(folded, start)] === 0) continue;
    for (const anchor of anchors.get(folded.slice(start, start + GRAM)) ?? NONE) {
      const range = runAround(folded, start, anchor);
      if (range === null) continue;
      found.push(range);
      // Nothing reaches farther: of a secret of one repeated letter every anchor is alike.
      if (range.end - range.start >= GRAM + 2 * anchor.reach) break;
    }
  }
  return found;
}

const NONE: readonly Anchor[] = [];
const MOST_STARTS = 65_536;

function startOf(text: string, at: number): number {
  return ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) % MOST_STARTS;
}

/** The part of the run around an anchor that its reach allows, or null when there is too little of the secret. */
function runAround(text: string, start: number, { form, folded, at, reach }: Anchor): Range | null {
  const same = (offset: number): boolean =>
    text.charCodeAt(start + offset) === folded.charCodeAt(at + offset);
  let before = 0;
  while (before < reach && same(-before - 1)) before += 1;
  let after = GRAM;
  while (after < GRAM + reach && same(after)) after += 1;
  if (before + after < form.minRun) return null;
  const isSure = before + after >= form.sureRun;
  if (!isSure && isPlainRun(form.text.slice(at - before, at + after), form.text)) return null;
  const isFirst = at === before && form.bitsBefore && /[\w+/-]/.test(text.charAt(start - before - 1));
  const isLast = at + after === folded.length && form.bitsAfter && /[\w+/-]/.test(text.charAt(start + after));
  return { start: start - before - (isFirst ? 1 : 0), end: start + after + (isLast ? 1 : 0) };
}

// The forms of a secret. base64: RFC 4648 section 4; base64url is the same after folding.

interface Runs {
  /** How many characters in a row give the secret away, unless they are plain words or a number. */
  readonly minRun: number;
  readonly sureRun: number;
}

interface SpelledSecret {
  readonly text: string;
  /** Whether the character before the first, or after the last, still contains bits of the secret. Default: no. */
  readonly bitsBefore?: boolean;
  readonly bitsAfter?: boolean;
}

type SecretForm = SpelledSecret & Runs;

/** Parts of a secret are removed from this length on; shorter secrets go as a whole. */
const MIN_LONG = 12;
/** Removing shorter values would remove ordinary words. */
const MIN_SECRET = 6;
const PLAIN: Runs = { minRun: 8, sureRun: 12 };
/** Eight bytes fill at least 10 whole characters of base64, at any alignment. */
const BASE64: Runs = { minRun: 10, sureRun: 15 };
const HEXADECIMAL: Runs = { minRun: 16, sureRun: 24 };

/** Every form of one secret; none if it is too short to differ from ordinary text. */
function secretForms(secret: string): readonly SecretForm[] {
  if (secret.length < MIN_SECRET) return [];
  const bytes = utf8(secret);
  const texts = [secret, secret.trim(), ...viewsWithoutEscapes(plainView(secret)).map((view) => view.text)];
  const inHex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const formOf = (spelled: SpelledSecret, runs: Runs): SecretForm => {
    const whole = spelled.text.length;
    const { minRun, sureRun } = secret.length < MIN_LONG ? { minRun: whole, sureRun: whole } : runs;
    return { ...spelled, minRun: Math.min(minRun, whole), sureRun: Math.min(sureRun, whole) };
  };
  return [
    ...Array.from(new Set(texts), (text) => formOf({ text }, PLAIN)),
    ...[0, 1, 2].map((alignment) => formOf(base64At(bytes, alignment), BASE64)),
    formOf({ text: inHex }, HEXADECIMAL),
  ].filter(({ text }) => text.length >= MIN_SECRET);
}

/** The form for comparing texts: without case, one alphabet of base64, one way to encode a space. */
function foldText(text: string): string {
  return text
    .replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll(/[ -]/g, "+")
    .replaceAll("_", "/");
}

/** A lone half of a surrogate pair counts as the replacement character. */
function utf8(text: string): readonly number[] {
  const escaped = encodeURIComponent(text.toWellFormed());
  return Array.from(escaped.matchAll(/%(..)|./g), ([unit, hex]) =>
    hex === undefined ? unit.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

/** The characters of base64 that depend only on the bytes, when `alignment` other bytes come before them. */
function base64At(bytes: readonly number[], alignment: number): SpelledSecret {
  const firstBit = alignment * 8;
  const endBit = firstBit + bytes.length * 8;
  const whole = btoa("\0".repeat(alignment) + bytes.map((byte) => String.fromCharCode(byte)).join(""));
  const text = whole.slice(Math.ceil(firstBit / 6), Math.floor(endBit / 6));
  return { text, bitsBefore: firstBit % 6 !== 0, bitsAfter: endBit % 6 !== 0 };
}

/** In every runtime; the language itself does not have it. */
declare function btoa(bytes: string): string;
