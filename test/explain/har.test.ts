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

test("content in base64 is read as UTF-8", () => {
  const text = Buffer.from('{"error":{"message":"余额不足 €","code":"insufficient_balance"}}').toString(
    "base64",
  );
  const content = { size: 70, text, encoding: "base64" };
  expect(explained(har(entry({ response: { status: 402, content } }))).diagnosis.message).toBe("余额不足 €");
});

test("content that was not recorded is noted", () => {
  const content = { size: 90, mimeType: "application/json" };
  expect(explained(har(entry({ response: { status: 402, content } })))).toMatchObject({
    takenFor: { notes: ["body_missing"] },
    diagnosis: { cause: "insufficient_balance", httpStatus: 402 },
  });
});

describe("an exchange without an answer is the network's", () => {
  test.each<[string, Cause]>([
    ["net::ERR_NAME_NOT_RESOLVED", "dns_failure"],
    ["net::ERR_CONNECTION_REFUSED", "connection_failed"],
    ["net::ERR_CONNECTION_TIMED_OUT", "timeout"],
    ["net::ERR_CERT_DATE_INVALID", "tls_failure"],
    ["NS_ERROR_UNKNOWN_HOST", "dns_failure"],
    ["net::ERR_INTERNET_DISCONNECTED", "network_error"],
  ])("%s", (word, cause) => {
    const response = { status: 0, content: { size: 0 }, _error: word };
    expect(explained(har(entry({ response })))).toMatchObject({
      takenFor: { form: "har", notes: [] },
      diagnosis: { cause, layer: "network", httpStatus: null, message: word },
    });
  });

  test("also where nobody says why", () => {
    const response = { status: 0, content: { size: 0 } };
    expect(explained(har(entry({ response }))).diagnosis.cause).toBe("network_error");
  });

  test("and one that broke off has the status that had come", () => {
    const response = {
      status: 200,
      content: { size: 9, text: '{"data":[' },
      _error: "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    };
    const expected = { cause: "connection_failed", httpStatus: 200 };
    expect(explained(har(entry({ response }))).diagnosis).toMatchObject(expected);
  });
});
