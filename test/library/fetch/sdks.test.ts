/** The official clients of two vendors, with this `fetch` in them. */
import Anthropic, { AuthenticationError as AnthropicAuthenticationError } from "@anthropic-ai/sdk";
import OpenAI, { APIConnectionError, APIError, AuthenticationError, RateLimitError } from "openai";
import { beforeEach, expect, test } from "vitest";
import { GatewayError } from "../../../src/library/fetch/index.ts";
import { simulatorOfFile } from "../../probe/simulated.ts";
import { client, KEY, seen } from "./asking.ts";

const simulator = await simulatorOfFile();
beforeEach(() => simulator.clear());

const QUESTION = { model: "sim-chat-small", messages: [{ role: "user", content: "ping" }] } as const;

function openai(scenario: string, options = {}) {
  const { fetch, clock } = client({ throwHttpErrors: false, ...options });
  const baseURL = `${simulator.baseUrl(scenario)}/v1`;
  return { sdk: new OpenAI({ apiKey: KEY, baseURL, fetch, maxRetries: 0 }), clock };
}

function anthropic(scenario: string) {
  const { fetch } = client({ throwHttpErrors: false });
  return new Anthropic({ apiKey: KEY, baseURL: simulator.baseUrl(scenario), fetch, maxRetries: 0 });
}

async function thrownBy(call: PromiseLike<unknown>): Promise<Error> {
  const thrown: unknown = await call.then(undefined, (error: unknown) => error);
  if (thrown instanceof Error) return thrown;
  throw new Error("it did not fail");
}

test("openai: an answer is an answer", async () => {
  const { sdk } = openai("any_key");
  const { choices } = await sdk.chat.completions.create({ ...QUESTION, messages: [...QUESTION.messages] });
  expect(choices[0]?.message.content).toBe("pong");
});

test("openai: the error of a status is its own", async () => {
  const { sdk } = openai("unauthorized_invalid");
  const error = await thrownBy(sdk.models.list());
  expect(error).toBeInstanceOf(AuthenticationError);
  expect(error).toMatchObject({ status: 401, code: "invalid_api_key" });
});

test("openai: a limit is waited out, and an exhausted quota asked for once", async () => {
  const limited = openai("rate_limited_1");
  expect(await thrownBy(limited.sdk.models.list())).toBeInstanceOf(RateLimitError);
  expect(limited.clock.waits).toEqual([1000, 1000, 1000]);
  expect(seen(simulator)).toHaveLength(4);
  simulator.clear();
  expect(await thrownBy(openai("quota_429").sdk.models.list())).toBeInstanceOf(RateLimitError);
  expect(seen(simulator)).toHaveLength(1);
});

test.each([
  ["envelope_5000", "business_error"],
  ["error_object", "api_error"],
  ["html_200", "wrong_url"],
])("openai: %s is no empty list, but a GatewayError inside of its own", async (scenario, cause) => {
  const error = await thrownBy(openai(scenario).sdk.models.list());
  expect(error).toBeInstanceOf(APIConnectionError);
  expect(error.cause).toBeInstanceOf(GatewayError);
  expect(error.cause).toMatchObject({ status: 200, diagnosis: { cause } });
  expect(seen(simulator)).toHaveLength(1);
});

test("openai: a redirect is not followed", async () => {
  const error = await thrownBy(openai("redirect_307").sdk.models.list());
  expect(error).toMatchObject({ status: 307 });
  expect(seen(simulator)).toEqual(["GET /redirect_307/v1/models"]);
});

test.each([
  ["stream_error_event", "stream_error"],
  ["stream_without_done", "stream_dropped"],
  ["stream_reset", "stream_dropped"],
])("openai: %s is no end of a stream", async (scenario, cause) => {
  const { sdk } = openai(scenario);
  const words: string[] = [];
  const reading = (async () => {
    const stream = await sdk.chat.completions.create({
      ...QUESTION,
      messages: [...QUESTION.messages],
      stream: true,
    });
    for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? "");
  })();
  const error = await thrownBy(reading);
  expect(words.length).toBeGreaterThan(0);
  if (scenario === "stream_error_event") expect(error).toBeInstanceOf(APIError);
  else expect(error).toMatchObject({ name: "GatewayError", diagnosis: { cause } });
});

test("openai: a stream is read to its end", async () => {
  const { sdk } = openai("any_key");
  const stream = await sdk.chat.completions.create({
    ...QUESTION,
    messages: [...QUESTION.messages],
    stream: true,
  });
  let words = "";
  for await (const { choices } of stream) words += choices[0]?.delta.content ?? "";
  expect(words).toBe("pong");
});

test("anthropic: an answer and a stream are read to their ends", async () => {
  const order = { ...QUESTION, messages: [...QUESTION.messages], max_tokens: 9 };
  const message = await anthropic("any_key").messages.create(order);
  expect(message.content).toMatchObject([{ type: "text", text: "pong" }]);
  const final = await anthropic("any_key").messages.stream(order).finalMessage();
  expect(final.content).toMatchObject([{ type: "text", text: "pong" }]);
});

test("anthropic: an error of a status is its own, and a page under 200 is none of its answers", async () => {
  const order = { ...QUESTION, messages: [...QUESTION.messages], max_tokens: 9 };
  const refused = await thrownBy(anthropic("messages_401").messages.create(order));
  expect(refused).toBeInstanceOf(AnthropicAuthenticationError);
  const page = await thrownBy(anthropic("html_200").messages.create(order));
  expect(page.cause).toMatchObject({ name: "GatewayError", diagnosis: { cause: "wrong_url" } });
});

test("anthropic: a stream without its end is none", async () => {
  const order = { ...QUESTION, messages: [...QUESTION.messages], max_tokens: 9 };
  const reading = anthropic("messages_stream_without_stop").messages.stream(order).finalMessage();
  const error = await thrownBy(reading);
  expect([error, error.cause]).toContainEqual(
    expect.objectContaining({
      name: "GatewayError",
      diagnosis: expect.objectContaining({ cause: "stream_dropped" }),
    }),
  );
});
