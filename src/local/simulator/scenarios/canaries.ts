/**
 * Failures of generation while the model list is good: plain answers, streams and tasks (spec 1, 3, 6). Everything
 * that a scenario does not take over works, with any key. Expectations are those of the one route concerned.
 */
import { chatError, envelope, messagesError } from "../errors.ts";
import { chatFrames, dataFrame, eventStream, messagesFrames, namedFrame } from "../event-stream.ts";
import { SMALL_CHAT_MODEL } from "../models.ts";
import type { Route } from "../routes.ts";
import { expects, scenario } from "../scenario.ts";
import type { Call, Expectation, Scenario } from "../scenario.ts";
import { LENIENT, serve } from "../service.ts";
import type { Courses } from "../generation.ts";
import type { Course } from "../tasks.ts";
import { HANG, RESET, html, json, raw, stream, wait, write } from "../wire.ts";

const STREAM = { kind: "stream", takes: ["chat"] } as const;
const STREAMED_MESSAGES = { kind: "stream", takes: ["messages"] } as const;
const DROPPED = expects("stream_dropped", 200);
const BROKEN_EVENT = expects("stream_error", 200);
const READ_MS = 200;

const chatEvents = (call: Call) => chatFrames(`chatcmpl-${call.requestId}`, SMALL_CHAT_MODEL, 1_700_000_000);
const messagesEvents = (call: Call) => messagesFrames(`msg_${call.requestId}`, SMALL_CHAT_MODEL);

const STREAMS: readonly Scenario[] = [
  scenario(
    "stream_error_event",
    "A chat stream with an error after its first words.",
    (call) =>
      eventStream([
        ...chatEvents(call).slice(0, 2),
        dataFrame({
          error: { message: "The upstream broke off.", type: "upstream_error", code: "upstream_error" },
        }),
      ]),
    BROKEN_EVENT,
    STREAM,
  ),
  scenario(
    "stream_reset",
    "A chat stream that ends in a TCP reset.",
    (call) => eventStream(chatEvents(call).slice(0, 3), wait(READ_MS), RESET),
    DROPPED,
    STREAM,
  ),
  scenario(
    "stream_without_done",
    "A chat stream that ends in the middle of its words, without [DONE].",
    (call) => eventStream(chatEvents(call).slice(0, 2)),
    DROPPED,
    STREAM,
  ),
  scenario(
    "stream_cut_in_frame",
    "A chat stream that ends in the middle of an event.",
    (call) => eventStream([chatEvents(call).join("").slice(0, 300)]),
    DROPPED,
    STREAM,
  ),
  scenario(
    "stream_html",
    "A page where a chat stream was asked for, as an event stream.",
    () =>
      stream(200, [write("<!doctype html><title>Welcome</title>")], { "content-type": "text/event-stream" }),
    expects("wrong_url", 200),
    STREAM,
  ),
  scenario(
    "stream_empty",
    "A chat stream that says nothing but [DONE].",
    () => eventStream(["data: [DONE]\n\n"]),
    expects("unexpected_response", 200),
    {
      ...STREAM,
      note: "The design names no empty stream; an empty answer is not success, and this one was not cut.",
    },
  ),
  scenario(
    "stream_slow_token",
    "A chat stream whose first words come 700 ms after its role.",
    (call) => {
      const [role = "", ...rest] = chatEvents(call);
      return eventStream([role], wait(700), ...rest.map((frame) => write(frame)));
    },
    expects("ok", 200),
    STREAM,
  ),
  scenario(
    "stream_split",
    "A good chat stream with CRLF line ends, comments, and a chunk for each byte.",
    (call) => eventStream(`: hello\n\n${chatEvents(call).join("")}`.replaceAll("\n", "\r\n").split("")),
    expects("ok", 200),
    STREAM,
  ),
  scenario(
    "stream_silence",
    "A chat stream that falls silent and stays open.",
    (call) => eventStream(chatEvents(call).slice(0, 2), HANG),
    expects("stream_dropped", 200, { hangs: true }),
    {
      ...STREAM,
      note: "The design names no silence in a stream; it is a connection lost after the stream began.",
    },
  ),
  scenario(
    "messages_stream_error",
    "A messages stream with an error event.",
    (call) =>
      eventStream([
        ...messagesEvents(call).slice(0, 4),
        namedFrame("error", { error: { type: "overloaded_error", message: "Overloaded." } }),
      ]),
    BROKEN_EVENT,
    STREAMED_MESSAGES,
  ),
  scenario(
    "messages_stream_without_stop",
    "A messages stream that ends without message_stop.",
    (call) => eventStream(messagesEvents(call).slice(0, 5)),
    DROPPED,
    STREAMED_MESSAGES,
  ),
];

const PLAIN: readonly Scenario[] = [
  scenario(
    "chat_empty",
    "A chat answer without a word.",
    json(200, { id: "chatcmpl-0", object: "chat.completion", choices: [] }),
    expects("unexpected_response", 200),
    { kind: "chat", takes: ["chat"] },
  ),
  scenario(
    "chat_no_channel",
    "A good list, and 503 for every chat.",
    chatError(503, "upstream_error", "no_channel", "No channel serves this model."),
    expects("upstream_unavailable", 503),
    { kind: "chat", takes: ["chat"], note: "A generation is sent once unless configured otherwise." },
  ),
  scenario(
    "chat_no_answer",
    "Takes a chat and never answers.",
    raw(HANG),
    expects("timeout", null, { hangs: true }),
    {
      kind: "chat",
      takes: ["chat"],
    },
  ),
  scenario(
    "messages_overloaded",
    "529 for every message.",
    messagesError(529, "overloaded_error", "Overloaded."),
    expects("upstream_unavailable", 529),
    { kind: "messages", takes: ["messages"] },
  ),
  scenario(
    "embeddings_empty",
    "Embeddings with a vector of no numbers.",
    json(200, { object: "list", data: [{ object: "embedding", index: 0, embedding: [] }] }),
    expects("unexpected_response", 200),
    { kind: "embeddings", takes: ["embeddings"] },
  ),
  scenario(
    "image_empty",
    "An image answer without an image.",
    json(200, { created: 1, data: [] }),
    expects("unexpected_response", 200),
    {
      kind: "image",
      takes: ["image_create"],
    },
  ),
  scenario(
    "console_5000",
    "A console that answers 5000.",
    envelope(5000, "Internal failure."),
    expects("business_error", 200),
    {
      kind: "console",
      takes: ["console"],
    },
  ),
  scenario(
    "console_html",
    "A console that answers with a page.",
    html(200, "Console"),
    expects("wrong_url", 200),
    {
      kind: "console",
      takes: ["console"],
    },
  ),
];

/** The answer to the creation; what follows is in the sentence. */
const CREATED = expects("task_pending", 200);

function course(
  name: string,
  says: string,
  kind: "image" | "video",
  states: Course,
  expect: Expectation,
): Scenario {
  const courses: Courses = kind === "video" ? { video: states } : { image: states };
  const takes: readonly Route[] = kind === "video" ? ["video_create"] : ["image_create"];
  return scenario(name, says, (call, world) => serve(call, world, LENIENT, courses), expect, {
    kind: "task",
    takes,
  });
}

const TASKS: readonly Scenario[] = [
  course(
    "video_failed",
    "A video task that ends as failed.",
    "video",
    ["queued", "running", "failed"],
    CREATED,
  ),
  course(
    "video_failed_upper",
    "A video task that ends as FAILED.",
    "video",
    ["PENDING", "RUNNING", "FAILED"],
    CREATED,
  ),
  course(
    "image_failed",
    "An image task that ends as FAILED.",
    "image",
    ["PENDING", "RUNNING", "FAILED"],
    CREATED,
  ),
  course("video_stuck", "A video task that runs for ever.", "video", ["queued", "running"], CREATED),
  course("video_stuck_queued", "A video task that stays queued.", "video", ["queued"], CREATED),
  course(
    "video_unknown_state",
    "A video task in a state that nobody named, then succeeded.",
    "video",
    ["queued", "warming_up", "succeeded"],
    CREATED,
  ),
  course(
    "video_expired",
    "A video task that is gone (404) at the third question.",
    "video",
    ["queued", "running", "gone"],
    CREATED,
  ),
  scenario(
    "video_envelope_5000",
    "A video creation that answers 200 with code 5000.",
    envelope(5000, "Internal failure."),
    expects("business_error", 200),
    { kind: "task", takes: ["video_create"] },
  ),
  scenario(
    "video_task_envelope_4004",
    "A video task whose questions are answered 200 with code 4004.",
    envelope(4004, "It cannot be used."),
    expects("not_found", 200),
    { kind: "task", takes: ["video_task"] },
  ),
  scenario(
    "video_creation_lost",
    "Creates the video task, and then resets the connection instead of answering.",
    (call, world) => {
      serve(call, world, LENIENT);
      return raw(RESET);
    },
    expects("connection_failed", null),
    { kind: "task", takes: ["video_create"] },
  ),
  scenario(
    "video_config_error",
    "500 video_config_error at creation.",
    chatError(500, "server_error", "video_config_error", "The video channel is not configured."),
    expects("service_misconfigured", 500),
    { kind: "task", takes: ["video_create"] },
  ),
];

export const CANARIES: readonly Scenario[] = [...STREAMS, ...PLAIN, ...TASKS];
