/** What a generation says in each protocol: as one answer, and as frames of `text/event-stream` (spec 6). Pure. */
import { type ErrorCode, errorIn, json, type Reply, type Step, type Stream, stream, write } from "./wire.ts";
import type { TextRoute } from "./api.ts";

export interface Saying {
  readonly thoughts: readonly string[];
  readonly words: readonly string[];
  /** The limit of tokens ended it. */
  readonly isLimited: boolean;
  readonly inputTokens: number;
  /** Null: they are not counted. */
  readonly outputTokens: number | null;
  /** Of a tool: a chat's answer has it. */
  readonly call?: { readonly name: string; readonly arguments: string };
}

export const USUAL: Saying = {
  thoughts: [],
  words: ["po", "ng"],
  isLimited: false,
  inputTokens: 4,
  outputTokens: 2,
};
/** The small limit of tokens is spent before the first word. */
export const ONLY_THOUGHTS: Saying = {
  ...USUAL,
  thoughts: ["The user ", "sends a ping"],
  words: [],
  isLimited: true,
  outputTokens: 16,
};

export interface Origin {
  readonly requestId: string;
  readonly model: string;
  readonly nowMs: number;
}

interface Protocol {
  readonly answer: (of: Origin, saying: Saying) => object;
  /** The last one is the end mark. */
  readonly frames: (of: Origin, saying: Saying) => readonly string[];
}

export function answerOf(route: TextRoute, of: Origin, saying: Saying): Reply {
  return json(200, PROTOCOLS[route].answer(of, saying));
}

export function framesOf(route: TextRoute, of: Origin, saying: Saying = USUAL): readonly string[] {
  return PROTOCOLS[route].frames(of, saying);
}

/** `after`: what happens instead of the end of the answer. */
export function eventStream(frames: readonly string[], ...after: readonly Step[]): Stream {
  return stream(200, [...frames.map((frame) => write(frame)), ...after], {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
  });
}

/** An error within a stream that was opened with 200. */
export function errorFrame(route: TextRoute, code: ErrorCode): string {
  const body = errorIn(route, code);
  if (route === "messages") return namedFrame("error", body);
  return route === "responses"
    ? namedFrame("response.failed", { response: { object: "response", status: "failed", ...body } })
    : dataFrame(body);
}

function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function namedFrame(type: string, value: object): string {
  return `event: ${type}\n${dataFrame({ type, ...value })}`;
}

const secondsOf = ({ nowMs }: Origin) => Math.floor(nowMs / 1000);

/** `usage` of chats, messages and responses. */
function usageOf({ inputTokens, outputTokens }: Saying, input: string, output: string): object {
  if (outputTokens === null) return {};
  const total = inputTokens + outputTokens;
  return { usage: { [input]: inputTokens, [output]: outputTokens, total_tokens: total } };
}

const PROTOCOLS: Readonly<Record<TextRoute, Protocol>> = {
  chat: {
    answer: (of, saying) => ({
      ...chatHead(of, "chat.completion"),
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: saying.call ? null : saying.words.join(""),
            ...(saying.thoughts.length > 0 && { reasoning_content: saying.thoughts.join("") }),
            ...(saying.call && { tool_calls: [{ id: "call_0", type: "function", function: saying.call }] }),
          },
          finish_reason: saying.call ? "tool_calls" : saying.isLimited ? "length" : "stop",
        },
      ],
      ...usageOf(saying, "prompt_tokens", "completion_tokens"),
    }),
    // Role, thoughts, content, end, usage, `[DONE]`.
    frames: (of, saying) => {
      const chunk = (choices: readonly unknown[], extra = {}) =>
        dataFrame({ ...chatHead(of, "chat.completion.chunk"), choices, ...extra });
      const choice = (delta: unknown, finishReason: string | null = null) =>
        chunk([{ index: 0, delta, finish_reason: finishReason }]);
      const usage = usageOf(saying, "prompt_tokens", "completion_tokens");
      return [
        choice({ role: "assistant", content: "" }),
        ...saying.thoughts.map((thought) => choice({ reasoning_content: thought })),
        ...saying.words.map((content) => choice({ content })),
        choice({}, saying.isLimited ? "length" : "stop"),
        ...(saying.outputTokens === null ? [] : [chunk([], usage)]),
        "data: [DONE]\n\n",
      ];
    },
  },
  messages: {
    answer: (of, saying) => ({
      ...messageHead(of),
      content: [
        ...partsOf(saying.thoughts, (thinking) => ({ type: "thinking", thinking, signature: "" })),
        ...partsOf(saying.words, (text) => ({ type: "text", text })),
      ],
      stop_reason: saying.isLimited ? "max_tokens" : "end_turn",
      ...usageOf(saying, "input_tokens", "output_tokens"),
    }),
    // `message_start` to `message_stop`, with a ping between.
    frames: (of, { thoughts, words, isLimited, inputTokens, outputTokens }) => [
      namedFrame("message_start", {
        message: { ...messageHead(of), usage: { input_tokens: inputTokens, output_tokens: 0 } },
      }),
      ...blockFrames("thinking", thoughts, 0),
      ...blockFrames("text", words, thoughts.length === 0 ? 0 : 1),
      namedFrame("message_delta", {
        delta: { stop_reason: isLimited ? "max_tokens" : "end_turn", stop_sequence: null },
        ...(outputTokens === null ? {} : { usage: { output_tokens: outputTokens } }),
      }),
      namedFrame("message_stop", {}),
    ],
  },
  responses: {
    answer: responseOf,
    // `response.created` to the whole response.
    frames: (of, saying) => [
      namedFrame("response.created", {
        response: { ...responseOf(of, saying), status: "in_progress", output: [], usage: null },
      }),
      ...saying.thoughts.map((delta) => namedFrame("response.reasoning_summary_text.delta", { delta })),
      ...saying.words.map((delta) => namedFrame("response.output_text.delta", { delta })),
      namedFrame(saying.isLimited ? "response.incomplete" : "response.completed", {
        response: responseOf(of, saying),
      }),
    ],
  },
  gemini: {
    answer: candidateOf,
    // One for each part, and one that says why it ends.
    frames: (of, { thoughts, words, ...rest }) => {
      const part = (said: Partial<Saying>) => ({ thoughts: [], words: [], ...rest, ...said });
      return [
        ...thoughts.map((thought) => dataFrame(candidateOf(of, part({ thoughts: [thought] }), false))),
        ...words.map((word) => dataFrame(candidateOf(of, part({ words: [word] }), false))),
        dataFrame(candidateOf(of, part({}))),
      ];
    },
  },
};

function chatHead(of: Origin, object: string): object {
  return { id: `chatcmpl-${of.requestId}`, object, created: secondsOf(of), model: of.model };
}

function messageHead({ requestId, model }: Origin): object {
  const id = `msg_${requestId}`;
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

/** All in one part; none where there is nothing. */
function partsOf<Part>(said: readonly string[], part: (text: string) => Part): readonly Part[] {
  return said.length === 0 ? [] : [part(said.join(""))];
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

function responseOf(of: Origin, saying: Saying): object {
  const content = (text: string) => [{ type: "output_text", text, annotations: [] }];
  return {
    id: `resp_${of.requestId}`,
    object: "response",
    created_at: secondsOf(of),
    status: saying.isLimited ? "incomplete" : "completed",
    error: null,
    incomplete_details: saying.isLimited ? { reason: "max_output_tokens" } : null,
    model: of.model,
    output: [
      ...partsOf(saying.thoughts, (text) => ({
        type: "reasoning",
        summary: [{ type: "summary_text", text }],
      })),
      ...partsOf(saying.words, (text) => ({ type: "message", role: "assistant", content: content(text) })),
    ],
    ...usageOf(saying, "input_tokens", "output_tokens"),
  };
}

function candidateOf(
  of: Origin,
  { thoughts, words, isLimited, inputTokens, outputTokens }: Saying,
  isLast = true,
): object {
  const parts = [
    ...partsOf(thoughts, (text) => ({ text, thought: true })),
    ...partsOf(words, (text) => ({ text })),
  ];
  const finishReason = isLimited ? "MAX_TOKENS" : "STOP";
  return {
    candidates: [
      {
        index: 0,
        ...(parts.length > 0 && { content: { role: "model", parts } }),
        ...(isLast && { finishReason }),
      },
    ],
    usageMetadata: {
      promptTokenCount: inputTokens,
      ...(isLast && outputTokens !== null && { candidatesTokenCount: outputTokens }),
    },
    modelVersion: of.model,
    responseId: of.requestId,
  };
}
