/** The client against every scenario of the simulated gateway, judged by what the scenarios say of themselves. */
import { inspect } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { SCENARIOS } from "../../../src/simulator/catalog.ts";
import { SIMULATOR_KEYS } from "../../../src/simulator/keys.ts";
import type { Scenario } from "../../../src/simulator/scenario.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { limitedFetch, MODELS_SCENARIOS } from "../../probe/models-scenarios.ts";
import { handClock } from "../../probe/hand-clock.ts";
import { createFetch, GatewayError } from "../../../src/library/fetch/index.ts";
import { jumpingClock } from "./jumping-clock.ts";
import { HEADERS, post, readAll, STREAMED_CHAT, STREAMED_MESSAGE } from "./asking.ts";
import { spread } from "../../extent.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const KEY = SIMULATOR_KEYS.good;

/** Where this client waits for all in all a minute, and the reference for 30 s each time (spec 7.4). */
const OTHER_WAITS: Readonly<Record<string, number>> = {
  rate_limited_30: 3,
  rate_limited_31: 2,
  rate_limited_date: 2,
  "503_retry_after_60": 2,
};

const named = (scenarios: readonly Scenario[]) =>
  scenarios.map((scenario) => [scenario.name, scenario] as const);

/** What became of a call, as scenarios tell it. */
async function concluded(scenario: Scenario) {
  const clock = jumpingClock();
  const url = `${simulator.baseUrl(scenario.name)}/v1/models`;
  const limited = limitedFetch(
    scenario,
    simulator,
    { ...handClock(), passLimit: () => clock.endLimits() },
    (address, { headers, signal }) => globalThis.fetch(address, { headers, signal, redirect: "manual" }),
  );
  const fetch = createFetch({
    clock,
    random: () => 0,
    fetch: async (_input, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const signal = init?.signal ?? new AbortController().signal;
      const answer = await limited(url, { method: "GET", headers, redirect: "manual", signal });
      if (answer instanceof Response) return answer;
      throw new Error("not of the platform");
    },
  });
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
    await response.text();
    return { cause: "ok", httpStatus: response.status, requests: simulator.requests.length };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
    const { diagnosis, status, requests } = error;
    return { cause: diagnosis.cause, httpStatus: status, requests };
  }
}

test.each(named(spread(MODELS_SCENARIOS, 40)))("models: %s", async (name, scenario) => {
  const { cause, httpStatus, attempts } = scenario.expect;
  expect(await concluded(scenario)).toEqual({ cause, httpStatus, requests: OTHER_WAITS[name] ?? attempts });
  expect(simulator.requests.filter(({ gateway }) => gateway === "elsewhere")).toEqual([]);
});

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
