/**
 * What was asked, where nobody said so: by the path of the request, by the content type, by the shape of the answer. Where
 * they leave it open the guess is `console`, which takes any object for a success. Pure.
 */
import { isEventStream } from "../protocol/event-stream.ts";
import { asList, asObject, isEmptyValue, type JsonObject, readBody } from "../protocol/json.ts";
import type { Kind } from "../protocol/observation.ts";
import { phaseOfWord, readTask } from "../protocol/task-state.ts";
import type { Headers } from "./headers.ts";

/** `url` null: nothing tells of the request. */
export function guessKind(url: string | null, headers: Headers, body: string): Kind {
  if (isTranscript(headers, body)) return "stream";
  const byPath = url === null ? null : kindOfPath(url);
  if (byPath !== null) return byPath;
  const read = readBody(body);
  return read.form === "json" ? kindOfShape(read.json) : "console";
}

function isTranscript(headers: Headers, body: string): boolean {
  const isNamed = /event-stream|ndjson|jsonl/i.test(headers["content-type"] ?? "");
  return isLinesOfEvents(body) || isLinesOfJson(body) || (isNamed && !/^\s*[{[<]/.test(body));
}

/** `id:`, `retry:` and `error:` begin other texts too; there an event has to follow. */
export function isLinesOfEvents(text: string): boolean {
  if (!isEventStream(text)) return false;
  return /^\s*(?:data|event)\s*:/.test(text) || /^[ \t]*(?:data|event)[ \t]*:|^error:[ \t]*\{/m.test(text);
}

/** Objects, one a line. */
export function isLinesOfJson(text: string): boolean {
  return /^\s*\{[^\n]{0,4096}\}\r?\n\s*\{/.test(text.slice(0, 8192));
}

const PATHS: readonly (readonly [RegExp, Kind])[] = [
  [/\/models$/, "models"],
  [/\/(?:chat\/completions|completions|responses)$|:generateContent$/, "chat"],
  [/\/messages$/, "messages"],
  [/\/embeddings$|:(?:embedContent|batchEmbedContents)$/, "embeddings"],
  [/\/images\/(?:generations|edits|variations)$/, "image"],
  [/:streamGenerateContent$/, "stream"],
  [
    /\/v1\/(?:videos?|tasks?)(?:\/|$)|\/video\/generations(?:\/|$)|\/(?:tasks|jobs|predictions)\/[^/]+$/,
    "task",
  ],
];

function kindOfPath(url: string): Kind | null {
  const path = url
    .slice(0, 4096)
    .replace(/[?#].*$/s, "")
    .replace(/\/+$/, "");
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

function kindOfShape(json: unknown): Kind {
  const body = asObject(json);
  if (body === null) return "console";
  const first = asObject(asList(body["data"])?.[0]);
  // Envelopes that write 200 for success are not the listing of the specification.
  if (first?.["object"] === "model" && body["code"] === undefined) return "models";
  if (first?.["embedding"] !== undefined) return "embeddings";
  if (isGeneration(body)) return "chat";
  if (body["type"] === "message" && body["role"] === "assistant") return "messages";
  if (isTaskRecord(body)) return "task";
  if (first?.["b64_json"] !== undefined || (first?.["url"] !== undefined && body["created"] !== undefined))
    return "image";
  return isOnlyWords(body) ? "chat" : "console";
}

function isGeneration(body: JsonObject): boolean {
  const { object } = body;
  if (typeof object === "string" && /^(?:chat\.completion|text_completion|response)/.test(object))
    return true;
  return asList(body["choices"]) !== null || asList(body["candidates"]) !== null;
}

/** A state that somebody gave a task; ids and states alone have many records that are none. */
export function isTaskRecord(body: JsonObject): boolean {
  const records = [body, asObject(body["data"]), asObject(body["output"])].filter(
    (record) => record !== null,
  );
  if (records.some((record) => TASK_KEYS.some((key) => !isEmptyValue(record[key])))) return true;
  const { taskId, state, isKnown } = readTask(body);
  if (taskId === null || state === null || !isKnown || asList(body["data"]) !== null) return false;
  return /^(?:failed|failure|fail)$/i.test(state) || (phaseOfWord(state) !== null && OF_TASKS.test(state));
}

const TASK_KEYS = ["task_id", "taskId", "TaskId", "task_status", "job_id", "jobId"];
const OF_TASKS =
  /^(?:queued|in_?queue|pending|running|processing|in_?progress|submitted|starting|succeeded)$/i;

/** A message and no result is no success, unless it says so. */
function isOnlyWords(body: JsonObject): boolean {
  const names = Object.keys(body).filter((name) => !isEmptyValue(body[name]));
  const isSaid = body["code"] !== undefined || body["success"] !== undefined || body["status"] !== undefined;
  return names.length > 0 && !isSaid && names.every((name) => WORDS.has(name));
}

const WORDS = new Set([
  "message",
  "msg",
  "detail",
  "details",
  "title",
  "errors",
  "type",
  "request_id",
  "path",
]);
