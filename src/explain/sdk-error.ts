/** What an official client printed about a failed call, in any language, with the stack and log around it. Pure, total, linear. */
import { type Kind, kindOfPath } from "../protocol/observation.ts";
import { statusOfReason } from "./body-alone.ts";
import { type Dump, readDump, readLiteral } from "./literal.ts";
import {
  answerOf,
  noAnswer,
  type Note,
  type Pasted,
  type PastedRequest,
  printed,
  namesBrokenExchange,
  readBrokenExchange,
} from "./pasted.ts";
import CLASSES from "./client-errors.json" with { type: "json" };

/** Only the end of a longer log is read: the newest error is there. */
const MAX_LENGTH = 1_048_576;

export function readSdkError(whole: string, kind: Kind | null): Pasted | null {
  const text = whole.slice(-MAX_LENGTH);
  if (isOfAnotherForm(text)) return null;
  const dump = readDump(text);
  const headline = readHeadline(text);
  const logged = readLoggedRequest(text);
  const client = clientOf(text);
  const told = kind ?? kindOfCall(text, logged?.url ?? null);
  const parts = {
    text,
    dump,
    headline,
    logged,
    kind: told ?? (client?.startsWith("anthropic") ? "messages" : "chat"),
  };
  const seen = readExchange(parts);
  if (seen === null) return null;
  return {
    form: "sdk_error",
    detail: client,
    observation: seen.observation,
    request: requestOf(logged, client, seen.observation.kind === "stream"),
    notes: [...seen.notes, ...(told === null ? (["kind_guessed"] as const) : [])],
  };
}

/** Forms with their own readers: an answer with its status line, JSON, a page, a stream's transcript, curl's messages. */
function isOfAnotherForm(text: string): boolean {
  return (
    /^\s*(?:<|[{[]\s*["{[\]}]|(?:data|event|id|retry):|[*>] )/.test(text.slice(0, 1000)) ||
    /^(?:< )?HTTP\/\d(?:\.\d)? \d{3}\b/m.test(text)
  );
}

interface Parts {
  readonly text: string;
  readonly dump: Dump | null;
  readonly headline: Headline | null;
  readonly logged: LoggedRequest | null;
  readonly kind: Kind;
}

type Seen = Pick<Pasted, "observation" | "notes">;

function readExchange(parts: Parts): Seen | null {
  const { text, dump, headline, kind } = parts;
  const status = statusOf(parts);
  if (status !== null) return failedAnswer(parts, status, []);
  const meaning = headline?.meaning ?? null;
  const isTimeout = meaning === "timeout" || /\bRequest timed out\b/.test(text);
  if (meaning === "network" || isTimeout || namesBrokenExchange(text)) return brokenOf(text, isTimeout, kind);
  if (meaning === "other" && !/^[{[]/.test(headline?.words ?? ""))
    return failedAnswer(parts, NO_TABLE_HAS, ["status_unknown"]);
  if (meaning === "other" || meaning === "stream" || (dump !== null && dump.body !== undefined))
    return streamErrorOf(parts);
  if (meaning === "server") return failedAnswer(parts, 500, ["status_unknown"]);
  if (meaning === "unread" || UNREAD.test(text)) return unreadOf(parts);
  return dump === null ? null : brokenOf(text, false, kind);
}

/** From the error itself, else from the log, else from the meaning of its class; null: none of them has one. */
function statusOf({ dump, headline, logged }: Parts): number | null {
  const told = dump?.status ?? headline?.status ?? null;
  if (told !== null) return told;
  const meaning = headline?.meaning ?? null;
  if (typeof meaning === "number") return meaning;
  if (meaning === null || !HAVE_A_STATUS.has(meaning)) return null;
  if (logged !== null && (logged.status ?? 200) >= 300) return logged.status;
  return statusInWords(meaning, headline?.words.slice(0, 5000) ?? "");
}

const HAVE_A_STATUS: ReadonlySet<ClassMeaning> = new Set(["status", "server", "other", "stream"]);

function statusInWords(meaning: ClassMeaning, words: string): number | null {
  if (meaning === "stream") return null;
  const named = meaning === "server" ? /\b5\d\d\b/.exec(words)?.[0] : undefined;
  if (named !== undefined) return Number(named);
  return statusOfReason(/<title>([^<]{1,200})<\/title>/i.exec(words)?.[1] ?? words.slice(0, 200));
}

/** A 4xx without a meaning of its own. */
const NO_TABLE_HAS = 499;

function failedAnswer(parts: Parts, status: number, notes: readonly Note[]): Seen {
  const told = toldBody(parts);
  return seenAnswer(parts, parts.kind, status, told.body, [...notes, ...told.notes]);
}

/** The message may have the whole body if the dump left out nested values. */
function toldBody({ dump, headline }: Parts): ToldBody {
  const words = headline?.words ?? "";
  if (dump === null) return bodyOfWords(words, false);
  const isInWords = /^[{[]/.test(words);
  if (dump.body !== undefined && !isInWords) {
    return { body: printed(dump.body), notes: dump.isCut ? ["body_cut"] : [] };
  }
  if (words !== "" && !words.startsWith("status code (no body)"))
    return bodyOfWords(words, dump.body === undefined && !isInWords);
  if (dump.headers["content-length"] === "0") return { body: "", notes: [] };
  // The client keeps nothing of JSON without an error.
  return { body: /\bjson\b/.test(dump.headers["content-type"] ?? "") ? "{}" : "", notes: ["body_missing"] };
}

/** A good status, and an error in the stream behind it. */
function streamErrorOf(parts: Parts): Seen {
  const told = toldBody(parts);
  const body = `data: ${told.body === "" ? '{"error":{"message":""}}' : told.body}\n\n`;
  return seenAnswer(parts, "stream", 200, body, ["status_unknown"]);
}

/** `Unexpected token '<', "<!doctype "... is not valid JSON` shows how the body began. */
const UNREAD = /\bis not valid JSON\b|\bUnexpected end of JSON input\b|\binvalid json response body\b/;

function unreadOf(parts: Parts): Seen {
  const body =
    /Unexpected token .{1,12}, (?:\.\.\.)?"([^]{1,40}?)"(?:\.\.\.)? is not valid JSON/.exec(
      parts.text,
    )?.[1] ?? "";
  const cut: Note = body === "" ? "body_missing" : "body_cut";
  return seenAnswer(parts, parts.kind, 200, body, ["status_unknown", cut]);
}

function seenAnswer(
  { text, dump, headline }: Parts,
  kind: Kind,
  status: number,
  body: string,
  notes: readonly Note[],
): Seen {
  const headers = dump?.headers ?? {};
  const beside = headline === null ? null : requestIdBeside(textBeside(text, headline.words));
  const id = headers["x-request-id"] ?? dump?.requestId ?? beside;
  const isTold = id === null || (dump === null && body.includes("request_id"));
  return {
    observation: answerOf(kind, status, isTold ? headers : { ...headers, "x-request-id": id }, body),
    notes,
  };
}

/** Without the body and the message: an id in them is found there. */
function textBeside(text: string, words: string): string {
  const end = readLiteral(words, 0)?.end ?? words.length;
  return text.replace(words.slice(0, end), () => "");
}

function brokenOf(text: string, isTimeout: boolean, kind: Kind): Seen {
  return { observation: noAnswer(kind, readBrokenExchange(text, isTimeout)), notes: [] };
}

function requestOf(
  logged: LoggedRequest | null,
  client: string | null,
  streaming: boolean,
): PastedRequest | null {
  if (logged === null && client === null) return null;
  const { method = "", url = "" } = logged ?? {};
  return { method, url, model: null, streaming, sentAtMs: null, client };
}

// The body of an answer, recovered from a client's message.

interface ToldBody {
  readonly body: string;
  readonly notes: readonly Note[];
}

/** `isRaw`: the client said that the body was not JSON, so its message is the body. */
function bodyOfWords(words: string, isRaw: boolean): ToldBody {
  const own = words.replace(BEFORE_THE_WORDS, "");
  if (own === "" || own.startsWith("status code (no body)")) return { body: "", notes: ["body_missing"] };
  const value = isRaw ? null : literalOf(own);
  if (value !== null) return value;
  const isBody = isRaw || looksLikeBody(own);
  return { body: isBody ? own : JSON.stringify({ error: { message: own } }), notes: [] };
}

/** LiteLLM names the vendor's exception, others the reason of the status. */
const BEFORE_THE_WORDS =
  /^(?:\w{1,60}(?:Exception|Error): ?)?\w{1,60}Exception - |^(?:[A-Z][A-Z_]{2,40}\.|[A-Z][A-Za-z -]{2,40})\s(?=\{)/;

/** A value of data as JSON; a repr within a repr has its quotes escaped. */
function literalOf(words: string): ToldBody | null {
  const isQuoted = /^[{[]\\['"]/.test(words);
  const plain = isQuoted ? words.replace(/\\([\\'"])/g, "$1") : words;
  const read = /^[{[]/.test(plain) ? readLiteral(plain, 0) : null;
  return read === null ? null : { body: JSON.stringify(read.value), notes: read.isCut ? ["body_cut"] : [] };
}

function looksLikeBody(words: string): boolean {
  return /^\s*<|^error code: \d{3,4}\s*$|^(?:404 )?page not found\s*$|^(?:not found|forbidden|bad gateway|service unavailable|gateway time-?out|internal server error|too many requests)\.?\s*$|^upstream connect error|^no healthy upstream/i.test(
    words,
  );
}

// The request that a client's error is about, as far as its text and the log around it show.

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
}

/** The last one that the text names: `HTTP Request: POST https://… "HTTP/1.1 429 Too Many Requests"`, `for url: https://…`. */
function readLoggedRequest(text: string): LoggedRequest | null {
  const logged = text.matchAll(
    /HTTP Request: ([A-Z]{3,10}) (\S{1,2000})(?: "(?:HTTP\/[\d.]{1,3} )?(\d{3}) )?/g,
  );
  const [, method = "", url, status] = [...logged].at(-1) ?? [];
  if (url !== undefined) return { method, url, status: status === undefined ? null : Number(status) };
  const told = /\bfor url:? '?(https?:\/\/[^\s'"]{1,2000})/.exec(text)?.[1];
  return told === undefined ? null : { method: "", url: told, status: null };
}

function kindOfCall(text: string, url: string | null): Kind | null {
  const path = url === null ? null : kindOfPath(url, null);
  return path ?? CALLS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

const CALLS: readonly (readonly [Kind, RegExp])[] = [
  ["chat", /\bcompletions\.(?:create|parse|stream)\b|resources\/chat\b/],
  ["messages", /\bmessages\.(?:create|stream)\b|resources\/messages\b/],
  ["responses", /\bresponses\.(?:create|parse|stream)\b|resources\/responses\b/],
  ["gemini", /\bgenerate_?content(?:_?stream)?\b/i],
  ["embeddings", /\bembeddings\.create\b/],
  ["image", /\bimages\.(?:generate|edit)\b/],
  ["models", /\bmodels\.list\b/],
];

/** An id next to the error, not in its body: `request_id='req_…'`, `Request ID: req_…`. */
function requestIdBeside(text: string): string | null {
  return (
    /\b(?:x-)?request[-_ ]?id['"]?\s{0,3}[:=]\s{0,3}['"]?([A-Za-z0-9][\w.:-]{5,99})/i.exec(text)?.[1] ?? null
  );
}

// The line in which a client says what failed: its class, the status, and the words behind them.

interface Headline {
  readonly meaning: ClassMeaning | null;
  readonly status: number | null;
  /** The text after it, up to the stack or the end; it may be empty. */
  readonly words: string;
}

function readHeadline(text: string): Headline | null {
  return readErrorCode(text) ?? readClass(text) ?? readBareMessage(text);
}

/** `Error code: 429 - {…}`: the clients for Python; the last such line is the newest, unless it is quoted inside another. */
function readErrorCode(text: string): Headline | null {
  const last = [...text.matchAll(/^(?:.{0,2000}?[^\w\n])?Error code: ([1-5]\d\d)\b(?: - )?/gm)].at(-1);
  if (last === undefined) return null;
  const rest = text.slice(last.index + last[0].length);
  return { meaning: null, status: Number(last[1]), words: last[0].endsWith(" - ") ? withoutStack(rest) : "" };
}

/** In Python the last exception is the one that was thrown; Node prints it first, and then its causes. */
function readClass(text: string): Headline | null {
  const matches = [...text.matchAll(CLASS_NAME)];
  const found = isOfNode(text) ? matches[0] : matches.at(-1);
  if (found === undefined) return null;
  const meaning = MEANINGS.get(found[2] ?? "") ?? null;
  const words = withoutStack(text.slice(found.index + found[0].length));
  const isRepr = text.startsWith("(", found.index + found[0].length);
  return { meaning, ...statusAndWords(isRepr ? words.replace(/^\(['"]?|['"]?,?\)$/g, "") : words) };
}

/** A message without a class, or behind a class that no known client has. */
function readBareMessage(text: string): Headline | null {
  const start = BARE_STARTS.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  if (start !== undefined) {
    const rest = text.slice(start.index + start[0].length);
    return { meaning: "status", ...statusAndWords(withoutStack(rest)) };
  }
  const phrase = /Request failed with status code ([1-5]\d\d)|\b(?:Client|Server) error '([1-5]\d\d) /.exec(
    text,
  );
  const status = phrase?.[1] ?? phrase?.[2];
  return status === undefined ? null : { meaning: "status", status: Number(status), words: "" };
}

/** Behind each stands a status of three digits. */
const BARE_STARTS: readonly RegExp[] = [
  /^\s*(?:(?:error|exception)[: ]\s*)?(?:Uncaught )?(?:\[?\w{0,60}Error: )?(?=[45]\d\d \S)/i,
  /\bAPI Error:? \(?(?=[45]\d\d \S)/,
  /^(?:[\w.]{1,100}\.[A-Z]|[A-Z][a-z]{1,30}[A-Z])\w{1,60}(?: \[\w{1,60}\])?: (?=[45]\d\d \S)/m,
];

/** `429 words`, and the words of the HTTP clients, which say nothing but the status. */
function statusAndWords(words: string): { readonly status: number | null; readonly words: string } {
  const ofHttp =
    /^[^\n]{0,200}?(?:Request failed with status code |(?:Client|Server|Redirect) error ')([1-5]\d\d)\b/.exec(
      words,
    ) ?? /^([1-5]\d\d) (?:Client|Server) Error: /.exec(words);
  if (ofHttp !== null) return { status: Number(ofHttp[1]), words: "" };
  const [whole, status] = /^([1-5]\d\d) (?=\S)/.exec(words) ?? [];
  if (whole === undefined || status === undefined) return { status: null, words };
  return { status: Number(status), words: words.slice(whole.length) };
}

/** The words alone: neither the stack of Node or the members behind it, nor the next exception of Python. */
function withoutStack(words: string): string {
  const end = words.search(
    /\n {2,40}at |\n[ \t]{0,40}During handling of the above|\n[ \t]{0,40}The above exception was|\nTraceback \(/,
  );
  const cut = end < 0 ? words : words.slice(0, end);
  return cut.replace(/\s{1,20}\{\s*$/, "").trim();
}

// The exceptions of the clients, and what each says by its name alone, from the clients' documents.

/**
 * A number: the status of the class. `other`: a status without a class, or an error event of a stream. `status`: an answer with
 * a status that the name does not show. `stream`: the client throws it for an answer, and for an error event inside a good one.
 * `network`, `timeout`: there was no complete answer. `server`: 5xx. `unread`: a good status, and a body that the client could
 * not read.
 */
type ClassMeaning = number | "status" | "server" | "other" | "stream" | "network" | "timeout" | "unread";

/** Error classes of the official clients, LiteLLM, and the HTTP clients beneath them. */
const MEANINGS: ReadonlyMap<string, ClassMeaning> = new Map(
  Object.entries(CLASSES).flatMap(([meaning, names]) =>
    names.map((name) => [name, Number(meaning) || (meaning as ClassMeaning)] as const),
  ),
);

/** A class with its words behind it: `openai.RateLimitError: …`, `RateLimitError('…')`, or alone at the end of a line. */
const CLASS_NAME = new RegExp(
  `(?<![\\w'"$])((?:[a-z_]\\w{0,40}\\.){0,5})(${[...MEANINGS.keys()].join("|")})(?: \\[\\w{1,60}\\])?(?:: ?|(?=\\()|(?=\\s*$))`,
  "gm",
);

/** The client that printed a text, as people call it; null: not known. */
function clientOf(text: string): string | null {
  const house = HOUSES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
  if (house === null || !OFFICIAL.has(house)) return house;
  return `${house} for ${isOfNode(text) ? "Node" : "Python"}`;
}

/** By the stack, or by what only one of the two languages prints. */
function isOfNode(text: string): boolean {
  if (/Traceback \(most recent call last\)|\bError code: \d{3}\b/.test(text)) return false;
  return /^ {2,40}at .{1,400}:\d+:\d+\)?|^ {2,40}at (?:async |process\.)|^\s{0,40}(?:status: \d{3}|requestID: )|\d{3} status code \(no body\)/m.test(
    text,
  );
}

const OFFICIAL: ReadonlySet<string> = new Set(["openai", "anthropic"]);

const HOUSES: readonly (readonly [string, RegExp])[] = [
  [
    "LiteLLM",
    new RegExp(
      `(?<![\\w./@-])litellm\\.(?:exceptions\\.)?(?:${[...MEANINGS.keys(), "Timeout"].join("|")})\\b|/litellm/\\w+\\.py`,
    ),
  ],
  [
    "anthropic",
    /\banthropic\.\w|@anthropic-ai\/sdk|\bapiMessage\b|\banthropic\/_|\bAnthropic\.makeRequest\b/,
  ],
  [
    "openai",
    /\bopenai\.\w|\bnode_modules\/openai\/|\bopenai\/_|\bOpenAI\.makeRequest\b|\brequestID\b|platform\.openai\.com/,
  ],
  ["axios", /\bAxiosError\b|Request failed with status code \d{3}/],
  ["requests", /\brequests\.exceptions\.|\d{3} (?:Client|Server) Error: /],
  ["httpx", /\bhttpx\.\w|(?:Client|Server) error '\d{3} /],
  ["fetch of Node", /\bfetch failed\b|\bundici\b/],
];
