/** What a diagnosis says of an answer; those of each status and each code are scenarios of the simulator. */
import { describe, expect, it } from "vitest";
import { diagnose, examine } from "../../src/protocol/diagnose.ts";
import { judgeExpectations } from "../../src/protocol/causes.ts";
import { createRedactor, redact } from "../../src/protocol/redaction/redact.ts";
import { isOwnMessage } from "../../src/protocol/thrown.ts";
import { answer, CONTEXT, diagnosed, diagnosedAs } from "./answers.ts";

const error = (code: string, type = "invalid_request_error"): unknown => ({
  error: { message: "No.", type, code },
});

it("Retry-After as a date is measured from the answer's own Date", () => {
  const headers = { "retry-after": "Fri, 20 Nov 2026 12:01:30 GMT" };
  const date = "Fri, 20 Nov 2026 12:01:00 GMT";
  expect(diagnosed(503, "", { headers: { ...headers, date } }).retry.afterSeconds).toBe(30);
  expect(diagnosed(503, "", { headers }).retry.afterSeconds).toBe(90);
  expect(diagnosed(429, "").retry.afterSeconds).toBeNull();
});

const CODE_AND_ERROR = { code: 5000, error: { code: "invalid_api_key" } };
const NUMBERED = { error: { message: "error code: 1020" } };
const NOT_ALLOWED = error("model_not_allowed", "insufficient_quota");
const UPSTREAM = { error: { message: "upstream account has insufficient balance" } };
const perMinute = (code: string) => ({ error: { code, message: "too many requests per minute" } });
const hinted = (hint: boolean) => ({ error: { message: "x", retryable: hint } });
const retryWith = (hint: boolean) => ({ retry: { allowed: false, afterSeconds: null, hint } });

describe("what is told apart", () => {
  it.each([
    ["an envelope in a 4xx keeps its code", 400, { code: "5002", message: "x" }, { businessCode: 5002 }],
    ["a business success keeps its code", 200, { code: 0, data: [] }, { businessCode: 0 }],
    ["also where that is a text", 200, { code: "0", data: [] }, { ok: true, businessCode: 0 }],
    ["and as none where there is none", 200, { code: null, data: [] }, { businessCode: null }],
    [
      "4004 names no kind of resource",
      200,
      { code: 4004, message: "x" },
      { ambiguous: ["permission_denied"] },
    ],
    ["304", 304, "", { cause: "wrong_url", layer: "http" }],
    ["the code before an error", 200, CODE_AND_ERROR, { cause: "business_error", layer: "business" }],
    ["a specific error", 200, error("invalid_api_key"), { cause: "authentication", layer: "api" }],
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

describe("the id of a request", () => {
  it("is that of the header before those of the body", () => {
    const body = { request_id: "of-body", error: { message: "no", request_id: "of-error" } };
    expect(diagnosed(500, body, { headers: { "x-request-id": "of-header" } }).requestId).toBe("of-header");
    expect(diagnosed(500, body).requestId).toBe("of-body");
    expect(diagnosed(500, { error: body.error }).requestId).toBe("of-error");
  });

  it.each([
    ["a list", { error: [{ message: "no", request_id: "r-1" }] }],
    ["an error within an error", { error: { error: { message: "no", request_id: "r-1" } } }],
    ["JSON in a string", { error: '{"message":"no","request_id":"r-1"}' }],
    ["a body that is a list", [{ error: { message: "no", request_id: "r-1" } }]],
  ])("is found in %s", (_, body) => expect(diagnosed(500, body).requestId).toBe("r-1"));

  it("is that of the frames before, where the frame with the error has none", () => {
    const transcript = 'data: {"request_id":"r-1","choices":[]}\n\ndata: {"error":{"message":"no"}}\n\n';
    expect(diagnosedAs("stream", 200, transcript).requestId).toBe("r-1");
  });

  it("is redacted as it came: white space before it may be the part of a key that gives the rest away", () => {
    const key = 'k%"<69#Z8\\1$j 3}<HI{i\\=Xb:zLK|3Y/|>"%k';
    const body = { error: { message: "no" }, request_id: key.slice(13, 25) };
    expect(key.slice(13, 25)).toMatch(/^ .{11}$/);
    const context = { ...CONTEXT, redact: createRedactor([key]) };
    expect(diagnose(answer(401, body), context).requestId).toBe("[redacted]");
  });

  it.each(["cf-ray", "x-amzn-requestid", "apim-request-id", "x-trace-id"])("is not taken from %s", (name) => {
    // It belongs to what stands before the service.
    expect(diagnosed(500, { error: "no" }, { headers: { [name]: "r-1" } }).requestId).toBeNull();
  });
});

const saidOf = (location: string, status = 302) => {
  const { cause, message } = diagnosed(status, "<p>moved</p>", { headers: { location } });
  expect(cause).toBe("wrong_url");
  return message;
};

it.each([
  ["https://login.acme.example/sso", "https://login.acme.example/sso"],
  ["/v1/models", "/v1/models"],
  ["//cdn.acme.example/v1", "//cdn.acme.example/v1"],
  ["https://u:p%40ss@acme.example/v1?key=sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6#top", "https://acme.example/v1"],
  ["/login?next=%2Fv1%2Fmodels", "/login"],
  [`https://acme.example/${"a".repeat(300)}`, `https://acme.example/${"a".repeat(129)}…`],
])("a redirect to %s is named", (location, place) => {
  const message = saidOf(location);
  expect(message).toBe(`It redirects to ${place}, and redirects are not followed.`);
  expect(isOwnMessage(message ?? "")).toBe(true);
});

it("a key in the path is taken out", () => {
  const location = "https://acme.example/sk-proj-Jq3nP0xW7vT2mB8kR5yL1dH6/x";
  const expected = "It redirects to https://acme.example/[redacted]/x, and redirects are not followed.";
  expect(diagnose(answer(302, "", { headers: { location } }), { ...CONTEXT, redact }).message).toBe(expected);
});

it("a redirect that leads nowhere has no words of ours", () => {
  expect(saidOf("")).toBe(null);
  expect(saidOf("?again", 307)).toBe(null);
});

const OK = diagnosed(200, { data: [{ id: "a" }, { id: "b" }] });
const EXPECTATIONS = { modelIds: ["a", "b"], expect: ["a"], latencyMs: 100, slowerThanMs: 5000 };

describe("expectations of a good answer", () => {
  it("that are met leave it as it is", () => {
    expect(judgeExpectations(OK, EXPECTATIONS)).toEqual({ diagnosis: OK, missingModels: [] });
  });

  it("name the models that are missing", () => {
    const judged = judgeExpectations(OK, { ...EXPECTATIONS, expect: ["c", "a", "d"] });
    expect(judged.missingModels).toEqual(["c", "d"]);
    const missing = { ok: true, cause: "model_missing", owner: "operator", health: "degraded", layer: null };
    expect(judged.diagnosis).toMatchObject({ ...missing, message: "Missing from the list: c, d" });
  });

  it("find that a list has no model at all, though it is a good answer by itself", () => {
    const empty = diagnosed(200, { object: "list", data: [] });
    expect(empty).toMatchObject({ ok: true, cause: "ok", health: "up" });
    const { diagnosis } = judgeExpectations(empty, { ...EXPECTATIONS, modelIds: [], expect: ["a"] });
    expect(diagnosis).toMatchObject({ cause: "model_missing", message: "Missing from the list: a" });
  });

  it("call it slow only beyond the limit", () => {
    const at = (latencyMs: number) => judgeExpectations(OK, { ...EXPECTATIONS, latencyMs }).diagnosis;
    expect(at(5000).cause).toBe("ok");
    const message = "The answer took 5.001 s, longer than 5 s.";
    expect(at(5001)).toMatchObject({
      ok: true,
      cause: "slow",
      health: "degraded",
      owner: "operator",
      message,
    });
  });

  it("put a missing model before slowness, miss none where there is no list, and touch no bad answer", () => {
    const missing = { ...EXPECTATIONS, expect: ["z"] };
    expect(judgeExpectations(OK, { ...missing, latencyMs: 9999 }).diagnosis.cause).toBe("model_missing");
    expect(judgeExpectations(OK, { ...missing, modelIds: null }).missingModels).toEqual([]);
    const bad = diagnosed(503, "");
    expect(judgeExpectations(bad, missing).diagnosis).toBe(bad);
  });

  it("keep a message of many models short", () => {
    const expected = Array.from({ length: 500 }, (_, at) => `model-${at}`);
    const judged = judgeExpectations(OK, { ...EXPECTATIONS, expect: expected });
    expect(judged.diagnosis.message?.length).toBe(300);
    expect(judged.missingModels).toHaveLength(500);
  });
});

describe("the model list", () => {
  it("counts every entry and judges none", () => {
    const data = [{ id: "a" }, null, 3, { id: 7 }, { name: "x" }, [], { id: "" }];
    expect(examine(answer(200, { data }), CONTEXT).models).toEqual({ count: 7, ids: ["a", ""] });
  });

  it("is no list where the answer is not ok", () => {
    expect(examine(answer(200, { code: 5000, data: [] }), CONTEXT).models).toBeNull();
    expect(examine(answer(500, { data: [] }), CONTEXT).models).toBeNull();
  });
});
