/** What a canary's answer shows: text, vectors, media, usage; the stream with its end mark; the task. Pure. */
import { verdict, type Verdict } from "./diagnosis.ts";
import { visibleText } from "./error-facts.ts";
import { isBlocked, visitEvents, type SourceEvent } from "./event-stream.ts";
import { asList, asObject, asText, isEmptyValue, readJson, valueAt, type JsonObject } from "./json.ts";
import type { Answer, Asked, ExpectedMember, Kind, Pointers, Served } from "./observation.ts";
import { failedTask, pendingTask, phaseOfWord, readTask, type TaskFacts } from "./task-state.ts";

interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

const NO_USAGE: Usage = { inputTokens: null, outputTokens: null };

/** The usage in one JSON: an answer, or an event of a stream; the first event of a message wraps it, and the last of a response. */
export function usageOf(json: unknown, pointers: Pointers): Usage {
  const body = asObject(json);
  const usage = [body, asObject(body?.["message"]), asObject(body?.["response"])]
    .map((holder) => asObject(holder?.["usage"]) ?? asObject(holder?.["usageMetadata"]))
    .find((found) => found !== null);
  const figure = (pointer: string | undefined, ...names: readonly string[]): number | null =>
    pointer === undefined
      ? (names.map((name) => tokens(usage?.[name])).find((count) => count !== null) ?? null)
      : tokens(valueAt(json, pointer));
  const outputTokens = figure(
    pointers.outputTokens,
    "completion_tokens",
    "output_tokens",
    "candidatesTokenCount",
  );
  // Gemini counts thoughts apart.
  const thoughts = pointers.outputTokens === undefined ? tokens(usage?.["thoughtsTokenCount"]) : null;
  return {
    inputTokens: figure(pointers.inputTokens, "prompt_tokens", "input_tokens", "promptTokenCount"),
    outputTokens: thoughts === null ? outputTokens : (outputTokens ?? 0) + thoughts,
  };
}

/** The last figures of a stream count; a later 0 only means that a figure is not repeated. */
function laterUsage(before: Usage, after: Usage): Usage {
  return {
    inputTokens: after.inputTokens || (before.inputTokens ?? after.inputTokens),
    outputTokens: after.outputTokens || (before.outputTokens ?? after.outputTokens),
  };
}

export const UNNAMED: Served = { model: null, fingerprint: null };

/** In an answer, or an event of a stream: those of messages and responses wrap the object that has the name. */
export function servedIn(json: unknown): Served {
  const body = asObject(json);
  const inner = asObject(body?.["message"]) ?? asObject(body?.["response"]);
  return {
    model: asText(body?.["model"]) ?? asText(inner?.["model"]) ?? asText(body?.["modelVersion"]),
    fingerprint: asText(body?.["system_fingerprint"]),
  };
}

export function balanceOf(json: unknown, pointers: Pointers): number | null {
  const value = pointers.balance === undefined ? undefined : valueAt(json, pointers.balance);
  const balance = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
  const isBalance =
    typeof balance === "number" && Number.isFinite(balance) && Math.abs(balance) <= MAX_BALANCE;
  return isBalance ? balance : null;
}

const DECIMAL = /^\s{0,8}[+-]?\d{1,16}(?:\.\d{1,20})?\s{0,8}$/;
const MAX_BALANCE = 1e15;
const MAX_TOKENS = 1e9;

function tokens(value: unknown): number | null {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  return isCount ? value + 0 : null;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = (asList(value) ?? []).slice(0, MAX_PARTS);
  return parts.map((part) => (typeof part === "string" ? part : textOfPart(asObject(part)))).join("");
}

function textOfPart(part: JsonObject | null): string {
  return [part?.["text"], part?.["thinking"]].filter((text) => typeof text === "string").join("");
}

const MAX_PARTS = 64;

export function objectsOf(value: unknown): readonly JsonObject[] {
  const items = (asList(value) ?? []).slice(0, MAX_PARTS);
  return items.map(asObject).filter((item) => item !== null);
}

/** `outputTokens`: as the answer reports them. If the limit was spent on reasoning, an answer without text is a success. */
export function hasEvidence(json: unknown, asked: Asked, outputTokens: number | null): boolean {
  switch (asked.evidence) {
    case "text":
      return hasText(json, asked.pointers, outputTokens);
    case "vector":
      return isVector(valueAt(json, asked.pointers.vector ?? USUAL_VECTOR));
    case "media":
      return asked.pointers.result === undefined
        ? hasMedia(json)
        : isMedia(valueAt(json, asked.pointers.result), isAddressOrData);
    case "nothing":
      return true;
  }
}

export function lackOf({ evidence, pointers }: Asked): string {
  switch (evidence) {
    case "text":
      return `No text: looked at ${pointers.text ?? "choices[].message, content[], output[].content[] and candidates[].content.parts[]"}.`;
    case "vector":
      return `No vector of numbers: looked at ${pointers.vector ?? USUAL_VECTOR}.`;
    case "media":
      return `No image, video or address of one: looked at ${pointers.result ?? "data[] (url, b64_json) and the like"}.`;
    case "nothing":
      return "The answer does not have the expected shape.";
  }
}

function isAtTokenLimit(json: unknown): boolean {
  const body = asObject(json);
  const delta = asObject(body?.["delta"]);
  const response = asObject(body?.["response"]) ?? body;
  return (
    objectsOf(body?.["choices"]).some((choice) => choice["finish_reason"] === "length") ||
    objectsOf(body?.["candidates"]).some((candidate) => candidate["finishReason"] === "MAX_TOKENS") ||
    body?.["stop_reason"] === "max_tokens" ||
    delta?.["stop_reason"] === "max_tokens" ||
    asObject(response?.["incomplete_details"])?.["reason"] === "max_output_tokens"
  );
}

export function unmetExpectation(json: unknown, expect: readonly ExpectedMember[]): ExpectedMember | null {
  return expect.find(({ pointer, value }) => !isEqual(valueAt(json, pointer), value)) ?? null;
}

/** As deep as what was expected, which is the configuration's. */
export function isEqual(found: unknown, expected: unknown): boolean {
  if (found === expected) return true;
  const list = asList(expected);
  if (list !== null) {
    const other = asList(found);
    return other?.length === list.length && list.every((item, at) => isEqual(other[at], item));
  }
  const object = asObject(expected);
  const other = asObject(found);
  if (object === null || other === null) return false;
  const keys = Object.keys(object);
  return (
    Object.keys(other).length === keys.length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(other[key], object[key]))
  );
}

function hasText(json: unknown, { text }: Pointers, outputTokens: number | null): boolean {
  if (text !== undefined) return textOf(valueAt(json, text)).trim() !== "";
  const body = asObject(json);
  const said = saidInChoices(body, "message") + saidInOutput(body);
  // As a text and not a list it is nobody's answer: so errors are worded.
  if ((said + textOf(asList(body?.["content"]))).trim() !== "") return true;
  return (outputTokens ?? 0) > 0 && isAtTokenLimit(json);
}

function saidInChoices(body: JsonObject | null, at: "message" | "delta"): string {
  const texts = objectsOf(body?.["choices"]).flatMap((choice) => {
    const said = asObject(choice[at]);
    return [said?.["content"], said?.["reasoning_content"], said?.["reasoning"], choice["text"]];
  });
  const parts = objectsOf(body?.["candidates"]).map((candidate) => asObject(candidate["content"])?.["parts"]);
  return [...texts, ...parts].map(textOf).join("");
}

function saidInOutput(body: JsonObject | null): string {
  const items = objectsOf(body?.["output"]).flatMap(({ content, summary }) => [content, summary]);
  return items.map((item) => textOf(asList(item))).join("");
}

const USUAL_VECTOR = "/data/0/embedding";

function isVector(value: unknown): boolean {
  if (typeof value === "string") return isFloats(base64Bytes(value));
  const list = asList(value);
  return list !== null && list.length > 0 && list.every((item) => Number.isFinite(item));
}

/** Numbers of 32 bits each: so a word is seldom taken for some. */
function isFloats(bytes: number): boolean {
  return bytes > 0 && bytes % 4 === 0;
}

/** How many bytes a text of base64 stands for; 0 if it is not base64. */
function base64Bytes(text: string): number {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return 0;
  return (text.length / 4) * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
}

const HOLDERS = ["data", "output", "result", "response", "task_result", "content"];
const INNER_HOLDERS = ["output", "task_result", "result"];
const LISTS = ["data", "images", "videos", "output", "results", "image_urls", "generated_images"];

/** The usual places: the body, what its envelope holds, and the lists in both. */
function hasMedia(json: unknown): boolean {
  const body = asObject(json);
  if (body === null) return false;
  const outer = [body, ...membersOf(body, HOLDERS)];
  const inner = outer.flatMap((holder) => membersOf(holder, INNER_HOLDERS));
  const holders = [...outer, ...inner];
  return holders.some(
    (holder) =>
      isMediaItem(holder) ||
      LISTS.some((key) => (asList(holder[key]) ?? []).slice(0, MAX_PARTS).some(isMediaItem)),
  );
}

function membersOf(holder: JsonObject, keys: readonly string[]): readonly JsonObject[] {
  return keys.map((key) => asObject(holder[key])).filter((member) => member !== null);
}

const MEDIA_KEYS = ["url", "image", "image_url", "video", "video_url", "output"];

function isMediaItem(item: unknown): boolean {
  const object = asObject(item);
  if (object === null) return isAddress(item);
  return MEDIA_KEYS.some((key) => isMedia(object[key], isAddress)) || isImageData(object["b64_json"]);
}

/** A text, `{"url": …}`, or the first of a list of them. */
function isMedia(value: unknown, isOne: (text: unknown) => boolean): boolean {
  const single = asList(value) === null ? value : asList(value)?.[0];
  const object = asObject(single);
  return isOne(object === null ? single : object["url"]);
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^\s{0,8}(?:https?:\/\/[^\s/]|data:[^,]{1,256},.)/i.test(value);
}

/** So short a text of base64 may be a word, such as "None", and no image. */
const MIN_DATA_BYTES = 24;

function isAddressOrData(value: unknown): boolean {
  return isAddress(value) || isImageData(value);
}

function isImageData(value: unknown): boolean {
  return typeof value === "string" && base64Bytes(value) >= MIN_DATA_BYTES;
}

export interface CanaryStream {
  readonly events: number;
  /** When the first and the last of them came, since the request was sent; null: not measured. */
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly isEnded: boolean;
  /** The end mark came, but not the empty line after it. */
  readonly isEndOpen: boolean;
  readonly hasEvidence: boolean;
  readonly usage: Usage;
  readonly served: Served;
  readonly firstContentMs: number | null;
  readonly lastContentMs: number | null;
  /** Pointers at which no event has the expected value. */
  readonly unmet: readonly string[];
}

export function readCanaryStream({ body, arrivals = [] }: Answer, asked: Asked): CanaryStream {
  const reader: Reader = {
    events: 0,
    firstMs: null,
    lastMs: null,
    style: null,
    isEnded: false,
    isEndOpen: false,
    hasEvidence: asked.evidence === "nothing",
    isAtLimit: false,
    usage: NO_USAGE,
    served: UNNAMED,
    firstContentMs: null,
    lastContentMs: null,
    unmet: new Map(asked.expect.map(({ pointer, value }) => [pointer, value])),
  };
  visitEvents(body, arrivals, (event) => readEvent(reader, event, asked));
  const { outputTokens } = reader.usage;
  const isSpentOnReasoning = asked.evidence === "text" && reader.isAtLimit && (outputTokens ?? 0) > 0;
  return {
    ...reader,
    hasEvidence: reader.hasEvidence || (isSpentOnReasoning && asked.pointers.text === undefined),
    unmet: [...reader.unmet.keys()],
  };
}

type Reader = { -readonly [Name in Exclude<keyof CanaryStream, "unmet">]: CanaryStream[Name] } & {
  /** Whose end mark is expected; null: no event has shown it yet. */
  style: Style | null;
  isAtLimit: boolean;
  readonly unmet: Map<string, unknown>;
};

type Style = "chat" | "messages" | "responses" | "gemini";

function readEvent(reader: Reader, event: SourceEvent, asked: Asked): void {
  const payload = payloadOf(event.data);
  const type = asText(payload?.["type"]) ?? event.name;
  reader.style ??= styleOf(payload, type);
  const isEnd = isEndMark(event.data, payload, type, reader.style, asked.pointers);
  if (event.isOpen) {
    reader.isEndOpen = isEnd && !reader.isEnded;
    return;
  }
  reader.events += 1;
  reader.firstMs ??= event.afterMs;
  reader.lastMs = event.afterMs;
  // Events after the end mark are no part of the answer, except for usage, which may come late.
  const isLate = reader.isEnded;
  if (isEnd) reader.isEnded = true;
  if (payload === null) return;
  if (!isLate) noteContent(reader, payload, type, event.afterMs, asked);
  reader.isAtLimit ||= isAtTokenLimit(payload);
  reader.usage = laterUsage(reader.usage, usageOf(payload, asked.pointers));
  const { model, fingerprint } = servedIn(payload);
  reader.served = {
    model: reader.served.model ?? model,
    fingerprint: reader.served.fingerprint ?? fingerprint,
  };
  for (const [pointer, value] of reader.unmet) {
    if (isEqual(valueAt(payload, pointer), value)) reader.unmet.delete(pointer);
  }
}

function payloadOf(data: string): JsonObject | null {
  return /^\s*\{/.test(data) ? asObject(readJson(data)) : null;
}

function styleOf(payload: JsonObject | null, type: string): Style | null {
  if (/^(?:message|content_block)_(?:start|delta|stop)$/.test(type)) return "messages";
  if (type.startsWith("response.")) return "responses";
  if (payload?.["candidates"] !== undefined || payload?.["promptFeedback"] !== undefined) return "gemini";
  return Array.isArray(payload?.["choices"]) ? "chat" : null;
}

function isEndMark(
  data: string,
  payload: JsonObject | null,
  type: string,
  style: Style | null,
  { end }: Pointers,
): boolean {
  if (end !== undefined) return isSaid(valueAt(payload, end));
  switch (style) {
    case "messages":
      return type === "message_stop" && payload !== null;
    case "responses":
      return /^response\.(?:completed|incomplete)$/.test(type) && payload !== null;
    case "gemini":
      return payload !== null && isLastOfGemini(payload);
    case "chat":
    case null:
      return data.trim() === "[DONE]";
  }
}

function isLastOfGemini(payload: JsonObject): boolean {
  const reasons = objectsOf(payload["candidates"]).map((candidate) => candidate["finishReason"]);
  return (
    isBlocked(payload) || reasons.some((reason) => isSaid(reason) && reason !== "FINISH_REASON_UNSPECIFIED")
  );
}

/** Events before the last often have the member too, without a value. */
function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}

function noteContent(
  reader: Reader,
  payload: JsonObject,
  type: string,
  afterMs: number | null,
  asked: Asked,
): void {
  if (asked.evidence !== "text") {
    reader.hasEvidence ||= hasEvidence(payload, asked, null);
    return;
  }
  const { text } = asked.pointers;
  const content = text === undefined ? contentOf(payload, type) : textOf(valueAt(payload, text));
  // Some gateways send a response whole at its end.
  if (text === undefined) reader.hasEvidence ||= saidInOutput(asObject(payload["response"])).trim() !== "";
  if (content === "") return;
  reader.hasEvidence ||= content.trim() !== "";
  reader.firstContentMs ??= afterMs;
  reader.lastContentMs = afterMs;
}

function contentOf(payload: JsonObject, type: string): string {
  if (/^response\.(?:output|reasoning|reasoning_summary)_text\.delta$/.test(type))
    return textOf(payload["delta"]);
  const block = asObject(payload["delta"]) ?? asObject(payload["content_block"]);
  return saidInChoices(payload, "delta") + [block?.["text"], block?.["thinking"]].map(textOf).join("");
}

/** What a record says about its task. Configured pointers replace the usual ones. */
export function taskAt(json: unknown, { id, status }: Pointers): TaskFacts {
  const usual = readTask(json);
  const taskId = id === undefined ? usual.taskId : asText(valueAt(json, id));
  const bare = taskId === null ? null : "pending";
  if (status === undefined) {
    const isByIdAlone = usual.state === null && usual.phase !== "succeeded" && usual.phase !== "failed";
    return { ...usual, taskId, phase: isByIdAlone && id !== undefined ? bare : usual.phase };
  }
  const value = valueAt(json, status);
  const state = typeof value === "boolean" ? String(value) : asText(value);
  const phase = typeof value === "boolean" ? phaseOfFlag(value, json) : phaseOfWord(state ?? "");
  if (state === null) return { ...usual, taskId, state, phase: bare, isKnown: true };
  return { ...usual, taskId, state, phase: phase ?? "pending", isKnown: phase !== null };
}

/** For a video the final state is enough; an image, and any value with a configured pointer, must be there. */
export function judgeQuestion(json: unknown, asked: Asked, kind: Kind): Verdict {
  const task = taskAt(json, asked.pointers);
  if (task.phase === "failed") return failedTask(task);
  const isThere = hasEvidence(json, asked, null);
  const isByState = kind === "task" && asked.evidence === "media" && asked.pointers.result === undefined;
  if (task.phase === "succeeded") {
    return isThere || isByState ? verdict("ok", null) : { ...lacking(asked), layer: "task" };
  }
  if (task.state === null && isThere && asked.evidence !== "nothing") return verdict("ok", null);
  if (task.phase !== "pending") return lacking(asked);
  const { status } = asked.pointers;
  const hasNoState = status !== undefined && task.state === null;
  return hasNoState ? { ...pendingTask(task), message: `no task state at ${status}` } : pendingTask(task);
}

/** Only a result shows that a task is already over when it is created, not a state of success. */
export function judgeCreation(json: unknown, asked: Asked, kind: Kind): Verdict {
  const task = taskAt(json, asked.pointers);
  if (task.phase === "failed") return failedTask(task);
  const isThere = asked.evidence !== "nothing" && hasEvidence(json, asked, null);
  const isPending = task.phase === "pending" && task.state !== null && task.isKnown;
  const isTask = kind === "task" && task.taskId !== null;
  const isOver = isTask ? task.phase === "succeeded" : !isPending;
  if (isThere && isOver) return verdict("ok", null);
  if (kind === "image" && task.taskId === null && !isPending) return lacking(asked);
  return pendingTask(task);
}

/** The id to ask for; null: it looks like a secret, or an address cannot contain it. */
export function askableId(id: string | null, body: string, redact: (text: string) => string): string | null {
  if (id === null || id.length > MAX_ID_LENGTH || id.trim() !== id) return null;
  // `.` and `..` would be steps of a path, however they are encoded.
  if (id === "." || id === ".." || visibleText(id) !== id) return null;
  return isRounded(id, body) || redact(id) !== id ? null : id;
}

/** A number with too many digits was rounded when it was parsed; a string was not. */
function isRounded(id: string, body: string): boolean {
  return /^-?\d[\d.e+-]*$/.test(id) && !Number.isSafeInteger(Number(id)) && !body.includes(`"${id}"`);
}

const MAX_ID_LENGTH = 512;

function phaseOfFlag(isDone: boolean, json: unknown): TaskFacts["phase"] {
  if (!isEmptyValue(asObject(json)?.["error"])) return "failed";
  return isDone ? "succeeded" : "pending";
}

function lacking(asked: Asked): Verdict {
  return { ...verdict("unexpected_response", "body"), message: lackOf(asked) };
}
