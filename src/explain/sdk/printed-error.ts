/**
 * What an official client printed of a failed call: its exception with the status, the words and the body in whichever
 * language, the stack around it, the log before it. Pure, total, linear.
 */
import type { Kind, Observation } from "../../protocol/observation.ts";
import { withoutColours } from "../body/plain-text.ts";
import type { Note, Pasted, PastedRequest } from "../pasted.ts";
import { type ClassMeaning, clientOf } from "./classes.ts";
import { type Dump, readDump, readStringified } from "./dump.ts";
import { type Headline, readHeadline } from "./headline.ts";
import { textsOfLogRecord } from "./log-record.ts";
import { namesBrokenExchange, readBrokenExchange } from "./network.ts";
import { readLiteral } from "./literal.ts";
import { kindOfCall, type LoggedRequest, readLoggedRequest, requestIdBeside } from "./request.ts";
import { statusInWords } from "./reason.ts";
import { bodyOfWords, type ToldBody } from "./words.ts";

/** Of a longer log the end is read: there stands the newest error. */
const MAX_LENGTH = 1_048_576;

export function readSdkError(whole: string, kind: Kind | null): Pasted | null {
  const text = withoutColours(whole.slice(-MAX_LENGTH)).replaceAll("\r\n", "\n");
  for (const told of textsOfLogRecord(text)) {
    const within = readSdkError(told, kind);
    if (within !== null) return within;
  }
  const stringified = readStringified(text);
  if (stringified === null && isOfAnotherForm(text)) return null;
  const dump = stringified ?? readDump(text);
  const headline = stringified === null ? readHeadline(text) : null;
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

/** What others read: an answer with its status line, JSON, a page, the transcript of a stream, curl's own talk. */
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

interface Seen {
  readonly observation: Observation;
  readonly notes: readonly Note[];
}

function readExchange(parts: Parts): Seen | null {
  const { text, dump, headline, kind } = parts;
  const status = statusOf(parts);
  if (status !== null) return answerOf(parts, status, []);
  const meaning = headline?.meaning ?? null;
  const isTimeout = meaning === "timeout" || /\bRequest timed out\b/.test(text);
  if (meaning === "network" || isTimeout || namesBrokenExchange(text)) return brokenOf(text, isTimeout, kind);
  if (meaning === "other" && !/^[{[]/.test(headline?.words ?? ""))
    return answerOf(parts, NO_TABLE_HAS, ["status_unknown"]);
  if (meaning === "other" || meaning === "stream" || (dump !== null && dump.body !== undefined))
    return streamErrorOf(parts);
  if (meaning === "server") return answerOf(parts, 500, ["status_unknown"]);
  if (meaning === "unread" || UNREAD.test(text)) return unreadOf(parts);
  return dump === null ? null : brokenOf(text, false, kind);
}

/** The client's own word first, then the log's, then what the class stands for; null: none of them tells one. */
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
/** A status of the caller's that says nothing by itself. */
const NO_TABLE_HAS = 499;

function answerOf(parts: Parts, status: number, notes: readonly Note[]): Seen {
  const { body, missing } = toldBody(parts);
  const cut: readonly Note[] = missing === "all" ? ["body_missing"] : missing === "rest" ? ["body_cut"] : [];
  return seenAnswer(parts, { status, body, kind: parts.kind, notes: [...notes, ...cut] });
}

/** The words may hold the whole body where the dump has left out its depth. */
function toldBody({ dump, headline }: Parts): ToldBody {
  const words = headline?.words ?? "";
  if (dump === null) return bodyOfWords(words, false);
  if (dump.raw !== null) return { body: dump.raw, missing: "nothing" };
  const isInWords = /^[{[]/.test(words);
  if (dump.body !== undefined && !isInWords) {
    return { body: JSON.stringify(dump.body), missing: dump.isCut ? "rest" : "nothing" };
  }
  if (words !== "" && !words.startsWith("status code (no body)"))
    return bodyOfWords(words, dump.body === undefined && !isInWords);
  if (dump.headers["content-length"] === "0") return { body: "", missing: "nothing" };
  // JSON without an error: the client keeps nothing of it.
  return { body: /\bjson\b/.test(dump.headers["content-type"] ?? "") ? "{}" : "", missing: "all" };
}

/** A good status, and an error in the stream behind it. */
function streamErrorOf(parts: Parts): Seen {
  const told = toldBody(parts);
  const body = `data: ${told.body === "" ? '{"error":{"message":""}}' : told.body}\n\n`;
  return seenAnswer(parts, { status: 200, body, kind: "stream", notes: ["status_unknown"] });
}

/** `Unexpected token '<', "<!doctype "... is not valid JSON` shows how the body began. */
const UNREAD = /\bis not valid JSON\b|\bUnexpected end of JSON input\b|\binvalid json response body\b/;

function unreadOf(parts: Parts): Seen {
  const body =
    /Unexpected token .{1,12}, (?:\.\.\.)?"([^]{1,40}?)"(?:\.\.\.)? is not valid JSON/.exec(
      parts.text,
    )?.[1] ?? "";
  const cut: Note = body === "" ? "body_missing" : "body_cut";
  return seenAnswer(parts, { status: 200, body, kind: parts.kind, notes: ["status_unknown", cut] });
}

interface ToldAnswer {
  readonly status: number;
  readonly body: string;
  readonly kind: Kind;
  readonly notes: readonly Note[];
}

function seenAnswer({ text, dump, headline }: Parts, { status, body, kind, notes }: ToldAnswer): Seen {
  const headers = dump?.headers ?? {};
  const beside = headline === null ? null : requestIdBeside(textBeside(text, headline.words));
  const id = headers["x-request-id"] ?? dump?.requestId ?? beside;
  const isInBody = body.includes("request_id");
  return {
    observation: {
      type: "answer",
      kind,
      status,
      headers: id === null || (isInBody && dump === null) ? headers : { ...headers, "x-request-id": id },
      body,
      bodyEnd: "complete",
    },
    notes,
  };
}

/** Without the body and the words: within them an id is found where it stands. */
function textBeside(text: string, words: string): string {
  const end = readLiteral(words, 0)?.end ?? words.length;
  return text.replace(words.slice(0, end), () => "");
}

function brokenOf(text: string, isTimeout: boolean, kind: Kind): Seen {
  const { stage, detail } = readBrokenExchange(text, isTimeout);
  return {
    observation: { type: "network_failure", kind, stage, status: null, headers: {}, detail },
    notes: [],
  };
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
