import { describe, expect, it } from "vitest";
import type { Asked } from "../../src/protocol/observation.ts";
import { examineCanary, NOTHING_TOLD } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";
import {
  CHAT,
  choice,
  data,
  delta,
  DONE,
  examined,
  GEMINI,
  MESSAGES,
  named,
  PLAIN,
  RESPONSES,
  STREAMED,
} from "./canary.ts";

const WORD = delta({ content: "pong" });
const REASONED = [delta({ role: "assistant" }), delta({ reasoning_content: "Hm" }), WORD, DONE];
const THOUGHT = named("content_block_delta", { delta: { type: "thinking_delta", thinking: "Hm" } });
const TAKEN_BACK = [
  data({ usage: { input_tokens: 4 } }),
  data({ usage: { input_tokens: 0, output_tokens: 0 } }),
];
const TOOLS = [
  delta({ tool_calls: [{ function: { arguments: "{}" } }] }),
  named("content_block_delta", { delta: { type: "signature_delta", signature: "x" } }),
  named("content_block_delta", { delta: { type: "input_json_delta", partial_json: "{}" } }),
];
const USED = [1, 9].map((completion_tokens) => data({ usage: { prompt_tokens: 4, completion_tokens } }));

describe("the time to the first content", () => {
  /** Each frame comes 100 ms after the one before. */
  const timed = (frames: readonly string[], asked = STREAMED) => {
    const body = frames.join("");
    const arrivals = frames.map((_frame, at) => ({
      afterMs: (at + 1) * 100,
      length: frames.slice(0, at + 1).join("").length,
    }));
    return examined(asked, body, { arrivals }).told;
  };

  it.each([
    ["of chat is the first word, not the role", CHAT, 200, 300],
    ["of messages is the first word, not a start or a ping", MESSAGES, 400, 500],
    ["of responses is the first delta of text, not what begins or ends it", RESPONSES, 300, 400],
    ["of Gemini is the first part", GEMINI, 100, 200],
    ["may be reasoning", REASONED, 200, 300],
    ["may be reasoning by its other name", [delta({ reasoning: "Hm" }), WORD, DONE], 100, 200],
    ["may be thinking", [named("message_start"), THOUGHT], 200, 200],
    ["is no empty string", [delta({ content: "" }), delta({ content: null }), WORD, DONE], 300, 300],
    ["is no call of a tool and no signature", TOOLS, null, null],
  ])("%s", (_what, frames, firstContentMs, lastContentMs) => {
    expect(timed(frames)).toMatchObject({ firstContentMs, lastContentMs });
  });

  it("is when the piece came that completed its event", () => {
    const arrivals = [
      { afterMs: 10, length: WORD.length - 1 },
      { afterMs: 900, length: WORD.length },
      { afterMs: 950, length: WORD.length + DONE.length },
    ];
    expect(examined(STREAMED, WORD + DONE, { arrivals }).told.firstContentMs).toBe(900);
  });

  it("is by the pointer, where one is set", () => {
    const asked = { ...STREAMED, pointers: { text: "/say" } };
    expect(timed([WORD, data({ say: "" }), data({ say: "pong" }), DONE], asked).firstContentMs).toBe(300);
  });

  it("is not told where arrivals were not measured", () => {
    const none = { firstContentMs: null, lastContentMs: null };
    expect(examined(STREAMED, CHAT.join("")).told).toMatchObject(none);
  });
});

describe("the tokens of a stream", () => {
  it.each([
    ["of chat are those of its last events", CHAT, 4, 2],
    ["of messages are those of its start and of its last delta", MESSAGES, 4, 2],
    ["of responses are those of its last event", RESPONSES, 4, 2],
    ["of Gemini are the last told", GEMINI, 4, 2],
    ["are the last told", USED, 4, 9],
    ["are not taken back by a 0", TAKEN_BACK, 4, 0],
    ["are unknown where nobody tells them", [WORD, DONE], null, null],
  ])("%s", (_what, frames, inputTokens, outputTokens) => {
    expect(examined(STREAMED, frames.join("")).told).toMatchObject({ inputTokens, outputTokens });
  });
});

describe("the figures of a plain answer", () => {
  const told = (body: object, asked: Asked = PLAIN) =>
    examined(asked, { ...choice({ content: "pong" }), ...body }).told;

  it.each([
    [{ prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 }, 4, 2],
    [{ input_tokens: 4, output_tokens: 2 }, 4, 2],
    [{ total_tokens: 6 }, null, null],
    [{ prompt_tokens: 0, completion_tokens: 1e9 }, 0, 1e9],
    [{ prompt_tokens: -1, completion_tokens: 1e9 + 1 }, null, null],
    [{ prompt_tokens: 1.5, completion_tokens: "2" }, null, null],
    [null, null, null],
  ])("are read from a usage of %j", (usage, inputTokens, outputTokens) => {
    expect(told({ usage })).toEqual({ ...NOTHING_TOLD, inputTokens, outputTokens });
  });

  it.each([
    [{ promptTokenCount: 4, candidatesTokenCount: 2, thoughtsTokenCount: 9, totalTokenCount: 15 }, 4, 11],
    [{ promptTokenCount: 4, thoughtsTokenCount: 9 }, 4, 9],
    [{ promptTokenCount: 4, totalTokenCount: 4 }, 4, null],
  ])("of Gemini are read from %j, with its thoughts", (usageMetadata, inputTokens, outputTokens) => {
    expect(told({ usageMetadata })).toMatchObject({ inputTokens, outputTokens });
  });

  it("are where pointers say, and nowhere else", () => {
    const asked: Asked = { ...PLAIN, pointers: { inputTokens: "/in", outputTokens: "/out" } };
    expect(told({ in: 7, out: 8 }, asked)).toMatchObject({ inputTokens: 7, outputTokens: 8 });
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    expect(told({ usage }, asked)).toMatchObject({ inputTokens: null, outputTokens: null });
  });

  it("are told too where the evidence is missing: they were spent", () => {
    const usage = { prompt_tokens: 4, completion_tokens: 2 };
    expect(examined(PLAIN, { choices: [], usage }).told).toMatchObject({ inputTokens: 4, outputTokens: 2 });
  });

  it("are none where they are the digits of a secret", () => {
    const redact = (text: string): string => text.replaceAll("4711", "[redacted]");
    const body = { ...choice({ content: "pong" }), usage: { prompt_tokens: 4711, completion_tokens: 2 } };
    const found = examineCanary(answer(200, body, { kind: "chat" }), PLAIN, { ...CONTEXT, redact });
    expect(found.told).toMatchObject({ inputTokens: null, outputTokens: 2 });
  });
});

describe("a balance", () => {
  const asked: Asked = { ...PLAIN, evidence: "nothing", pointers: { balance: "/data/balance" } };
  const of = (balance: unknown) => examined(asked, { code: 0, data: { balance } }, { kind: "console" });

  it.each([
    [12.5, 12.5],
    ["12.50", 12.5],
    [" -3 ", -3],
    [0, 0],
    [1e15, 1e15],
  ])("of %j is %d", (found, balance) => {
    const { diagnosis, told } = of(found);
    expect(diagnosis.cause).toBe("ok");
    expect(told.balance).toBe(balance);
  });

  it.each([undefined, null, "", " ", "much", "1,000", "0x10", "1e3", "Infinity", 2e15, true, [1]])(
    "that is %j is none, and the answer may be good without it",
    (found) => {
      const { diagnosis, told } = of(found);
      expect(diagnosis.cause).toBe("ok");
      expect(told.balance).toBeNull();
    },
  );

  it("beside a failure is not told", () => {
    const body = { code: 5000, message: "x", data: { balance: 0 } };
    expect(examined(asked, body, { kind: "console" }).told.balance).toBeNull();
    const failed = examined(asked, { data: { balance: 1 } }, { kind: "console", status: 500 });
    expect(failed.told).toEqual(NOTHING_TOLD);
  });
});
