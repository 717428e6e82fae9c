/** Generations made well or badly while the model list is good, and consoles that fail (spec 1, 2.3, 3, 6, 7.2). */
import { isTextRoute, SMALL_CHAT_MODEL, TEXT_ROUTES, type TextRoute } from "../api.ts";
import type { Course } from "../gateways.ts";
import {
  answerOf,
  errorFrame,
  eventStream,
  framesOf,
  ONLY_THOUGHTS,
  type Origin,
  type Saying,
  USUAL,
} from "../protocols.ts";
import { type Call, expects, type Row, type Scenario, scenarios, type World } from "../scenario.ts";
import { answerAs, answerConsole, type Courses, serve } from "../service.ts";
import {
  chatError,
  envelope,
  type ErrorCode,
  HANG,
  html,
  json,
  raw,
  refusal,
  reply,
  RESET,
  type Step,
  stream,
  wait,
  type Wire,
  write,
} from "../wire.ts";

const HANGS = { hangs: true };

const saying = (other: Partial<Saying>) => (call: Call, world: World) =>
  isTextRoute(call.route)
    ? answerOf(call.route, { ...call, model: SMALL_CHAT_MODEL }, { ...USUAL, ...other })
    : world.serve(call);

const refused =
  (code: ErrorCode) =>
  ({ route }: Call) =>
    refusal(code, route);

function refusedThenGood(call: Call, world: World) {
  return call.count % 2 === 1 ? refusal("no_channel", call.route) : world.serve(call);
}

const SUBSTITUTE = "gpt-4o-mini";
/** An hour, at one a minute. */
const ANSWERS_BEFORE = 60;

function downgraded(call: Call) {
  return answerAs(call, (asked) => (call.count <= ANSWERS_BEFORE ? asked : SUBSTITUTE));
}

const TEXTS: readonly Row[] = [
  ["ok", 200, "chat_thoughts_only", saying(ONLY_THOUGHTS)],
  // Whatever is asked: an audit finds out.
  ["ok", 200, "chat_other_task", saying({})],
  ["unexpected_response", 200, "chat_empty", saying({ words: [], outputTokens: null })],
  ["wrong_url", 200, "chat_html", html(200, "Welcome")],
  ["upstream_unavailable", 503, "chat_no_channel", refused("no_channel")],
  ["upstream_unavailable", 503, "chat_no_channel_then_good", refusedThenGood],
  ["not_found", 404, "chat_model_gone", refused("model_not_found")],
  ["rate_limited", 429, "chat_limited", refused("rate_limit_exceeded")],
  ["insufficient_balance", 402, "chat_402", refused("insufficient_balance")],
  ["timeout", null, "chat_no_answer", raw(HANG), HANGS],
  ["connection_failed", null, "chat_lost", raw(RESET)],
  // Good answers, one by one. What several in a row mean is the monitor's to say.
  ["ok", 200, "model_aliased", (call) => answerAs(call, (asked) => `${asked}-2024-08-06`)],
  ["ok", 200, "usage_false", (call) => answerAs(call, (asked) => asked, { inputTokens: 4 })],
  ["ok", 200, "model_substituted", (call) => answerAs(call, () => SUBSTITUTE)],
  ["ok", 200, "model_downgraded", downgraded],
];

const NO_VECTOR = { object: "list", data: [{ object: "embedding", index: 0, embedding: [] }] };
const EMBEDDINGS: readonly Row[] = [["unexpected_response", 200, "embeddings_empty", json(200, NO_VECTOR)]];
const IMAGES: readonly Row[] = [
  ["unexpected_response", 200, "image_empty", json(200, { created: 1, data: [] })],
];

const CONSOLES: readonly Row[] = [
  ["balance_low", 200, "console_balance_low", (call) => answerConsole(call, 0.75)],
  ["business_error", 200, "console_5000", envelope(5000, "Internal failure.")],
  ["wrong_url", 200, "console_html", html(200, "Console")],
];

const READ_MS = 200;

const THOUGHTFUL: Saying = { ...USUAL, thoughts: ["The user ", "sends a ping"], outputTokens: 9 };

const STREAM_HEADERS = { "content-type": "text/event-stream; charset=utf-8" };

/** What one call is answered, in the protocol of its route. */
interface Told extends Origin {
  readonly route: TextRoute;
  readonly frames: (saying?: Partial<Saying>) => readonly string[];
  /** The first frames of a stream, and never its end mark. */
  readonly begun: (count: number) => readonly string[];
}

const streamed = (play: (told: Told) => Wire) => (call: Call, world: World) =>
  isTextRoute(call.route) ? play(toldIn(call, call.route)) : world.serve(call);

function toldIn(call: Call, route: TextRoute): Told {
  const origin = { ...call, model: SMALL_CHAT_MODEL };
  const frames = (other: Partial<Saying> = {}) => framesOf(route, origin, { ...USUAL, ...other });
  return { ...origin, route, frames, begun: (count) => frames().slice(0, -1).slice(0, count) };
}

function* endlessWords({ frames }: Told, pauseMs: number): Iterable<Step> {
  const word = frames().find((frame) => frame.includes('"po"')) ?? "";
  yield write(frames()[0] ?? "");
  // As much at a time as a socket takes.
  const words = pauseMs === 0 ? word.repeat(300) : word;
  for (;;) {
    yield write(words);
    if (pauseMs > 0) yield wait(pauseMs);
  }
}

const endless = (pauseMs: number) =>
  streamed((told) => stream(200, endlessWords(told, pauseMs), STREAM_HEADERS));

const SLOW_TOKEN = streamed(({ frames }) => {
  const [first = "", ...rest] = frames();
  return eventStream([first], wait(700), ...rest.map((frame) => write(frame)));
});
const SPLIT = streamed(({ frames }) =>
  eventStream(`: hello\n\n${frames().join("")}`.replaceAll("\n", "\r\n").split("")),
);
const CUT = streamed(({ begun }) => eventStream(begun(3), wait(READ_MS), RESET));
const UNMARKED = streamed(({ frames }) => eventStream(frames().slice(0, -1)));
const LAST_OPEN = streamed(({ frames }) => eventStream([frames().join("").trimEnd()]));
const ERRING = streamed(({ begun, route }) =>
  eventStream([...begun(2), errorFrame(route, "upstream_error")]),
);
const REFUSING = streamed(({ route }) => eventStream([errorFrame(route, "invalid_api_key")]));
const PAGE = reply(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/event-stream" });
const WORDLESS = streamed(({ frames }) => eventStream(frames({ words: [] }).slice(-1)));

const STREAMS: readonly Row[] = [
  ["ok", 200, "stream_thoughts_first", streamed(({ frames }) => eventStream(frames(THOUGHTFUL)))],
  ["ok", 200, "stream_thoughts_only", streamed(({ frames }) => eventStream(frames(ONLY_THOUGHTS)))],
  ["ok", 200, "stream_open_after_done", streamed(({ frames }) => eventStream(frames(), HANG))],
  ["ok", 200, "stream_slow_token", SLOW_TOKEN],
  ["ok", 200, "stream_split", SPLIT],
  ["stream_dropped", 200, "stream_reset", CUT],
  ["stream_dropped", 200, "stream_without_done", streamed(({ begun }) => eventStream(begun(2)))],
  ["stream_dropped", 200, "stream_stop_without_done", UNMARKED],
  ["stream_dropped", 200, "stream_done_without_empty_line", LAST_OPEN],
  ["stream_dropped", 200, "stream_silence", streamed(({ begun }) => eventStream(begun(2), HANG)), HANGS],
  ["stream_dropped", 200, "stream_trickle", endless(50), HANGS],
  ["stream_error", 200, "stream_error_event", ERRING],
  ["authentication", 200, "stream_refused_key", REFUSING],
  ["wrong_url", 200, "stream_html", PAGE],
  ["unexpected_response", 200, "stream_endless", endless(0)],
  ["unexpected_response", 200, "stream_empty", WORDLESS],
  ["unexpected_response", 200, "stream_as_json", streamed((told) => answerOf(told.route, told, USUAL))],
];

const DONE = expects("ok", 200);
const STALLED = expects("task_stalled", 200);
const GONE = { owner: "operator", health: "down" } as const;

const served = (courses: Courses) => (call: Call, world: World) => serve(call, world, true, courses);

const videos = (...video: Course) => ({ play: served({ video }), takes: ["video_create"] }) as const;
const images = (...image: Course) => ({ play: served({ image }), takes: ["image_create"] }) as const;
/** A task that is created as ever, and whose every question is answered so. */
const questions = (answer: Wire | Scenario["play"]) => ({ play: answer, takes: ["video_task"] }) as const;

const KEY_AS_STATE = questions(({ path, key }) =>
  json(200, { id: path.split("/").at(-1), object: "video", status: key, error: null }),
);
const UNUSABLE = questions(envelope(4004, "It cannot be used."));

/** Each with how polling it ends. */
const TASKS = [
  ["video_failed", videos("queued", "running", "failed"), expects("task_failed", 200)],
  ["video_upper", videos("PENDING", "RUNNING", "SUCCEEDED"), DONE],
  ["image_made", images("PENDING", "SUCCEEDED"), DONE],
  ["video_stuck", videos("queued", "running"), STALLED],
  ["video_stuck_queued", videos("queued"), STALLED],
  ["video_expired", videos("queued", "running", "gone"), expects("not_found", 404, GONE)],
  ["video_question_401", questions(chatError("invalid_api_key")), expects("authentication", 401)],
  ["video_question_402", questions(chatError("insufficient_balance")), expects("insufficient_balance", 402)],
  ["video_question_503", questions(chatError("upstream_unavailable")), expects("upstream_unavailable", 503)],
  ["video_question_410", questions(chatError("task_expired")), expects("not_found", 410, GONE)],
  ["video_question_lost", questions(raw(RESET)), expects("connection_failed", null)],
  ["video_task_envelope_4004", UNUSABLE, expects("not_found", 200, GONE)],
  ["video_state_is_key", KEY_AS_STATE, STALLED],
] as const;

/** Creates the task, and answers something else. */
const hiding = (answer: Wire) => (call: Call, world: World) => {
  world.serve(call);
  return answer;
};

function keyAsId({ nowMs, key }: Call, { gateway }: World) {
  return gateway.tasks.create("video", "sim-video", ["queued", "succeeded"], nowMs, key);
}

const NO_ID = json(200, { object: "video", status: "queued" });

const CREATIONS: readonly Row[] = [
  ["business_error", 200, "video_envelope_5000", envelope(5000, "Internal failure.")],
  ["service_misconfigured", 500, "video_config_error", chatError("video_config_error")],
  ["connection_failed", null, "video_creation_lost", hiding(raw(RESET))],
  ["timeout", null, "video_creation_hangs", hiding(raw(HANG)), HANGS],
  ["unexpected_response", 200, "video_without_id", hiding(NO_ID)],
  ["unexpected_response", 200, "video_id_is_key", keyAsId],
  ["ok", 200, "video_made_at_once", served({ video: ["succeeded"] })],
];

export const GENERATIONS: readonly Scenario[] = [
  ...scenarios(STREAMS, { kind: "stream", takes: TEXT_ROUTES }),
  ...scenarios(TEXTS, { kind: "chat", takes: TEXT_ROUTES }),
  ...scenarios(EMBEDDINGS, { kind: "embeddings", takes: ["embeddings"] }),
  ...scenarios(IMAGES, { kind: "image", takes: ["image_create"] }),
  ...scenarios(CONSOLES, { kind: "console", takes: ["console"] }),
  ...TASKS.flatMap(([name, { play, takes }, outcome]) =>
    scenarios([["task_pending", 200, name, play]], { kind: "task", takes, outcome }),
  ),
  ...scenarios(CREATIONS, { kind: "task", takes: ["video_create"] }),
];
