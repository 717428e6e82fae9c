/** Words that give a secret away: keys by their shape; names, schemes and key words by what follows. Pure; one pass, bounded in its looks. */
import { type Range, runEnd } from "./ranges.ts";
import {
  base64RunAt,
  exchangeStart,
  hasKeyPrefix,
  isId,
  isKey,
  isMarkedKey,
  isMasked,
  isWordy,
  joinedKeyEnd,
  keyEnd,
  looksSecret,
  mayBeKey,
} from "./shapes.ts";
import { base64Text } from "./views.ts";

/** The last three letters of names and schemes, with the length of the shortest: other words cost next to nothing. */
const ENDINGS: ReadonlyMap<string, number> = new Map(
  (
    "key3 ken5 ret6 ord8 swd6 pwd3 ase10 ion13 kie6 ure9 sig3 ial10 als11 uth4 ass4 jwt3 ode8 ash7 yid11 tid8 rer6 sic5 " +
    "ing16 url10 lue8 _bm7 vid6 nce9 _tc6 sid9 nid10 _id13 -id13"
  )
    .split(" ")
    .map((ending) => [ending.slice(0, 3), Number(ending.slice(3))]),
);

export function findFields(text: string): readonly Range[] {
  const found: Range[] = [];
  const words = /(?:connect\.sid|ASP\.NET_SessionId)(?![\w-])|[\w-]+|密钥|秘钥|令牌|密码|口令/g;
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
/** Prefixes that neither ids nor words have. */
const OWN_PREFIX =
  /(?:sk-(?=(?:proj|ant|or|svcacct|admin)-)|(?<=[_-])(?:sk-|AIza|gsk_|hf_|ghp_|github_pat_|glpat-|xoxb-|xoxp-|eyJhbGci|eyJ0eXAi))/g;

/** Where a key begins in a word that has something before it: `upstream_sk-…`. */
function gluedKeyStart(word: string): number | null {
  for (const { index } of word.slice(0, MAX_GLUED).matchAll(OWN_PREFIX)) {
    if (isKey(word.slice(index, index + JUDGED_KEY))) return index;
  }
  return null;
}

/** `strong`: a secret whatever it looks like. `weak`: only if it looks like one, or in a query. `authorization`: behind a scheme. */
type NameStrength = "strong" | "weak" | "authorization" | "cookie";

const STRONG = new RegExp(
  "(?:api|access|refresh|id|auth|bearer|session|security|login|csrf|xsrf|user|bot|oauth)token(?:value|secret)?$|" +
    "(?:api|app|client|webhook|consumer|shared|signing|token|jwt)secret$|^secret$|secretvalue$|" +
    "(?:api|secret|access|private|signing|encryption|master|admin|subscription|account|shared|auth|license|service)key(?:value)?$|" +
    "accesskey(?:id|secret)$|^secretid$|(?:key|token|password)hash$|hashed(?:key|token|password)$|" +
    "passw(?:or)?d$|passphrase$|passcode$|^pwd$|dbpwd$|signature$|connectionstring$|webhookurl$|" +
    "^(?:phpsessid|jsessionid|aspnetsessionid|csrftoken|cfbm|cfuvid|cfclearance|acwtc|connectsid)$|^amz[a-z]*signature$",
);
const WEAK = /(?:key|token|secret|sig|credentials?|auth|jwt|pass)$/;
/** Names that end like a secret's but belong to ids, sorting or texts. */
const HARMLESS =
  /(?:idempotency|cache|primary|foreign|partition|sort|public|object|group|index|lookup|dedup|routing|row|map|hot|error|message|i18n|unknown|missing|invalid|bad|no|next|page|nextpage|continuation|stop|eos|bos|pad|unk|per|max|(?<!ad)min|by)(?:key|token)$|(?:missing|invalid|bad|no|unknown|expired|revoked)(?:api|access|auth)(?:key|token)$/;

/** How surely a name's value is a secret; null: the word is no such name. */
export function nameStrength(word: string): NameStrength | null {
  if (word.length > 64) return null;
  const name = word.toLowerCase().replaceAll(/[._-]/g, "");
  if (/[^a-z0-9]/.test(name)) return "weak";
  if (name.endsWith("authorization")) return "authorization";
  if (name === "cookie" || name === "setcookie") return "cookie";
  if (HARMLESS.test(name)) return null;
  if (STRONG.test(name)) return "strong";
  return WEAK.test(name) ? "weak" : null;
}

/** Words between a key word and the key itself: "API key provided: …", "Key Hash (Token) =…". */
const CONNECTORS: ReadonlySet<string> = new Set(
  (
    "provided received given supplied specified sent got used found passed entered submitted is was be are the your my this " +
    "hash token key value header string of with starting ending beginning begins starts ends prefix suffix prefixed id " +
    "appears seems to or may might have has been not valid does exist could found and api secret invalid incorrect wrong bad unknown expired revoked disabled masked partial current new old full 为 是"
  ).split(" "),
);

/** Words about a key where a key would be: no values. */
const STATE_WORDS: ReadonlySet<string> = new Set(
  (
    "null none nil undefined true false missing required invalid incorrect wrong empty blank expired revoked disabled " +
    "not must should is was are has cannot can't unknown error failed denied unauthorized forbidden header headers bearer " +
    "basic token key string value field redacted hidden unset set absent optional yes no the this a an or and too"
  ).split(" "),
);

/** How many characters of a value are judged; it is always taken to its end. */
const JUDGED = 512;
const MAX_CONNECTORS = 10;
/** The closing quote or bracket of the name, the sign of assignment, the opening quote of the value. */
const ASSIGNMENT = /^(\\*["'`)\]])?[ \t]{0,4}(=>|:=|={1,2}|[:：])[ \t]{0,8}(?:\[[ \t]{0,4})?(\\*["'`])?/;
const SCHEME =
  /^(?:Bearer|Basic|Negotiate|NTLM|OAuth|Token|Key|ApiKey|Api-Key|Bot|Digest|HMAC-SHA256|AWS4-HMAC-SHA256|TC3-HMAC-SHA256)[ \t]+/i;

/** The credentials after Bearer or Basic (RFC 6750, RFC 7617), or null if it is only a word. */
function valueOfScheme(text: string, word: string, end: number): Range | null {
  const scheme = word.toLowerCase();
  if (scheme !== "bearer" && scheme !== "basic") return null;
  const start = end + (/^(?:[ \t]+|:[ \t]*|%20)/.exec(text.slice(end, end + 16))?.[0].length ?? 0);
  if (start === end) return null;
  const value = judgedAt(text, start);
  const isSecret = scheme === "basic" ? isUserPass(value) : isBearerValue(value);
  return isSecret ? { start, end: tokenEnd(text, start) } : null;
}

/** The secret after a name, or null if there is none that its strength allows to take. */
function valueOfName(text: string, start: number, end: number, strength: NameStrength): Range | null {
  const isKeyWord = strength === "strong" || isKeyPhrase(text, start);
  if (text.charAt(start - 1) === "<" && text.charAt(end) === ">")
    return valueOfElement(text, end + 1, strength);
  const assignment = ASSIGNMENT.exec(text.slice(end, end + 40));
  if (assignment === null) return valueOfPair(text, end, strength) ?? valueInProse(text, end, isKeyWord);
  const [whole, close, sign, quote] = assignment;
  const at = end + whole.length;
  if (quote !== undefined)
    return valueInQuotes(text, at, quote, strength) ?? valueInProse(text, end, isKeyWord);
  // A JSON value that is no string: a number may be a password, the rest is structure.
  if (close?.endsWith('"') === true) return strength === "strong" ? valueOfNumber(text, at) : null;
  if (strength === "cookie") return { start: at, end: lineEnd(text, at) };
  if (strength === "authorization") return valueOfHeader(text, at);
  if (sign === "=" && (strength === "strong" || isInQuery(text, start))) return valueOfParameter(text, at);
  if (sign === "=" && whole === "=" && isVariable(text.slice(start, end))) return valueOfVariable(text, at);
  const ofLine = strength === "strong" ? valueOfLine(text, at) : null;
  return ofLine ?? valueInProse(text, end, isKeyWord);
}

/** The form of headers in HAR, `{"name": "x-api-key", "value": "…"}`, and in lists of pairs. */
const PAIR = /^\\*["']\s{0,4},\s{0,40}(\\*["']value\\*["']\s{0,4}:\s{0,4})?(\\*["'])/;

function valueOfPair(text: string, end: number, strength: NameStrength): Range | null {
  const pair = PAIR.exec(text.slice(end, end + 80));
  if (pair === null) return null;
  const [whole, label, quote = '"'] = pair;
  // Without a label it may be a list of names.
  return valueInQuotes(text, end + whole.length, quote, label === undefined ? "weak" : strength);
}

/** A key word of two words, whose second is the name: "API key", "access token"; or a name in Chinese. */
function isKeyPhrase(text: string, start: number): boolean {
  return (
    /\b(?:api|access|secret|auth|private)[ _-]$/i.test(text.slice(Math.max(0, start - 8), start)) ||
    /\p{Script=Han}/u.test(text.charAt(start))
  );
}

function valueOfElement(text: string, start: number, strength: NameStrength): Range | null {
  const value = /^[^<>]{1,512}(?=<)/.exec(text.slice(start, start + JUDGED + 1))?.[0];
  if (value === undefined || isHarmless(value)) return null;
  const isSecret = strength === "weak" ? looksSecret(value) || isShortKey(value) : !/\s/.test(value.trim());
  return isSecret ? { start, end: start + value.length } : null;
}

function isVariable(name: string): boolean {
  return /^[A-Z][A-Z\d_]*$/.test(name);
}

/** Any value but a variable, a constant or a word of state. */
function valueOfVariable(text: string, start: number): Range | null {
  const value = judgedAt(text, start);
  if (value.length < 6 || isNoValue(value) || /^[A-Z\d_]+$/.test(value)) return null;
  return valueOfParameter(text, start);
}

function valueInQuotes(text: string, start: number, quote: string, strength: NameStrength): Range | null {
  const end = quoteEnd(text, start, quote);
  const value = text.slice(start, Math.min(end, start + JUDGED));
  // Behind `"key="` the next quote closes the string instead of opening a value.
  if (/^\s*(?:$|[,:}\]])/.test(value)) return null;
  switch (strength) {
    case "cookie":
      return { start, end };
    case "authorization": {
      const from = start + (SCHEME.exec(value)?.[0].length ?? 0);
      return isHarmless(text.slice(from, Math.min(end, from + JUDGED))) ? null : { start: from, end };
    }
    case "strong":
      return isHarmless(value) ? null : { start, end };
    case "weak":
      return looksSecret(value) || (hasKeyPrefix(value) && !/\s/.test(value)) ? { start, end } : null;
  }
}

/** Sentences and words of state in place of a value: "This field is required." */
function isHarmless(value: string): boolean {
  const text = value.trim();
  if (isNoValue(text)) return true;
  return (
    text.length <= 300 &&
    /^[A-Z\p{Script=Han}][^\d]*\s/u.test(text) &&
    isWordy(text.replace(/[!?;]$/, "")) &&
    !isMasked(text)
  );
}

/** The end of the string that `quote` opened. `quote` includes the backslashes of a string within a string. */
function quoteEnd(text: string, start: number, quote: string): number {
  const mark = quote.charAt(quote.length - 1);
  let end = text.indexOf(mark, start);
  if (quote.length === 1) {
    while (end > 0 && isEscaped(text, end)) end = text.indexOf(mark, end + 1);
  }
  if (end < 0) return lineEnd(text, start);
  // A quote of the surrounding text also ends it: a value in single quotes may have lost its closing one.
  const outer = mark === '"' ? -1 : text.slice(start, Math.min(end, start + JUDGED)).search(/"\s*[,:}\]]/);
  if (outer >= 0) return start + outer;
  while (quote.length > 1 && end > start && text.charAt(end - 1) === "\\") end -= 1;
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charAt(at - 1 - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function lineEnd(text: string, start: number): number {
  return runEnd(text, start, /[^\r\n"'`<>]*/y);
}

/** Authorization in a header line: the scheme stays, everything after it is taken to the end of the line. */
function valueOfHeader(text: string, at: number): Range | null {
  const scheme = SCHEME.exec(text.slice(at, at + 40))?.[0] ?? "";
  const start = at + scheme.length;
  if (/^(?:digest|\w+-hmac)/i.test(scheme)) return { start, end: lineEnd(text, start) };
  if (isNoValue(judgedAt(text, start))) return null;
  let end = tokenEnd(text, start);
  while (/^:\w/.test(text.slice(end, end + 2))) end = tokenEnd(text, end + 1);
  return { start, end };
}

function isNoValue(value: string): boolean {
  return value === "" || STATE_WORDS.has(value.toLowerCase()) || isPlaceholder(value);
}

const PLACEHOLDER =
  /^(?:\$(?:[A-Z_][A-Z\d_]*)?|[A-Z_]{0,32}(?:KEY|TOKEN|SECRET)|process\.env(?:\.\w+)?|os\.environ|\{\w{1,32}\}|…|\.{3})$/;

const MAX_PLACEHOLDER = 64;

/** The name of a variable, such as YOUR_API_KEY, in code and templates. */
function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value);
}

function valueOfNumber(text: string, start: number): Range | null {
  const digits = /^-?\d[\d.]{0,64}/.exec(text.slice(start, start + 66))?.[0];
  return digits === undefined ? null : { start, end: start + digits.length };
}

function valueOfParameter(text: string, start: number): Range | null {
  const end = runEnd(text, start, /[^\s&"'`<>;,)\]}|#\\]*/y);
  const isNothing = end === start || isPlaceholder(text.slice(start, Math.min(end, start + MAX_PLACEHOLDER)));
  return isNothing ? null : { start, end };
}

function isInQuery(text: string, start: number): boolean {
  return /[?&;]$/.test(text.charAt(start - 1));
}

/** A field such as `x-api-key: value`; in a sentence only if the value is no plain word. */
function valueOfLine(text: string, start: number): Range | null {
  const value = judgedAt(text, start);
  if (isNoValue(value)) return null;
  const end = start + value.length;
  const isInSentence = /^[A-Za-z'-]+$/.test(value) && /^,?[ \t]+[\w(]/.test(text.slice(end, end + 8));
  return isInSentence ? null : { start, end: tokenEnd(text, start) };
}

/** `isKeyWord`: the text clearly names a key, so that even a short value after a colon is one. */
function valueInProse(text: string, from: number, isKeyWord = false): Range | null {
  let at = from;
  let isSaid = false;
  for (let count = 0; count <= MAX_CONNECTORS; count += 1) {
    const gap = /^(?:[\s:：=()[\]"'`>\\-]|为|是){0,12}/.exec(text.slice(at, at + 12))?.[0] ?? "";
    // Chinese writes no space between a name and its value.
    if (gap === "" && !/\p{Script=Han}/u.test(text.charAt(at - 1))) return null;
    const start = at + gap.length;
    const token = judgedAt(text, start);
    // Letters of other scripts, which no key has: the sentence goes on.
    const prose = token.search(/(?!\p{ASCII})\p{L}/u);
    const value = prose < 0 ? token : token.slice(0, prose);
    if (value === "" || isPlaceholder(value)) return null;
    const isTold = isKeyWord && (isSaid || /[:：=为是]/.test(gap)) && isShortKey(value);
    if (isTold || looksSecret(value) || (hasKeyPrefix(value) && value.length > 5))
      return { start, end: prose < 0 ? tokenEnd(text, start) : start + prose };
    const word = /^[\w'-]+/.exec(value)?.[0] ?? "";
    if (!CONNECTORS.has(word.toLowerCase())) return null;
    isSaid = word === "is" || word === "was";
    at = start + word.length;
  }
  return null;
}

function isShortKey(value: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+/=~!$-]{8,}$/.test(value) && !isId(value);
}

/** A value without quotes. A colon is in the middle of a key where the text after it is too long for a word. */
const TOKEN = /(?:[^\s"'`<>,;:(){}[\]|\\&，。：；（）“”‘’«»「」【】](?::(?=[\w-]{30}))?)*/y;

/** A mask belongs to the value, a full stop after it does not. */
function tokenEnd(text: string, start: number): number {
  let end = runEnd(text, start, TOKEN);
  while (end > start && /[.!?]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** The part of a value that is judged: looking at the whole of each would cost the square of the text. */
function judgedAt(text: string, start: number): string {
  const value = text.slice(start, start + JUDGED);
  return value.slice(0, tokenEnd(value, 0));
}

function isBearerValue(value: string): boolean {
  if (value.length < 6 || isNoValue(value) || /^[A-Za-z][a-z_]{0,20}=$/.test(value)) return false;
  return isMasked(value) || !/^(?:[a-z]+|[A-Z]?[a-z]+)$/.test(value) || value.length > 20;
}

/** base64 of "user:password", where the user has at most 90 characters. */
function isUserPass(value: string): boolean {
  if (!/^[\w+/-]{8,}={0,2}$/.test(value)) return false;
  return base64Text(value.slice(0, 120)).includes(":");
}
