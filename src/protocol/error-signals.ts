/**
 * Gathers from a failed body what synonyms are matched against: names of errors, types, and words. Pure and bounded:
 * at most 200 values are looked at, so a hostile body costs no more than an honest one.
 */
import { asList, asText, jsonInString, mayBeJson } from "./json.ts";
import type { JsonObject } from "./json.ts";

export interface Signals {
  /** Error codes by name, outermost first. */
  readonly codes: readonly string[];
  readonly types: readonly string[];
  /** Names that stand where words belong: `{"message": "account_deactivated"}`. */
  readonly namesAsWords: readonly string[];
  /** All messages, one a line, at most 4096 characters. */
  readonly words: string;
}

export function collectSignals(json: unknown, typesOfHeaders: readonly string[]): Signals {
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
/** To parse strings as JSON. */
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
