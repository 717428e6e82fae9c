import * as fc from "fast-check";
import { expect, it } from "vitest";
import { StreamWatch, readEventStream, type EndMark } from "../../src/protocol/event-stream.ts";

const FRAME = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}\n\n';
const END = "data: [DONE]\n\n";
const ERROR = 'data: {"error":{"message":"x"}}\n\n';

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
