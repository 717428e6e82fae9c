/** Where a gateway could repeat a key to a canary: each place with the canary that reads there. */
import type { MonitorInput } from "./canaries.ts";
import { Frames, type Place, PLACES } from "./echo-gateway.ts";

export interface EchoingMonitor {
  readonly monitor: MonitorInput;
  readonly place: Place;
}

/** Nothing is due twice. */
const every = "24h";
const chat: MonitorInput = { kind: "chat", id: "canary", model: "m", every };
const stream: MonitorInput = { kind: "chat", id: "canary", model: "m", stream: true, every };
const messages: MonitorInput = { kind: "messages", id: "canary", model: "m", stream: true, every };
const video: MonitorInput = { kind: "video", id: "canary", model: "m", deadline: "2m", every };
const picture: MonitorInput = { kind: "image", id: "canary", model: "m", deadline: "2m", every };
const vector: MonitorInput = { kind: "embeddings", id: "canary", model: "m", every };
const account: MonitorInput = { kind: "console", id: "canary", warnBelow: 5, every };
const anything: MonitorInput = {
  kind: "http",
  id: "canary",
  path: "/status",
  expect: { "/status": "ok" },
  every,
};
const named: MonitorInput = {
  ...chat,
  headers: { authorization: null, "x-api-key": "{key}", "x-also": "key {key}" },
};

const good = (body: unknown) => ({ status: 200, body });
const streamed = (...frames: readonly unknown[]) => good(new Frames(...frames));
const said = (content: unknown) => ({ choices: [{ index: 0, delta: { content } }] });
const errorOf = (text: string) => ({ error: { message: text, type: text, code: text, request_id: text } });
const asText: Place = (text) => ({
  status: 401,
  headers: { "content-type": "text/plain" },
  body: `No: ${text}`,
});

/** The digits as a number, as a figure would stand there. */
const figure = (text: string) => (/^\d{1,15}$/u.test(text) ? Number(text) : text);

/** A creation that is well, and then the record. */
function task(record: (text: string) => unknown): Place {
  return (text, method) => good(method === "POST" ? { id: "task_1", status: "queued" } : record(text));
}

export const ECHOING_CANARIES: Readonly<Record<string, EchoingMonitor>> = {
  chat_ids: {
    monitor: chat,
    place: (text) =>
      good({
        id: text,
        model: text,
        system_fingerprint: text,
        request_id: text,
        choices: [{ message: { role: "assistant", content: text } }],
        usage: { prompt_tokens: text, completion_tokens: text },
      }),
  },
  chat_without_words: { monitor: chat, place: (text) => good({ id: text, choices: [], note: text }) },
  chat_error: { monitor: chat, place: (text) => ({ status: 400, body: errorOf(text) }) },
  chat_error_in_plain_text: { monitor: chat, place: asText },
  chat_page: { monitor: chat, place: PLACES["page"] ?? asText },
  chat_retry_after: { monitor: chat, place: PLACES["retry_after"] ?? asText },
  other_headers: { monitor: named, place: (text) => ({ status: 403, body: errorOf(text) }) },
  stream_words: { monitor: stream, place: (text) => streamed(said(text), said("x"), "[DONE]") },
  stream_error_first: { monitor: stream, place: (text) => streamed(errorOf(text)) },
  stream_error_later: { monitor: stream, place: (text) => streamed(said("po"), errorOf(text)) },
  stream_cut: { monitor: stream, place: (text) => streamed(said("po"), said(text)) },
  stream_of_text: { monitor: stream, place: (text) => streamed(`the key is ${text}`) },
  messages_error: {
    monitor: messages,
    place: (text) =>
      streamed({ type: "message_start", message: { id: text } }, { type: "error", ...errorOf(text) }),
  },
  task_id: { monitor: video, place: (text) => good({ id: text, status: "queued" }) },
  task_id_around: { monitor: video, place: (text) => good({ id: `task-${text}-1`, status: "queued" }) },
  task_state: { monitor: video, place: (text) => good({ id: "task_1", status: text }) },
  task_state_later: { monitor: picture, place: task((text) => ({ id: text, status: `${text} and so on` })) },
  task_reason: {
    monitor: video,
    place: task((text) => ({ id: "task_1", status: "failed", fail_reason: text, ...errorOf(text) })),
  },
  task_result: {
    monitor: video,
    place: task((text) => ({ id: "task_1", status: "succeeded", url: `https://files.invalid/?k=${text}` })),
  },
  task_refused: {
    monitor: video,
    place: (text, method) =>
      method === "POST" ? good({ id: "task_1", status: "queued" }) : { status: 404, body: errorOf(text) },
  },
  image: { monitor: picture, place: (text) => good({ data: [{ url: text, revised_prompt: text }] }) },
  vector: { monitor: vector, place: (text) => good({ data: [{ embedding: [text] }], model: text }) },
  console_words: {
    monitor: account,
    place: (text) => good({ code: 0, message: text, data: { quota: 1, name: text, token: text } }),
  },
  console_balance: {
    monitor: account,
    place: (text) => good({ code: 0, message: "", data: { quota: text } }),
  },
  figure_of_balance: {
    monitor: account,
    place: (text) => good({ code: 0, message: "", data: { quota: figure(text) } }),
  },
  figure_of_tokens: {
    monitor: chat,
    place: (text) =>
      good({
        choices: [{ message: { role: "assistant", content: "pong" } }],
        usage: { prompt_tokens: figure(text), completion_tokens: figure(text) },
      }),
  },
  console_error: { monitor: account, place: (text) => good({ code: 5000, message: text, request_id: text }) },
  unexpected_member: { monitor: anything, place: (text) => good({ status: text }) },
};
