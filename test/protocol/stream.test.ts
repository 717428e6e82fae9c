import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StreamWatch, readEventStream, type EndMark } from "../../src/protocol/event-stream.ts";
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

/** What is found in pieces, and whether the end mark came. */
function watch(pieces: readonly string[], mark: EndMark) {
  const watcher = new StreamWatch(mark);
  let found: string | null = null;
  for (const piece of pieces) {
    const error = watcher.feed(piece);
    found ??= error;
  }
  const last = watcher.end();
  found ??= last;
  return { found, isEnded: watcher.isEnded };
}

it.each([
  ["words and their end", [FRAME, END], { found: null, isEnded: true }],
  ["words alone", [FRAME, FRAME], { found: null, isEnded: false }],
  ["an error at once", [ERROR], { found: ERROR, isEnded: false }],
  ["an error after words", [FRAME, ERROR, END], { found: `data: begun\n\n${ERROR}`, isEnded: true }],
  ["an error behind the end mark", [FRAME, END, ERROR], { found: null, isEnded: true }],
  ["an end mark without its empty line", [FRAME, "data: [DONE]"], { found: null, isEnded: true }],
  ["an end mark inside words", [FRAME.replace("Hi", "data: [DONE]")], { found: null, isEnded: false }],
  ["CRLF", [FRAME, END].map((event) => event.replaceAll("\n", "\r\n")), { found: null, isEnded: true }],
  ["an error that has no data", ["event: error\n\n"], { found: "event: error\n\n", isEnded: false }],
])("of %s", (_name, pieces, expected) => expect(watch(pieces, "done")).toEqual(expected));

it.each<[EndMark, string, boolean]>([
  ["message_stop", 'event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
  ["message_stop", 'data: {"type": "message_stop"}\n\n', true],
  ["message_stop", END, false],
  ["message_stop", 'data: {"delta":{"text":"\\"type\\":\\"message_stop\\""}}\n\n', false],
  ["response", 'event: response.completed\ndata: {"type":"response.completed","response":{}}\n\n', true],
  ["response", 'data: {"type": "response.incomplete"}\n\n', true],
  ["response", 'data: {"type":"response.output_text.done"}\n\n', false],
  ["response", END, false],
])("a stream with the mark %s is ended by %j: %s", (mark, event, isEnded) => {
  expect(watch([event], mark).isEnded).toBe(isEnded);
});

it("where no end mark is known there is none", () => expect(watch([FRAME, END], null).isEnded).toBe(false));

it("what has no events is kept, and no more of it than 64 KiB", () => {
  const watcher = new StreamWatch("done");
  watcher.feed("<html>");
  watcher.feed("x".repeat(100_000));
  expect(watcher.start).toBe(`<html>${"x".repeat(65_530)}`);
  watcher.feed(`\n\n${FRAME}`);
  expect(watcher.start).toBeNull();
});

const EVENT = fc.oneof(
  fc.constantFrom(FRAME, ERROR, END, ": ping\n\n", "event: error\ndata: x\n\n", "data: {\n\n", "\n"),
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\r", " ")),
);
const LINE_END = fc.constantFrom("\n", "\r\n", "\r");

it("how a stream is cut into pieces changes nothing", () => {
  fc.assert(
    fc.property(fc.array(EVENT), LINE_END, fc.array(fc.nat(40)), (events, lineEnd, cuts) => {
      const text = events.join("").replaceAll("\n", lineEnd);
      const pieces: string[] = [];
      let at = 0;
      for (const length of cuts) {
        pieces.push(text.slice(at, at + length));
        at += length;
      }
      pieces.push(text.slice(at));
      const plain = (found: string | null) => found?.replace(/\s+/g, " ").trim() ?? null;
      const whole = watch([text], "done");
      const cut = watch(pieces, "done");
      expect({ ...cut, found: plain(cut.found) }).toEqual({ ...whole, found: plain(whole.found) });
    }),
  );
});

it("an error is found where the reading of the whole transcript finds one", () => {
  fc.assert(
    fc.property(fc.array(EVENT), (events) => {
      const { found } = watch(events, null);
      expect(found !== null).toBe(readEventStream(events.join("")).error !== undefined);
    }),
  );
});
