/**
 * The HTTP status that a body names as its own: problem documents, the errors of frameworks, the pages of servers. It is the
 * body's word and not the answer's: good enough to judge by, not to repeat a request for. Pure.
 */
import { type JsonObject, asObject, asText, isEmptyValue } from "../protocol/json.ts";
import { PLAIN_IN_WORDS, meaningOfWords } from "../protocol/synonyms.ts";
import type { ClassMeaning } from "./sdk-classes.ts";

/** 400 to 599, or null. */
export function statusInJson(json: unknown): number | null {
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

const PROBLEM_KEYS = "title type detail error message errors timestamp path instance".split(" ");

/** Names of a status beside a body, or in it. */
export const STATUS_KEYS = [
  "status",
  "statusCode",
  "status_code",
  "http_status_code",
  "httpStatus",
  "http_status",
];

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

/** Beside these a message says little: the judgement of good answers knows more. */
const RESULT_KEYS = ["code", "success", "ok", "status", "data", "result", "output", "choices", "id"];

/** By the reason phrase (RFC 9110, 15), which must be all the words. */
function statusOfReason(words: string): number | null {
  const reason = words
    .slice(0, 100)
    .trim()
    .toLowerCase()
    .replace(/^[45]\d\d:? /, "")
    .replace(/\.$/, "");
  return REASONS.get(reason) ?? null;
}

/** Where the words are plain they decide under 403, and what a 403 means by itself stays possible. */
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

/** Of a page its title or first heading, of a short text its beginning. */
export function statusInText(text: string): number | null {
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

// The status that the words of a client's error name, where its class leaves it open.

/** Null: they name none. */
export function statusInWords(meaning: ClassMeaning, words: string): number | null {
  // Between the two forms of the body, where the first client for Python had it.
  if (meaning === "stream") return failure(/\} ([45]\d\d) \{/.exec(words)?.[1]);
  if (meaning === "server") return failure(/\b(5\d\d)\b/.exec(words)?.[1]) ?? statusOfTitle(words);
  return statusOfTitle(words);
}

/** The reason phrase, as all the words, or as the title of a page. */
function statusOfTitle(words: string): number | null {
  return statusOfReason(/<title>([^<]{1,200})<\/title>/i.exec(words)?.[1] ?? words.slice(0, 200));
}
