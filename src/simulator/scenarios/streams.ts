/**
 * Streams of text in each protocol, good and broken, while the model list is good (spec 6). Everything else works, with any
 * key. Expectations are those of the routes concerned.
 */
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
import { SMALL_CHAT_MODEL, isTextRoute, TEXT_ROUTES, type TextRoute } from "../api.ts";
import { type Call, type Expectation, type Row, type Scenario, expects, scenarios } from "../scenario.ts";
import { HANG, RESET, type Step, type Wire, reply, stream, wait, write } from "../wire.ts";

const DROPPED = expects("stream_dropped", 200);
const SILENT = expects("stream_dropped", 200, { hangs: true });
const UNEXPECTED = expects("unexpected_response", 200);
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

const streamed = (name: string, play: (told: Told) => Wire): Row => [
  name,
  (call, world) => (isTextRoute(call.route) ? play(toldIn(call, call.route)) : world.serve(call)),
];

function toldIn(call: Call, route: TextRoute): Told {
  const origin = { ...call, model: SMALL_CHAT_MODEL };
  const frames = (saying: Partial<Saying> = {}) => framesOf(route, origin, { ...USUAL, ...saying });
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

const streams = (expect: Expectation, ...rows: readonly Row[]) =>
  scenarios(expect, rows, { kind: "stream", takes: TEXT_ROUTES });

const WELL: readonly Scenario[] = streams(
  expects("ok", 200),
  streamed("stream_thoughts_first", ({ frames }) => eventStream(frames(THOUGHTFUL))),
  streamed("stream_thoughts_only", ({ frames }) => eventStream(frames(ONLY_THOUGHTS))),
  streamed("stream_open_after_done", ({ frames }) => eventStream(frames(), HANG)),
  streamed("stream_slow_token", ({ frames }) => {
    const [first = "", ...rest] = frames();
    return eventStream([first], wait(700), ...rest.map((frame) => write(frame)));
  }),
  streamed("stream_split", ({ frames }) =>
    eventStream(`: hello\n\n${frames().join("")}`.replaceAll("\n", "\r\n").split("")),
  ),
);

const CUT: readonly Scenario[] = [
  ...streams(
    DROPPED,
    streamed("stream_reset", ({ begun }) => eventStream(begun(3), wait(READ_MS), RESET)),
    streamed("stream_without_done", ({ begun }) => eventStream(begun(2))),
    streamed("stream_stop_without_done", ({ frames }) => eventStream(frames().slice(0, -1))),
    streamed("stream_done_without_empty_line", ({ frames }) => eventStream([frames().join("").trimEnd()])),
  ),
  ...streams(
    SILENT,
    streamed("stream_silence", ({ begun }) => eventStream(begun(2), HANG)),
    streamed("stream_trickle", (told) => stream(200, endlessWords(told, 50), STREAM_HEADERS)),
  ),
];

const ERRING: readonly Scenario[] = [
  ...streams(
    expects("stream_error", 200),
    streamed("stream_error_event", ({ begun, route }) =>
      eventStream([...begun(2), errorFrame(route, "upstream_error")]),
    ),
  ),
  ...streams(
    expects("authentication", 200),
    streamed("stream_refused_key", ({ route }) => eventStream([errorFrame(route, "invalid_api_key")])),
  ),
];

const NO_STREAM: readonly Scenario[] = [
  ...streams(expects("wrong_url", 200), [
    "stream_html",
    reply(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/event-stream" }),
  ]),
  ...streams(
    UNEXPECTED,
    streamed("stream_endless", (told) => stream(200, endlessWords(told, 0), STREAM_HEADERS)),
    streamed("stream_empty", ({ frames }) => eventStream(frames({ words: [] }).slice(-1))),
    streamed("stream_as_json", (told) => answerOf(told.route, told, USUAL)),
  ),
];

export const STREAMS: readonly Scenario[] = [...WELL, ...CUT, ...ERRING, ...NO_STREAM];
