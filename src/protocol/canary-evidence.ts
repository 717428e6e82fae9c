/** What a canary's answer shows: text, finish reasons, tasks, and the figures of its use. Pure. */
import { asList, asObject, valueAt, type JsonObject } from "./json.ts";
import type { Asked, ExpectedMember, Pointers } from "./observation.ts";

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export const NO_USAGE: Usage = { inputTokens: null, outputTokens: null };

/** What one JSON tells: an answer, or an event of a stream, where a message's first event wraps it. */
export function usageOf(json: unknown, pointers: Pointers): Usage {
  const body = asObject(json);
  const usage = asObject(body?.["usage"]) ?? asObject(asObject(body?.["message"])?.["usage"]);
  const { inputTokens, outputTokens } = pointers;
  return {
    inputTokens:
      inputTokens === undefined
        ? (tokens(usage?.["prompt_tokens"]) ?? tokens(usage?.["input_tokens"]))
        : tokens(valueAt(json, inputTokens)),
    outputTokens:
      outputTokens === undefined
        ? (tokens(usage?.["completion_tokens"]) ?? tokens(usage?.["output_tokens"]))
        : tokens(valueAt(json, outputTokens)),
  };
}

/** The figures of a stream are those that it told last; a later 0 stands for what is not told again. */
export function laterUsage(before: Usage, after: Usage): Usage {
  return {
    inputTokens: after.inputTokens || (before.inputTokens ?? after.inputTokens),
    outputTokens: after.outputTokens || (before.outputTokens ?? after.outputTokens),
  };
}

/** A number, or one written as text; null where there is none. */
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

/** The text of a message's content: a string, or the parts of a list. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const parts = (asList(value) ?? []).slice(0, MAX_PARTS);
  return parts.map((part) => (typeof part === "string" ? part : textOfPart(asObject(part)))).join("");
}

function textOfPart(part: JsonObject | null): string {
  return [part?.["text"], part?.["thinking"]].filter((text) => typeof text === "string").join("");
}

/** What is behind them is not looked at. */
const MAX_PARTS = 64;

export function objectsOf(value: unknown): readonly JsonObject[] {
  const items = (asList(value) ?? []).slice(0, MAX_PARTS);
  return items.map(asObject).filter((item) => item !== null);
}

/** `outputTokens`: what the answer tells of them; a limit that was spent on reasoning is success without a word. */
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

/** Where the evidence was looked for, for a message. */
export function lackOf({ evidence, pointers }: Asked): string {
  switch (evidence) {
    case "text":
      return `No text: looked at ${pointers.text ?? "choices[].message (content, reasoning_content) and content[] (text, thinking)"}.`;
    case "vector":
      return `No vector of numbers: looked at ${pointers.vector ?? USUAL_VECTOR}.`;
    case "media":
      return `No image, video or address of one: looked at ${pointers.result ?? "data[] (url, b64_json) and the like"}.`;
    case "nothing":
      return "The answer is not of the agreed shape.";
  }
}

/** Whether the model came to its limit of tokens, by the last word of a choice or of a message. */
export function isAtTokenLimit(json: unknown): boolean {
  const body = asObject(json);
  const delta = asObject(body?.["delta"]);
  return (
    objectsOf(body?.["choices"]).some((choice) => choice["finish_reason"] === "length") ||
    body?.["stop_reason"] === "max_tokens" ||
    delta?.["stop_reason"] === "max_tokens"
  );
}

/** The first expectation that is not met; null: all are. */
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
  const said = objectsOf(body?.["choices"]).map((choice) => {
    const message = asObject(choice["message"]);
    return [message?.["content"], message?.["reasoning_content"], message?.["reasoning"], choice["text"]]
      .map(textOf)
      .join("");
  });
  // As a text and not a list it is nobody's answer: so errors are worded.
  if ((said.join("") + textOf(asList(body?.["content"]))).trim() !== "") return true;
  return (outputTokens ?? 0) > 0 && isAtTokenLimit(json);
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

/** How many bytes a text of base64 stands for; 0 where it is none. */
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
      MEDIA_KEYS.some((key) => isMedia(holder[key], isAddress)) ||
      isImageData(holder["b64_json"]) ||
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
