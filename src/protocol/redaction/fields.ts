/**
 * Words that give a secret away: keys by their own shape, and names, schemes and key words by what stands behind
 * them. Pure; one pass over the words of a text, each with a bounded look ahead.
 */

import type { Range } from "./ranges.ts";
import {
  base64RunAt,
  exchangeStart,
  hasKeyPrefix,
  isKey,
  isMarkedKey,
  isMasked,
  joinedKeyEnd,
  keyEnd,
  mayBeKey,
} from "./shapes.ts";
import { nameStrength, valueOfName, valueOfScheme } from "./values.ts";

/** The last three letters of names and schemes, with the length of the shortest: other words cost next to nothing. */
const ENDINGS: ReadonlyMap<string, number> = new Map(
  (
    "key3 ken5 ret6 ord8 swd6 pwd3 ase10 ion13 kie6 ure9 sig3 ial10 als11 uth4 ass4 jwt3 ode8 ash7 yid11 tid8 rer6 sic5 " +
    "ing16 url10 lue8 oki6 _bm7 vid8 nce9 _tc6"
  )
    .split(" ")
    .map((ending) => [ending.slice(0, 3), Number(ending.slice(3))]),
);

/** The secrets that one text shows by shape or name. */
export function findFields(text: string): readonly Range[] {
  const found: Range[] = [];
  const words = /[\w-]+|密钥|秘钥|令牌|密码|口令/g;
  let floor = 0;
  let measuredTo = 0;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const { index: start, 0: word } = match;
    const end = words.lastIndex;
    let range = isCandidate(text, word, end) ? findAtWord(text, start, end) : null;
    if (word.length >= LONG_WORD && start >= measuredTo) {
      const run = base64RunAt(text, start, floor);
      measuredTo = run.end;
      if (run.isSecret) range = { start: run.start, end: Math.max(range?.end ?? 0, keyEnd(text, run.end)) };
    }
    if (range === null) continue;
    found.push(range);
    // What a value holds cannot begin another one; without the jump, nested values would cost their square.
    floor = Math.max(end, range.end);
    words.lastIndex = floor;
  }
  return found;
}

/** A cheap look that passes over nearly every word, and over no key and no name. */
function isCandidate(text: string, word: string, end: number): boolean {
  // Long enough for a key with something glued before it.
  if (word.length > 20 || word.charCodeAt(0) > 127) return true;
  if (word.length < 2) return false;
  if (mayBeKey(word) || /[.:~]/.test(text.charAt(end))) return true;
  return word.length >= (ENDINGS.get(word.slice(-3).toLowerCase()) ?? Infinity);
}

function findAtWord(text: string, start: number, end: number): Range | null {
  const word = text.slice(start, end);
  if (isKey(word)) return { start, end: keyEnd(text, end) };
  const joined = joinedKeyEnd(text, word, end);
  if (joined !== null) return { start, end: joined };
  if (isMarkedKey(word)) return { start, end };
  const exchange = exchangeStart(text, start, word);
  if (exchange !== null) return { start: exchange, end };
  const glued = gluedKeyStart(word);
  if (glued !== null) return { start: start + glued, end: keyEnd(text, end) };
  if (hasKeyPrefix(word) && (isMasked(word) || /^(?:\*\*|\.\.\.|…|[•●])/.test(text.slice(end, end + 3)))) {
    return { start, end: keyEnd(text, end) };
  }
  const scheme = valueOfScheme(text, word, end);
  if (scheme !== null) return scheme;
  const strength = nameStrength(word);
  return strength === null ? null : valueOfName(text, start, end, strength);
}

/** A run of base64 that is worth its measuring has a word of this length near its beginning. */
const LONG_WORD = 12;
const MAX_GLUED = 64;
const JUDGED_KEY = 128;
/** Prefixes that no id and no word has. */
const OWN_PREFIX =
  /(?:sk-(?=(?:proj|ant|or|svcacct|admin)-)|(?<=[_-])(?:sk-|AIza|gsk_|hf_|ghp_|github_pat_|glpat-|xoxb-|xoxp-|eyJhbGci|eyJ0eXAi))/g;

/** Where a key begins in a word that has something before it: `upstream_sk-…`. */
function gluedKeyStart(word: string): number | null {
  for (const { index } of word.slice(0, MAX_GLUED).matchAll(OWN_PREFIX)) {
    if (isKey(word.slice(index, index + JUDGED_KEY))) return index;
  }
  return null;
}
