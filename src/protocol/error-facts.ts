/**
 * What a body says about a failure, in whichever of the field's shapes it says it: chat and messages style, the
 * business envelope, flat errors, problem documents, strings, arrays, errors nested in each other or in strings.
 * Pure. Nothing is judged here. Follows spec 2.1-2.3.
 */
import { asList, asObject, asText, isEmptyValue, jsonInString } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { collectSignals } from "./error-signals.ts";
import type { Signals } from "./error-signals.ts";

export interface ErrorFacts {
  readonly errorType: string | null;
  readonly errorCode: string | null;
  readonly businessCode: number | null;
  /** `error.retryable` as found. */
  readonly hint: boolean | null;
  /** Not yet redacted. */
  readonly message: string | null;
  /** A non-empty `error` is there. */
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
    businessCode: code.business,
    hint: typeof error?.["retryable"] === "boolean" ? error["retryable"] : null,
    message: messageOf(body, error, fault),
    hasError: !isEmptyValue(body["error"]),
    saysNoSuccess: isDenied(body["success"]) || body["ok"] === false || isFilled(body["code"]),
    hasForeignFault: fault !== null,
  };
}

/** Everything in a failed body that synonyms may be matched against. */
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
  businessCode: null,
  hint: null,
  message: null,
  hasError: false,
  saysNoSuccess: false,
  hasForeignFault: false,
};

/** `error` as an object: itself, the first of a list, JSON in a string, or what an empty shell holds. */
export function errorObject(value: unknown): JsonObject | null {
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

interface TopLevelCode {
  readonly business: number | null;
  readonly name: string | null;
}

/** An integer, also written as text, is a business code; in a flat error body text remains an error's code. */
function topLevelCode(body: JsonObject): TopLevelCode {
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
  const isName = type.length <= MAX_WORD_LENGTH && /^[\w.-]+$/.test(type) && ERROR_NAME.test(type);
  return business === null && isName ? type : null;
}

const ERROR_NAME =
  /err|exception|invalid|denied|limit|exceed|unauthor|forbidden|unavail|timeout|quota|overload/i;

const MESSAGE_KEYS = [
  "message",
  "msg",
  "error_msg",
  "error_message",
  "errorMessage",
  "errmsg",
  "err_msg",
  "Message",
  "detail",
  "details",
  "description",
  "error_description",
  "reason",
  "title",
];

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
