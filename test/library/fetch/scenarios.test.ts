/** The client against every stream of the simulated gateway, judged by what the scenarios say of themselves. */
import { beforeEach, expect, test } from "vitest";
import { SCENARIOS } from "../../../src/simulator/catalog.ts";
import type { Scenario } from "../../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { createFetch, GatewayError } from "../../../src/library/fetch/index.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { HEADERS, post, readAll, STREAMED_CHAT, STREAMED_MESSAGE } from "./asking.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const named = (scenarios: readonly Scenario[]) =>
  scenarios.map((scenario) => [scenario.name, scenario] as const);

/** What a reader need not be told: that the stream says nothing, and that it was none, is not broken. */
const READABLE = new Set([
  "stream_empty",
  "stream_as_json",
  "stream_done_without_empty_line",
  "stream_stop_without_done",
]);

const STREAMS = SCENARIOS.filter(({ kind, expect: { hangs }, name }) => {
  const isEndless = name === "stream_trickle" || name === "stream_endless" || name.includes("open_after");
  return kind === "stream" && !hangs && !isEndless;
});

test.each(named(STREAMS))("stream: %s", async (name, scenario) => {
  const isMessages = name.startsWith("messages");
  const url = `${simulator.baseUrl(name)}/v1/${isMessages ? "messages" : "chat/completions"}`;
  const fetch = createFetch({ clock: jumpingClock() });
  const { error } = await readAll(await fetch(url, post(isMessages ? STREAMED_MESSAGE : STREAMED_CHAT)));
  const cause = error instanceof GatewayError ? error.diagnosis.cause : error === null ? "ok" : "odd";
  expect(cause).toBe(READABLE.has(name) ? "ok" : scenario.expect.cause);
});

test.each(["stream_open_after_done", "messages_stream_open_after_stop"])(
  "%s: the connection stays open for as long as the gateway likes, and its place is free at the end mark",
  async (name) => {
    const isMessages = name.startsWith("messages");
    const url = `${simulator.baseUrl(name)}/v1/${isMessages ? "messages" : "chat/completions"}`;
    const fetch = createFetch({ clock: jumpingClock(), maxConcurrent: 1 });
    const stream = await fetch(url, post(isMessages ? STREAMED_MESSAGE : STREAMED_CHAT));
    const reader = stream.body!.getReader();
    let text = "";
    while (!/\[DONE\]\n\n|"message_stop"\}\n\n/.test(text)) {
      text += new TextDecoder().decode((await reader.read()).value);
    }
    const next = await fetch(`${simulator.baseUrl("any_key")}/v1/models`, { headers: HEADERS });
    expect(next.status).toBe(200);
    await reader.cancel();
  },
);
