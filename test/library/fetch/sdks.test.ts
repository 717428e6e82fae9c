/** The official clients of two vendors, with this `fetch` in them. */
import Anthropic, { AuthenticationError as AnthropicAuthenticationError } from "@anthropic-ai/sdk";
import OpenAI, { APIError, APIUserAbortError, AuthenticationError } from "openai";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { diagnosisOf } from "../../../src/library/fetch/index.ts";
import { client, gatewayOfFile, KEY, until } from "./asking.ts";

const { simulator, seen } = await gatewayOfFile();

const ORDER = { model: "sim-chat-small", messages: [{ role: "user" as const, content: "ping" }] };
const SHORT_ORDER = { ...ORDER, max_tokens: 9 };

/** Both clients have their own defaults. */
const openai = (scenario: string, more = {}) =>
  new OpenAI({ apiKey: KEY, fetch: client().fetch, baseURL: `${simulator.baseUrl(scenario)}/v1`, ...more });
const anthropic = (scenario: string, more = {}) =>
  new Anthropic({ apiKey: KEY, fetch: client().fetch, baseURL: simulator.baseUrl(scenario), ...more });

async function thrownBy(call: PromiseLike<unknown>): Promise<Error> {
  const thrown: unknown = await call.then(undefined, (error: unknown) => error);
  if (thrown instanceof Error) return thrown;
  throw new Error("it did not fail");
}

/** The words of a stream, in pieces as they came. */
async function streamed(sdk: OpenAI, words: string[] = []): Promise<string[]> {
  const stream = await sdk.chat.completions.create({ ...ORDER, stream: true });
  for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? "");
  return words;
}

test("an answer is an answer, and a stream is read to its end", async () => {
  const sdk = openai("any_key");
  const { choices } = await sdk.chat.completions.create(ORDER);
  expect(choices[0]?.message.content).toBe("pong");
  expect((await streamed(sdk)).join("")).toBe("pong");
  const message = await anthropic("any_key").messages.create(SHORT_ORDER);
  const final = await anthropic("any_key").messages.stream(SHORT_ORDER).finalMessage();
  for (const { content } of [message, final]) expect(content).toMatchObject([{ type: "text", text: "pong" }]);
});

test("the error of a status is the client's own", async () => {
  const error = await thrownBy(openai("unauthorized_invalid").models.list());
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
  const refused = await thrownBy(anthropic("messages_401").messages.create(SHORT_ORDER));
  expect(refused).toBeInstanceOf(AnthropicAuthenticationError);
});

test.each([
  ["envelope_5000", "business_error"],
  ["error_object", "api_error"],
  ["html_200", "wrong_url"],
])("%s is no empty list, but an error of the client's own, with its diagnosis", async (scenario, cause) => {
  for (const sdk of [openai(scenario), anthropic(scenario)]) {
    const error = await thrownBy(sdk.models.list());
    expect(error).toMatchObject({ status: 502 });
    expect(diagnosisOf(error)).toMatchObject({ cause, httpStatus: 200 });
  }
  expect(seen()).toHaveLength(2);
});

/** Requests of `gatepulse/fetch` alone and what it throws, by row of the table. */
const DOCUMENTED = new Map(
  [
    ...readFileSync(new URL("../../../docs/clients.md", import.meta.url), "utf8").matchAll(
      /^\| (.*?) *\| (\d) requests?, (?:\d+ s, )?(throws `\w+`)?/gmu,
    ),
  ].map(([, does = "", requests, throws]) => [does, [Number(requests), throws] as const]),
);

test.each<[does: string, scenario: string]>([
  ["429 `quota_exceeded`", "quota_429"],
  ["429 with `Retry-After: 31`", "rate_limited_31"],
  ["402 `insufficient_balance`", "balance_402"],
  ["503, always", "503_always"],
  ["503 once", "503_then_200"],
  ['200 with `{"code": 5000}`', "envelope_5000"],
  ["200 with an `error`", "error_object"],
  ["200 with a web page", "html_200"],
  ["302 to itself", "redirect_loop"],
  ["401 with the key in it", "echo_key_whole"],
  ["generation: connection reset", "reset_before_headers"],
  ["generation: no answer for 2 s", "no_answer"],
])(
  "%s: both clients send as many requests as gatepulse/fetch alone, with the diagnosis and without the key",
  async (does, scenario) => {
    const limits = scenario === "no_answer" ? { timeout: 2000 } : {};
    const [gpt, claude] = [openai(scenario, limits), anthropic(scenario, limits)];
    const calls = does.startsWith("generation")
      ? [() => gpt.chat.completions.create(ORDER), () => claude.messages.create(SHORT_ORDER)]
      : [() => gpt.models.list(), () => claude.models.list()];
    for (const call of calls) {
      simulator.clear();
      const error: unknown = await call().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      const throws = error === null ? undefined : `throws \`${diagnosisOf(error)?.cause}\``;
      expect([simulator.requests.length, throws]).toEqual(DOCUMENTED.get(does));
      expect(inspect(error, { depth: 6, showHidden: true })).not.toContain(KEY);
    }
  },
);

test("what you abort yourself is aborted, with the client's own error", async () => {
  const controller = new AbortController();
  const call = openai("no_answer").chat.completions.create(ORDER, { signal: controller.signal });
  await until(() => seen().length > 0);
  controller.abort();
  expect(await thrownBy(call)).toBeInstanceOf(APIUserAbortError);
  expect(seen()).toHaveLength(1);
});

test.each([
  ["stream_error_event", "stream_error"],
  ["stream_without_done", "stream_dropped"],
  ["stream_reset", "stream_dropped"],
])("openai: %s is no end of a stream", async (scenario, cause) => {
  const words: string[] = [];
  const error = await thrownBy(streamed(openai(scenario), words));
  expect(words.length).toBeGreaterThan(0);
  if (scenario === "stream_error_event") expect(error).toBeInstanceOf(APIError);
  else expect(error).toMatchObject({ name: "GatewayError", diagnosis: { cause } });
});

test("anthropic: a stream without its end is none", async () => {
  const reading = anthropic("stream_without_done").messages.stream(SHORT_ORDER).finalMessage();
  const error = await thrownBy(reading);
  const diagnosis = expect.objectContaining({ cause: "stream_dropped" });
  const expected = expect.objectContaining({ name: "GatewayError", diagnosis });
  expect([error, error.cause]).toContainEqual(expected);
});
