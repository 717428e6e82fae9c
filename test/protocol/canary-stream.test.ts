import { describe, expect, it } from "vitest";
import { examineCanary } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";
import { broken, CHAT, data, delta, examined, MESSAGES, named, STREAMED } from "./canary.ts";

const of = (...frames: readonly (string | undefined)[]) => examined(STREAMED, frames.join("")).diagnosis;
const WORD = delta({ content: "pong" });
const ROLE = delta({ role: "assistant" });
const SSE = { headers: { "content-type": "text/event-stream" } };

describe("a stream that a canary asked for", () => {
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

it("the words of a broken stream are redacted", () => {
  const secret = "sk-planted0123456789";
  const redact = (text: string): string => text.replaceAll(secret, "[redacted]");
  const body = `${delta({ content: secret })}${data({ error: { message: secret, code: secret } })}`;
  const given = answer(200, body, { kind: "stream" });
  expect(JSON.stringify(examineCanary(given, STREAMED, { ...CONTEXT, redact }))).not.toContain(secret);
});
