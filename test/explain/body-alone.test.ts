import { describe, expect, test } from "vitest";
import type { Cause } from "../../src/protocol/diagnosis.ts";
import type { Kind } from "../../src/protocol/observation.ts";
import { NO_MONEY, explained } from "./pasted-text.ts";

const GUESSED = ["status_unknown", "kind_guessed"];

describe("what a body is, where nobody says so", () => {
  test.each<[string, Kind, Cause, unknown]>([
    ["a listing", "models", "ok", { object: "list", data: [{ id: "gpt-4o", object: "model" }] }],
    ["a chat", "chat", "ok", { object: "chat.completion", choices: [{ message: { content: "a" } }] }],
    ["a message", "messages", "ok", { type: "message", role: "assistant", content: [{ type: "text" }] }],
    ["a response", "responses", "ok", { object: "response", status: "completed", output: [{}] }],
    ["a response in the background", "responses", "task_pending", { object: "response", status: "queued" }],
    ["a candidate of Gemini", "gemini", "ok", { candidates: [{ content: { parts: [{ text: "a" }] } }] }],
    ["a blocked prompt", "gemini", "unexpected_response", { promptFeedback: { blockReason: "SAFETY" } }],
    ["vectors", "embeddings", "ok", { object: "list", data: [{ embedding: [0.1] }] }],
    ["pictures", "image", "ok", { created: 1, data: [{ url: "https://a.example/p.png" }] }],
    ["a task that waits", "task", "task_pending", { id: "t1", status: "queued" }],
    ["a task that failed", "task", "task_failed", { task_id: "t1", status: "FAILED" }],
    ["a task in an envelope", "task", "task_pending", { code: 0, data: { task_status: "processing" } }],
    ["a key of the console", "console", "ok", { id: 5, name: "mine", status: "active" }],
    ["a key that is too old", "console", "ok", { id: 5, name: "mine", status: "expired" }],
    ["an envelope with 200", "console", "ok", { code: 200, message: "success", data: [{ object: "model" }] }],
    ["words without a result", "chat", "unexpected_response", { detail: "Something went wrong" }],
    ["a sentence", "chat", "rate_limited", { message: "API rate limit exceeded", doc_url: "https://a.b" }],
    ["what a framework says", "chat", "authentication", { detail: "Not authenticated" }],
    ["a reason alone", "chat", "permission_denied", { message: "Forbidden" }],
    ["Google's error", "console", "rate_limited", { error: { code: 429, status: "RESOURCE_EXHAUSTED" } }],
  ])("%s", (_, kind, cause, body) => {
    const form = kind === "task" ? "task" : "json";
    const { takenFor, diagnosis } = explained(JSON.stringify(body));
    expect(takenFor).toEqual({ form, detail: null, kind, notes: GUESSED });
    expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
  });

  test("the kind that somebody names always wins", () => {
    const listing = '{"object":"list","data":[{"id":"gpt-4o","object":"model"}]}';
    expect(explained(listing, "chat")).toMatchObject({
      takenFor: { kind: "chat", notes: ["status_unknown"] },
      diagnosis: { cause: "unexpected_response" },
    });
  });
});

describe("a transcript of a stream", () => {
  test.each<[string, string, Cause]>([
    ["that ended", 'data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: [DONE]\n\n', "ok"],
    ["that broke off", 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n', "stream_dropped"],
    ["that failed", 'event: error\r\ndata: {"error":{"type":"overloaded_error"}}\r\n\r\n', "stream_error"],
    ["behind a comment", ": ping\n\ndata: [DONE]\n\n", "unexpected_response"],
    ["of an object a line", '{"response":"a","done":false}\n{"response":"","done":true}\n', "ok"],
  ])("%s", (_, text, cause) => {
    const { takenFor, diagnosis, report } = explained(text);
    expect(takenFor).toMatchObject({ form: "event_stream", kind: "stream", notes: GUESSED });
    expect(diagnosis.cause).toBe(cause);
    expect(report?.streaming ?? true).toBe(true);
  });

  test.each(["error: the request failed", "id: 5", "retry: later"])("is not this: %s", (text) => {
    expect(explained(text).takenFor.form).toBe("text");
  });
});

describe("JSON that was not copied to its end", () => {
  test.each([
    ["behind a comma", NO_MONEY.slice(0, -2) + ","],
    ["in a string", NO_MONEY.slice(0, -4)],
    ["before a value", NO_MONEY.slice(0, -2) + ',"param":'],
    ["in a name", NO_MONEY.slice(0, -2) + ',"par'],
  ])("still names its failure, cut %s", (_, text) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ form: "json", notes: [...GUESSED, "body_cut"] });
    expect(diagnosis).toMatchObject({ errorType: "insufficient_quota", message: "no money" });
  });

  test.each([
    '{"object":"list","data":[{"id":"gpt-4o"},',
    '{"code":200,"msg":"success","data":{"taskId":"t1","status":"FAI',
  ])("is no success: %s", (text) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor.notes).toEqual([...GUESSED, "body_cut"]);
    expect(diagnosis).toMatchObject({ ok: false, cause: "unexpected_response" });
  });

  test("is a failure wherever it was cut", () => {
    for (let end = 1; end < NO_MONEY.length; end += 1) {
      expect(explained(NO_MONEY.slice(0, end)).diagnosis.ok).toBe(false);
    }
  });
});

describe("around JSON", () => {
  test.each([
    ["a fence that is not closed", `~~~\r\n${NO_MONEY}`],
    ["a byte order mark", `\uFEFF${NO_MONEY}`],
    ["a prompt", `${NO_MONEY}\nuser@host:~$ `],
    ["a status that curl was told to print", `${NO_MONEY}\n402`],
  ])("stands %s", (_, text) => {
    expect(explained(text)).toMatchObject({
      takenFor: { form: "json", notes: GUESSED },
      diagnosis: { cause: "insufficient_balance", message: "no money" },
    });
  });
});

describe("a text that names its status is judged by it", () => {
  test.each<[string, Cause]>([
    ["<html>\r\n<title>502 Bad Gateway</title>\r\n<body>x</body></html>", "upstream_unavailable"],
    ["<html><body><h1>429 Too Many Requests</h1></body></html>", "rate_limited"],
    ["Status: 502 Bad Gateway", "upstream_unavailable"],
    ["Error 429: slow down", "rate_limited"],
    ["Gateway Timeout", "upstream_unavailable"],
    ["Rate limit exceeded, please slow down", "rate_limited"],
    ["You exceeded your current quota, please check your plan and billing details.", "quota_exceeded"],
    ["余额不足，请充值", "insufficient_balance"],
    ["<html><title>Welcome</title></html>", "wrong_url"],
  ])("%s", (text, cause) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ form: "text", notes: GUESSED });
    expect(diagnosis).toMatchObject({ cause, httpStatus: null, retry: { allowed: false } });
  });
});

test("a number in a story is no status", () => {
  const { takenFor, diagnosis } = explained("There are 500 apples in the basket of a story. ".repeat(10));
  expect(takenFor.notes).toEqual([...GUESSED, "words_only"]);
  expect(diagnosis).toMatchObject({ cause: "wrong_url", httpStatus: null });
});

describe("JSON behind what a program printed before it", () => {
  const GOOD = '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}';

  test.each(["Response: ", "$ cat answer.json\n", "返回： "])("is read alone behind %j", (lead) => {
    expect(explained(lead + GOOD)).toMatchObject({
      takenFor: { form: "json", kind: "chat", notes: GUESSED },
      diagnosis: { cause: "ok", httpStatus: null },
    });
    expect(explained(lead + NO_MONEY.slice(0, -1))).toMatchObject({
      takenFor: { form: "json", notes: [...GUESSED, "body_cut"] },
      diagnosis: { cause: "insufficient_balance", message: "no money" },
    });
  });

  test.each([
    "<Response [402]> ",
    "HTTP 402: ",
    "HTTP 402 Payment Required\n",
    "HTTP Error 402: ",
    "Status code: 402\nResponse body: ",
    "$ node ask-500.js\nStatus: 402\n\nBody: ",
  ])("has the status of %j", (lead) => {
    const told = { cause: "insufficient_balance", httpStatus: 402, message: "no money" };
    expect(explained(`${lead}${NO_MONEY}\n$ `)).toMatchObject({
      takenFor: { form: "http", detail: null, notes: ["kind_guessed"] },
      diagnosis: told,
    });
    expect(explained(lead.replace("402", "200") + GOOD).diagnosis).toMatchObject({
      cause: "ok",
      httpStatus: 200,
    });
  });

  test("is the answer of the command", () => {
    const command = '$ curl https://a.example/v1/messages \\\n  -d \'{"model":"m"}\'\n';
    expect(explained(command + NO_MONEY)).toMatchObject({
      takenFor: { form: "json", kind: "messages", notes: ["status_unknown"] },
      report: { endpoint: "https://a.example/v1/messages", modelId: "m", client: "curl" },
    });
  });

  test.each(["402 ", "402 Payment Required\n"])("is the message of a client behind %j", (lead) => {
    const told = { cause: "insufficient_balance", httpStatus: 402, message: "no money" };
    expect(explained(lead + NO_MONEY)).toMatchObject({ takenFor: { form: "sdk_error" }, diagnosis: told });
  });

  test.each(["Invalid request: ", "500 ", "<Response [500]>\n"])("is no success behind %j", (lead) => {
    const expected = { ok: false, retry: { allowed: false } };
    expect(explained(`${lead}{"model":"a"}`).diagnosis).toMatchObject(expected);
  });
});
