import { describe, expect, it } from "vitest";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";
import {
  broken,
  candidate,
  CHAT,
  data,
  delta,
  DONE,
  examined,
  GEMINI,
  MESSAGES,
  named,
  PLAIN,
  RESPONSES,
  STREAMED,
} from "./canary.ts";

const of = (...frames: readonly (string | undefined)[]) => examined(STREAMED, frames.join("")).diagnosis;
const WORD = delta({ content: "pong" });
const ROLE = delta({ role: "assistant" });
const TOOL = delta({ tool_calls: [{ function: { arguments: "{}" } }] });
const USAGE = data({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 16 } });
const LIMIT = { delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 16 } };
const SPENT = [named("message_start"), named("message_delta", LIMIT), named("message_stop")];
const REFUSAL = data({ error: { message: "x", code: "insufficient_balance" } });
const PAGE = "<!doctype html><title>Welcome</title>";
const SSE = { headers: { "content-type": "text/event-stream" } };

const OK = { ok: true, cause: "ok", layer: null, message: null };
const STREAM = { layer: "stream", health: "down", httpStatus: 200 };
const DROPPED = { ...STREAM, ok: false, cause: "stream_dropped", owner: "upstream" };
const EMPTY = { ...STREAM, cause: "unexpected_response" };
const NO_STREAM = {
  cause: "unexpected_response",
  message: "The request asked for a stream, but the answer is not one.",
};
const WHOLE = {
  response: { output: [{ type: "message", content: [{ type: "output_text", text: "pong" }] }] },
};
const CALL = named("response.function_call_arguments.delta", { delta: "{}" });
const AT_LIMIT = {
  response: { incomplete_details: { reason: "max_output_tokens" }, usage: { output_tokens: 16 } },
};
const FAILED = { response: { status: "failed", error: { code: "server_error", message: "Sorry." } } };
const BLOCKED = { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } };
const THOUGHTS = { usageMetadata: { promptTokenCount: 4, thoughtsTokenCount: 16 } };
const UNAUTHENTICATED = { error: { code: 401, message: "Refused.", status: "UNAUTHENTICATED" } };
const OPEN_END = "The end mark came, but no empty line after the last event. Complete events before: 1.";

describe("a stream that a canary asked for", () => {
  it.each([
    ["of chat", CHAT, OK],
    ["of messages", MESSAGES, OK],
    ["of responses", RESPONSES, OK],
    ["of responses that its own limit ended", [...RESPONSES.slice(0, -1), named("response.incomplete")], OK],
    ["of a response that comes whole at its end", [named("response.completed", WHOLE)], OK],
    ["of Gemini", GEMINI, OK],
    ["of Gemini with the mark of chat behind it", [...GEMINI, DONE], OK],
    ["no end of responses", RESPONSES.slice(0, -1), DROPPED],
    ["the end mark of chat, in responses", [...RESPONSES.slice(0, -1), DONE], DROPPED],
    ["no reason to finish of Gemini", GEMINI.slice(0, 1), DROPPED],
    ["the end mark of chat, in Gemini", [...GEMINI.slice(0, 1), DONE], DROPPED],
    ["a prompt that Gemini blocked", [data(BLOCKED)], { ...EMPTY, errorCode: "PROHIBITED_CONTENT" }],
    ["a candidate without text", [data(candidate(null, "SAFETY"))], { ...EMPTY, errorCode: "SAFETY" }],
    ["the call of a tool of responses", [CALL, named("response.completed")], EMPTY],
    ["a limit of a response spent on reasoning", [named("response.incomplete", AT_LIMIT)], OK],
    ["a limit of Gemini spent so", [data(candidate(null, "MAX_TOKENS", THOUGHTS))], OK],
    [
      "a response that failed",
      [named("response.failed", FAILED)],
      { cause: "stream_error", message: "Sorry." },
    ],
    ["a key that Gemini refuses", [data(UNAUTHENTICATED)], { cause: "authentication" }],
    ["an error of Gemini behind content", [GEMINI[0], data(UNAUTHENTICATED)], { cause: "stream_error" }],
    ["a list, as Gemini streams without alt=sse", [JSON.stringify([candidate("pong", "STOP")])], NO_STREAM],
    ["a finish reason alone", [WORD, delta({}, "stop")], DROPPED],
    ["the end mark of messages, in chat", [WORD, named("message_stop")], DROPPED],
    ["the end mark of chat, in messages", [...MESSAGES.slice(0, -1), DONE], DROPPED],
    ["[DONE] as content", [delta({ content: "[DONE]" })], DROPPED],
    ["an indented end mark", [WORD, " data: [DONE]\n\n"], DROPPED],
    ["an end mark without its empty line", [WORD, "data: [DONE]\n"], { ...DROPPED, message: OPEN_END }],
    ["an end mark without its line", [WORD, "data: [DONE]"], DROPPED],
    ["no content", [DONE], EMPTY],
    ["the call of a tool", [TOOL, DONE], EMPTY],
    ["content behind the end mark", [DONE, WORD, DONE], EMPTY],
    ["a limit spent on reasoning", [ROLE, delta({}, "length"), USAGE, DONE], OK],
    ["a limit of messages spent so", SPENT, OK],
    ["a limit and no figures", [ROLE, delta({}, "length"), DONE], { cause: "unexpected_response" }],
    ["figures and no limit", [ROLE, delta({}, "stop"), USAGE, DONE], { cause: "unexpected_response" }],
    ["a refusal that opens it", [REFUSAL], { cause: "insufficient_balance" }],
    ["a refusal behind content", [WORD, REFUSAL], { cause: "stream_error" }],
    ["a page", [PAGE], { cause: "wrong_url" }],
    ["an envelope", ['{"code":5000,"message":"x"}'], { cause: "business_error" }],
    ["a plain error", ['{"error":{"message":"x","code":"invalid_api_key"}}'], { cause: "authentication" }],
    ["a good plain answer", ['{"choices":[{"message":{"content":"pong"}}]}'], NO_STREAM],
    ["lines of JSON", ['{"response":"po","done":false}\n{"response":"ng","done":true}\n'], NO_STREAM],
    ["comments alone", ["\n: keep-alive\n\n"], { cause: "stream_dropped" }],
    ["nothing", [""], { cause: "unexpected_response" }],
  ])("%s", (_what, frames, expected) => expect(of(...frames)).toMatchObject(expected));

  it.each([
    ["nginx's limit in all", 60_900, 30_000, "nginx: proxy_read_timeout"],
    ["its limit of silence", 70_000, 10_500, "nginx: proxy_read_timeout"],
    ["Cloudflare's", 121_000, 90_000, "Cloudflare: Proxy Read Timeout"],
    ["Envoy's", 299_000, 250_000, "nginx: proxy_read_timeout; Envoy: stream_idle_timeout"],
    ["no limit", 63_000, 30_000, null],
  ])("that is cut at %s names the setting", (_of, endedMs, lastMs, setting) => {
    const arrivals = [
      { afterMs: 400, length: ROLE.length },
      { afterMs: lastMs, length: (ROLE + WORD).length },
    ];
    const received = { body: ROLE + WORD, arrivals, endedMs };
    const { diagnosis } = broken(received.body, { detail: null, received });
    const came = `Complete events before: 2 (0.4–${(lastMs / 1000).toFixed(1)} s).`;
    expect(diagnosis.message).toBe(`The connection broke during the stream. ${came}`);
    expect(/front \((.*)\)\.$/.exec(diagnosis.advice)?.[1] ?? null).toBe(setting);
    expect([diagnosis.cause, diagnosis.retry.allowed]).toEqual(["stream_dropped", false]);
    // Our own time limit says nothing of a proxy.
    expect(broken(received.body, { stage: "timeout", received }).diagnosis.advice).not.toMatch(/proxy/);
  });

  it.each([
    ["of messages", MESSAGES[0], "msg_1"],
    ["of chat", data({ id: "chatcmpl-7", choices: [] }), "chatcmpl-7"],
    ["of responses", named("response.created", { response: { id: "resp_9" } }), "resp_9"],
    ["of another kind", data({ id: "user@acme.example", choices: [] }), undefined],
  ])("%s that breaks off has the id of its generation", (_of, first = "", id) => {
    expect(broken(first).diagnosis.completionId).toBe(id);
  });

  it("says how far it came", () => {
    const message = "The stream ended without its end mark. Complete events before: 3.";
    expect(of(...CHAT.slice(0, 3)).message).toBe(message);
    expect(of(MESSAGES.join("").trimEnd()).message).toMatch(/^The end mark came, but/);
  });

  it("with an error inside says how far it came, beside the words of the service", () => {
    const arrivals = [
      { afterMs: 400, length: ROLE.length + 1 },
      { afterMs: 58_100, length: 1000 },
    ];
    const body = ROLE + WORD + data({ error: { message: "overloaded" } });
    const { message, streamed } = examined(STREAMED, body, { ...SSE, arrivals }).diagnosis;
    expect([message, streamed]).toEqual(["overloaded", "3 events (0.4–58.1 s)"]);
    expect(examined(STREAMED, CHAT.join(""), SSE).diagnosis.streamed).toBeUndefined();
  });

  it.each([
    ["words and an error", `hello\n\n${WORD}${data({ error: "x" })}${DONE}`, SSE, "stream_error"],
    ["a page that claims to be one", PAGE, SSE, "wrong_url"],
    ["nothing", "", SSE, "stream_dropped"],
    ["a good one under 503", CHAT.join(""), { status: 503 }, "upstream_unavailable"],
    ["over the limit", CHAT.join(""), { bodyEnd: "over_limit" }, "unexpected_response"],
  ] as const)("of %s is judged by all that came", (_what, body, more, cause) => {
    expect(examined(STREAMED, body, more).diagnosis.cause).toBe(cause);
  });

  it("is no answer to who asked for a plain one", () => {
    const message = "The request did not ask for a stream, but the answer is one.";
    expect(examined(PLAIN, CHAT.join("")).diagnosis).toMatchObject({ cause: "unexpected_response", message });
  });
});

const FINISH = { end: "/choices/0/finish_reason" };
const FLAG = { end: "/done", text: "/response" };
const PO = data({ response: "po", done: false });

it.each([
  ["an event in which it says something", FINISH, WORD + delta({}, "stop"), "ok"],
  ["no other end mark", FINISH, WORD + DONE, "stream_dropped"],
  ["no empty text", FINISH, WORD + delta({}, ""), "stream_dropped"],
  ["a flag that is true", FLAG, PO + data({ response: "ng", done: true }), "ok"],
  ["no flag that is false", FLAG, PO, "stream_dropped"],
])("the end of a stream that a pointer names is %s", (_what, pointers, body, cause) => {
  expect(examined({ ...STREAMED, pointers }, body).diagnosis.cause).toBe(cause);
});

describe("a stream whose connection broke", () => {
  it("has dropped once an event had come, also where it fell silent", () => {
    const message = "The connection broke during the stream (ECONNRESET). Complete events before: 1.";
    const expected = { cause: "stream_dropped", layer: "stream", httpStatus: 200, retry: { allowed: false } };
    expect(broken(WORD).diagnosis).toMatchObject({ ...expected, message });
    expect(broken(WORD, { stage: "timeout", detail: null }).diagnosis).toMatchObject({
      cause: "stream_dropped",
      message: "The stream fell silent without its end mark. Complete events before: 1.",
    });
  });

  it.each([
    ["nothing", ""],
    ["a comment", ": hello\n\n"],
    ["half an event", WORD.slice(0, -1)],
    ["a page", "<html>"],
  ])("is the network's failure where only %s had come", (_what, body) => {
    expect(broken(body).diagnosis).toMatchObject({ cause: "connection_failed", layer: "network" });
    expect(broken(body, { stage: "timeout" }).diagnosis.cause).toBe("timeout");
  });

  it("is the network's failure where nothing is known of its body, or its status was bad", () => {
    const failure = { type: "network_failure", kind: "stream", stage: "timeout", status: 200 } as const;
    const { diagnosis } = examineCanary({ ...failure, headers: {}, detail: null }, STREAMED, CONTEXT);
    expect(diagnosis.cause).toBe("timeout");
    expect(broken(WORD, { status: 503 }).diagnosis.layer).toBe("network");
    expect(broken(WORD, { status: null }).diagnosis.layer).toBe("network");
  });

  it("keeps its end mark, an error and the time of its content where they had come", () => {
    expect(broken(CHAT.join("")).diagnosis.cause).toBe("ok");
    expect(broken(WORD + data({ error: { message: "x" } })).diagnosis.cause).toBe("stream_error");
    const body = CHAT.slice(0, 3).join("");
    const arrivals = [{ afterMs: 120, length: body.length }];
    expect(broken(body, { received: { body, arrivals } }).told).toMatchObject({ firstContentMs: 120 });
  });
});

it("what is expected of a stream must be in one of its events", () => {
  const asked = { ...STREAMED, expect: [{ pointer: "/model", value: "gpt-4o" }] };
  const told = data({ model: "gpt-4o", choices: [] }) + CHAT.join("");
  expect(examined(asked, told).diagnosis.cause).toBe("ok");
  const message = "Unexpected value at /model.";
  const expected = { cause: "unexpected_response", layer: "stream", message };
  expect(examined(asked, CHAT.join("")).diagnosis).toMatchObject(expected);
});

it("the words of a broken stream are redacted", () => {
  const secret = "sk-planted0123456789";
  const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
  const body = `${delta({ content: secret })}${data({ error: { message: secret, code: secret } })}`;
  const given = answer(200, body, { kind: "stream" });
  expect(JSON.stringify(examineCanary(given, STREAMED, { ...CONTEXT, redact }))).not.toContain(secret);
});
