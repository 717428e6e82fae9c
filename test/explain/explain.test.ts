/** What every form has in common, and what terminals, chats and tools do to an answer before it is pasted. */
import { describe, expect, test } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { plainText } from "../../src/explain/pasted.ts";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import { redact } from "../../src/protocol/redaction/redact.ts";
import { explained, NO_MONEY } from "./pasted-text.ts";

test("white space is nothing to explain", () => {
  expect(explain(" \n\t", { kind: null, nowMs: 0, timeZone: "UTC", redact })).toBeNull();
});

const OF_ANOTHER = 'Traceback (most recent call last):\n  File "x.py", line 3\nValueError: invalid literal';

test.each(["why does it not work??", "x=1", "模型坏了", OF_ANOTHER, '"hi"', "null", "{}", " [] "])(
  "what shows no answer is noted, and has no report: %s",
  (words) => {
    expect(explained(words)).toMatchObject({
      takenFor: { notes: ["status_unknown", "kind_guessed", "words_only"] },
      diagnosis: { httpStatus: null },
      report: null,
    });
  },
);

test.each([
  ["a page", "<html><title>Welcome</title></html>", null],
  ["a status", "404 page not found", null],
  ["an object whose kind is given", "{}", "models"],
] as const)("%s is an answer", (_, text, kind) => {
  const { takenFor, report } = explained(text, kind);
  expect(takenFor.notes).not.toContain("words_only");
  expect(report).not.toBeNull();
});

const GOOD =
  '{\n  "choices": [\n    {"message": {"content": "openai.RateLimitError: Error code: 429 - {\'a\': 1}"}, "finish_reason": "stop"}\n  ]\n}';
const ANSWERED = `HTTP/1.1 200 OK\ncontent-type: application/json\nx-request-id: req_1\n\n${GOOD}`;
const REFUSED = `HTTP/1.1 402 Payment Required\nX-Request-Id: req_1\n\n${NO_MONEY}\n`;

const CHANGES: readonly (readonly [string, (text: string) => string])[] = [
  ["in bold and in colours", (text) => text.replace(/^[\w-]+(?=:)/gm, "\u001b[1m\u001b[32m$&\u001b[0m")],
  ["behind the title of a window", (text) => `\u001b]0;root@host\u0007${text}`],
  ["in a fence", (text) => `\`\`\`\n${text}\n\`\`\`\n`],
];

describe.each(CHANGES)("an answer %s", (_, change) => {
  test("is as good as before, whatever it quotes", () => {
    const { takenFor, diagnosis } = explained(change(ANSWERED));
    expect(takenFor).toMatchObject({ form: "http", kind: "chat", notes: ["kind_guessed"] });
    expect(diagnosis).toMatchObject({ cause: "ok", httpStatus: 200, requestId: "req_1" });
  });

  test("is the same failure as before", () => {
    const given = { cause: "insufficient_balance", httpStatus: 402, requestId: "req_1", message: "no money" };
    expect(explained(change(REFUSED)).diagnosis).toMatchObject(given);
  });
});

test("colours within a key hide no part of it", () => {
  const key = "\u001b[31msk-\u001b[0mproj-Ab3dEf6hIj9LmN0pQr2TuV5xYz8";
  expect(explained(`HTTP/1.1 500 X\n\nno ${key}`).diagnosis.message).toBe("no [redacted]");
});

test.each([
  ["a client's error before a fence", "Error code: 401 - {'a': 1}\n```\n{}\n```\n"],
  ["a body that holds a fence", 'HTTP/1.1 200 OK\n\nx\n```json\n{"error":"x"}\n```\n'],
])("%s stays as it is", (_, text) => expect(plainText(text)).toBe(text));

/** What browsers and the sockets of Node say where no client of a provider is around them. */
const BROKEN: readonly (readonly [string, Cause])[] = [
  ["TypeError: Failed to fetch", "network_error"],
  ["TypeError: NetworkError when attempting to fetch resource.", "network_error"],
  ["TypeError: Load failed", "network_error"],
  ["POST https://api.acme.example/v1/chat/completions net::ERR_CONNECTION_REFUSED", "connection_failed"],
  ["GET https://api.acme.example/v1/models net::ERR_CERT_DATE_INVALID", "tls_failure"],
  ["Error: connect ECONNREFUSED 127.0.0.1:3000", "connection_failed"],
  ["connect ETIMEDOUT 192.0.2.4:443", "timeout"],
  ["Error: getaddrinfo ENOTFOUND api.acme.example", "dns_failure"],
];

test.each(BROKEN)("%j is a failure of the network, and is not sent again", (text, cause) => {
  const { diagnosis } = explained(text);
  expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
});

test.each(["Failed to fetch models from the provider", "It has failed to fetch"])(
  "%j is a sentence of a service, and no failure of the network",
  (text) => {
    expect(explained(text).takenFor.form).toBe("text");
  },
);

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
