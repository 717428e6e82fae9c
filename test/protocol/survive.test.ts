import { describe, expect, it } from "vitest";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { answer, CONTEXT, diagnosed, diagnosedAs } from "./answers.ts";

const error = (code: string, type = "invalid_request_error"): unknown => ({
  error: { message: "No.", type, code },
});

/** What was answered, and the cause, owner, health and layer of its diagnosis. */
type Row = readonly [string, number, unknown, string];

/** Those of each status and each code are scenarios of the simulator. */
const ROWS: readonly Row[] = [
  ["a list with a null error", 200, { error: null, data: [] }, "ok nobody up null"],
  ["a list with an empty error", 200, { error: {}, data: [] }, "ok nobody up null"],
  ["code 5001", 200, { code: 5001 }, "business_error operator down business"],
  [
    "code before error",
    200,
    { code: 5000, error: { code: "invalid_api_key" } },
    "business_error operator down business",
  ],
  ["an error string", 200, { error: "broken", data: [] }, "api_error operator down api"],
  ["a specific error", 200, error("invalid_api_key"), "authentication caller blocked api"],
  ["null", 200, "null", "unexpected_response operator down body"],
  ["data that is no array", 200, { data: {} }, "unexpected_response operator down body"],
  ["304", 304, "", "wrong_url caller blocked http"],
  ["503 balance", 503, error("insufficient_balance"), "insufficient_balance caller blocked http"],
  ["404 with 1042", 404, "error code: 1042", "wrong_url caller blocked http"],
  ["an envelope in a 503", 503, { code: 2001, message: "x" }, "upstream_unavailable upstream down http"],
];

it.each(ROWS)("%s, %d", (_name, status, body, told) => {
  const { cause, owner, health, layer, ...found } = diagnosed(status, body);
  expect([cause, owner, health, layer].join(" ")).toBe(told.replace(/ null$/, " "));
  expect(found).toMatchObject({ httpStatus: status, ok: cause === "ok" });
  // It may be tried again only by status and cause.
  const isLimited = status === 429 && cause === "rate_limited";
  const isAway = [502, 503, 504].includes(status) && cause === "upstream_unavailable";
  expect(found.retry.allowed).toBe(isLimited || isAway);
});

it("Retry-After as a date is measured from the answer's own Date", () => {
  const headers = { "retry-after": "Fri, 20 Nov 2026 12:01:30 GMT" };
  const date = "Fri, 20 Nov 2026 12:01:00 GMT";
  expect(diagnosed(503, "", { headers: { ...headers, date } }).retry.afterSeconds).toBe(30);
  expect(diagnosed(503, "", { headers }).retry.afterSeconds).toBe(90);
  expect(diagnosed(429, "").retry.afterSeconds).toBeNull();
});

const NUMBERED = { error: { message: "error code: 1020" } };
const NOT_ALLOWED = error("model_not_allowed", "insufficient_quota");
const UPSTREAM = { error: { message: "upstream account has insufficient balance" } };
const perMinute = (code: string) => ({ error: { code, message: "too many requests per minute" } });
const hinted = (hint: boolean) => ({ error: { message: "x", retryable: hint } });
const retryWith = (hint: boolean) => ({ retry: { allowed: false, afterSeconds: null, hint } });

describe("what is told apart", () => {
  it.each([
    ["an envelope in a 4xx keeps its code", 400, { code: "5002", message: "x" }, { businessCode: 5002 }],
    ["a business success is told as its code", 200, { code: 0, data: [] }, { businessCode: 0 }],
    ["also where that is a text", 200, { code: "0", data: [] }, { ok: true, businessCode: 0 }],
    ["and as none where there is none", 200, { code: null, data: [] }, { businessCode: null }],
    [
      "4004 tells no kind of resource",
      200,
      { code: 4004, message: "x" },
      { ambiguous: ["permission_denied"] },
    ],
    ["JSON before a page's number", 403, NUMBERED, { cause: "permission_denied" }],
    ["the code before the type", 403, NOT_ALLOWED, { cause: "permission_denied" }],
    ["words of an upstream's trouble leave a 502 alone", 502, UPSTREAM, { cause: "upstream_unavailable" }],
    ["the service's code for a quota", 429, perMinute("quota_exceeded"), { cause: "quota_exceeded" }],
    ["that of another vendor by the minute", 429, perMinute("insufficient_quota"), { cause: "rate_limited" }],
    ["the hint to retry, which never decides", 500, hinted(true), retryWith(true)],
    ["the hint not to", 500, hinted(false), retryWith(false)],
  ])("%s", (_what, status, body, expected) => expect(diagnosed(status, body)).toMatchObject(expected));

  it("a login token is no API key, and the advice says so", () => {
    expect(diagnosed(401, "").advice).not.toMatch(/login token/);
    const jwt = diagnose(answer(401, ""), { ...CONTEXT, key: "jwt" });
    expect(jwt.cause).toBe("authentication");
    expect(jwt.advice).toMatch(/login token is no API key/);
  });

  it("an assistant that writes about errors is still ok", () => {
    const content = 'Error: {"error": {"code": "invalid_api_key"}}';
    const body = { choices: [{ message: { role: "assistant", content } }] };
    expect(diagnosedAs("chat", 200, body).cause).toBe("ok");
  });
});
