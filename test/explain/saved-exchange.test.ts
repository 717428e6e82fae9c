import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import { NO_MONEY, explained } from "./pasted-text.ts";

interface Exchange {
  readonly url?: string;
  readonly method?: string;
  readonly sent?: string;
  readonly response: Readonly<Record<string, unknown>>;
}

function entry({
  url = "https://api.example.com/v1/models",
  method = "GET",
  sent,
  response,
}: Exchange): unknown {
  return {
    startedDateTime: "2026-11-20T13:00:00.000+01:00",
    request: {
      method,
      url,
      headers: [
        { name: "User-Agent", value: "OpenAI/JS 7.57.0" },
        { name: "Authorization", value: "Bearer my-own-secret-word" },
        { name: "Cookie", value: "session=my-own-secret-word" },
      ],
      ...(sent === undefined ? {} : { postData: { mimeType: "application/json", text: sent } }),
    },
    response: { httpVersion: "http/2.0", headers: [{ name: "X-Request-Id", value: "req_1" }], ...response },
  };
}

const REFUSED = { status: 402, content: { size: 90, text: NO_MONEY } };
const LISTED = { status: 200, content: { size: 11, text: '{"data":[]}' } };
const har = (...entries: readonly unknown[]): string => JSON.stringify({ log: { version: "1.2", entries } });

test("an entry tells the answer, the request and its time", () => {
  const asked = { url: "https://api.example.com/v1/chat/completions", method: "post" };
  const sent = '{"model":"gpt-4o","stream":true,"messages":[{"role":"user","content":"a private matter"}]}';
  const explanation = explained(JSON.stringify(entry({ ...asked, sent, response: REFUSED })));
  expect(explanation).toMatchObject({
    takenFor: { form: "har", detail: "HTTP/2.0", kind: "chat", notes: [] },
    diagnosis: { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1" },
    report: {
      endpoint: "https://api.example.com/v1/chat/completions",
      modelId: "gpt-4o",
      requestedAt: "2026-11-20T20:00:00.000+08:00",
      streaming: true,
      client: "OpenAI/JS 7.57.0",
    },
  });
  expect(JSON.stringify(explanation)).not.toMatch(/my-own-secret-word|a private matter/);
});

describe("a log of several exchanges is judged by", () => {
  const page = {
    url: "https://api.example.com/",
    response: { status: 200, content: { text: "<html></html>" } },
  };
  const busy = { response: { status: 503, content: { text: "{}" } } };
  const business = { status: 200, content: { text: '{"code":5000,"message":"internal"}' } };
  const listed = entry({ response: LISTED });

  test.each<[string, string, Cause]>([
    ["the last that failed", har(entry(busy), entry({ response: REFUSED }), listed), "insufficient_balance"],
    ["an error under 200 too", har(entry({ response: business }), listed), "business_error"],
    ["the last, where none failed", har(entry(page), listed), "ok"],
    ["no page that came well", har(entry({ response: REFUSED }), entry(page)), "insufficient_balance"],
  ])("%s", (_, text, cause) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor.notes).toEqual(["one_of_entries"]);
    expect(diagnosis.cause).toBe(cause);
  });
});

const SPRING = {
  timestamp: "2026-11-20T12:00:00Z",
  status: 500,
  error: "Internal Server Error",
  path: "/v1/x",
};
const FRAMEWORK = { statusCode: 429, message: "ThrottlerException: Too Many Requests" };
describe("a body with a status of its own is no saved answer", () => {
  test.each<[string, unknown, string]>([
    ["a problem document", { type: "about:blank", status: 401, title: "Unauthorized" }, "authentication"],
    ["Spring's error", SPRING, "service_misconfigured"],
    ["a framework's error", FRAMEWORK, "rate_limited"],
    [
      "an answer in other names",
      { statusCode: 429, headers: { a: "b" }, body: '{"error":"slow"}' },
      "rate_limited",
    ],
    ["an answer of axios", { status: 503, headers: { a: "b" }, data: { a: 1 } }, "upstream_unavailable"],
    ["an error with http_status_code", { error: "it failed", http_status_code: 502 }, "upstream_unavailable"],
    ["a task's record", { id: "t1", status: "failed" }, "task_failed"],
    ["an envelope", { status: 200, data: { total: 1 }, message: "success" }, "ok"],
  ])("%s", (_, body, cause) => {
    const { takenFor, diagnosis } = explained(JSON.stringify(body));
    expect(takenFor.form).not.toBe("answer");
    expect(takenFor.notes).toContain("status_unknown");
    expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
  });
});
