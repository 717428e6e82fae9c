import { describe, expect, it } from "vitest";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";
import { broken, CHAT, data, delta, DONE, examined, MESSAGES, named, PLAIN, STREAMED } from "./canary.ts";

const of = (...frames: readonly string[]) => examined(STREAMED, frames.join("")).diagnosis;
const WORD = delta({ content: "pong" });

describe("a stream that a canary asked for", () => {
  it.each([
    ["of chat", CHAT],
    ["of messages", MESSAGES],
  ])("%s is ok with content and its end mark", (_style, frames) => {
    expect(of(...frames)).toMatchObject({ ok: true, cause: "ok", layer: null, message: null });
  });

  it.each([
    ["a finish reason alone", [WORD, delta({}, "stop")]],
    ["the end mark of messages, in chat", [WORD, named("message_stop")]],
    ["the end mark of chat, in messages", [...MESSAGES.slice(0, -1), DONE]],
    ["[END]", [WORD, "data: [END]\n\n"]],
    ["a done event", [WORD, "event: done\ndata: {}\n\n"]],
    ["[DONE] as content", [delta({ content: "[DONE]" })]],
    ["an indented end mark", [WORD, " data: [DONE]\n\n"]],
    ["an end mark with no field", [WORD, "[DONE]\n\n"]],
  ])("is not ended by %s", (_what, frames) => {
    expect(of(...frames)).toMatchObject({
      ok: false,
      cause: "stream_dropped",
      owner: "upstream",
      health: "down",
      layer: "stream",
      httpStatus: 200,
    });
  });

  it("that lacks only its last empty line has dropped, and says why", () => {
    expect(of(WORD, "data: [DONE]\n")).toMatchObject({
      cause: "stream_dropped",
      message:
        "The end mark came, but the last event has no empty line behind it. Complete events before: 1.",
    });
    expect(of(WORD, "data: [DONE]").cause).toBe("stream_dropped");
    expect(of(MESSAGES.join("").trimEnd()).message).toMatch(/^The end mark came, but/);
  });

  it("says how far it came", () => {
    expect(of(...CHAT.slice(0, 3)).message).toBe(
      "The stream ended without its end mark. Complete events before: 3.",
    );
  });

  it("with an end mark and no content is unexpected", () => {
    const expected = { cause: "unexpected_response", layer: "stream", health: "down" };
    expect(of(DONE)).toMatchObject(expected);
    expect(of(delta({ role: "assistant", content: "" }), delta({ content: " \n" }), DONE)).toMatchObject(
      expected,
    );
    expect(of(delta({ tool_calls: [{ function: { arguments: "{}" } }] }), DONE)).toMatchObject(expected);
    expect(of(DONE, WORD, DONE)).toMatchObject(expected);
  });

  it("whose limit of tokens was spent on reasoning is ok", () => {
    const usage = data({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 16 } });
    expect(of(delta({ role: "assistant" }), delta({}, "length"), usage, DONE).cause).toBe("ok");
    expect(of(delta({ role: "assistant" }), delta({}, "length"), DONE).cause).toBe("unexpected_response");
    expect(of(delta({ role: "assistant" }), delta({}, "stop"), usage, DONE).cause).toBe(
      "unexpected_response",
    );
    const limit = { delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 16 } };
    expect(of(named("message_start"), named("message_delta", limit), named("message_stop")).cause).toBe("ok");
  });

  it.each([
    ["in a data line", data({ error: { message: "x", type: "server_error" } })],
    ["as an event", 'event: error\ndata: {"message":"x"}\n\n'],
    ["as an event without data", "event: error\n\n"],
    ["in messages style", named("error", { error: { type: "overloaded_error", message: "x" } })],
    ["in a field of its own", 'error: {"code":500}\n\n'],
  ])("with an error %s has an error, whatever follows", (_where, error) => {
    expect(of(WORD, error)).toMatchObject({ cause: "stream_error", layer: "stream", owner: "upstream" });
    expect(of(WORD, error, DONE).cause).toBe("stream_error");
  });

  it("that begins like no stream is still searched for errors", () => {
    const headers = { "content-type": "text/event-stream" };
    const body = `hello\n\n${WORD}${data({ error: { message: "x" } })}${DONE}`;
    expect(examined(STREAMED, body, { headers }).diagnosis.cause).toBe("stream_error");
  });

  it("that a refusal opened is the caller's", () => {
    const refusal = data({ error: { message: "x", code: "insufficient_balance" } });
    expect(of(refusal).cause).toBe("insufficient_balance");
    expect(of(WORD, refusal).cause).toBe("stream_error");
  });

  it("is a wrong address where it is a page, whatever type it claims", () => {
    const page = "<!doctype html><title>Welcome</title>";
    expect(of(page).cause).toBe("wrong_url");
    const headers = { "content-type": "text/event-stream" };
    expect(examined(STREAMED, page, { headers }).diagnosis.cause).toBe("wrong_url");
  });

  it("is judged as a plain answer where an error came as one", () => {
    expect(of(JSON.stringify({ code: 5000, message: "x" })).cause).toBe("business_error");
    expect(of(JSON.stringify({ error: { message: "x", code: "invalid_api_key" } })).cause).toBe(
      "authentication",
    );
  });

  it("is unexpected as a plain answer, however good, and says so", () => {
    const good = JSON.stringify({ choices: [{ message: { content: "pong" } }] });
    const message = "A stream of events was asked for, and the answer is none.";
    expect(of(good)).toMatchObject({ cause: "unexpected_response", message });
    expect(of(`{"response":"po","done":false}\n{"response":"ng","done":true}\n`)).toMatchObject({
      cause: "unexpected_response",
      message,
    });
  });

  it("is no answer to who asked for a plain one", () => {
    const { diagnosis } = examined(PLAIN, CHAT.join(""));
    expect(diagnosis).toMatchObject({
      cause: "unexpected_response",
      message: "A plain answer was asked for, and a stream of events came.",
    });
  });

  it("keeps what its HTTP status says", () => {
    expect(examined(STREAMED, CHAT.join(""), { status: 503 }).diagnosis.cause).toBe("upstream_unavailable");
  });

  it("of nothing has dropped where it is one by its type", () => {
    const headers = { "content-type": "text/event-stream" };
    expect(examined(STREAMED, "", { headers }).diagnosis.cause).toBe("stream_dropped");
    expect(examined(STREAMED, "").diagnosis.cause).toBe("unexpected_response");
    expect(of("\n: keep-alive\n\n").cause).toBe("stream_dropped");
  });

  it("that went over the limit is unexpected, although it has an end mark", () => {
    const { diagnosis } = examined(STREAMED, CHAT.join(""), { bodyEnd: "over_limit" });
    expect(diagnosis.cause).toBe("unexpected_response");
  });
});

describe("the end of a stream that a pointer names", () => {
  const asked = { ...STREAMED, pointers: { end: "/choices/0/finish_reason" } };

  it("is the event in which it says something, and nothing else", () => {
    expect(examined(asked, WORD + delta({}, "stop")).diagnosis.cause).toBe("ok");
    expect(examined(asked, WORD + DONE).diagnosis.cause).toBe("stream_dropped");
    expect(examined(asked, WORD + delta({}, "")).diagnosis.cause).toBe("stream_dropped");
  });

  it("is not a flag that is false", () => {
    const flagged = { ...STREAMED, pointers: { end: "/done", text: "/response" } };
    const body = data({ response: "po", done: false }) + data({ response: "ng", done: true });
    expect(examined(flagged, body).diagnosis.cause).toBe("ok");
    expect(examined(flagged, data({ response: "po", done: false })).diagnosis.cause).toBe("stream_dropped");
  });
});

describe("a stream whose connection broke", () => {
  it("has dropped once an event had come", () => {
    expect(broken(WORD).diagnosis).toMatchObject({
      cause: "stream_dropped",
      layer: "stream",
      httpStatus: 200,
      message: "The connection broke off in the stream (ECONNRESET). Complete events before: 1.",
      retry: { allowed: false },
    });
  });

  it("has dropped too where it fell silent", () => {
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

  it("is whole where its end mark had come", () => expect(broken(CHAT.join("")).diagnosis.cause).toBe("ok"));

  it("keeps an error that it told before", () => {
    expect(broken(WORD + data({ error: { message: "x" } })).diagnosis.cause).toBe("stream_error");
  });

  it("keeps what it told of its content", () => {
    const body = CHAT.slice(0, 3).join("");
    const arrivals = [{ afterMs: 120, length: body.length }];
    expect(broken(body, { received: { body, arrivals } }).told).toMatchObject({ firstContentMs: 120 });
  });
});

describe("what is expected of a stream", () => {
  const asked = { ...STREAMED, expect: [{ pointer: "/model", value: "gpt-4o" }] };

  it("must be in one of its events", () => {
    expect(examined(asked, data({ model: "gpt-4o", choices: [] }) + CHAT.join("")).diagnosis.cause).toBe(
      "ok",
    );
    expect(examined(asked, CHAT.join("")).diagnosis).toMatchObject({
      cause: "unexpected_response",
      layer: "stream",
      message: "Not what is expected at /model.",
    });
  });
});

describe("the words of a broken stream", () => {
  it("are redacted", () => {
    const secret = "sk-planted0123456789";
    const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
    const body = `${delta({ content: secret })}${data({ error: { message: secret, code: secret } })}`;
    const examination = examineCanary(answer(200, body, { kind: "stream" }), STREAMED, {
      ...CONTEXT,
      redact,
    });
    expect(JSON.stringify(examination)).not.toContain(secret);
  });
});
