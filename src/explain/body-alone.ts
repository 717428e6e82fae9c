/** A body without its status line, and what was asked for, by the path, the content type, the shape. Pure; linear. */
import { judgeAnswer } from "../protocol/diagnose.ts";
import { isBlocked } from "../protocol/event-stream.ts";
import { asList, asObject, asText, isEmptyValue, type JsonObject, readBody } from "../protocol/json.ts";
import { type Kind, kindOfPath } from "../protocol/observation.ts";
import { isLinesOfJson, readAnswer } from "../protocol/reading.ts";
import { PLAIN_IN_WORDS, meaningOfWords } from "../protocol/synonyms.ts";
import { phaseOfWord, readTask } from "../protocol/task-state.ts";
import { readLiteral } from "./literal.ts";
import {
  answerOf,
  type Form,
  type Headers,
  isLinesOfEvents,
  type Note,
  type Pasted,
  printed,
} from "./pasted.ts";

export function readBodyAlone(text: string, kind: Kind | null): Pasted {
  if (isLinesOfEvents(text)) return pastedOf({ form: "event_stream", body: text, kind });
  if (isLinesOfJson(text)) {
    return pastedOf({ form: "event_stream", body: text, kind, detail: "one object a line" });
  }
  const bare = bareBody(text);
  const read = readBody(bare);
  if (read.form === "json") return readJson(bare, read.json, kind);
  if (!/^\s*[{["]/.test(bare))
    return pastedOf({ form: "text", body: bare, kind, status: statusInText(bare) });
  const asFar = readLiteral(bare, bare.search(/\S/))?.value;
  const pasted = readJson(printed(asFar), asFar, kind, true);
  const isSure = asObject(asFar) !== null && !isGood(pasted);
  return isSure ? { ...pasted, form: "json" } : pastedOf({ form: "json", body: bare, kind, isCut: true });
}

/** Half of a good answer is not one. */
function isGood({ observation }: Pasted): boolean {
  if (observation.type !== "answer") return false;
  const { cause } = judgeAnswer(observation, readAnswer(observation));
  return cause === "ok" || cause === "task_pending";
}

function readJson(body: string, json: unknown, kind: Kind | null, isCut = false): Pasted {
  if (asObject(json) === null && !Array.isArray(json)) return pastedOf({ form: "text", body, kind });
  const told = kind ?? guessKind(null, {}, body);
  const isTask = told === "task" && readTask(json).phase !== null;
  return pastedOf({
    form: isTask ? "task" : "json",
    body,
    kind,
    status: statusInJson(json),
    isCut,
  });
}

interface Found {
  readonly form: Form;
  readonly body: string;
  readonly kind: Kind | null;
  readonly detail?: string;
  /** What the body says of itself. */
  readonly status?: number | null;
  readonly isCut?: boolean;
}

function pastedOf({ form, body, kind, detail, status, isCut }: Found): Pasted {
  const notes: Note[] = ["status_unknown"];
  if (kind === null) notes.push("kind_guessed");
  if (isCut === true) notes.push("body_cut");
  return {
    form,
    detail: detail ?? null,
    observation: answerOf(kind ?? guessKind(null, {}, body), status ?? 200, {}, body),
    request: null,
    notes,
  };
}

// The HTTP status that a body names as its own: in problem documents, errors of frameworks, pages of servers. It comes from
// the body, not from the answer: good enough to judge by, but no reason to repeat a request.

function statusInJson(json: unknown): number | null {
  const body = asObject(json);
  if (body === null) return null;
  const error = asObject(body["error"]);
  const isProblem = PROBLEM_KEYS.some((key) => !isEmptyValue(body[key]));
  const own = isProblem
    ? STATUS_KEYS.map((key) => failure(body[key])).find((status) => status !== null)
    : null;
  return own ?? statusOfError(error) ?? statusOfMessage(body);
}

/** Google writes the status as `code`, beside a name as `status`. */
function statusOfError(error: JsonObject | null): number | null {
  if (error === null) return null;
  const isNamed = typeof error["status"] === "string" && /^[A-Z][A-Z_]+$/.test(error["status"]);
  return (
    failure(error["status"]) ?? failure(error["statusCode"]) ?? (isNamed ? failure(error["code"]) : null)
  );
}

const PROBLEM_KEYS = "title type detail error message errors timestamp path instance headers body".split(" ");

const STATUS_KEYS = ["status", "statusCode", "status_code", "http_status_code", "httpStatus", "http_status"];

function failure(value: unknown): number | null {
  const text = asText(value)?.trim() ?? "";
  return /^[45]\d\d$/.test(text) ? Number(text) : null;
}

/** Gateways of clouds answer with the reason phrase alone, or with one sentence. */
function statusOfMessage(body: JsonObject): number | null {
  if (RESULT_KEYS.some((key) => body[key] !== undefined && body[key] !== null)) return null;
  const words =
    asText(body["message"]) ?? asText(body["Message"]) ?? asText(body["msg"]) ?? asText(body["detail"]);
  return words === null ? statusOfReason(asText(body["error"]) ?? "") : statusOfWords(words);
}

/** With one of these keys a message says little: the rules for good answers judge better. */
const RESULT_KEYS = ["code", "success", "ok", "status", "data", "result", "output", "choices", "id"];

/** By the reason phrase (RFC 9110, 15), which must be the whole text. */
export function statusOfReason(words: string): number | null {
  const reason = words
    .slice(0, 100)
    .trim()
    .toLowerCase()
    .replace(/^[45]\d\d:? /, "")
    .replace(/\.$/, "");
  return REASONS.get(reason) ?? null;
}

/** 403 for plain words: under it they decide, and its own meaning stays possible. */
function statusOfWords(words: string): number | null {
  const isPlain = meaningOfWords(words.slice(0, 1000), PLAIN_IN_WORDS) !== null;
  return statusOfReason(words) ?? (isPlain ? 403 : null);
}

const REASONS: ReadonlyMap<string, number> = new Map(
  (
    "401 unauthorized|402 payment required|403 forbidden|404 not found|405 method not allowed|408 request timeout|" +
    "408 request time-out|413 request entity too large|413 content too large|413 payload too large|429 too many requests|" +
    "500 internal server error|501 not implemented|502 bad gateway|503 service unavailable|" +
    "503 service temporarily unavailable|504 gateway timeout|504 gateway time-out|504 endpoint request timed out|" +
    "530 error code: 1016"
  )
    .split("|")
    .map((row) => [row.slice(4), Number(row.slice(0, 3))]),
);

/** From the title or first heading of a page, or the beginning of a short text. */
function statusInText(text: string): number | null {
  const start = text.slice(0, 4096);
  const heading = /<(?:title|h1)\b[^>]{0,200}>\s{0,100}(?:HTTP |Error )?([45]\d\d)\b/i.exec(start)?.[1];
  if (heading !== undefined) return Number(heading);
  const words = start.trim();
  if (words.length > MAX_SENTENCE || words.startsWith("<")) return null;
  const named =
    /^(?:HTTP(?:\/\d(?:\.\d)?)?[ :]+|(?:HTTP )?(?:Error|Status)(?: code)?[ :]+)?([45]\d\d)(?:[ :,.-]+[A-Za-z]|$)/i.exec(
      words,
    )?.[1];
  return named === undefined ? statusOfWords(words) : Number(named);
}

const MAX_SENTENCE = 300;

// Where a body copied from a terminal ends: a prompt, a meter or a status that curl printed may follow it.

/** JSON without a short rest behind it; any other body as it is. */
export function bareBody(text: string): string {
  if (!/^\s*[{[]/.test(text) || readBody(text).form !== "cut_off") return text;
  const { end = 0, isCut = true } = readLiteral(text, text.search(/\S/)) ?? {};
  if (isCut) return text;
  const rest = text.slice(end).trim();
  const isOfTerminal = rest.length <= MAX_REST && OF_TERMINAL.test(rest);
  return isOfTerminal && readBody(text.slice(0, end)).form === "json" ? text.slice(0, end) : text;
}

const MAX_REST = 500;
/** What gateways send after their JSON looks different, and is a fault of the gateway. */
const OF_TERMINAL =
  /^(?:(?:[\w ]{1,20}[:=] ?)?\d{3}\b[\w\s.,:;|=-]{0,200}|```|[^\r\n]{0,120}[$%#>❯]|\* [^\r\n]*|curl: \(\d[\s\S]*)$/;

// What was asked for. If nothing shows it, it is `console`, for which any object is a success.

export function guessKind(url: string | null, headers: Headers, body: string): Kind {
  if (isTranscript(headers, body)) return "stream";
  const byPath = url === null ? null : kindOfPath(url, null);
  if (byPath !== null) return byPath;
  const read = readBody(body);
  return read.form === "json" ? kindOfShape(read.json) : "console";
}

/** Used if neither a person nor the request's path says what was asked. */
export function kindNotes(kind: Kind | null, url: string | null): readonly Note[] {
  const isTold = kind !== null || (url !== null && kindOfPath(url, null) !== null);
  return isTold ? [] : ["kind_guessed"];
}

function isTranscript(headers: Headers, body: string): boolean {
  const isNamed = /event-stream|ndjson|jsonl/i.test(headers["content-type"] ?? "");
  return isLinesOfEvents(body) || isLinesOfJson(body) || (isNamed && !/^\s*[{[<]/.test(body));
}

function kindOfShape(json: unknown): Kind {
  const body = asObject(json);
  if (body === null) return "console";
  const list = asList(body["data"]);
  const first = asObject(list?.[0]);
  // Envelopes that write 200 for success are not the listing of the specification.
  if (first?.["object"] === "model" && body["code"] === undefined) return "models";
  if (body["object"] === "list" && list === null) return "models";
  if (first?.["embedding"] !== undefined) return "embeddings";
  if (isGeneration(body)) return "chat";
  if (body["object"] === "response") return "responses";
  if (asList(body["candidates"]) !== null || isBlocked(body)) return "gemini";
  if (body["type"] === "message" && body["role"] === "assistant") return "messages";
  if (isTaskRecord(body)) return "task";
  if (first?.["b64_json"] !== undefined || (first?.["url"] !== undefined && body["created"] !== undefined))
    return "image";
  return namesFailure(body) ? "chat" : "console";
}

function isGeneration(body: JsonObject): boolean {
  const { object } = body;
  if (typeof object === "string" && /^(?:chat\.completion|text_completion)/.test(object)) return true;
  return asList(body["choices"]) !== null;
}

/** A task's id, or a state that only tasks have; many other records have an id and a state too. */
function isTaskRecord(body: JsonObject): boolean {
  const records = [body, ...["data", "output", "task", "job"].map((key) => asObject(body[key]))].filter(
    (record) => record !== null,
  );
  if (records.some((record) => TASK_KEYS.some((key) => !isEmptyValue(record[key])))) return true;
  if (records.some(({ name }) => typeof name === "string" && /^[\w./-]*\boperations\//.test(name)))
    return true;
  const { taskId, state, isKnown } = readTask(body);
  if (state === null || asList(body["data"]) !== null) return false;
  const phase = phaseOfWord(state);
  const isMarked = records.some(
    ({ object, progress, output, result }) =>
      (typeof object === "string" && /task|job|batch|video|generation/.test(object)) ||
      [progress, output, result].some((member) => member !== undefined),
  );
  if (isMarked) return taskId !== null;
  if (!isKnown || phase === "succeeded" || OF_OTHERS.test(state)) return false;
  return phase === "pending" || taskId !== null || body["state"] === state;
}

const TASK_KEYS = ["task_id", "taskId", "TaskId", "task_status", "job_id", "jobId", "prompt_id"];
/** Keys, accounts and orders have these states too. */
const OF_OTHERS =
  /^(?:active|new|paused|suspended|init|created|expired|deleted|blocked|banned|stopped|rejected|terminated|error)$/i;

/** Words without a result are not a success, unless they say so. */
function namesFailure(body: JsonObject): boolean {
  if (body["object"] === "error" || body["type"] === "error") return true;
  const names = Object.keys(body).filter((name) => !isEmptyValue(body[name]));
  if (names.some((name) => /^err(?:or)?[_A-Z]|^err$|^Err|Exception$/.test(name))) return true;
  const isSaid = [body["code"], body["success"], body["status"], body["ok"]].some(
    (said) => said !== undefined && said !== null,
  );
  return (
    !isSaid &&
    names.some((name) => WORDS.has(name)) &&
    names.every((name) => WORDS.has(name) || BESIDE.has(name))
  );
}

const WORDS = new Set(
  "message msg Message detail details title description reason Reason hint errors".split(" "),
);
const BESIDE = new Set(
  "kind method type Type request_id requestId path timestamp instance documentation_url doc_url __type".split(
    " ",
  ),
);
