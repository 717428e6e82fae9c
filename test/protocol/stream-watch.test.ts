import * as fc from "fast-check";
import { expect, test } from "vitest";
import { StreamWatch, readEventStream, type EndMark } from "../../src/protocol/event-stream.ts";

const WORD = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';
const ERROR = 'data: {"error":{"message":"broke"}}\n\n';
const DONE = "data: [DONE]\n\n";

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

test.each([
  ["words and their end", [WORD, DONE], { found: null, isEnded: true }],
  ["words alone", [WORD, WORD], { found: null, isEnded: false }],
  ["an error at once", [ERROR], { found: ERROR, isEnded: false }],
  ["an error after words", [WORD, ERROR, DONE], { found: `data: begun\n\n${ERROR}`, isEnded: true }],
  ["an error behind the end mark", [WORD, DONE, ERROR], { found: null, isEnded: true }],
  ["an end mark without its empty line", [WORD, "data: [DONE]"], { found: null, isEnded: true }],
  ["an end mark inside words", [WORD.replace("a", "data: [DONE]")], { found: null, isEnded: false }],
  ["CRLF", [WORD, DONE].map((event) => event.replaceAll("\n", "\r\n")), { found: null, isEnded: true }],
  ["an error that has no data", ["event: error\n\n"], { found: "event: error\n\n", isEnded: false }],
])("of %s", (_name, pieces, expected) => expect(watch(pieces, "done")).toEqual(expected));

test.each([
  ['event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
  ['data: {"type": "message_stop"}\n\n', true],
  [DONE, false],
  ['data: {"type":"content_block_delta","delta":{"text":"\\"type\\":\\"message_stop\\""}}\n\n', false],
])("%j ends a stream of messages: %s", (event, isEnded) => {
  expect(watch([event], "message_stop").isEnded).toBe(isEnded);
});

test("where no end mark is known there is none", () => expect(watch([WORD, DONE], null).isEnded).toBe(false));

test("what has no events is kept, and no more of it than 64 KiB", () => {
  const watcher = new StreamWatch("done");
  watcher.feed("<html>");
  watcher.feed("x".repeat(100_000));
  expect(watcher.start).toBe(`<html>${"x".repeat(65_530)}`);
  watcher.feed(`\n\n${WORD}`);
  expect(watcher.start).toBeNull();
});

test("an event that is too large goes by unread, and the next one is read", () => {
  const watcher = new StreamWatch("done");
  expect(watcher.feed(`data: {"error":"${"x".repeat(9_000_000)}`)).toBeNull();
  expect(watcher.feed('"}\n')).toBeNull();
  expect(watcher.feed("\n")).toBeNull();
  expect(watcher.feed(ERROR)).toBe(ERROR);
});

const EVENT = fc.oneof(
  fc.constantFrom(WORD, ERROR, DONE, ": ping\n\n", "event: error\ndata: x\n\n", "data: {\n\n", "\n"),
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\r", " ")),
);
const LINE_END = fc.constantFrom("\n", "\r\n", "\r");

test("how a stream is cut into pieces changes nothing", () => {
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

test("an error is found where the reading of the whole transcript finds one", () => {
  fc.assert(
    fc.property(fc.array(EVENT), (events) => {
      const { found } = watch(events, null);
      expect(found !== null).toBe(readEventStream(events.join("")).error !== undefined);
    }),
  );
});
