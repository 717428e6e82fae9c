/** Queries and fragments of URLs in a text (RFC 3986 sections 3.4 and 3.5), whole or without scheme and host. Pure; linear. */

import type { Range } from "./ranges.ts";

export function findQueries(text: string): readonly Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf("://"); at >= 0;) {
    const end = urlEnd(text, at + 3);
    const query = text.slice(at, end).search(/[?#]/);
    if (query >= 0) found.push({ start: at + query, end: queryEnd(text, end) });
    at = text.indexOf("://", Math.max(end, at + 3));
  }
  for (let at = text.indexOf("?"); at >= 0;) {
    const end = isQueryAt(text, at) ? queryEnd(text, at + 1) : at + 1;
    if (end > at + 1) found.push({ start: at, end });
    at = text.indexOf("?", end);
  }
  return found;
}

/** A parameter behind the question mark, or a path or a host before it: a question has a space or nothing behind it. */
function isQueryAt(text: string, at: number): boolean {
  if (/^\?[\w.%[\]-]{1,64}=/.test(text.slice(at, at + 66))) return true;
  const before = text.slice(Math.max(0, at - 128), at);
  return (
    /^\?[\w%&;=+-]/.test(text.slice(at, at + 2)) &&
    /(?:\/[^\s"'`<>]*|[A-Za-z\d-]\.[A-Za-z]{2,24}(?::\d+)?)$/.test(before)
  );
}

function urlEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s"'`<>\\^|{}]/.test(text.charAt(end))) end += 1;
  return withoutStops(text, start, end);
}

/** Characters that no query may hold bare are sent in one all the same. */
function queryEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s"'`<>\\]/.test(text.charAt(end))) end += 1;
  return withoutStops(text, start, end);
}

/** Without what ends a sentence, or closes a bracket that was opened before the text from `start` on. */
function withoutStops(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && /[.,;:!)\]}]/.test(text.charAt(last - 1))) last -= 1;
  const opened = /[([{][^()[\]{}]*$/.exec(text.slice(Math.max(start, last - MAX_BRACKETED), last));
  return opened !== null && last < end ? last + 1 : last;
}

const MAX_BRACKETED = 64;
