import { describe, expect, test } from "vitest";
import type { Cause } from "../../../src/protocol/diagnosis.ts";
import type { Kind } from "../../../src/protocol/observation.ts";
import { explained, NO_MONEY } from "../pasted-text.ts";

const GUESSED = ["status_unknown", "kind_guessed"];

describe("what a body is, where nobody says so", () => {
  test.each<[string, unknown, string, Kind, Cause]>([
    ["a listing", { object: "list", data: [{ id: "gpt-4o", object: "model" }] }, "json", "models", "ok"],
    ["a chat", { object: "chat.completion", choices: [{ message: { content: "a" } }] }, "json", "chat", "ok"],
    ["an empty chat", { object: "chat.completion", choices: [] }, "json", "chat", "unexpected_response"],
    [
      "a message",
      { type: "message", role: "assistant", content: [{ type: "text" }] },
      "json",
      "messages",
      "ok",
    ],
    ["vectors", { object: "list", data: [{ embedding: [0.1] }] }, "json", "embeddings", "ok"],
    ["pictures", { created: 1, data: [{ url: "https://a.example/p.png" }] }, "json", "image", "ok"],
    ["a task that waits", { id: "t1", status: "queued" }, "task", "task", "task_pending"],
    ["a task that failed", { task_id: "t1", status: "FAILED" }, "task", "task", "task_failed"],
    [
      "a task in an envelope",
      { code: 0, data: { task_id: "t1", task_status: "processing" } },
      "task",
      "task",
      "task_pending",
    ],
    ["a success of the console", { code: 0, data: { total: 1 } }, "json", "console", "ok"],
    ["a key of the console", { id: 5, name: "mine", status: "active" }, "json", "console", "ok"],
    ["a key that is too old", { id: 5, name: "mine", status: "expired" }, "json", "console", "ok"],
    [
      "an envelope that writes 200",
      { code: 200, message: "success", data: [{ id: "a", object: "model" }] },
      "json",
      "console",
      "ok",
    ],
    ["a business failure", { code: 5000, message: "internal" }, "json", "console", "business_error"],
    ["words without a result", { detail: "Something went wrong" }, "json", "chat", "unexpected_response"],
    [
      "a sentence",
      { message: "API rate limit exceeded for user ID 1.", documentation_url: "https://a.example" },
      "json",
      "chat",
      "rate_limited",
    ],
    ["what a framework says", { detail: "Not authenticated" }, "json", "chat", "authentication"],
    ["a reason alone", { message: "Forbidden" }, "json", "chat", "permission_denied"],
    [
      "Google's error",
      { error: { code: 429, message: "Resource has been exhausted", status: "RESOURCE_EXHAUSTED" } },
      "json",
      "console",
      "rate_limited",
    ],
  ])("%s", (_, body, form, kind, cause) => {
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
    [
      "that brought an error",
      'event: error\r\ndata: {"type":"error","error":{"type":"overloaded_error"}}\r\n\r\n',
      "stream_error",
    ],
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
    ["with a comma too many", NO_MONEY.slice(0, -1) + ",}"],
    ["before a value", NO_MONEY.slice(0, -2) + ',"param":'],
    ["in a name", NO_MONEY.slice(0, -2) + ',"par'],
  ])("still names its failure, cut %s", (_, text) => {
    const { takenFor, diagnosis } = explained(text);
    expect(takenFor).toMatchObject({ form: "json", notes: [...GUESSED, "body_cut"] });
    expect(diagnosis).toMatchObject({ errorType: "insufficient_quota", message: "no money" });
  });

  test("is no success", () => {
    const { takenFor, diagnosis } = explained('{"object":"list","data":[{"id":"gpt-4o"},');
    expect(takenFor.notes).toEqual([...GUESSED, "body_cut"]);
    expect(diagnosis.cause).toBe("unexpected_response");
  });

  test("is no success by the code that a gateway writes for one", () => {
    const { takenFor, diagnosis } = explained(
      '{"code":200,"msg":"success","data":{"taskId":"t1","status":"FAI',
    );
    expect(takenFor.notes).toEqual([...GUESSED, "body_cut"]);
    expect(diagnosis).toMatchObject({ ok: false, cause: "unexpected_response" });
  });

  test.each(Array.from({ length: NO_MONEY.length - 1 }, (_, end) => NO_MONEY.slice(0, end + 1)))(
    "is a failure: %s",
    (text) => {
      expect(explained(text).diagnosis.ok).toBe(false);
    },
  );
});

describe("around JSON", () => {
  test.each([
    ["a fence", `\`\`\`json\n${NO_MONEY}\n\`\`\``],
    ["a fence that is not closed", `~~~\r\n${NO_MONEY}`],
    ["a byte order mark", `\uFEFF${NO_MONEY}`],
    ["quotes", JSON.stringify(NO_MONEY)],
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
    [
      "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx</body></html>",
      "upstream_unavailable",
    ],
    ["<html><body><h1>429 Too Many Requests</h1></body></html>", "rate_limited"],
    ["Status: 502 Bad Gateway", "upstream_unavailable"],
    ["Error 429: slow down", "rate_limited"],
    ["HTTP 401 Unauthorized", "authentication"],
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
  const { takenFor, diagnosis } = explained(
    "There are 500 apples in the basket of a long story. ".repeat(10),
  );
  expect(takenFor.notes).toEqual([...GUESSED, "words_only"]);
  expect(diagnosis).toMatchObject({ cause: "wrong_url", httpStatus: null });
});

describe("JSON behind what a program printed before it", () => {
  const GOOD = '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}';

  test.each(
    "200 |200 OK\n|<Response [200]>\n|Response: |Status code: 200\nResponse body: |返回： ".split("|"),
  )("is good behind %j", (lead) => {
    expect(explained(lead + GOOD)).toMatchObject({
      takenFor: { form: "json", kind: "chat", notes: GUESSED },
      diagnosis: { cause: "ok", httpStatus: null },
    });
  });

  test.each(["<Response [402]>\n", "Response: ", "Status: 402\n\nBody: "])("is bad behind %j", (lead) => {
    expect(explained(lead + NO_MONEY).diagnosis).toMatchObject({
      cause: "insufficient_balance",
      errorCode: "insufficient_balance",
      message: "no money",
    });
  });

  test.each(["Invalid request: ", "500 ", "<Response [503]>\n", "Status: 429 Body: "])(
    "is no success behind %j",
    (lead) => {
      const expected = { ok: false, retry: { allowed: false } };
      expect(explained(`${lead}{"model":"a"}`).diagnosis).toMatchObject(expected);
    },
  );
});
