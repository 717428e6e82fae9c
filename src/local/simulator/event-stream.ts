/** The events of a streamed generation, in both styles, as frames of `text/event-stream` (spec 6). Pure. */
import { stream, write } from "./wire.ts";
import type { Step, Stream } from "./wire.ts";

const WORDS = ["po", "ng"];

export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function namedFrame(event: string, value: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify({ type: event, ...value })}\n\n`;
}

const DONE_FRAME = "data: [DONE]\n\n";

/** Role, content, end, usage, `[DONE]`. */
export function chatFrames(id: string, model: string, created: number): readonly string[] {
  const chunk = (choices: readonly unknown[], extra = {}) =>
    dataFrame({ id, object: "chat.completion.chunk", created, model, choices, ...extra });
  const choice = (delta: unknown, finishReason: string | null) => [
    { index: 0, delta, finish_reason: finishReason },
  ];
  return [
    chunk(choice({ role: "assistant", content: "" }, null)),
    ...WORDS.map((content) => chunk(choice({ content }, null))),
    chunk(choice({}, "stop")),
    chunk([], { usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } }),
    DONE_FRAME,
  ];
}

/** `message_start` to `message_stop`, with a ping between. */
export function messagesFrames(id: string, model: string): readonly string[] {
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 0 },
  };
  const delta = (text: string) =>
    namedFrame("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  return [
    namedFrame("message_start", { message }),
    namedFrame("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    namedFrame("ping", {}),
    ...WORDS.map(delta),
    namedFrame("content_block_stop", { index: 0 }),
    namedFrame("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 2 },
    }),
    namedFrame("message_stop", {}),
  ];
}

/** `after`: what happens instead of the end of the answer. */
export function eventStream(frames: readonly string[], ...after: readonly Step[]): Stream {
  return stream(200, [...frames.map((frame) => write(frame)), ...after], {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
}
