/**
 * The HTTP status that a body names as its own: problem documents, the errors of frameworks, the pages of servers. It is the
 * body's word and not the answer's: good enough to judge by, not to repeat a request for. Pure.
 */
import { asObject, asText, isEmptyValue, type JsonObject } from "../protocol/json.ts";

/** 400 to 599, or null. */
export function statusInJson(json: unknown): number | null {
  const body = asObject(json);
  if (body === null) return null;
  const error = asObject(body["error"]);
  const isProblem = PROBLEM_KEYS.some((key) => !isEmptyValue(body[key]));
  const own = isProblem ? (failure(body["status"]) ?? failure(body["statusCode"])) : null;
  return own ?? statusOfError(error) ?? statusOfReason(body);
}

/** Google writes the status as `code`, beside a name as `status`. */
function statusOfError(error: JsonObject | null): number | null {
  if (error === null) return null;
  const isNamed = typeof error["status"] === "string" && /^[A-Z][A-Z_]+$/.test(error["status"]);
  return (
    failure(error["status"]) ?? failure(error["statusCode"]) ?? (isNamed ? failure(error["code"]) : null)
  );
}

const PROBLEM_KEYS = [
  "title",
  "type",
  "detail",
  "error",
  "message",
  "errors",
  "timestamp",
  "path",
  "instance",
];

function failure(value: unknown): number | null {
  const text = asText(value)?.trim() ?? "";
  return /^[45]\d\d$/.test(text) ? Number(text) : null;
}

/** Gateways of clouds answer with the reason phrase alone. */
function statusOfReason(body: JsonObject): number | null {
  if (body["code"] !== undefined || body["success"] !== undefined) return null;
  const words = asText(body["message"]) ?? asText(body["detail"]) ?? asText(body["error"]) ?? "";
  return REASONS.get(words.slice(0, 100).trim().toLowerCase().replace(/\.$/, "")) ?? null;
}

const REASONS: ReadonlyMap<string, number> = new Map([
  ["unauthorized", 401],
  ["payment required", 402],
  ["forbidden", 403],
  ["not found", 404],
  ["method not allowed", 405],
  ["too many requests", 429],
  ["internal server error", 500],
  ["bad gateway", 502],
  ["service unavailable", 503],
  ["service temporarily unavailable", 503],
  ["gateway timeout", 504],
  ["gateway time-out", 504],
  ["endpoint request timed out", 504],
]);

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
  return named === undefined ? (REASONS.get(words.toLowerCase().replace(/\.$/, "")) ?? null) : Number(named);
}

const MAX_SENTENCE = 300;
