/** Short ways to write down what a canary asked for and what it was answered. */
import type { Answer, Asked, NetworkFailure } from "../../src/protocol/observation.ts";
import { examineCanary, type CanaryExamination } from "../../src/protocol/examine-canary.ts";
import { answer, CONTEXT } from "./answers.ts";

export const PLAIN: Asked = { evidence: "text", isStreamed: false, task: null, pointers: {}, expect: [] };
export const STREAMED: Asked = { ...PLAIN, isStreamed: true };
export const CREATION: Asked = { ...PLAIN, evidence: "media", task: "creation" };

export function examined(
  asked: Asked,
  body: unknown,
  more: Partial<Answer> & { readonly status?: number } = {},
): CanaryExamination {
  const kind = asked.isStreamed ? "stream" : asked.task === null ? "chat" : "task";
  return examineCanary(answer(more.status ?? 200, body, { kind, ...more }), asked, CONTEXT);
}

/** A stream whose connection broke after `body` had come. */
export function broken(body: string, more: Partial<NetworkFailure> = {}): CanaryExamination {
  const failure: NetworkFailure = {
    type: "network_failure",
    kind: "stream",
    stage: "connect",
    status: 200,
    headers: { "content-type": "text/event-stream" },
    detail: "ECONNRESET",
    received: { body, arrivals: [] },
    ...more,
  };
  return examineCanary(failure, STREAMED, CONTEXT);
}

export const data = (json: unknown): string => `data: ${JSON.stringify(json)}\n\n`;
export const named = (type: string, json: object = {}): string =>
  `event: ${type}\n${data({ type, ...json })}`;
export const delta = (content: unknown, finish: string | null = null): string =>
  data({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
const DONE = "data: [DONE]\n\n";

export const CHAT: readonly string[] = [
  delta({ role: "assistant", content: "" }),
  delta({ content: "po" }),
  delta({ content: "ng" }),
  delta({}, "stop"),
  data({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } }),
  DONE,
];

export const MESSAGES: readonly string[] = [
  named("message_start", { message: { id: "msg_1", usage: { input_tokens: 4, output_tokens: 1 } } }),
  named("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
  named("ping"),
  named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "po" } }),
  named("content_block_delta", { index: 0, delta: { type: "text_delta", text: "ng" } }),
  named("content_block_stop", { index: 0 }),
  named("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
  named("message_stop"),
];

export const choice = (message: object, finish_reason = "stop"): object => ({
  choices: [{ message, finish_reason }],
});
