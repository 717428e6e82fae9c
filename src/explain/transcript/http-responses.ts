/**
 * The responses in a text of HTTP, as clients print them: status line, headers, empty line, body. What follows an interim
 * response, a redirect, a challenge or a tunnel's opening is the next one; the body of any other is never looked into.
 * Pure; linear.
 */
import { endOfJson } from "../body/body-end.ts";
import { type HeaderPair, isHeaderLine, pairsOfLines } from "./headers.ts";

export interface Response {
  /** "1.1", "2"; null where it is not told. */
  readonly version: string | null;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly body: string;
}

export interface StatusLine {
  readonly version: string;
  readonly status: number;
}

/** A line without its end. Some clients indent it, and give no reason. */
export function readStatusLine(line: string): StatusLine | null {
  const found = /^[ \t]{0,8}HTTP\/(\d(?:\.\d)?)[ \t]+([1-9]\d\d)(?:[ \t].{0,1000})?$/i.exec(line);
  if (found === null) return null;
  return { version: found[1] ?? "", status: Number(found[2]) };
}

/** `start`: where a status line begins. */
export function readResponses(text: string, start: number): readonly Response[] {
  const responses: Response[] = [];
  let at: number | null = start;
  while (at !== null) {
    const head = readHead(text, at);
    const next = head === null ? null : findNext(text, head);
    if (head === null) break;
    responses.push({ ...head, body: text.slice(head.end, next ?? text.length) });
    at = next;
  }
  return responses;
}

/** A line begins at `at`; its end is left out. */
export interface Line {
  readonly text: string;
  readonly at: number;
  /** Where the next one begins. */
  readonly next: number;
}

export function lineAt(text: string, at: number): Line | null {
  if (at >= text.length) return null;
  const newline = text.indexOf("\n", at);
  const end = newline < 0 ? text.length : newline;
  const isCrlf = end > at && text.charCodeAt(end - 1) === CARRIAGE_RETURN;
  return { text: text.slice(at, isCrlf ? end - 1 : end), at, next: newline < 0 ? text.length : newline + 1 };
}

const CARRIAGE_RETURN = 0x0d;

interface Head extends StatusLine {
  readonly headers: readonly HeaderPair[];
  /** Where the body begins. */
  readonly end: number;
}

function readHead(text: string, start: number): Head | null {
  const first = lineAt(text, start);
  const status = first === null ? null : readStatusLine(first.text);
  if (first === null || status === null) return null;
  const indent = /^[ \t]*/.exec(first.text)?.[0] ?? "";
  const lines: string[] = [];
  let at = first.next;
  for (let line = lineAt(text, at); line !== null; line = lineAt(text, at)) {
    // Copied without the empty line between headers and body.
    if (/^[{[<]/.test(line.text)) break;
    at = line.next;
    if (line.text.trim() === "") break;
    lines.push(line.text.startsWith(indent) ? line.text.slice(indent.length) : line.text);
  }
  return { ...status, headers: pairsOfLines(lines), end: at };
}

/** Where the next response begins; null: this one is the last. */
function findNext(text: string, head: Head): number | null {
  const isRedirect = head.status >= 300 && head.status < 400;
  if (!isRedirect && !isFollowed(head)) return findBehindJson(text, head.end);
  const direct = skipBlankLines(text, head.end);
  if (isHead(text, direct)) return direct;
  return isRedirect ? findBehindBody(text, head) : null;
}

/** Behind JSON nothing of an answer follows: what does is of the next command that somebody gave. */
function findBehindJson(text: string, start: number): number | null {
  if (!/^\s{0,80}[{[]/.test(text.slice(start, start + 100))) return null;
  const body = text.slice(start);
  const end = /\nHTTP\/\d/i.test(body) ? endOfJson(body) : null;
  if (end === null) return null;
  let count = 0;
  for (let line = lineAt(text, start + end); line !== null; line = lineAt(text, line.next)) {
    if (count > 0 && isHead(text, line.at)) return line.at;
    const isBetween = line.text.trim() === "" || PROMPT.test(line.text) || count === 0;
    count += 1;
    if (!isBetween || count > MAX_BETWEEN) return null;
  }
  return null;
}

const MAX_BETWEEN = 20;
const PROMPT = /^[^"{}<]{0,200}[$%#>❯] |^\s{0,80}(?:curl|-)/;

/** Another answer comes for the same request. */
function isFollowed({ status, headers }: Head): boolean {
  if (status < 200) return true;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  if (status === 401 || status === 407)
    return names.has("www-authenticate") || names.has("proxy-authenticate");
  // The opening of a tunnel has no body (RFC 9110, 9.3.6).
  return (
    status < 300 && !["content-type", "content-length", "transfer-encoding"].some((name) => names.has(name))
  );
}

/** Behind the body of a redirect; inside of it, as its length tells, nothing counts. */
function findBehindBody(text: string, { headers, end }: Head): number | null {
  const stated = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1] ?? "";
  const length = /^\d{1,12}$/.test(stated.trim()) ? Number(stated) : 0;
  let bytes = 0;
  for (let line = lineAt(text, end); line !== null; line = lineAt(text, line.next)) {
    const next = lineAt(text, line.next)?.text ?? "";
    if (bytes >= length && isHead(text, line.at) && isHeaderLine(next)) return line.at;
    // The line's end may have been one character or two.
    bytes += byteLength(line.text) + 2;
  }
  return null;
}

/** In UTF-8; a surrogate pair is counted as 6. */
function byteLength(line: string): number {
  let bytes = line.length;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff ? 2 : 1;
  }
  return bytes;
}

function skipBlankLines(text: string, start: number): number {
  let at = start;
  for (let line = lineAt(text, at); line !== null && line.text.trim() === ""; line = lineAt(text, at)) {
    at = line.next;
  }
  return at;
}

/** A status line, with a header, an empty line or the text's end behind it. */
export function isHead(text: string, at: number): boolean {
  const line = lineAt(text, at);
  if (line === null || readStatusLine(line.text) === null) return false;
  const next = lineAt(text, line.next)?.text.trimStart() ?? "";
  return next === "" || isHeaderLine(next) || /^[{[]/.test(next);
}
