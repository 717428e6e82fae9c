/**
 * The secret behind a name, a scheme or a key word: where it begins and ends in JSON, a dictionary, a header, a form,
 * a query string or a sentence. Pure; every look ahead is bounded or ends in the value that is taken.
 */

import { base64Text } from "./secret-encodings.ts";
import { CONNECTORS, type NameStrength, STATE_WORDS } from "./secret-names.ts";
import type { Range } from "./secret-ranges.ts";
import { type KeyShapes, hasKeyPrefix, isMasked, isWordy, looksSecret } from "./secret-shapes.ts";

/** Values are judged by so many characters; what is taken is taken to its end. */
const JUDGED = 512;
const MAX_CONNECTORS = 10;
/** The name's own closing quote or bracket, then what assigns, then the opening of the value. */
const ASSIGNMENT = /^(\\*["'`)\]])?[ \t]{0,4}(=>|:=|={1,2}|[:：])[ \t]{0,8}(?:\[[ \t]{0,4})?(\\*["'`])?/;
const SCHEME =
  /^(?:Bearer|Basic|Token|Key|ApiKey|Api-Key|Bot|Digest|HMAC-SHA256|AWS4-HMAC-SHA256|TC3-HMAC-SHA256)[ \t]+/i;

/** The credentials behind a Bearer or Basic (RFC 6750, RFC 7617), or null when the word is only a word. */
export function valueOfScheme(text: string, word: string, end: number): Range | null {
  const scheme = word.toLowerCase();
  if (scheme !== "bearer" && scheme !== "basic") return null;
  const start = end + (/^(?:[ \t]+|:[ \t]*|%20)/.exec(text.slice(end, end + 16))?.[0].length ?? 0);
  if (start === end) return null;
  const valueEnd = tokenEnd(text, start);
  const value = text.slice(start, Math.min(valueEnd, start + JUDGED));
  const isSecret = scheme === "basic" ? isUserPass(value) : isBearerValue(value);
  return isSecret ? { start, end: valueEnd } : null;
}

/** The secret that a name stands for, or null when there is none that its strength allows to take. */
export function valueOfName(
  text: string,
  start: number,
  end: number,
  strength: NameStrength,
  shapes: KeyShapes,
): Range | null {
  const assignment = ASSIGNMENT.exec(text.slice(end, end + 40));
  if (assignment === null) return valueInProse(text, end, shapes);
  const [whole, close, sign, quote] = assignment;
  const at = end + whole.length;
  if (quote !== undefined)
    return valueInQuotes(text, at, quote, strength, shapes) ?? valueInProse(text, end, shapes);
  // A member of JSON that is no string: a number may be a password, the rest is structure.
  if (close?.endsWith('"') === true) return strength === "strong" ? valueOfNumber(text, at) : null;
  if (strength === "cookie") return { start: at, end: lineEnd(text, at) };
  if (strength === "authorization") return valueOfHeader(text, at);
  if (sign === "=" && (strength === "strong" || isInQuery(text, start))) return valueOfParameter(text, at);
  if (strength === "strong") return valueOfLine(text, at) ?? valueInProse(text, end, shapes);
  return valueInProse(text, end, shapes);
}

function valueInQuotes(
  text: string,
  start: number,
  quote: string,
  strength: NameStrength,
  shapes: KeyShapes,
): Range | null {
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
      return looksSecret(value) || (hasKeyPrefix(value, shapes) && !/\s/.test(value)) ? { start, end } : null;
  }
}

/** Sentences and words of state in the place of a value: "This field is required." */
function isHarmless(value: string): boolean {
  const text = value.trim();
  if (STATE_WORDS.has(text.toLowerCase())) return true;
  return (
    text.length <= 300 &&
    /^[A-Z\p{Script=Han}][^\d]*\s/u.test(text) &&
    isWordy(text.replace(/[!?;]$/, "")) &&
    !isMasked(text)
  );
}

/** Where the string ends that was opened by `quote`, which bears the backslashes of a string in a string. */
function quoteEnd(text: string, start: number, quote: string): number {
  const mark = quote.charAt(quote.length - 1);
  let end = text.indexOf(mark, start);
  if (quote.length === 1) {
    while (end > 0 && isEscaped(text, end)) end = text.indexOf(mark, end + 1);
  }
  if (end < 0) return lineEnd(text, start);
  // A quote of the text around ends a string too, for a value in single quotes may have lost its own.
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
  let end = start;
  while (end < text.length && !/[\r\n"'`<>]/.test(text.charAt(end))) end += 1;
  return end;
}

/** Authorization in a header line: the scheme stays, its parameters go to the end of the line. */
function valueOfHeader(text: string, at: number): Range | null {
  const scheme = SCHEME.exec(text.slice(at, at + 40))?.[0] ?? "";
  const start = at + scheme.length;
  if (/^(?:digest|\w+-hmac)/i.test(scheme)) return { start, end: lineEnd(text, start) };
  const end = tokenEnd(text, start);
  const value = text.slice(start, Math.min(end, start + JUDGED));
  return isNoValue(value) ? null : { start, end };
}

/** Nothing, a word of state, or the name of a variable. */
function isNoValue(value: string): boolean {
  return value === "" || STATE_WORDS.has(value.toLowerCase()) || /^\$(?:[A-Z_][A-Z\d_]*)?$/.test(value);
}

function valueOfNumber(text: string, start: number): Range | null {
  const digits = /^-?\d[\d.]{0,64}/.exec(text.slice(start, start + 66))?.[0];
  return digits === undefined ? null : { start, end: start + digits.length };
}

function valueOfParameter(text: string, start: number): Range | null {
  let end = start;
  while (end < text.length && !/[\s&"'`<>;,)\]}|#\\]/.test(text.charAt(end))) end += 1;
  return end === start ? null : { start, end };
}

function isInQuery(text: string, start: number): boolean {
  return /[?&;]$/.test(text.charAt(start - 1));
}

/** `x-api-key: value` and the like; in a sentence only what is no plain word. */
function valueOfLine(text: string, start: number): Range | null {
  const end = tokenEnd(text, start);
  const value = text.slice(start, Math.min(end, start + JUDGED));
  if (isNoValue(value)) return null;
  const isInSentence = /^[A-Za-z'-]+$/.test(value) && /^,?[ \t]+[\w(]/.test(text.slice(end, end + 8));
  return isInSentence ? null : { start, end };
}

function valueInProse(text: string, from: number, shapes: KeyShapes): Range | null {
  let at = from;
  for (let count = 0; count <= MAX_CONNECTORS; count += 1) {
    const gap = /^(?:[\s:：=()[\]"'`>\\-]|为|是){1,12}/.exec(text.slice(at, at + 12))?.[0];
    if (gap === undefined) return null;
    const start = at + gap.length;
    const end = tokenEnd(text, start);
    const value = text.slice(start, Math.min(end, start + JUDGED));
    if (value === "") return null;
    if (looksSecret(value) || (hasKeyPrefix(value, shapes) && value.length > 5)) return { start, end };
    const word = /^[\w'-]+/.exec(value)?.[0] ?? "";
    if (!CONNECTORS.has(word.toLowerCase())) return null;
    at = start + word.length;
  }
  return null;
}

/** Where a value without quotes ends; a mask belongs to it, a full stop behind it does not. */
function tokenEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s"'`<>,;:(){}[\]|\\&，。：；（）“”‘’«»「」【】]/.test(text.charAt(end)))
    end += 1;
  while (end > start && /[.!?]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

function isBearerValue(value: string): boolean {
  if (value.length < 6 || isNoValue(value) || (value.includes("=") && /^\w+=$/.test(value))) return false;
  return isMasked(value) || !/^(?:[a-z]+|[A-Z]?[a-z]+)$/.test(value) || value.length > 20;
}

/** base64 of "user:password". */
function isUserPass(value: string): boolean {
  if (!/^[\w+/-]{8,}={0,2}$/.test(value)) return false;
  return base64Text(value).includes(":");
}
