import * as fc from "fast-check";
import { expect, test } from "vitest";
import { figuresOfCanary, type Measured, streamEndFinder } from "../../src/probe/canary-probe.ts";
import { NOTHING_TOLD } from "../../src/protocol/examine-canary.ts";

const PRICES = { currency: "USD", requestMicros: 500, inputMicros: 150_000, outputMicros: 600_000 };
const TOLD = {
  ...NOTHING_TOLD,
  inputTokens: 1000,
  outputTokens: 21,
  firstContentMs: 300,
  lastContentMs: 2_300,
};

function figures(over: Partial<Measured> = {}, isStreamed = true, prices: typeof PRICES | null = PRICES) {
  const measured = { told: TOLD, answerMs: 4_200, isQuestion: false, taskMs: null, paidRequests: 1 };
  return figuresOfCanary({ isStreamed, prices }, { ...measured, ...over });
}

test("a stream's speed is that between its first and its last content", () => {
  expect(figures()).toEqual({
    firstTokenMs: 300,
    taskMs: null,
    tokensPerSecond: 10.5,
    inputTokens: 1000,
    outputTokens: 21,
    costMicros: 663,
  });
});

test("a plain answer's speed is that of the whole answer, it has no first token, and without prices no costs", () => {
  expect(figures({}, false)).toMatchObject({ firstTokenMs: null, tokensPerSecond: 5 });
  expect(figures({}, true, null).costMicros).toBeNull();
});

test.each([
  ["one token", { outputTokens: 1 }],
  ["all content in one instant", { lastContentMs: 300 }],
  ["no tokens told", { outputTokens: null }],
  ["no content", { firstContentMs: null, lastContentMs: null }],
])("a stream of %s has no speed", (_what, told) => {
  expect(figures({ told: { ...TOLD, ...told } }).tokensPerSecond).toBeNull();
});

test("a dear request costs what it is priced at, in a currency of small units too", () => {
  const costOf = (prices: typeof PRICES) =>
    figures({ told: NOTHING_TOLD, paidRequests: 4 }, false, prices).costMicros;
  expect(costOf({ ...PRICES, currency: "KRW", requestMicros: 3_000e6 })).toBe(12_000_000_000);
  expect(costOf({ ...PRICES, requestMicros: 1_000_000e6 })).toBe(4_000_000_000_000);
});

test("tokens of a task count once: with its end, however often its record tells them", () => {
  const open = figures({ isQuestion: true, paidRequests: null });
  expect(open).toMatchObject({ inputTokens: null, outputTokens: null, costMicros: null });
  const over = figures({ isQuestion: true, paidRequests: 1 });
  expect(over).toMatchObject({ inputTokens: 1000, outputTokens: 21, costMicros: 663 });
});

test("a question about a task has the task's duration and no speed of its own", () => {
  const expected = { firstTokenMs: null, taskMs: 95_000, tokensPerSecond: null };
  expect(figures({ isQuestion: true, taskMs: 95_000 })).toMatchObject(expected);
});

test("whatever a gateway tells, every figure is finite, not negative, and bounded", () => {
  const any = fc.option(fc.double(), { nil: null });
  const told = fc.record({
    inputTokens: any,
    outputTokens: any,
    balance: any,
    firstContentMs: any,
    lastContentMs: any,
    taskId: fc.constant(null),
  });
  fc.assert(
    fc.property(told, any, fc.double(), fc.boolean(), (wild, taskMs, answerMs, isStreamed) => {
      const { costMicros, ...others } = figures({ told: wild, taskMs, answerMs }, isStreamed);
      expect(costMicros).toBeGreaterThanOrEqual(0);
      expect(costMicros).toBeLessThanOrEqual(10_000_000_000_000);
      for (const value of Object.values(others)) {
        if (value === null) continue;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1_000_000_000);
      }
    }),
  );
});

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
