import { describe, expect, it } from "vitest";
import { diagnosedAs } from "./answers.ts";

const FRAME = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
const END = "data: [DONE]\n\n";
const FINISHED = 'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n';
const ERROR = 'data: {"error":{"message":"x"}}\n\n';
const REFUSAL = 'data: {"error":{"message":"x","code":"insufficient_balance"}}\n\n';
const PAGE = "<!DOCTYPE html><html><title>Login</title></html>";
const QUOTED = 'data: {"choices":[{"delta":{"content":"[DONE]"},"finish_reason":null}]}\n\n';
const USED_UP =
  '{"response":{"error":{"code":"insufficient_quota","message":"Used up."}},"type":"response.failed"}';
const START = 'data: {"type":"message_start","message":{"id":"m"}}\n\n';
const DELTA = 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n';
const of = (transcript: string) => diagnosedAs("stream", 200, transcript);

describe("the transcript of a stream", () => {
  it.each([
    ["of content and an end mark", FRAME + END, { cause: "ok", layer: null }],
    ["with CRLF", (FRAME + END).replaceAll("\n", "\r\n"), { cause: "ok" }],
    ["with returns", (FRAME + END).replaceAll("\n", "\r"), { cause: "ok" }],
    ["behind a comment", `: keep-alive\n\n${FRAME}${END}`, { cause: "ok" }],
    ["over lines", `data: {"choices":[{"delta":\ndata: {"content":"Hi"}}]}\n\n${END}`, { cause: "ok" }],
    ["without empty lines", `${FRAME}${FRAME}${END}`.replaceAll("\n\n", "\n"), { cause: "ok" }],
    ["with an end mark and no line behind it", `${FRAME}data: [DONE]`, { cause: "ok" }],
    ["that was indented", (FRAME + END).replaceAll("data:", "  data :"), { cause: "ok" }],
    ["that ends within no event", `${FINISHED}data: {"usage":{}}`, { cause: "ok" }],
    ["of messages with its last event", `${START}${DELTA}data: {"type":"message_stop"}\n\n`, { cause: "ok" }],
    ["of messages without it", START + DELTA, { cause: "stream_dropped" }],
    ["that ends within an event", `${FINISHED}data: {"error":{"mess`, { cause: "stream_dropped" }],
    ["without an end mark", FRAME, { cause: "stream_dropped", owner: "upstream", layer: "stream" }],
    ["of a comment", ": keep-alive\n\n", { cause: "stream_dropped" }],
    ["of content that looks like an end", QUOTED, { cause: "stream_dropped" }],
    ["of an end mark alone", END, { cause: "unexpected_response", ambiguous: ["stream_dropped"] }],
    ["that ends within an error", `${FINISHED}data: {"error":{"message":"a"}}`, { cause: "stream_error" }],
    ["with an error so", `${FRAME}${ERROR}${END}`.replaceAll("\n\n", "\n"), { cause: "stream_error" }],
    ["with JSON without framing", `${FRAME}${ERROR.slice(6)}${END}`, { cause: "stream_error" }],
    ["that a refusal opened", REFUSAL, { cause: "insufficient_balance", ambiguous: ["stream_error"] }],
    ["with a refusal behind content", FRAME + REFUSAL, { cause: "stream_error" }],
    ["that is a page", PAGE, { cause: "wrong_url" }],
    ["of responses that failed", `data: ${USED_UP}\n\n`, { cause: "quota_exceeded", message: "Used up." }],
  ])("%s", (_what, transcript, expected) => expect(of(transcript)).toMatchObject(expected));

  it.each([
    ["in a data line", 'data: {"error":{"message":"x","type":"server_error"}}\n\n'],
    ["as an event", 'event: error\ndata: {"message":"x","type":"server_error"}\n\n'],
    ["as an event without data", "event: error\n\n"],
    ["in messages style", 'data: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'],
    ["in a field of its own", 'error: {"code":500,"message":"x"}\n\n'],
    ["as an envelope", 'data: {"code":5000,"message":"x"}\n\n'],
    ["as an envelope beside content", 'data: {"code":5000,"choices":[{"delta":{"content":"H"}}]}\n\n'],
    ["as a finish reason", 'data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n'],
    ["without framing", '{"error":{"message":"x"}}\n'],
    ["as a failed response", 'data: {"type":"response.failed","response":{"error":{"message":"x"}}}\n\n'],
  ])("with an error %s has an error, also before an end mark", (_where, error) => {
    expect(of(FRAME + error).cause).toBe("stream_error");
    expect(of(FRAME + error + END)).toMatchObject({ cause: "stream_error", layer: "stream" });
  });

  it.each([0, 200])("whose events are all stamped with %d is ok", (code) => {
    expect(of(`${FRAME}data: {"code":${code},"usage":{"completion_tokens":2}}\n\n${END}`).cause).toBe("ok");
  });

  it("of responses names what failed by the error in its response", () => {
    const created = 'data: {"type":"response.created","response":{"id":"r1","error":null}}\n\n';
    const expected = { cause: "stream_error", errorCode: "insufficient_quota", message: "Used up." };
    const found = of(`${created}event: response.failed\ndata: ${USED_UP}\n\n`);
    expect(found).toMatchObject({ ...expected, ambiguous: ["quota_exceeded"] });
  });
});
