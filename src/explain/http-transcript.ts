/**
 * HTTP as clients print it: `curl` with -i, -v or -D -, and a browser's network panel; with the text around it, and what the
 * client printed if no answer came. Pure; linear.
 */
import { readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { bareBody, endOfJson } from "./body-alone.ts";
import { guessKind, kindNotes } from "./kind-guess.ts";
import { type Breakage, stageOfCurl } from "./network-words.ts";
import {
  answerOf,
  exchangeOf,
  type HeaderPair,
  isLinesOfEvents,
  joinHeaders,
  noAnswer,
  notesOfBody,
  type Pasted,
  type PastedRequest,
  readSentBody,
} from "./pasted.ts";

export function readHttpTranscript(text: string, kind: Kind | null): Pasted | null {
  const complaint = findComplaint(text);
  const told = complaint === null ? text : text.slice(0, complaint.at) + text.slice(complaint.end);
  const verbose = isBodyFirst(told) ? null : readVerbose(told);
  const marked = verbose?.answers ?? [];
  const lines = told.split("\n");
  const start = marked.length > 0 || isBodyFirst(told) ? -1 : findHead(lines, 0);
  const lead = start < 0 ? told : lines.slice(0, start).join("\n");
  const responses =
    start < 0 ? marked.flatMap((answer) => readResponses(answer, 0)) : readResponses(lines, start);
  const answered = responses.at(-1);
  const panel = answered === undefined ? readPanel(told) : null;
  const request =
    panel?.request ??
    requestBehind(responses.at(-2)?.body ?? "") ??
    requestOfLines(verbose?.request ?? [], told) ??
    requestOfCommand(lead);
  const last = answered ?? panel?.response ?? refusedResponse(complaint, told);
  if (last !== null) {
    const isOfLast =
      answered !== undefined && complaint !== null && concerns(complaint, start < 0 ? "" : lead);
    return judged(kind, request, last, responses.length, isOfLast ? complaint.breakage : null);
  }
  if (readBody(told).form === "json") return null;
  if (complaint?.breakage) return unanswered(complaint.breakage, kind, request);
  return request !== null && verbose !== null ? unanswered(null, kind, request) : null;
}

/** Neither a transcript nor the text before one. */
function isBodyFirst(text: string): boolean {
  return /^\s*(?:\{(?! \[)|\[|<(?! ))/.test(text) || isLinesOfEvents(text);
}

/** From the command line behind the previous answer. */
function requestBehind(body: string): PastedRequest | null {
  const end = /^\s{0,80}[{[]/.test(body) ? endOfJson(body) : null;
  return end === null ? null : requestOfCommand(body.slice(end));
}

function judged(
  kind: Kind | null,
  request: PastedRequest | null,
  last: Response,
  count: number,
  breakage: Breakage | null,
): Pasted {
  const headers = joinHeaders(last.headers);
  const body = bareBody(last.body);
  const asked = kind ?? guessKind(request?.url ?? null, headers, body);
  const answer = answerOf(asked, last.status, headers, body);
  return {
    form: "http",
    detail: last.version === null ? null : `HTTP/${last.version}`,
    observation: exchangeOf(answer, breakage),
    request,
    notes: [
      ...kindNotes(kind, request?.url ?? null),
      ...(count > 1 ? (["last_response"] as const) : []),
      ...notesOfBody(answer, request?.method === "HEAD" || last.version === null),
    ],
  };
}

/** `breakage` null: the text has nothing of the answer. */
function unanswered(breakage: Breakage | null, kind: Kind | null, request: PastedRequest | null): Pasted {
  const url = request?.url ?? null;
  const asked = kind ?? guessKind(url, {}, "");
  const guessed = kindNotes(kind, url);
  return {
    form: "http",
    detail: null,
    observation: breakage === null ? answerOf(asked, 200, {}, "") : noAnswer(asked, breakage),
    request,
    notes: breakage === null ? ["status_unknown", ...guessed, "body_missing"] : guessed,
  };
}

// The request: the lines that `curl -v` marks, or the command line of curl.

/** How much of the text before an answer is read. */
const MAX_REQUEST_LENGTH = 65_536;

/** `lines`: the request line and the headers. The rest comes from the command line, if there is one. */
function requestOfLines(lines: readonly string[], lead: string): PastedRequest | null {
  const [method = "", target = ""] = (lines[0] ?? "").trim().split(" ");
  if (method === "CONNECT" || target === "") return null;
  const headers = joinHeaders(pairsOfLines(lines.slice(1)));
  const { host = "", "user-agent": client = null } = headers;
  const isWhole = !target.startsWith("/") || host === "" || /[\s/@]/.test(host);
  const url = isWhole ? target : `http${NO_TLS.test(host) ? "" : "s"}://${host}${target}`;
  const { model, streaming } = requestOfCommand(lead) ?? readSentBody(lead);
  return { method, url, model, streaming, sentAtMs: null, client };
}

/** The text does not name the scheme. This machine, and ports other than 443, seldom have TLS. */
const NO_TLS = /localhost|:(?!443$)\d{1,5}$/i;

/** Null: the text has no curl command with an address. */
export function requestOfCommand(lead: string): PastedRequest | null {
  const command = /\bcurl(?:\.exe)?[ \t][\s\S]*/.exec(lead.slice(0, MAX_REQUEST_LENGTH))?.[0];
  if (command === undefined) return null;
  const bare = command.replace(HEADER_OR_DATA, " ");
  const url = /https?:\/\/[^\s'"<>\\]{1,4096}/.exec(bare)?.[0];
  if (url === undefined) return null;
  const named = /(?:^|\s)(?:-X\s{0,8}|--request[ =])['"]?([A-Z]{3,10})/.exec(bare)?.[1];
  const hasData = /(?:^|\s)(?:-d|--data(?:-[a-z]+)?|--json|-F|--form)(?![a-z])/.test(command);
  return {
    method: named ?? (hasData ? "POST" : "GET"),
    url,
    ...readSentBody(command),
    sentAtMs: null,
    client: "curl",
  };
}

/** Headers, data and proxies contain addresses too. */
const HEADER_OR_DATA =
  /(?:-H|--header|-d|--data(?:-[a-z]+)?|--json|-x|--proxy|-e|--referer|-u|--user|-A|--user-agent|-b|--cookie)[ =]?(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|[^\s'"]+)/g;

// curl's own error message. Behind an answer it may follow the body without a line break.

interface Complaint {
  readonly at: number;
  readonly end: number;
  /** Of curl. */
  readonly code: number;
  /** Null: the answer is whole. */
  readonly breakage: Breakage | null;
  /** The one that `curl -f` prints. */
  readonly status: number | null;
}

/** The meter of curl may stand before the message, curl's explanations and a prompt behind it. */
const MAX_AROUND = 2000;

function findComplaint(text: string): Complaint | null {
  const found = [...`\n${text}`.matchAll(COMPLAINT)].findLast(
    ({ index }) => index <= MAX_AROUND || index > text.length - MAX_AROUND,
  );
  if (found === undefined) return null;
  const at = found.index - 1;
  if (BEGINS_BODY.test(text.slice(0, at)) && GOES_ON.test(text.slice(at))) return null;
  const newline = text.indexOf("\n", at);
  const words = (found[2] ?? found[4] ?? "").trim().slice(0, 1000);
  const code = Number(found[1] ?? found[3]);
  const stage = stageOfCurl(code);
  const status = code === 22 ? /error: ([1-9]\d\d)\b/.exec(words)?.[1] : undefined;
  return {
    at,
    end: newline < 0 ? text.length : newline + 1,
    code,
    breakage: stage === null ? null : { stage, detail: words },
    status: status === undefined ? null : Number(status),
  };
}

const COMPLAINT =
  /(?<=\n)curl: \((\d{1,3})\) ?([^\r\n]*)|(?<=[}\]>])curl: \((\d{1,3})\) ?([^"<\r\n]*)(?![^\r\n])/g;
/** What surrounds words inside a body; `{ [` and `< ` are marks of curl -v. */
const BEGINS_BODY = /^[ \t]{0,8}(?:\{(?! \[)|\[|<(?! ))|^HTTP\//m;
const GOES_ON = /<\/|"\s{0,80}[}\]]|\n\s{0,80}[}\]]/;

/**
 * Whether it is about the answer behind `lead`. In a file of both outputs (`2>&1`) curl's message comes first, since it is not
 * buffered; what another attempt said has lines between.
 */
function concerns({ at, code }: Complaint, lead: string): boolean {
  return at > lead.length + 1 || (AFTER_HEADERS.has(code) && lead.slice(at).trim() === "");
}

const AFTER_HEADERS: ReadonlySet<number> = new Set([16, 18, 28, 56, 92, 95]);

/** `curl -f` prints the status and nothing else, with --fail-with-body the body too. */
function refusedResponse(complaint: Complaint | null, told: string): Response | null {
  if (complaint === null || complaint.status === null) return null;
  return { version: null, status: complaint.status, headers: [], body: /^\s*[{[<]/.test(told) ? told : "" };
}

// What is copied from a browser's network panel: each value stands behind its name or on the next line. The body may follow.

interface Panel {
  readonly response: Response;
  readonly request: PastedRequest | null;
}

/** Null: no status stands beside an address, or as browsers print HTTP/2. */
function readPanel(text: string): Panel | null {
  const lead = text.slice(0, MAX_PANEL);
  const start = /^[ \t]{0,8}[{[<]/m.exec(lead)?.index ?? text.length;
  const found = lead.slice(0, start).matchAll(PANEL_FIELD);
  const fields = joinHeaders(Array.from(found, ([, name = "", value = ""]) => [name, value]));
  const { "request url": url, "request method": method = "GET", "user-agent": client = null } = fields;
  const told = fields[":status"] ?? (url === undefined ? "" : fields["status code"]);
  const status = /^[1-9]\d\d\b/.exec(told ?? "")?.[0];
  if (status === undefined) return null;
  const request = url === undefined ? null : { method, url, ...readSentBody(null), sentAtMs: null, client };
  const body = text.slice(start);
  return {
    response: { version: null, status: Number(status), headers: Object.entries(fields), body },
    request,
  };
}

const MAX_PANEL = 16_384;
/** `Request URL`, a header, or a field of HTTP/2 (`:status`). Some browsers copy no colon behind a name. */
const PANEL_FIELD =
  /^(:?[\w-]+(?=:)|[a-z]+(?:-[a-z\d]+)+$|[A-Z]\w+ (?!Headers)[A-Z]\w+(?=:|$)):?[ \t]*(?:\n(?![\w-]+: ))?[ \t]*(\S.*)/gm;

// The responses: status line, headers, empty line, body. What follows an interim response, a redirect, a challenge or a
// tunnel's opening is the next one; the body of any other is never looked into.

interface Response {
  /** "1.1", "2"; null where it is not known. */
  readonly version: string | null;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly body: string;
}

/** Some clients print no reason phrase. */
const STATUS_LINE = /^HTTP\/(\d(?:\.\d)?)[ \t]+([1-9]\d\d)(?:[ \t].{0,1000})?$/i;

/** `start`: where a status line stands. */
function readResponses(lines: readonly string[], start: number): readonly Response[] {
  const responses: Response[] = [];
  for (let at = start; at >= 0;) {
    const head = readHead(lines, at);
    at = findNext(lines, head);
    responses.push({ ...head, body: lines.slice(head.end, at < 0 ? undefined : at).join("\n") });
  }
  return responses;
}

interface Head extends Omit<Response, "body"> {
  /** Where the body begins. */
  readonly end: number;
}

function readHead(lines: readonly string[], start: number): Head {
  const [, version = "", status] = STATUS_LINE.exec(lines[start] ?? "") ?? [];
  let end = start + 1;
  // Some are copied without the empty line between headers and body.
  while (/^(?![{[<]).*\S/s.test(lines[end] ?? "")) end += 1;
  const headers = pairsOfLines(lines.slice(start + 1, end));
  return { version, status: Number(status), headers, end: lines[end]?.trim() === "" ? end + 1 : end };
}

/** The lines of a header block. Other lines are skipped. */
function pairsOfLines(lines: readonly string[]): readonly HeaderPair[] {
  return lines.flatMap((line) => {
    const [whole, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    return whole === undefined ? [] : [[name, value] as const];
  });
}

const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]{1,256}):[ \t]*(.*)$/;

/** Where the next response begins; -1: this one is the last. */
function findNext(lines: readonly string[], head: Head): number {
  let first = head.end;
  while (lines[first]?.trim() === "") first += 1;
  const isRedirect = head.status >= 300 && head.status < 400;
  if (!isRedirect && !isFollowed(head)) return findBehindJson(lines, first);
  if (isHead(lines, first)) return first;
  return isRedirect ? findHead(lines, first) : -1;
}

function findHead(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at += 1) if (isHead(lines, at)) return at;
  return -1;
}

/** An answer ends with its JSON: the rest belongs to the next command. */
function findBehindJson(lines: readonly string[], start: number): number {
  const next = /^\s{0,80}[{[]/.test(lines[start] ?? "") ? findHead(lines, start + 1) : -1;
  if (next < 0) return -1;
  const body = lines.slice(start, next).join("\n");
  const end = endOfJson(body);
  if (end === null) return -1;
  const [, ...between] = body.slice(end).split("\n");
  const isBetween = between.every((line) => line.trim() === "" || PROMPT.test(line));
  return isBetween && between.length < MAX_BETWEEN ? next : -1;
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

/** A status line, with a header, an empty line or the text's end behind it. */
function isHead(lines: readonly string[], at: number): boolean {
  if (!STATUS_LINE.test(lines[at] ?? "")) return false;
  const next = lines[at + 1] ?? "";
  return next.trim() === "" || HEADER_LINE.test(next) || /^[{[]/.test(next);
}

// What `curl -v` prints: each line says by its first character whose it is.

interface Verbose {
  /** The lines of each, as `curl -i` prints them. */
  readonly answers: readonly (readonly string[])[];
  /** The lines of the last request, its first line before the headers. */
  readonly request: readonly string[];
}

/** Null: there is no line of `curl -v` before anything else was printed. */
function readVerbose(text: string): Verbose | null {
  if (!MARKED.test(text.slice(0, MAX_VERBOSE_LEAD))) return null;
  let request: string[] = [];
  const answers: string[][] = [];
  let isInHead = false;
  let isRepeated = false;
  for (const line of text.split("\n")) {
    const mark = /^[*<>](?= |$)/.exec(line)?.[0];
    const told = line.slice(2);
    const answer = answers.at(-1);
    if (mark === ">") {
      if (REQUEST_LINE.test(told)) request = [told];
      else request.push(told);
    } else if (mark === "<" && STATUS_LINE.test(told)) {
      answers.push([told]);
      isInHead = true;
    } else if (mark === "<") {
      answer?.push(told);
      isInHead &&= told !== "";
    } else if (mark === undefined && !isInHead && answer !== undefined && !COUNTS.test(line)) {
      // With -i the headers are printed once more; their lines stand between those of -v, or behind them.
      isRepeated = isRepeated ? line !== "" : line === answer[0];
      if (!isRepeated) answer.push(line);
    }
  }
  return { answers: answers.map((lines) => lines.join("\n").replace(GLUED_REMARK, "").split("\n")), request };
}

const REQUEST_LINE = /^[A-Z]{3,10} \S{1,8000} HTTP\/\d(?:\.\d)?$/;
/** The command line and the meter may stand before it. */
const MAX_VERBOSE_LEAD = 65_536;
const MARKED =
  /^(?:\* (?:Trying|Host|Could not|Connected|Uses|Resolv|Failed|connect|Rebuilt|Re-using|Reusing|About to)|> [A-Z]{3,10} \S+ HTTP\/|< HTTP\/)/m;
/** Of bytes, and the meter of progress. */
const COUNTS =
  /^[{}] \[\d{1,12} bytes data\]|^ {0,8}% Total {1,8}% Received|^ {1,40}Dload {1,8}Upload|^\s{0,8}\d{1,3} .{10,80}(?:--|\d\d):(?:--|\d\d)/;

/** Curl does not wait for the body's last line to end. */
const GLUED_REMARK =
  /\* (?:Connection #\d{1,9}|Closing connection|Curl_|transfer closed|HTTP\/2 stream|Recv failure|Send failure|Operation timed|OpenSSL|Excess found|shutting down|\[HTTP)[^\n]{0,1000}\s*$/;
