import { expect, test } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";

const OPTIONS = { kind: null, nowMs: 0, timeZone: "UTC", redact };

test("white space is nothing to explain", () => expect(explain(" \n\t", OPTIONS)).toBeNull());

test("JSON with a status, headers and a body is an answer", () => {
  const text = JSON.stringify({
    status: 402,
    headers: { "X-Request-ID": "req_7" },
    body: '{"error":{"message":"no money","type":"insufficient_quota","code":"insufficient_balance"}}',
  });
  expect(explain(text, OPTIONS)).toMatchObject({
    takenFor: { form: "answer", kind: "console", notes: ["kind_guessed"] },
    diagnosis: { cause: "insufficient_balance", httpStatus: 402, requestId: "req_7" },
    report: { cause: "insufficient_balance", requestId: "req_7" },
  });
});

test("a body alone is judged as one that came with 200, and says so", () => {
  expect(explain('{"code":5000,"message":"internal"}', OPTIONS)).toMatchObject({
    takenFor: { form: "json", notes: ["status_unknown", "kind_guessed"] },
    diagnosis: { cause: "business_error", httpStatus: null, businessCode: 5000 },
  });
});

test.each(["why does it not work??", "x=1", "模型坏了"])(
  "words that show no answer are noted: %s",
  (words) => {
    expect(explain(words, OPTIONS)).toMatchObject({
      takenFor: { form: "text", notes: ["status_unknown", "kind_guessed", "words_only"] },
      diagnosis: { ok: false, httpStatus: null, retry: { allowed: false } },
    });
  },
);

test("a page alone is an answer, and no mere words", () => {
  expect(explain("<!doctype html><html><title>Welcome</title></html>", OPTIONS)).toMatchObject({
    takenFor: { form: "text", notes: ["status_unknown", "kind_guessed"] },
    diagnosis: { cause: "wrong_url" },
  });
});
