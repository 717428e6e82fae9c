/**
 * Words that give a secret away: keys by their own shape, and names, schemes and key words by what stands behind
 * them. Pure; one pass over the words of a text, each with a bounded look ahead.
 */

import { exchangeStart, joinedKeyEnd, keyEnd } from "./joined-keys.ts";
import { base64RunAt } from "./long-base64.ts";
import { nameStrength } from "./names.ts";
import type { Range } from "./ranges.ts";
import { type KeyShapes, hasKeyPrefix, isKey, isMarkedKey, isMasked, keyShapes } from "./shapes.ts";
import { valueOfName, valueOfScheme } from "./values.ts";

/** Finds the secrets that one text shows by shape or name. */
export type FindFields = (text: string) => readonly Range[];

/** The last three letters of names and schemes, with the length of the shortest: other words cost next to nothing. */
const ENDINGS =
  "key3 ken5 ret6 ord8 swd6 pwd3 ase10 ion13 kie6 ure9 sig3 ial10 als11 uth4 ass4 jwt3 ode8 ash7 yid11 tid8 rer6 sic5 " +
  "ing16 url10 lue8 oki6 _bm7 vid8 nce9 _tc6";
const HAN_NAME = /^(?:密钥|秘钥|令牌|密码|口令)$/;

/** The same for everyone, so built when the first asks: a redactor is often made for a single answer. */
let shared: Context | null = null;

export function createFieldFinder(): FindFields {
  shared ??= createContext();
  const context = shared;
  return (text) => findFields(text, context);
}

interface Context {
  readonly shapes: KeyShapes;
  /** By UTF-16 unit: part of a word. */
  readonly isWord: Uint8Array;
  /** The length of the shortest key by its first two units, of the shortest name by its last three; 255 for none. */
  readonly minKey: Uint8Array;
  readonly minName: Uint8Array;
}

function createContext(): Context {
  const shapes = keyShapes();
  const isWord = new Uint8Array(128);
  for (let unit = 0; unit < 128; unit += 1) isWord[unit] = /[\w-]/.test(String.fromCharCode(unit)) ? 1 : 0;
  const minKey = new Uint8Array(128 * 128).fill(255);
  for (const [pair, rows] of shapes) {
    minKey[pairIndex(pair, 0)] = Math.min(...rows.map(({ prefix, min }) => prefix.length + min));
  }
  const minName = new Uint8Array(32 * 32 * 32).fill(255);
  for (const ending of ENDINGS.split(" ")) minName[endingIndex(ending, 3)] = Number(ending.slice(3));
  return { shapes, isWord, minKey, minName };
}

function pairIndex(text: string, start: number): number {
  return ((text.charCodeAt(start) & 127) << 7) | (text.charCodeAt(start + 1) & 127);
}

function endingIndex(text: string, end: number): number {
  const third = text.charCodeAt(end - 3) & 31;
  return (third << 10) | ((text.charCodeAt(end - 2) & 31) << 5) | (text.charCodeAt(end - 1) & 31);
}

function findFields(text: string, context: Context): readonly Range[] {
  const { isWord } = context;
  const found: Range[] = [];
  let floor = 0;
  let measuredTo = 0;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const end = unit < 128 ? wordEnd(text, at, isWord) : hanEnd(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    let range =
      unit >= 128 || isCandidate(text, at, end, context) ? findAtWord(text, at, end, context) : null;
    if (end - at >= LONG_WORD && at >= measuredTo) {
      const run = base64RunAt(text, at, floor);
      measuredTo = run.end;
      if (run.isSecret) range = { start: run.start, end: Math.max(range?.end ?? 0, keyEnd(text, run.end)) };
    }
    if (range !== null) found.push(range);
    // What a value holds cannot begin another one; without the jump, nested values would cost their square.
    at = range === null ? end : Math.max(end, range.end);
    if (range !== null) floor = at;
  }
  return found;
}

const TILDE = 0x7e;

/** A cheap look that passes over nearly every word, and over no key and no name. */
function isCandidate(text: string, start: number, end: number, { minKey, minName }: Context): boolean {
  const length = end - start;
  // Long enough for a key with something glued before it.
  if (length > 20) return true;
  if (length < 2) return false;
  const leastKey = minKey[pairIndex(text, start)] ?? 255;
  if (length >= leastKey || length >= (minName[endingIndex(text, end)] ?? 255)) return true;
  const next = text.charCodeAt(end);
  if (next === TILDE) return length <= 6;
  if (leastKey < 255 && (next === 0x2a || next === 0x2e || next > 127)) return true;
  if (leastKey < 255 && text.charCodeAt(end - 1) === 0x78) return true;
  return (next === 0x2e || next === 0x3a) && (length === 32 || length === 36 || length <= 15);
}

function wordEnd(text: string, start: number, isWord: Uint8Array): number {
  let end = start;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit >= 128 || isWord[unit] !== 1) break;
    end += 1;
  }
  return end;
}

function hanEnd(text: string, start: number): number {
  return HAN_NAME.test(text.slice(start, start + 2)) ? start + 2 : start;
}

function findAtWord(text: string, start: number, end: number, context: Context): Range | null {
  const { shapes } = context;
  const word = text.slice(start, end);
  if (isKey(word, shapes)) return { start, end: keyEnd(text, end) };
  const joined = joinedKeyEnd(text, word, end);
  if (joined !== null) return { start, end: joined };
  if (isMarkedKey(word)) return { start, end };
  const exchange = exchangeStart(text, start, word);
  if (exchange !== null) return { start: exchange, end };
  const glued = gluedKeyStart(word, shapes);
  if (glued !== null) return { start: start + glued, end: keyEnd(text, end) };
  if (
    hasKeyPrefix(word, shapes) &&
    (isMasked(word) || /^(?:\*\*|\.\.\.|…|[•●])/.test(text.slice(end, end + 3)))
  ) {
    return { start, end: keyEnd(text, end) };
  }
  const scheme = valueOfScheme(text, word, end);
  if (scheme !== null) return scheme;
  const strength = nameStrength(word);
  return strength === null ? null : valueOfName(text, start, end, strength, shapes);
}

/** A run of base64 that is worth its measuring has a word of this length near its beginning. */
const LONG_WORD = 12;
const MAX_GLUED = 64;
const JUDGED_KEY = 128;
/** Prefixes that no id and no word bears. */
const OWN_PREFIX =
  /(?:sk-(?=(?:proj|ant|or|svcacct|admin)-)|(?<=[_-])(?:sk-|AIza|gsk_|hf_|ghp_|github_pat_|glpat-|xoxb-|xoxp-|eyJhbGci|eyJ0eXAi))/g;

/** Where a key begins in a word that has something before it: `upstream_sk-…`. */
function gluedKeyStart(word: string, shapes: KeyShapes): number | null {
  for (const { index } of word.slice(0, MAX_GLUED).matchAll(OWN_PREFIX)) {
    if (isKey(word.slice(index, index + JUDGED_KEY), shapes)) return index;
  }
  return null;
}
