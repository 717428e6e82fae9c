/**
 * Streams of chat and messages, good and broken, while the model list is good (spec 6). Everything else works, with any
 * key. Expectations are those of the one route concerned.
 */
import {
  DONE_FRAME,
  ONLY_THOUGHTS,
  type Saying,
  USUAL,
  chatFrames,
  dataFrame,
  eventStream,
  messagesFrames,
  namedFrame,
} from "../event-stream.ts";
import { SMALL_CHAT_MODEL } from "../models.ts";
import { chatAnswer } from "../service.ts";
import { type Call, type Expectation, type Row, type Scenario, expects, scenarios } from "../scenario.ts";
import { HANG, RESET, type Step, reply, stream, wait, write } from "../wire.ts";

const DROPPED = expects("stream_dropped", 200);
const SILENT = expects("stream_dropped", 200, { hangs: true });
const UNEXPECTED = expects("unexpected_response", 200);
const READ_MS = 200;

const THOUGHTFUL: Saying = { ...USUAL, thoughts: ["The user ", "sends a ping"], outputTokens: 9 };

const chatEvents = (call: Call, saying: Saying = USUAL) =>
  chatFrames(`chatcmpl-${call.requestId}`, SMALL_CHAT_MODEL, 1_700_000_000, saying);
const messagesEvents = (call: Call, saying: Saying = USUAL) =>
  messagesFrames(`msg_${call.requestId}`, SMALL_CHAT_MODEL, saying);

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8" };

function* endlessWords(call: Call, pauseMs: number): Iterable<Step> {
  const [role = "", word = ""] = chatEvents(call);
  yield write(role);
  // As much at a time as a socket takes.
  const words = pauseMs === 0 ? word.repeat(300) : word;
  for (;;) {
    yield write(words);
    if (pauseMs > 0) yield wait(pauseMs);
  }
}

const invalidKey = {
  message: "The API key is not valid.",
  type: "authentication_error",
  code: "invalid_api_key",
};
const brokenOff = { message: "The upstream broke off.", type: "upstream_error", code: "upstream_error" };

const streams = (route: "chat" | "messages", expect: Expectation, ...rows: readonly Row[]) =>
  scenarios(expect, rows, { kind: "stream", takes: [route] });

const WELL: readonly Scenario[] = [
  ...streams(
    "chat",
    expects("ok", 200),
    ["stream_thoughts_first", (call) => eventStream(chatEvents(call, THOUGHTFUL))],
    ["stream_thoughts_only", (call) => eventStream(chatEvents(call, ONLY_THOUGHTS))],
    ["stream_without_usage", (call) => eventStream(chatEvents(call, { ...USUAL, outputTokens: null }))],
    ["stream_open_after_done", (call) => eventStream(chatEvents(call), HANG)],
    [
      "stream_slow_token",
      (call) => {
        const [role = "", ...rest] = chatEvents(call);
        return eventStream([role], wait(700), ...rest.map((frame) => write(frame)));
      },
    ],
    [
      "stream_split",
      (call) => eventStream(`: hello\n\n${chatEvents(call).join("")}`.replaceAll("\n", "\r\n").split("")),
    ],
  ),
  ...streams(
    "messages",
    expects("ok", 200),
    ["messages_stream_thoughts_first", (call) => eventStream(messagesEvents(call, THOUGHTFUL))],
    ["messages_stream_thoughts_only", (call) => eventStream(messagesEvents(call, ONLY_THOUGHTS))],
    ["messages_stream_open_after_stop", (call) => eventStream(messagesEvents(call), HANG)],
  ),
];

const CUT: readonly Scenario[] = [
  ...streams(
    "chat",
    DROPPED,
    ["stream_reset", (call) => eventStream(chatEvents(call).slice(0, 3), wait(READ_MS), RESET)],
    ["stream_without_done", (call) => eventStream(chatEvents(call).slice(0, 2))],
    ["stream_stop_without_done", (call) => eventStream(chatEvents(call).slice(0, -1))],
    [
      "stream_done_without_empty_line",
      (call) => eventStream([...chatEvents(call).slice(0, -1), DONE_FRAME.trimEnd()]),
    ],
    ["stream_cut_in_frame", (call) => eventStream([chatEvents(call).join("").slice(0, 300)])],
  ),
  ...streams("messages", DROPPED, [
    "messages_stream_without_stop",
    (call) => eventStream(messagesEvents(call).slice(0, 5)),
  ]),
  ...streams(
    "chat",
    SILENT,
    ["stream_silence", (call) => eventStream(chatEvents(call).slice(0, 2), HANG)],
    ["stream_role_then_silence", (call) => eventStream(chatEvents(call).slice(0, 1), HANG)],
    ["stream_trickle", (call) => stream(200, endlessWords(call, 50), STREAM_HEADERS)],
  ),
];

const ERRING: readonly Scenario[] = [
  ...streams("chat", expects("stream_error", 200), [
    "stream_error_event",
    (call) => eventStream([...chatEvents(call).slice(0, 2), dataFrame({ error: brokenOff })]),
  ]),
  ...streams("messages", expects("stream_error", 200), [
    "messages_stream_error",
    (call) =>
      eventStream([
        ...messagesEvents(call).slice(0, 4),
        namedFrame("error", { error: { type: "overloaded_error", message: "Overloaded." } }),
      ]),
  ]),
  ...streams("chat", expects("authentication", 200), [
    "stream_refused_key",
    () => eventStream([dataFrame({ error: invalidKey })]),
  ]),
];

const NO_STREAM: readonly Scenario[] = [
  ...streams("chat", expects("wrong_url", 200), [
    "stream_html",
    reply(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/event-stream" }),
  ]),
  ...streams(
    "chat",
    UNEXPECTED,
    ["stream_endless", (call) => stream(200, endlessWords(call, 0), STREAM_HEADERS)],
    ["stream_empty", eventStream([DONE_FRAME])],
    ["stream_as_json", chatAnswer({ content: "pong" }, "stop", 2)],
  ),
];

export const STREAMS: readonly Scenario[] = [...WELL, ...CUT, ...ERRING, ...NO_STREAM];
