/** HTTP as `curl` (-i, -v, -D -) and the network panel of a browser print it, and what they print without an answer. Pure; linear. */
import { readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { bareBody, guessKind, kindNotes } from "./body-alone.ts";
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
  type Breakage,
  stageOfCurl,
} from "./pasted.ts";

export function readHttpTranscript(text: string, kind: Kind | null): Pasted | null {
  const complaint = findComplaint(text);
  const told = complaint === null ? text : text.slice(0, complaint.at);
  const isBare = isBodyFirst(told);
  const isMarked = !isBare && MARKED.test(told.slice(0, MAX_LEAD));
  const lines = (isMarked ? withoutMarks(told) : told).split("\n");
  const heads = isBare ? [] : lines.flatMap((_, at) => (isHead(lines, at) ? [at] : []));
  const last = heads.at(-1);
  const lead = lines.slice(heads.at(-2) ?? 0, last).join("\n");
  const answered = last === undefined ? null : readResponse(lines, last);
  const panel = answered === null ? readPanel(told) : null;
  const request =
    panel?.request ?? (isMarked ? requestOfLines(told) : null) ?? requestOfCommand(isBare ? told : lead);
  const response = answered ?? panel?.response ?? refusedResponse(complaint, told);
  if (response !== null) {
    const breakage = answered === null ? null : (complaint?.breakage ?? null);
    return judged(kind, request, response, heads.length, breakage);
  }
  if (readBody(told).form === "json") return null;
  if (complaint?.breakage) return unanswered(complaint.breakage, kind, request);
  return request !== null && isMarked ? unanswered(null, kind, request) : null;
}

/** Neither a transcript nor the text before one. */
function isBodyFirst(text: string): boolean {
  return /^\s*(?:\{(?! \[)|\[|<(?! ))/.test(text) || isLinesOfEvents(text);
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

const MAX_LEAD = 65_536;

/** Of the last request that `curl -v` shows. What was sent is in the command line, if there is one. */
function requestOfLines(text: string): PastedRequest | null {
  const [, method = "", target = "", head = ""] = [...text.matchAll(REQUEST)].at(-1) ?? [];
  if (method === "CONNECT" || target === "") return null;
  const lines = head.split("\n").map((line) => line.slice(2));
  const { host = "", "user-agent": client = null } = joinHeaders(pairsOfLines(lines));
  const isWhole = !target.startsWith("/") || host === "" || /[\s/@]/.test(host);
  const url = isWhole ? target : `http${NO_TLS.test(host) ? "" : "s"}://${host}${target}`;
  const { model, streaming } = requestOfCommand(text) ?? readSentBody(text);
  return { method, url, model, streaming, sentAtMs: null, client };
}

const REQUEST = /^> ([A-Z]{3,10}) (\S{1,8000}) HTTP\/\d(?:\.\d)?\n((?:> .*\n)*)/gm;
/** The text does not name the scheme. This machine, and ports other than 443, seldom have TLS. */
const NO_TLS = /localhost|:(?!443$)\d{1,5}$/i;

export function requestOfCommand(lead: string): PastedRequest | null {
  const command = /\bcurl(?:\.exe)?[ \t][\s\S]*/.exec(lead.slice(-MAX_LEAD))?.[0];
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

/** Curl's own error at the end of the text. Behind a body it may follow without a line break. */
function findComplaint(text: string) {
  const at = text.lastIndexOf("curl: (");
  const [, code = "", words = ""] = /^curl: \((\d{1,3})\) ?(.*)/.exec(text.slice(at, at + 1000)) ?? [];
  // Within a body, the body goes on.
  const isOwn = at <= 0 || /[\n}\]>]/.test(text.charAt(at - 1));
  if (code === "" || !isOwn || /[<{"]/.test(text.slice(at))) return null;
  const stage = stageOfCurl(Number(code));
  const status = code === "22" ? /error: ([1-9]\d\d)\b/.exec(words)?.[1] : undefined;
  return {
    at,
    breakage: stage === null ? null : { stage, detail: words.trim() },
    status: status === undefined ? null : Number(status),
  };
}

/** `curl -f` prints the status and nothing else, with --fail-with-body the body too. */
function refusedResponse(complaint: ReturnType<typeof findComplaint>, told: string): Response | null {
  if (complaint === null || complaint.status === null) return null;
  return { version: null, status: complaint.status, headers: [], body: /^\s*[{[<]/.test(told) ? told : "" };
}

// What is copied from a browser's network panel: each value stands behind its name or on the next line. The body may follow.

/** Null: no status stands beside an address, or as browsers print HTTP/2. */
function readPanel(text: string) {
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

// The response: status line, headers, empty line, body. Of several the last counts, behind interim answers and redirects.

interface Response {
  /** "1.1", "2"; null where it is not known. */
  readonly version: string | null;
  readonly status: number;
  readonly headers: readonly HeaderPair[];
  readonly body: string;
}

/** Some clients print no reason phrase. */
const STATUS_LINE = /^HTTP\/(\d(?:\.\d)?)[ \t]+([1-9]\d\d)(?:[ \t].{0,1000})?$/i;

function readResponse(lines: readonly string[], start: number): Response {
  const [, version = "", status] = STATUS_LINE.exec(lines[start] ?? "") ?? [];
  let end = start + 1;
  // Some are copied without the empty line between headers and body.
  while (/^(?![{[<]).*\S/s.test(lines[end] ?? "")) end += 1;
  const headers = pairsOfLines(lines.slice(start + 1, end));
  const body = lines.slice(lines[end]?.trim() === "" ? end + 1 : end).join("\n");
  return { version, status: Number(status), headers, body };
}

function pairsOfLines(lines: readonly string[]): readonly HeaderPair[] {
  return lines.flatMap((line) => {
    const [whole, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    return whole === undefined ? [] : [[name, value] as const];
  });
}

const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]{1,256}):[ \t]*(.*)$/;

/** A status line, with a header, an empty line or the text's end behind it. */
function isHead(lines: readonly string[], at: number): boolean {
  if (!STATUS_LINE.test(lines[at] ?? "")) return false;
  const next = lines[at + 1] ?? "";
  return next.trim() === "" || HEADER_LINE.test(next) || /^[{[]/.test(next);
}

const MARKED =
  /^(?:\* (?:Trying|Host|Could not|Connected|Uses|Resolv|Failed|connect|Rebuilt|Re-using|Reusing|About to)|> [A-Z]{3,10} \S+ HTTP\/|< HTTP\/)/m;

/** What `curl -v` prints, as `curl -i` prints it: without requests, counts of bytes and remarks. */
function withoutMarks(text: string): string {
  return text
    .replace(GLUED_REMARK, "")
    .replace(/^(?:[*>](?: .*)?|[{}] \[\d{1,12} bytes data\])\n/gm, "")
    .replace(/^< ?(?=$|HTTP\/|[\w-]+:)/gm, "");
}

/** Curl does not wait for the body's last line to end. */
const GLUED_REMARK =
  /\* (?:Connection #\d{1,9}|Closing connection|Curl_|transfer closed|HTTP\/2 stream|Recv failure|Send failure|Operation timed|OpenSSL|Excess found|shutting down|\[HTTP)[^\n]{0,1000}\s*$/;
