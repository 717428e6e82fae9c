/**
 * Long base64 (RFC 4648, with lines as RFC 2045 folds them): pictures, encrypted thoughts, tokens without a name. Longer
 * than any id that gateways are known to give, and no path, digest or sentence. Pure; linear as a whole, for a run is
 * measured once.
 */

import type { Range } from "./ranges.ts";
import { isId } from "./shapes.ts";

/** Ids go up to 110 characters; digests in hexadecimal are told by their letters. */
const MIN_LENGTH = 128;
const MIN_LINE = 60;
/** Keys of 64 bytes that bear the mark of the service of Azure that gave them. */
const MARKED = /(?:\+ASt|\+AMC|\+ABa|\+AEh|\+ARm|ACDb|AIoT|APIM|AzSe)[A-Za-z0-9+/]{5}[AQgw]$/;
const MIN_MARKED = 86;
const JUDGED = 1024;
/** Base64 has a `/`, a `+` or their like in 32 characters, a path in 8. */
const MIN_STRETCH = 12;

export interface Base64Run extends Range {
  readonly isSecret: boolean;
}

/** The run of characters of base64 around a word; it begins at `floor` or behind. */
export function base64RunAt(text: string, wordStart: number, floor: number): Base64Run {
  let start = wordStart;
  while (start > floor && isBase64Unit(text.charCodeAt(start - 1))) start -= 1;
  let end = lineEnd(text, wordStart);
  let folded = end;
  for (let line = end - start; line >= MIN_LINE && folded < text.length;) {
    const next = behindFold(text, folded);
    if (next === folded) break;
    const stop = lineEnd(text, next);
    line = stop - next;
    folded = stop;
    if (line >= MIN_LINE || text.charAt(stop) === "=") end = stop;
  }
  const isSecret = end - start >= MIN_MARKED && isSecretRun(text.slice(start, end));
  return { start, end: isSecret ? paddingEnd(text, end) : end, isSecret };
}

function isBase64Unit(unit: number): boolean {
  if (unit >= 0x61) return unit <= 0x7a;
  if (unit >= 0x41) return unit <= 0x5a || unit === 0x5f;
  return (unit >= 0x2f && unit <= 0x39) || unit === 0x2b || unit === 0x2d;
}

function lineEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isBase64Unit(text.charCodeAt(end))) end += 1;
  return end;
}

function behindFold(text: string, end: number): number {
  const next = text.startsWith("\r\n", end) ? end + 2 : text.charAt(end) === "\n" ? end + 1 : end;
  return isBase64Unit(text.charCodeAt(next)) ? next : end;
}

function paddingEnd(text: string, start: number): number {
  let end = start;
  while (text.charAt(end) === "=") end += 1;
  return end;
}

function isSecretRun(run: string): boolean {
  return run.length >= MIN_LENGTH ? isRandom(run) : run.length === MIN_MARKED && MARKED.test(run);
}

function isRandom(run: string): boolean {
  if (isId(run)) return false;
  const sample = run.slice(0, JUDGED);
  const least = sample.length / 32;
  return (
    countOf(sample, /[A-Z]/g) >= least &&
    countOf(sample, /[a-z]/g) >= least &&
    countOf(sample, /\d/g) >= least &&
    countOf(sample, /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g) >= sample.length / 4 &&
    countOf(sample, /[+/_-]+/g) <= sample.length / MIN_STRETCH
  );
}

function countOf(text: string, wanted: RegExp): number {
  return text.match(wanted)?.length ?? 0;
}
