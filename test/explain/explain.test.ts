/** What is pasted, in every form, as terminals, chats and tools hand it over; most of it stands in `pasted.jsonl`. */
import { expect, test } from "vitest";
import { explain, type Explanation } from "../../src/explain/explain.ts";
import { requestOfCommand } from "../../src/explain/http-transcript.ts";
import { plainText } from "../../src/explain/pasted.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { readVectors } from "../vectors/read-vectors.ts";
import { explained, NO_MONEY } from "./pasted-text.ts";

interface Pasted {
  readonly text: string;
  readonly kind?: Kind;
  readonly said: Partial<Explanation>;
}

test.each(readVectors<Pasted>("pasted"))("$what", ({ text, kind, said }) => {
  expect(explained(text, kind)).toMatchObject(said);
});

test("white space is nothing to explain", () => {
  expect(explain(" \n\t", { kind: null, nowMs: 0, timeZone: "UTC", redact })).toBeNull();
});

test.each([
  ["a page", "<html><title>Welcome</title></html>", null],
  ["a status", "404 page not found", null],
  ["an object whose kind is given", "{}", "models"],
] as const)("%s is an answer", (_, text, kind) => {
  const { takenFor, report } = explained(text, kind);
  expect(takenFor.notes).not.toContain("words_only");
  expect(report).not.toBeNull();
});

test.each([
  ["of JSON", '{"error":{"message":"upstream: curl: (6) Could not resolve host"}}'],
  ["of JSON, behind a bracket", '{"error":{"message":"[upstream]curl: (6) Could not resolve host"}}'],
  ["of a page", "<html><pre>\ncurl: (6) Could not resolve host\n</pre></html>"],
  ["of a page, behind a tag", "<html><p>curl: (6) Could not resolve host</p></html>"],
])("words of curl in a body are the body's: %s", (_, body) => {
  const { diagnosis } = explained(`HTTP/1.1 502 X\n\n${body}`);
  expect(diagnosis).toMatchObject({ cause: "upstream_unavailable", httpStatus: 502 });
  expect(explained(body).diagnosis.cause).not.toBe("dns_failure");
});

test("JSON is a failure wherever it was cut", () => {
  for (let end = 1; end < NO_MONEY.length; end += 1) {
    expect(explained(NO_MONEY.slice(0, end)).diagnosis.ok).toBe(false);
  }
});

test("a limit whose answer was cut is not repeated by what is missing, wherever it was cut", () => {
  const limit = '{"error":{"message":"over the limit","type":"quota","code":"insufficient_quota_left"}}';
  for (let end = 1; end < limit.length; end += 1) {
    const cut = `HTTP/1.1 429 X\ncontent-type: application/json\n\n${limit.slice(0, end)}`;
    const { takenFor, diagnosis } = explained(cut);
    expect(takenFor.notes).toContain("body_cut");
    expect(diagnosis).toMatchObject({ ok: false, retry: { allowed: false } });
  }
});

test.each([
  ["-d '{}'", "POST"],
  ["--json '{}'", "POST"],
  ["-X PUT -d '{}'", "PUT"],
  ["-H 'Accept: application/json'", "GET"],
])("curl %s sends %s", (options, method) => {
  const expected = { method };
  expect(requestOfCommand(`$ curl -i https://api.example.com/v1/models ${options}`)).toMatchObject(expected);
});

test("colours within a key hide no part of it", () => {
  const key = "\u001b[31msk-\u001b[0mproj-Ab3dEf6hIj9LmN0pQr2TuV5xYz8";
  expect(explained(`HTTP/1.1 500 X\n\nno ${key}`).diagnosis.message).toBe("no [redacted]");
});

test.each([
  ["a client's error before a fence", "Error code: 401 - {'a': 1}\n```\n{}\n```\n"],
  ["a body that holds a fence", 'HTTP/1.1 200 OK\n\nx\n```json\n{"error":"x"}\n```\n'],
])("%s stays as it is", (_, text) => expect(plainText(text)).toBe(text));

/** What a model has generated stands neither in an explanation nor in its report. */
const STREAM_HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const BEGUN =
  'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Dear Ms Liu, your results"}}]}\n\n';

test.each([
  ["without its status line", BEGUN],
  ["with its headers", STREAM_HEAD + BEGUN],
  ["cut within an event", BEGUN + BEGUN.slice(0, 90)],
])("a stream that broke off, %s, is told without what was generated", (_, text) => {
  const explanation = explained(text);
  expect(explanation.diagnosis).toMatchObject({ cause: "stream_dropped", message: null });
  expect(JSON.stringify(explanation)).not.toContain("Ms Liu");
});
