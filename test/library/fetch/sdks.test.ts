/** The official clients of two vendors, with this `fetch` in them. */
import Anthropic, { AuthenticationError as AnthropicAuthenticationError } from "@anthropic-ai/sdk";
import OpenAI, { APIError, AuthenticationError } from "openai";
import { expect, test } from "vitest";
import { GatewayError } from "../../../src/library/fetch/index.ts";
import { client, gatewayOfFile, KEY } from "./asking.ts";

const { simulator, seen } = await gatewayOfFile();

const ORDER = { model: "sim-chat-small", messages: [{ role: "user" as const, content: "ping" }] };
const SHORT_ORDER = { ...ORDER, max_tokens: 9 };

const { fetch } = client({ throwHttpErrors: false });
const COMMON = { apiKey: KEY, fetch, maxRetries: 0 };
const openai = (scenario: string) => new OpenAI({ ...COMMON, baseURL: `${simulator.baseUrl(scenario)}/v1` });
const anthropic = (scenario: string) => new Anthropic({ ...COMMON, baseURL: simulator.baseUrl(scenario) });

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
])("%s is no empty list, but a GatewayError inside of the client's own", async (scenario, cause) => {
  for (const sdk of [openai(scenario), anthropic(scenario)]) {
    const error = await thrownBy(sdk.models.list());
    expect(error.cause).toBeInstanceOf(GatewayError);
    expect(error.cause).toMatchObject({ status: 200, diagnosis: { cause } });
  }
  expect(seen()).toHaveLength(2);
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
  const reading = anthropic("messages_stream_without_stop").messages.stream(SHORT_ORDER).finalMessage();
  const error = await thrownBy(reading);
  const diagnosis = expect.objectContaining({ cause: "stream_dropped" });
  const expected = expect.objectContaining({ name: "GatewayError", diagnosis });
  expect([error, error.cause]).toContainEqual(expected);
});
