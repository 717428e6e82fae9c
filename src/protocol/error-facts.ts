/** What an error body says, in whatever form it comes: code, type, message, request id. Pure. */
import { asList, asObject, asText, isEmptyValue, jsonInString, mayBeJson, type JsonObject } from "./json.ts";

export interface Signals {
  /** Error codes by name, outermost first. */
  readonly codes: readonly string[];
  readonly types: readonly string[];
  /** Names that stand where words belong: `{"message": "account_deactivated"}`. */
  readonly namesAsWords: readonly string[];
  /** All messages, one a line, at most 4096 characters. */
  readonly words: string;
}

function collectSignals(json: unknown, typesOfHeaders: readonly string[]): Signals {
  const codes: string[] = [];
  const types: string[] = [...typesOfHeaders];
  const namesAsWords: string[] = [];
  const words: string[] = [];
  let attempts = 0;
  const queue: Found[] = [{ key: "message", value: json, depth: 0 }];
  for (let at = 0; at < queue.length && at < MAX_VALUES; at += 1) {
    const found = queue[at];
    if (found === undefined) break;
    const text = asText(found.value);
    if (text === null) {
      enqueueChildren(queue, found);
      continue;
    }
    const isAttempt = typeof found.value === "string" && attempts < MAX_ATTEMPTS && mayBeJson(found.value);
    if (isAttempt) attempts += 1;
    const inner = isAttempt ? jsonInString(text) : null;
    if (inner !== null) queue.push({ key: found.key, value: inner, depth: found.depth + 1 });
    else if (WORD_KEYS.has(found.key)) words.push(text.slice(0, MAX_TEXT));
    if (CODE_KEYS.has(found.key) && isName(found, text)) codes.push(text);
    else if (WORD_KEYS.has(found.key) && NAME_FOR_WORDS.test(text)) namesAsWords.push(text);
    if (TYPE_KEYS.has(found.key) && isName(found, text)) types.push(text);
  }
  return { codes, types, namesAsWords, words: words.join("\n").slice(0, MAX_TEXT) };
}

interface Found {
  readonly key: string;
  readonly value: unknown;
  readonly depth: number;
}

const MAX_VALUES = 200;
const MAX_ATTEMPTS = 16;
const MAX_DEPTH = 8;
const MAX_TEXT = 4096;

const WORD_KEYS = new Set(
  (
    "message msg error error_msg error_message errorMessage errmsg err_msg Message detail details description " +
    "error_description reason title raw status_msg statusMsg status_message fail_reason failure_reason failureReason task_status_msg " +
    "faultstring cause text err quotaId retryDelay quotaResetDelay userMessage hint Reason errors"
  ).split(" "),
);
const CODE_KEYS = new Set(
  "code error_code errorCode err_code errcode reason Code errorcode internal_code error statusText quotaId reason_code".split(
    " ",
  ),
);
const TYPE_KEYS = new Set("type status __type error_type errorType exception name".split(" "));

const NAME_FOR_WORDS = /^(?=.{3,100}$)[A-Za-z]+(?:_[A-Za-z]+)+$/;

/** A top-level number is a business code, and that never overrides a status. */
function isName(found: Found, text: string): boolean {
  if (found.depth <= 1 && typeof found.value === "number") return false;
  return text.length <= 100 && !/\s/.test(text);
}

function enqueueChildren(queue: Found[], parent: Found): void {
  if (typeof parent.value !== "object" || parent.value === null || parent.depth >= MAX_DEPTH) return;
  if (queue.length >= MAX_VALUES) return;
  const depth = parent.depth + 1;
  // `for…in` would first collect every index of a long list.
  const list = asList(parent.value);
  if (list !== null) {
    for (let at = 0; at < list.length && queue.length < MAX_VALUES; at += 1) {
      queue.push({ key: parent.key, value: list[at], depth });
    }
    return;
  }
  const object = parent.value as JsonObject;
  for (const key in object) {
    if (queue.length >= MAX_VALUES) return;
    queue.push({ key, value: object[key], depth });
  }
}

export const MAX_MESSAGE_LENGTH = 300;
/** Of a type, a code or an id: the longest in use have some 60. */
export const MAX_NAME_LENGTH = 100;

export function cleanMessage(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_MESSAGE_LENGTH);
}

export function cleanName(text: string | null, redact: (text: string) => string): string | null {
  return clean(text, redact, MAX_NAME_LENGTH);
}

/** A number that someone sent; null where its digits are a secret or a part of one. */
export function cleanNumber(value: number | null, redact: (text: string) => string): number | null {
  return value === null || redact(String(value)) !== String(value) ? null : value;
}

/** Cut at a code point's boundary, so that no half of a surrogate pair is left. */
export function clip(text: string, length: number = MAX_MESSAGE_LENGTH): string {
  if (text.length <= length) return text;
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

export function mayBeClipped(text: string, length: number): boolean {
  return text.length >= length - 1;
}

/** One line that looks like what it says: control and turning characters become spaces; invisible ones go, except in emoji. */
export function visibleText(text: string): string {
  if (PRINTABLE.test(text)) return text;
  const line = text.toWellFormed().replace(STEERING, " ");
  if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(line)) return line;
  // First whole emoji: flags spelled with tags, keycaps, pictographs with variation selectors and joiners (UTS 51).
  const emojiOrInvisible =
    /(\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f}|[\d#*]\ufe0f\u20e3|\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){0,8})|[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
  return line.replace(emojiOrInvisible, "$1");
}

/** The same, with single spaces alone. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\s+/g, " ").trim();
}

/** Text beyond this multiple of what is kept is not redacted: a hostile gateway must not use up the CPU time. */
const INPUT_SHARE = 6;

function clean(text: string | null, redact: (text: string) => string, length: number): string | null {
  if (text === null) return null;
  const input = clip(text, INPUT_SHARE * length);
  const visible = visibleText(UTF_16.test(input) ? input.replaceAll("\0", "") : input);
  const redacted = redact(visible);
  const plain = redacted === visible ? visible : visibleText(redacted);
  return clip(plain.trim(), length).trimEnd() || null;
}

/** Read as bytes: a NUL behind or before each letter. */
// oxlint-disable-next-line no-control-regex -- it is the mark of this encoding
const UTF_16 = /(?:[^\0]\0){3}/;
/** Of it nothing steers or hides: ids and most messages are of this kind, and this look costs a tenth of the others. */
const PRINTABLE = /^[\u0020-\u007e]*$/;
const STEERING =
  // oxlint-disable-next-line no-control-regex -- these characters are what is taken out
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

export interface ErrorFacts {
  readonly errorType: string | null;
  readonly errorCode: string | null;
  /** Of the first in `errors`, of a task's `output`, or why a generation stopped: it names the failure, and does not decide what it is. */
  readonly innerCode: string | null;
  readonly businessCode: number | null;
  readonly hint: boolean | null;
  /** Not yet redacted. */
  readonly message: string | null;
  readonly hasError: boolean;
  /** `success` or `ok` denies it, or `code` is a list or an object that is not empty. */
  readonly saysNoSuccess: boolean;
  /** A vendor's own container says that it failed: base_resp, error_code, Response.Error, header.code. */
  readonly hasForeignFault: boolean;
}

/** The facts of a parsed body; anything that is no object has none but its words. */
export function readErrorFacts(json: unknown): ErrorFacts {
  const body = asObject(json) ?? asObject(asList(json)?.[0]);
  if (body === null) return { ...NO_FACTS, message: asText(json) };
  const error = errorObject(body["error"]);
  const code = topLevelCode(body);
  const fault = foreignFault(body);
  return {
    errorType: asText(error?.["type"]) ?? flatType(body, error, code.business),
    errorCode: asText(error?.["code"]) ?? code.name,
    innerCode: asText(asObject(asList(body["errors"])?.[0] ?? body["output"])?.["code"]) ?? stopOf(body),
    businessCode: code.business,
    hint: typeof error?.["retryable"] === "boolean" ? error["retryable"] : null,
    message: messageOf(body, error, fault),
    hasError: !isEmptyValue(body["error"]),
    saysNoSuccess: isDenied(body["success"]) || body["ok"] === false || isFilled(body["code"]),
    hasForeignFault: fault !== null,
  };
}

function stopOf(body: JsonObject): string | null {
  const candidate = asObject(asList(body["candidates"])?.[0]);
  return (
    asText(asObject(body["promptFeedback"])?.["blockReason"]) ??
    asText(asObject(body["incomplete_details"])?.["reason"]) ??
    asText(candidate?.["finishReason"])
  );
}

export function readSignals(json: unknown, headers: Readonly<Record<string, string>>): Signals {
  const header = headers["x-amzn-errortype"] ?? headers["x-error-code"];
  return collectSignals(json, header === undefined ? [] : [header.split(":", 1)[0] ?? ""]);
}

/** A word that stands for success where an error code might stand. */
export function isSuccessWord(word: string): boolean {
  if (word.length > MAX_WORD_LENGTH) return false;
  return SUCCESS_WORDS.has(
    word
      .trim()
      .toLowerCase()
      .replace(/[\s_.!。！]+/g, ""),
  );
}

const MAX_WORD_LENGTH = 100;

const SUCCESS_WORDS = new Set(
  "success succeed succeeded successful ok okay 成功 提交成功 请求成功 操作成功 查询成功 获取成功 submitsuccess submittedsuccessfully".split(
    " ",
  ),
);

export const NO_FACTS: ErrorFacts = {
  errorType: null,
  errorCode: null,
  innerCode: null,
  businessCode: null,
  hint: null,
  message: null,
  hasError: false,
  saysNoSuccess: false,
  hasForeignFault: false,
};

/** `error` as an object: itself, the first of a list, JSON in a string, or what an empty shell holds. */
function errorObject(value: unknown): JsonObject | null {
  const parsed = typeof value === "string" ? jsonInString(value) : value;
  const error = asObject(parsed) ?? asObject(asList(parsed)?.[0]);
  if (error === null) return null;
  const inner = asObject(error["error"]);
  const saysSomething = ["message", "type", "code"].some((key) => asText(error[key]) !== null);
  return inner !== null && !saysSomething ? inner : error;
}

function isDenied(success: unknown): boolean {
  if (success === false || success === 0) return true;
  return typeof success === "string" && success.length <= MAX_WORD_LENGTH && DENIAL.test(success);
}

const DENIAL = /^\s*(?:false|no|0|fail|failed|failure|error)\s*$/i;

/** A code of another shape than the agreed one; it is there, and it is not 0 (spec 7.4). */
function isFilled(code: unknown): boolean {
  return typeof code === "object" && !isEmptyValue(code);
}

/** An integer, also written as text, is a business code; in a flat error body text remains an error's code. */
function topLevelCode(body: JsonObject) {
  const code = body["code"];
  if (typeof code === "number") {
    return Number.isSafeInteger(code)
      ? { business: code + 0, name: null }
      : { business: null, name: String(code) };
  }
  if (typeof code !== "string" || code.trim() === "") return { business: null, name: null };
  const isFlatError = body["object"] === "error";
  if (code.length <= MAX_WORD_LENGTH && INTEGER.test(code) && !isFlatError) {
    return { business: Number(code) + 0, name: null };
  }
  return { business: null, name: isSuccessWord(code) ? null : code };
}

const INTEGER = /^\s*[+-]?(?:\d{1,15}|0\.0{1,15})\s*$/;

function flatType(body: JsonObject, error: JsonObject | null, business: number | null): string | null {
  if (error !== null) return null;
  const type = asText(body["type"]);
  if (type === null || type === "error") return null;
  if (body["object"] === "error") return type;
  const isErrorName = type.length <= MAX_WORD_LENGTH && /^[\w.-]+$/.test(type) && ERROR_NAME.test(type);
  return business === null && isErrorName ? type : null;
}

const ERROR_NAME =
  /err|exception|invalid|denied|limit|exceed|unauthor|forbidden|unavail|timeout|quota|overload/i;

const MESSAGE_KEYS = (
  "message msg error_msg error_message errorMessage errmsg err_msg Message detail " +
  "details description error_description reason title"
).split(" ");

function messageOf(body: JsonObject, error: JsonObject | null, fault: JsonObject | null): string | null {
  const own = error === null ? asText(body["error"]) : wordsOf(error);
  return (
    own ??
    wordsOf(body) ??
    wordsOf(fault) ??
    wordsOf(asObject(asList(body["errors"])?.[0])) ??
    asText(asList(body["errors"])?.[0]) ??
    wordsOf(asObject(body["data"]))
  );
}

/** The words of one object; a list of validation faults gives its first. */
function wordsOf(object: JsonObject | null): string | null {
  if (object === null) return null;
  for (const key of MESSAGE_KEYS) {
    const value = object[key];
    const inner = asObject(value) ?? asObject(asList(value)?.[0]);
    const text = asText(value) ?? (inner === null ? null : innerWords(inner));
    if (text !== null) return text;
  }
  return null;
}

function innerWords(object: JsonObject): string | null {
  return (
    asText(object["message"]) ?? asText(object["msg"]) ?? asText(object["error"]) ?? asText(object["detail"])
  );
}

/** The failed one of the containers that vendors use instead of `code` and `error`; null when there is none. */
export function foreignFault(body: JsonObject): JsonObject | null {
  const base = asObject(body["base_resp"]);
  if (base !== null && isFaultCode(base["status_code"])) {
    return { message: base["status_msg"], code: base["status_code"] };
  }
  const header = asObject(body["header"]);
  if (header !== null && isFaultCode(header["code"])) return header;
  if (
    isFaultCode(body["status_code"]) &&
    body["status_code"] !== 200 &&
    asText(body["status_message"]) !== null
  ) {
    return { message: body["status_message"], code: body["status_code"] };
  }
  if (FAULT_CODES.some((key) => isFaultCode(body[key]))) return body;
  for (const holder of ["Response", "ResponseMetadata", "fault", "Error"]) {
    const outer = asObject(body[holder]);
    const error = holder === "Error" || holder === "fault" ? outer : asObject(outer?.["Error"]);
    if (error !== null && !isEmptyValue(error))
      return { ...error, message: error["Message"] ?? error["faultstring"] ?? error["message"] };
  }
  const faults = asList(body["errors"]);
  const isRefused =
    faults !== null && faults.length > 0 && isEmptyValue(body["data"]) && body["success"] !== true;
  return isRefused ? (asObject(faults[0]) ?? { message: faults[0] }) : null;
}

const FAULT_CODES = ["error_code", "errcode", "errorCode", "ErrCode", "err_code", "errno", "Code"];

function isFaultCode(code: unknown): boolean {
  const text = asText(code);
  return text !== null && text !== "0" && !isSuccessWord(text);
}

/** The id of a generation: of its answer, or of the event that begins a stream of messages or responses. */
export function completionIdOf(json: unknown): string | null {
  const body = asObject(json);
  const holders = [body, asObject(body?.["message"]), asObject(body?.["response"])];
  const ids = holders.map((holder) => asText(holder?.["id"]));
  return ids.find((id) => id !== null && COMPLETION_ID.test(id)) ?? null;
}

const COMPLETION_ID = /^(?:chatcmpl|cmpl|gen|msg|resp)[-_][\w-]{1,90}$/;

/** The header, else `request_id` of the body or of its `error`. White space stays until it was redacted: it may be a part of a secret. */
export function requestIdOf(headers: Readonly<Record<string, string>>, json: unknown): string | null {
  const body = asObject(json) ?? asObject(asList(json)?.[0]);
  return (
    asText(headers["x-request-id"]) ??
    asText(body?.["request_id"]) ??
    asText(asObject(body?.["error"])?.["request_id"]) ??
    asText(errorObject(body?.["error"])?.["request_id"])
  );
}
