/** What a model has generated stands neither in an explanation nor in its report. */
import { expect, test } from "vitest";
import { explained } from "./pasted-text.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const BEGUN =
  'data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Dear Ms Liu, your results"}}]}\n\n';

test.each([
  ["without its status line", BEGUN],
  ["with its headers", HEAD + BEGUN],
  ["cut within an event", BEGUN + BEGUN.slice(0, 90)],
])("a stream that broke off, %s, is told without what was generated", (_, text) => {
  const explanation = explained(text);
  expect(explanation.diagnosis).toMatchObject({ cause: "stream_dropped", message: null });
  expect(JSON.stringify(explanation)).not.toContain("Ms Liu");
});

test("the words of an error in a stream stay", () => {
  const { diagnosis } = explained(`${BEGUN}data: {"error":{"message":"The upstream went away."}}\n\n`);
  expect(diagnosis).toMatchObject({ cause: "stream_error", message: "The upstream went away." });
});
