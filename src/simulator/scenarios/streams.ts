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
import { type Call, type Expectation, type Row, type Scenario, expects, scenarios } from "../scenario.ts";
import { HANG, RESET, type Step, json, reply, stream, wait, write } from "../wire.ts";

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
    [
      "stream_thoughts_first",
      "A chat stream that thinks before it speaks.",
      (call) => eventStream(chatEvents(call, THOUGHTFUL)),
    ],
    [
      "stream_thoughts_only",
      "A chat stream whose limit of tokens is spent on thoughts.",
      (call) => eventStream(chatEvents(call, ONLY_THOUGHTS)),
    ],
    [
      "stream_without_usage",
      "A good chat stream that does not count its tokens.",
      (call) => eventStream(chatEvents(call, { ...USUAL, outputTokens: null })),
    ],
    [
      "stream_open_after_done",
      "A good chat stream whose connection stays open after [DONE].",
      (call) => eventStream(chatEvents(call), HANG),
    ],
    [
      "stream_slow_token",
      "A chat stream whose first words come 700 ms after its role.",
      (call) => {
        const [role = "", ...rest] = chatEvents(call);
        return eventStream([role], wait(700), ...rest.map((frame) => write(frame)));
      },
    ],
    [
      "stream_split",
      "A good chat stream with CRLF line ends, comments, and a chunk for each byte.",
      (call) => eventStream(`: hello\n\n${chatEvents(call).join("")}`.replaceAll("\n", "\r\n").split("")),
    ],
  ),
  ...streams(
    "messages",
    expects("ok", 200),
    [
      "messages_stream_thoughts_first",
      "A messages stream that thinks before it speaks.",
      (call) => eventStream(messagesEvents(call, THOUGHTFUL)),
    ],
    [
      "messages_stream_thoughts_only",
      "A messages stream whose limit of tokens is spent on thoughts.",
      (call) => eventStream(messagesEvents(call, ONLY_THOUGHTS)),
    ],
    [
      "messages_stream_open_after_stop",
      "A good messages stream whose connection stays open after message_stop.",
      (call) => eventStream(messagesEvents(call), HANG),
    ],
  ),
];

const CUT: readonly Scenario[] = [
  ...streams(
    "chat",
    DROPPED,
    [
      "stream_reset",
      "A chat stream that ends in a TCP reset.",
      (call) => eventStream(chatEvents(call).slice(0, 3), wait(READ_MS), RESET),
    ],
    [
      "stream_without_done",
      "A chat stream that ends in the middle of its words, without [DONE].",
      (call) => eventStream(chatEvents(call).slice(0, 2)),
    ],
    [
      "stream_stop_without_done",
      "A chat stream that says all, its finish reason too, and ends without [DONE].",
      (call) => eventStream(chatEvents(call).slice(0, -1)),
    ],
    [
      "stream_done_without_empty_line",
      "A chat stream that ends behind the letters of [DONE], without the empty line that makes them an event.",
      (call) => eventStream([...chatEvents(call).slice(0, -1), DONE_FRAME.trimEnd()]),
    ],
    [
      "stream_cut_in_frame",
      "A chat stream that ends in the middle of an event.",
      (call) => eventStream([chatEvents(call).join("").slice(0, 300)]),
    ],
  ),
  ...streams("messages", DROPPED, [
    "messages_stream_without_stop",
    "A messages stream that ends without message_stop.",
    (call) => eventStream(messagesEvents(call).slice(0, 5)),
  ]),
  ...streams(
    "chat",
    SILENT,
    [
      "stream_silence",
      "A chat stream that falls silent and stays open.",
      (call) => eventStream(chatEvents(call).slice(0, 2), HANG),
    ],
    [
      "stream_role_then_silence",
      "A chat stream that says its role and falls silent.",
      (call) => eventStream(chatEvents(call).slice(0, 1), HANG),
    ],
    [
      "stream_trickle",
      "A chat stream that says a word every 50 ms, for ever.",
      (call) => stream(200, endlessWords(call, 50), STREAM_HEADERS),
    ],
  ),
];

const ERRING: readonly Scenario[] = [
  ...streams("chat", expects("stream_error", 200), [
    "stream_error_event",
    "A chat stream with an error after its first words.",
    (call) => eventStream([...chatEvents(call).slice(0, 2), dataFrame({ error: brokenOff })]),
  ]),
  ...streams("messages", expects("stream_error", 200), [
    "messages_stream_error",
    "A messages stream with an error event.",
    (call) =>
      eventStream([
        ...messagesEvents(call).slice(0, 4),
        namedFrame("error", { error: { type: "overloaded_error", message: "Overloaded." } }),
      ]),
  ]),
  ...streams("chat", expects("authentication", 200), [
    "stream_refused_key",
    "A chat stream that begins with an error: the key is refused.",
    () => eventStream([dataFrame({ error: invalidKey })]),
  ]),
];

const NO_STREAM: readonly Scenario[] = [
  ...streams("chat", expects("wrong_url", 200), [
    "stream_html",
    "A page where a chat stream was asked for, as an event stream.",
    reply(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/event-stream" }),
  ]),
  ...streams(
    "chat",
    UNEXPECTED,
    [
      "stream_endless",
      "A chat stream that says words for ever, as fast as they are read.",
      (call) => stream(200, endlessWords(call, 0), STREAM_HEADERS),
    ],
    ["stream_empty", "A chat stream that says nothing but [DONE].", eventStream([DONE_FRAME])],
    [
      "stream_as_json",
      "A plain chat answer where a stream was asked for.",
      json(200, {
        id: "chatcmpl-0",
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: "pong" }, finish_reason: "stop" }],
      }),
    ],
  ),
];

export const STREAMS: readonly Scenario[] = [...WELL, ...CUT, ...ERRING, ...NO_STREAM];
