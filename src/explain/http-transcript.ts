/**
 * HTTP as clients print it: `curl` with -i, -v, -D -, or --raw, httpie, wget, a browser's raw headers; with what stands before
 * and behind it, and what the client said where no answer came. Pure; linear.
 */
import { readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { isRequestLine, requestOfCommand, requestOfLines } from "./asked-request.ts";
import { bareBody, endOfJson } from "./body-alone.ts";
import { answerOf, exchangeOf, noAnswer, notesOfBody } from "./exchange.ts";
import { joinHeaders, pairsOfLines } from "./headers.ts";
import { type Response, type Verbose, isHead, lineAt, readResponses, readVerbose } from "./http-responses.ts";
import { guessKind, isLinesOfEvents, kindNotes } from "./kind-guess.ts";
import { type Breakage, stageOfCurl, stageOfWords } from "./network-words.ts";
import type { Pasted, PastedRequest } from "./pasted.ts";

export function readHttpTranscript(text: string, kind: Kind | null): Pasted | null {
  const complaint = findComplaint(text);
  const told = complaint === null ? text : text.slice(0, complaint.at) + text.slice(complaint.end);
  const verbose = isBodyFirst(told) ? null : readVerbose(told);
  const marked = verbose?.responses ?? [];
  const start = marked.length === 0 ? findStart(told) : null;
  const responses = start === null ? marked : readResponses(told, start);
  const own = requestBehind(responses.at(-2)?.body ?? "");
  const request = own ?? requestIn(verbose, start === null ? told : told.slice(0, start));
  const last = responses.at(-1);
  if (last !== undefined) {
    const isOfLast = complaint !== null && concerns(complaint, told, start ?? 0);
    const breakage = isOfLast ? complaint.breakage : null;
    return judged({ kind, request, last, count: responses.length, breakage });
  }
  const copied = readBrowserCopy(told);
  if (copied !== null) {
    return judged({ kind, request: copied.request, last: copied.response, count: 1, breakage: null });
  }
  if (complaint !== null && complaint.status !== null) {
    const refused = { version: null, status: complaint.status, headers: [], body: bodyOf(told) };
    return judged({ kind, request, last: refused, count: 1, breakage: null });
  }
  if (readBody(told).form === "json") return null;
  if (complaint?.breakage) return unanswered(complaint.breakage, kind, request);
  return request !== null && (verbose !== null || isRequestLine(firstLine(told)))
    ? silent(request, kind)
    : null;
}

/** Neither a transcript nor what stands before one. */
function isBodyFirst(text: string): boolean {
  return /^\s*(?:\{(?! \[)|\[|<(?! ))/.test(text) || isLinesOfEvents(text);
}

function firstLine(text: string): string {
  return lineAt(text, /\S/.exec(text)?.index ?? 0)?.text ?? "";
}

/** A request, and nothing of what came back. */
function silent(request: PastedRequest, kind: Kind | null): Pasted {
  const told = kind ?? guessKind(request.url, {}, "");
  const guessed = kindNotes(kind, request.url);
  return {
    form: "http",
    detail: null,
    observation: answerOf(told, 200, {}, ""),
    request,
    notes: ["status_unknown", ...guessed, "body_missing"],
  };
}

/** The command that somebody gave behind the answer before. */
function requestBehind(body: string): PastedRequest | null {
  const end = /^\s{0,80}[{[]/.test(body) ? endOfJson(body) : null;
  return end === null ? null : requestOfCommand(body.slice(end));
}

interface Last {
  readonly kind: Kind | null;
  readonly request: PastedRequest | null;
  readonly last: Response;
  readonly count: number;
  readonly breakage: Breakage | null;
}

function judged({ kind, request, last, count, breakage }: Last): Pasted {
  const headers = joinHeaders(last.headers);
  const body = bareBody(last.body);
  const told = kind ?? guessKind(request?.url ?? null, headers, body);
  const answer = answerOf(told, last.status, headers, body);
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

/** `curl -f` tells the status and nothing else, with --fail-with-body the body too. */
function bodyOf(text: string): string {
  return /^\s*[{[<]/.test(text) ? text : "";
}

function unanswered(breakage: Breakage, kind: Kind | null, request: PastedRequest | null): Pasted {
  return {
    form: "http",
    detail: null,
    observation: noAnswer(kind ?? guessKind(request?.url ?? null, {}, ""), breakage),
    request,
    notes: kindNotes(kind, request?.url ?? null),
  };
}

/** So many lines may stand before an answer. */
const MAX_LEAD_LINES = 1000;

/** Where the first status line stands; null: the text is no transcript. */
function findStart(text: string): number | null {
  if (isBodyFirst(text)) return null;
  let at = 0;
  for (let count = 0; count < MAX_LEAD_LINES; count += 1) {
    const line = lineAt(text, at);
    if (line === null) return null;
    if (isHead(text, at)) return at;
    at = line.next;
  }
  return null;
}

function requestIn(verbose: Verbose | null, lead: string): PastedRequest | null {
  if (verbose !== null) return requestOfLines(verbose.request, lead, isSecure(verbose.request));
  const lines: string[] = [];
  for (
    let line = lineAt(lead, 0);
    line !== null && lines.length < MAX_LEAD_LINES;
    line = lineAt(lead, line.next)
  ) {
    if (lines.length > 0 ? line.text.trim() === "" : !isRequestLine(line.text)) {
      if (lines.length > 0) break;
    } else lines.push(line.text);
  }
  return lines.length === 0 ? requestOfCommand(lead) : requestOfLines(lines, lead, isSecure(lines));
}

function isSecure(lines: readonly string[]): boolean {
  return !lines.some((line) => NO_TLS.test(line));
}

/** Nothing tells the scheme; a port of its own, or this machine, seldom has TLS. */
const NO_TLS = /^host:.{0,300}(?:localhost|:(?!443$)\d{1,5}$)/i;

interface Complaint {
  readonly at: number;
  readonly end: number;
  /** Of curl. */
  readonly code: number | null;
  /** Null: the answer is whole. */
  readonly breakage: Breakage | null;
  /** That `curl -f` tells. */
  readonly status: number | null;
}

/** Behind the complaint of a client may stand its explanations and a prompt, and before it a command line. */
const MAX_AROUND = 2000;

/** Where curl or httpie says what went wrong; behind an answer it may be glued to the body. */
function findComplaint(text: string): Complaint | null {
  const from = Math.max(0, text.length - MAX_AROUND);
  return complaintIn(text, from, text.length) ?? (from === 0 ? null : complaintIn(text, 0, MAX_AROUND));
}

function complaintIn(text: string, from: number, to: number): Complaint | null {
  const region = (from === 0 ? "\n" : text.charAt(from - 1)) + text.slice(from, to);
  const found = [...region.matchAll(COMPLAINT)].at(-1);
  if (found === undefined) return null;
  const at = from + found.index - 1;
  if (BEGINS_BODY.test(text.slice(0, at)) && GOES_ON.test(text.slice(at))) return null;
  const words = (found[2] ?? found[4] ?? "").trim().slice(0, 1000);
  const digits = found[1] ?? found[3];
  const code = digits === undefined ? null : Number(digits);
  const stage = code === null ? stageOfWords(words) : stageOfCurl(code);
  const status = code === 22 ? /error: ([1-9]\d\d)\b/.exec(words)?.[1] : undefined;
  return {
    at,
    end: lineAt(text, at)?.next ?? text.length,
    code,
    breakage: stage === null ? null : { stage, detail: words },
    status: status === undefined ? null : Number(status),
  };
}

const COMPLAINT =
  /(?<=\n)(?:curl: \((\d{1,3})\)|https?: error:) ?([^\r\n]*)|(?<=[}\]>])curl: \((\d{1,3})\) ?([^"<\r\n]*)(?![^\r\n])/g;
/** Around words that are a body's own; `{ [` and `< ` are marks of curl -v. */
const BEGINS_BODY = /^[ \t]{0,8}(?:\{(?! \[)|\[|<(?! ))|^HTTP\//m;
const GOES_ON = /<\/|"\s{0,80}[}\]]|\n\s{0,80}[}\]]/;

/**
 * Whether it is about the answer that stands at `start`. Where both were piped into one file it stands right before the answer;
 * what another attempt said has lines between.
 */
function concerns({ at, code }: Complaint, told: string, start: number): boolean {
  return at > start || (told.slice(at, start).trim() === "" && AFTER_HEADERS.has(code ?? 0));
}

const AFTER_HEADERS = new Set([16, 18, 28, 56, 92, 95]);

// What is copied from the network panel of a browser: `Request URL`, `Status Code`, headers, and perhaps the body.

export interface BrowserCopy {
  readonly response: Response;
  readonly request: PastedRequest;
}

const MAX_LEAD = 16_384;

/** Null: the text does not name both an address and a status as browsers do. */
function readBrowserCopy(text: string): BrowserCopy | null {
  const lead = text.slice(0, MAX_LEAD);
  const url = valueOf(lead, "Request URL");
  const status = /^\d{3}/.exec(valueOf(lead, "Status Code") ?? "")?.[0];
  if (url === null || status === undefined || status.startsWith("0")) return null;
  const start = /^[ \t]{0,8}[{[<]/m.exec(lead)?.index ?? text.length;
  const body = text.slice(start);
  const headers = pairsOfLines(text.slice(0, Math.min(start, MAX_LEAD)).split(/\r\n?|\n/));
  const client = headers.findLast(([name]) => name.toLowerCase() === "user-agent")?.[1] ?? null;
  return {
    response: { version: null, status: Number(status), headers, body },
    request: {
      method: /^[A-Z]{3,10}$/.exec(valueOf(lead, "Request Method") ?? "GET")?.[0] ?? "GET",
      url,
      model: null,
      streaming: false,
      sentAtMs: null,
      client,
    },
  };
}

/** The value stands behind the name, or on a line of its own. */
function valueOf(lead: string, name: string): string | null {
  return (
    new RegExp(`^${name}:?[ \\t]*(?:\\r?\\n)?[ \\t]*(\\S[^\\r\\n]*)`, "im").exec(lead)?.[1]?.trim() ?? null
  );
}
