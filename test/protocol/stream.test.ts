import { describe, expect, it } from "vitest";
import { diagnosedAs } from "./answers.ts";

const FRAME = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
const END = "data: [DONE]\n\n";
const of = (transcript: string) => diagnosedAs("stream", 200, transcript);

describe("the transcript of a stream", () => {
  it("is ok with content and an end mark", () => {
    expect(of(FRAME + END)).toMatchObject({ cause: "ok", layer: null });
    expect(of((FRAME + END).replaceAll("\n", "\r\n")).cause).toBe("ok");
    expect(of(`: keep-alive\n\n${FRAME}${END}`).cause).toBe("ok");
  });

  it("was dropped where it ends within an event, whatever came before", () => {
    const finished = 'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n';
    expect(of(`${finished}data: {"error":{"mess`).cause).toBe("stream_dropped");
    expect(of(`${finished}data: {"error":{"message":"a"}}`).cause).toBe("stream_error");
    expect(of(`${finished}data: {"usage":{}}`).cause).toBe("ok");
  });

  it("was dropped where the end mark is missing", () => {
    expect(of(FRAME)).toMatchObject({ cause: "stream_dropped", owner: "upstream", layer: "stream" });
    expect(of(": keep-alive\n\n").cause).toBe("stream_dropped");
  });

  it("with an end mark and no content is unexpected", () => {
    expect(of(END)).toMatchObject({ cause: "unexpected_response", ambiguous: ["stream_dropped"] });
  });

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
    const usage = `data: {"code":${code},"usage":{"completion_tokens":2}}\n\n`;
    expect(of(FRAME + usage + END).cause).toBe("ok");
  });

  it("that a refusal opened is the caller's", () => {
    const refusal = 'data: {"error":{"message":"x","code":"insufficient_balance"}}\n\n';
    expect(of(refusal)).toMatchObject({ cause: "insufficient_balance", ambiguous: ["stream_error"] });
    expect(of(FRAME + refusal).cause).toBe("stream_error");
  });

  it("that is a page is a wrong address", () => {
    expect(of("<!DOCTYPE html><html><title>Login</title></html>").cause).toBe("wrong_url");
  });

  it("may end its lines with returns, spread JSON over lines, and leave out the empty lines between events", () => {
    expect(of((FRAME + END).replaceAll("\n", "\r")).cause).toBe("ok");
    expect(of(`data: {"choices":[{"delta":\ndata: {"content":"Hi"}}]}\n\n${END}`).cause).toBe("ok");
    expect(of(`${FRAME}${FRAME}${END}`.replaceAll("\n\n", "\n")).cause).toBe("ok");
    expect(of(`${FRAME}data: {"error":{"message":"x"}}\n\n${END}`.replaceAll("\n\n", "\n")).cause).toBe(
      "stream_error",
    );
    expect(of(`${FRAME}data: [DONE]`).cause).toBe("ok");
  });

  it("is read where it was indented, or bears JSON without framing", () => {
    expect(of((FRAME + END).replaceAll("data:", "  data :")).cause).toBe("ok");
    expect(of(`${FRAME}{"error":{"message":"x"}}\n\n${END}`).cause).toBe("stream_error");
  });

  it("is never ended by content that looks like an end", () => {
    expect(of('data: {"choices":[{"delta":{"content":"[DONE]"},"finish_reason":null}]}\n\n').cause).toBe(
      "stream_dropped",
    );
  });

  it("of messages needs its own last event", () => {
    const start = 'data: {"type":"message_start","message":{"id":"m"}}\n\n';
    const delta = 'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}\n\n';
    expect(of(start + delta).cause).toBe("stream_dropped");
    expect(of(`${start}${delta}data: {"type":"message_stop"}\n\n`).cause).toBe("ok");
  });

  it("of responses names what failed by the error in its response", () => {
    const created = 'data: {"type":"response.created","response":{"id":"r1","error":null}}\n\n';
    const failed =
      '{"type":"response.failed","response":{"id":"r1","error":{"code":"insufficient_quota","message":"Used up."}}}';
    expect(of(`${created}event: response.failed\ndata: ${failed}\n\n`)).toMatchObject({
      cause: "stream_error",
      errorCode: "insufficient_quota",
      message: "Used up.",
      ambiguous: ["quota_exceeded"],
    });
    expect(of(`data: ${failed}\n\n`)).toMatchObject({ cause: "quota_exceeded", message: "Used up." });
  });
});
