/**
 * Guesses what was asked for: by the path of the request, the content type, the shape of the answer. If they leave it open,
 * the guess is `console`, for which any object is a success. Pure.
 */
import { isBlocked } from "../protocol/event-stream.ts";
import { type JsonObject, asList, asObject, isEmptyValue, readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { phaseOfWord, readTask } from "../protocol/task-state.ts";
import { type Headers, isLinesOfEvents, type Note } from "./pasted.ts";

/** `url` null: the request is not known. */
export function guessKind(url: string | null, headers: Headers, body: string): Kind {
  if (isTranscript(headers, body)) return "stream";
  const byPath = url === null ? null : kindOfPath(url);
  if (byPath !== null) return byPath;
  const read = readBody(body);
  return read.form === "json" ? kindOfShape(read.json) : "console";
}

/** Used if neither a person nor the request's path says what was asked. */
export function kindNotes(kind: Kind | null, url: string | null): readonly Note[] {
  const isTold = kind !== null || (url !== null && kindOfPath(url) !== null);
  return isTold ? [] : ["kind_guessed"];
}

function isTranscript(headers: Headers, body: string): boolean {
  const isNamed = /event-stream|ndjson|jsonl/i.test(headers["content-type"] ?? "");
  return isLinesOfEvents(body) || isLinesOfJson(body) || (isNamed && !/^\s*[{[<]/.test(body));
}

/** Objects, one a line. */
export function isLinesOfJson(text: string): boolean {
  return /^\s*\{[^\n]{0,4096}\}\r?\n\s*\{/.test(text.slice(0, 8192));
}

const PATHS: readonly (readonly [RegExp, Kind])[] = [
  [/\/models$/, "models"],
  [/\/(?:chat\/completions|completions)$/, "chat"],
  [/\/messages$/, "messages"],
  [/\/responses$/, "responses"],
  [/:(?:generateContent|streamGenerateContent)$/, "gemini"],
  [/\/embeddings$|:(?:embedContent|batchEmbedContents)$/, "embeddings"],
  [/\/images\/(?:generations|edits|variations)$/, "image"],
  [
    /\/v1\/(?:videos?|tasks?)(?:\/|$)|\/video\/generations(?:\/|$)|\/(?:tasks|jobs|predictions)\/[^/]+$/,
    "task",
  ],
];

/** By the end of the path, whatever the host and the base path; null: it says nothing. */
export function kindOfPath(url: string): Kind | null {
  const path = url
    .slice(0, 4096)
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "");
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
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
