/** The events of a streamed generation, in both styles, as frames of `text/event-stream` (spec 6). Pure. */
import { type Step, type Stream, stream, write } from "./wire.ts";

export interface Saying {
  readonly thoughts: readonly string[];
  readonly words: readonly string[];
  /** The limit of tokens ended it, as chats call it `length` and messages `max_tokens`. */
  readonly isLimited: boolean;
  /** Output tokens; null: the stream does not say. */
  readonly outputTokens: number | null;
}

export const USUAL: Saying = { thoughts: [], words: ["po", "ng"], isLimited: false, outputTokens: 2 };
/** The small limit of tokens is spent before the first word. */
export const ONLY_THOUGHTS: Saying = {
  thoughts: ["The user ", "sends a ping"],
  words: [],
  isLimited: true,
  outputTokens: 16,
};

export const INPUT_TOKENS = 4;

export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function namedFrame(event: string, value: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify({ type: event, ...value })}\n\n`;
}

export const DONE_FRAME = "data: [DONE]\n\n";

/** Role, thoughts, content, end, usage, `[DONE]`. */
export function chatFrames(
  id: string,
  model: string,
  created: number,
  { thoughts, words, isLimited, outputTokens }: Saying = USUAL,
): readonly string[] {
  const chunk = (choices: readonly unknown[], extra = {}) =>
    dataFrame({ id, object: "chat.completion.chunk", created, model, choices, ...extra });
  const choice = (delta: unknown, finishReason: string | null) => [
    { index: 0, delta, finish_reason: finishReason },
  ];
  return [
    chunk(choice({ role: "assistant", content: "" }, null)),
    ...thoughts.map((thought) => chunk(choice({ reasoning_content: thought }, null))),
    ...words.map((content) => chunk(choice({ content }, null))),
    chunk(choice({}, isLimited ? "length" : "stop")),
    ...(outputTokens === null ? [] : [chunk([], { usage: chatUsage(outputTokens) })]),
    DONE_FRAME,
  ];
}

export function chatUsage(outputTokens: number): Readonly<Record<string, number>> {
  const total = INPUT_TOKENS + outputTokens;
  return { prompt_tokens: INPUT_TOKENS, completion_tokens: outputTokens, total_tokens: total };
}

/** `message_start` to `message_stop`, with a ping between. */
export function messagesFrames(id: string, model: string, saying: Saying = USUAL): readonly string[] {
  const message = {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: INPUT_TOKENS, output_tokens: 0 },
  };
  const { thoughts, words, isLimited, outputTokens } = saying;
  return [
    namedFrame("message_start", { message }),
    ...blockFrames("thinking", thoughts, 0),
    ...blockFrames("text", words, thoughts.length === 0 ? 0 : 1),
    namedFrame("message_delta", {
      delta: { stop_reason: isLimited ? "max_tokens" : "end_turn", stop_sequence: null },
      ...(outputTokens === null ? {} : { usage: { output_tokens: outputTokens } }),
    }),
    namedFrame("message_stop", {}),
  ];
}

/** A block of content begins with its first part; one without any is left out. */
function blockFrames(type: "thinking" | "text", parts: readonly string[], index: number): readonly string[] {
  if (parts.length === 0) return [];
  return [
    namedFrame("content_block_start", { index, content_block: { type, [type]: "" } }),
    ...(index === 0 ? [namedFrame("ping", {})] : []),
    ...parts.map((part) =>
      namedFrame("content_block_delta", { index, delta: { type: `${type}_delta`, [type]: part } }),
    ),
    namedFrame("content_block_stop", { index }),
  ];
}

/** `after`: what happens instead of the end of the answer. */
export function eventStream(frames: readonly string[], ...after: readonly Step[]): Stream {
  return stream(200, [...frames.map((frame) => write(frame)), ...after], {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
}
