/**
 * The responses in a text of HTTP, as clients print them: status line, headers, empty line, body. What follows an interim
 * response, a redirect, a challenge or a tunnel's opening is the next one; the body of any other is never looked into.
 * Pure; linear.
 */
import { endOfJson } from "./body-alone.ts";
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
function readStatusLine(line: string): StatusLine | null {
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
  return isRedirect ? findBehindBody(text, head.end) : null;
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

function findBehindBody(text: string, start: number): number | null {
  for (let line = lineAt(text, start); line !== null; line = lineAt(text, line.next)) {
    if (isHead(text, line.at) && isHeaderLine(lineAt(text, line.next)?.text ?? "")) return line.at;
  }
  return null;
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

// What `curl -v` prints: each line says by its first character whose it is.

export interface Verbose {
  readonly responses: readonly Response[];
  /** The lines of the last request, its first line before the headers. */
  readonly request: readonly string[];
}

/** Null: there is no line of `curl -v` before anything else was printed. */
export function readVerbose(text: string): Verbose | null {
  if (!MARKED.test(text.slice(0, MAX_LEAD))) return null;
  const reader: Reader = { responses: [], request: [], section: "between" };
  for (let line = lineAt(text, 0); line !== null; line = lineAt(text, line.next)) {
    readLine(reader, line, text);
  }
  return { ...reader, responses: reader.responses.map((draft) => responseOf(draft)) };
}

/** The command line and the meter may stand before it. */
const MAX_LEAD = 65_536;
const MARKED =
  /^(?:\* (?:Trying|Host|Could not|Connected|Uses|Resolv|Failed|connect|Rebuilt|Re-using|Reusing|About to)|> [A-Z]{3,10} \S+ HTTP\/|< HTTP\/)/m;

interface Draft {
  readonly version: string;
  readonly status: number;
  readonly lines: string[];
  readonly body: string[];
}

interface Reader {
  readonly responses: Draft[];
  request: string[];
  section: "between" | "request" | "head" | "body";
}

function readLine(reader: Reader, { text: line, at, next }: Line, text: string): void {
  const mark = line.slice(0, 2);
  if (mark === "* ") return;
  if (mark === "> " || line === ">") readSent(reader, line.slice(2));
  else if (mark === "< " || line === "<") readReceived(reader, line.slice(2));
  else if (reader.section === "body" && !isMeter(line)) {
    // With -i the headers are printed once more; their lines stand between those of -v, or behind them.
    reader.responses.at(-1)?.body.push(text.slice(at, next));
  }
}

const MAX_LINES = 1000;

function readSent(reader: Reader, line: string): void {
  if (/^[A-Z]{3,10} \S/.test(line) && / HTTP\/[\d.]+$/.test(line)) {
    reader.request = [line];
    reader.section = "request";
  } else if (reader.section === "request" && line !== "" && reader.request.length < MAX_LINES) {
    reader.request.push(line);
  }
}

function readReceived(reader: Reader, line: string): void {
  const status = readStatusLine(line);
  const last = reader.responses.at(-1);
  if (status !== null) {
    reader.responses.push({ ...status, lines: [], body: [] });
    reader.section = "head";
  } else if (reader.section === "head" && line === "") reader.section = "body";
  else if (reader.section === "head") last?.lines.push(line);
  else last?.body.push(`< ${line}\n`);
}

/** Curl's counts of bytes, and its meter. */
function isMeter(line: string): boolean {
  return (
    /^[{}] \[\d{1,12} bytes data\]/.test(line) ||
    /^ {0,8}% Total {1,8}% Received|^ {1,40}Dload {1,8}Upload|^\s{0,8}\d{1,3} .{10,80}(?:--|\d\d):(?:--|\d\d)/.test(
      line,
    )
  );
}

function responseOf({ version, status, lines, body }: Draft): Response {
  const text = body.join("").replace(GLUED_REMARK, "");
  const start = /\S/.exec(text.slice(0, 1000))?.index ?? 0;
  const again = isHead(text, start) ? readResponses(text, start).at(-1) : undefined;
  const headers = pairsOfLines(lines);
  return again?.status === status ? again : { version, status, headers, body: text };
}

/** Curl does not wait for the body's last line to end. */
const GLUED_REMARK =
  /\* (?:Connection #\d{1,9}|Closing connection|Curl_|transfer closed|HTTP\/2 stream|Recv failure|Send failure|Operation timed|OpenSSL|Excess found|shutting down|\[HTTP)[^\n]{0,1000}\s*$/;
