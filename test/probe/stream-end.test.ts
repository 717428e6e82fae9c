import * as fc from "fast-check";
import { expect, test } from "vitest";
import { streamEndFinder } from "../../src/probe/canary-conclusion.ts";

const CHAT = 'data: {"choices":[{"delta":{"content":"say [DONE]"}}]}\n\n';
const MESSAGES = 'event: message_start\ndata: {"type":"message_start"}\n\n';

function endsAt(pieces: readonly string[]): number {
  const isEnd = streamEndFinder();
  return pieces.findIndex(isEnd);
}

test.each([
  ["chat", `${CHAT}data: [DONE]\n\n`],
  ["chat without a space", `${CHAT}data:[DONE]\n\n`],
  ["chat with CRLF", `${CHAT}data: [DONE]\r\n\r\n`],
  ["the mark alone", "data: [DONE]\n\n"],
  ["messages", `${MESSAGES}event: message_stop\ndata: {"type":"message_stop"}\n\n`],
])("the end of %s is found wherever it is split, and nowhere before", (_style, text) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      const pieces: string[] = [];
      for (let [at, index] = [0, 0]; at < text.length; index += 1) {
        const size = sizes[index % sizes.length] ?? 1;
        pieces.push(text.slice(at, at + size));
        at += size;
      }
      expect(endsAt(pieces)).toBe(pieces.length - 1);
    }),
  );
});

test.each([
  ["the letters without the empty line", "data: [DONE]\n"],
  ["words that name it", 'data: {"a":"data: [DONE]"}\n\n'],
  ["another field", "id: [DONE]\n\n"],
  ["chat's mark in a stream of messages", `${MESSAGES}data: [DONE]\n\n`],
  ["words of messages that name theirs", `${MESSAGES}data: {"type":"content","text":"message_stop"}\n\n`],
])("%s is no end", (_what, text) => expect(endsAt([text])).toBe(-1));
