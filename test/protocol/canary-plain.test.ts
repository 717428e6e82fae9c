import { describe, expect, it } from "vitest";
import type { Asked, Kind } from "../../src/protocol/observation.ts";
import { examineCanary, NOTHING_TOLD } from "../../src/protocol/examine-canary.ts";
import { CONTEXT } from "./answers.ts";
import { candidate, choice, examined, PLAIN } from "./canary.ts";

const diagnosed = (asked: Asked, body: unknown, kind: Kind = "chat") =>
  examined(asked, body, { kind }).diagnosis;
const causeOf = (...args: Parameters<typeof diagnosed>) => diagnosed(...args).cause;
const message = (type: string, parts: unknown[], more = {}) => ({ type, content: parts, ...more });
const SPENT = { stop_reason: "max_tokens", usage: { output_tokens: 16 } };
const UNEXPECTED = {
  ok: false,
  cause: "unexpected_response",
  owner: "operator",
  health: "down",
  layer: "body",
};
const response = (output: unknown[], more = {}) => ({
  object: "response",
  status: "completed",
  output,
  ...more,
});
const AT_LIMIT = {
  status: "incomplete",
  incomplete_details: { reason: "max_output_tokens" },
  usage: { output_tokens: 16 },
};
const THOUGHTS = { usageMetadata: { promptTokenCount: 4, thoughtsTokenCount: 16 } };
const PONG = choice({ content: "pong" });

describe("text, the evidence of a generation", () => {
  it.each([
    ["a chat's content", PONG],
    ["parts of content", choice({ content: [{ type: "text", text: "pong" }] })],
    ["reasoning alone", choice({ content: "", reasoning_content: "Hm" })],
    ["a completion's text", { choices: [{ text: "pong" }] }],
    ["a message's text", message("message", [{ type: "text", text: "pong" }])],
    ["a message's thinking", message("message", [{ type: "thinking", thinking: "Hm" }])],
    ["a limit spent so", { ...choice({ content: "" }, "length"), usage: { completion_tokens: 16 } }],
    ["a message's limit spent on reasoning", message("message", [], SPENT)],
    ["a response's text", response([{ type: "message", content: [{ type: "output_text", text: "pong" }] }])],
    ["a response's reasoning", response([{ type: "reasoning", summary: [{ text: "Hm" }] }])],
    ["a response's limit spent so", response([], AT_LIMIT)],
    ["a candidate's text", candidate("pong", "STOP")],
    ["a candidate's limit spent on thoughts", candidate(null, "MAX_TOKENS", THOUGHTS)],
  ])("is %s", (_what, body) => expect(causeOf(PLAIN, body)).toBe("ok"));

  it.each([
    ["blanks", choice({ content: " \n\t" })],
    ["a number", choice({ content: 1 })],
    ["the call of a tool", choice({ content: null, tool_calls: [{ id: "c" }] })],
    ["no part", message("message", [])],
    ["a limit without a token", { ...choice({ content: "" }, "length"), usage: { completion_tokens: 0 } }],
    ["a limit without figures", choice({ content: "" }, "length")],
    ["tokens without a limit", { ...choice({ content: "" }), usage: { completion_tokens: 16 } }],
    ["a list", ["pong"]],
    ["a response in the background", response([], { status: "queued", error: null })],
    ["a response that is not over", response([], { status: "in_progress" })],
    ["a response that was filtered", response([], { incomplete_details: { reason: "content_filter" } })],
    ["a candidate that was stopped", candidate(null, "RECITATION")],
    ["a limit of thoughts without figures", candidate(null, "MAX_TOKENS")],
    ["a prompt that was blocked", { promptFeedback: { blockReason: "OTHER" } }],
    ["a bare content", { content: "Service unavailable" }],
  ])("is not %s", (_what, body) => expect(diagnosed(PLAIN, body)).toMatchObject(UNEXPECTED));

  it("is named where it is missing", () => {
    expect(diagnosed(PLAIN, choice({ content: "" })).message).toBe(
      "No text: looked at choices[].message, content[], output[].content[] and candidates[].content.parts[].",
    );
  });

  it("is what a pointer names, and nothing else", () => {
    const asked = { ...PLAIN, pointers: { text: "/output/0/content" } };
    expect(causeOf(asked, { output: [{ content: [{ text: "pong" }] }] })).toBe("ok");
    expect(causeOf(asked, { strange: 1, output: [{ content: "pong" }] })).toBe("ok");
    const missing = { cause: "unexpected_response", message: "No text: looked at /output/0/content." };
    expect(diagnosed(asked, PONG)).toMatchObject(missing);
    const inEnvelope = { ...PLAIN, pointers: { text: "/result/text" } };
    expect(causeOf(inEnvelope, { code: 200, message: "success", result: { text: "pong" } })).toBe("ok");
  });

  it("says why there is none, where the answer does", () => {
    const named = (body: object) => diagnosed(PLAIN, body).errorCode;
    expect(named(candidate(null, "SAFETY"))).toBe("SAFETY");
    expect(named({ promptFeedback: { blockReason: "OTHER" } })).toBe("OTHER");
    expect(named(response([], { incomplete_details: { reason: "content_filter" } }))).toBe("content_filter");
    expect(named(candidate("pong", "STOP"))).toBeNull();
  });

  it("of a response that failed or was cancelled is no success", () => {
    const said = [{ content: [{ text: "po" }] }];
    expect(causeOf(PLAIN, response(said, { status: "failed", error: null }))).toBe("api_error");
    expect(causeOf(PLAIN, response(said, { status: "cancelled" }))).toBe("api_error");
    const error = { code: "rate_limit_exceeded", message: "Slow down." };
    expect(causeOf(PLAIN, response(said, { status: "failed", error }))).toBe("rate_limited");
  });

  it("beside an error is no success, whatever came until then", () => {
    expect(causeOf(PLAIN, { ...PONG, error: { message: "x" } })).toBe("api_error");
    expect(causeOf(PLAIN, { ...PONG, code: 5000 })).toBe("business_error");
    expect(examined(PLAIN, PONG, { status: 500 }).diagnosis.ok).toBe(false);
    const error = { code: 502, message: "upstream lost" };
    const lost = { choices: [{ message: { content: "po" }, finish_reason: "error", error }] };
    const expected = { cause: "api_error", owner: "operator", layer: "api", message: "upstream lost" };
    expect(diagnosed(PLAIN, lost)).toMatchObject(expected);
    expect(causeOf(PLAIN, choice({ content: "po" }, "error"))).toBe("api_error");
    const wanted = "api_error";
    expect(causeOf(PLAIN, message("error", [{ type: "text", text: "Overloaded" }]), "messages")).toBe(wanted);
  });

  it.each([
    ["", "unexpected_response"],
    ["{", "unexpected_response"],
    ["<html>", "wrong_url"],
    ["null", "unexpected_response"],
  ])("is not in %j", (body, cause) => expect(causeOf(PLAIN, body)).toBe(cause));
});

describe("a vector", () => {
  const asked: Asked = { ...PLAIN, evidence: "vector" };
  const of = (embedding: unknown) => causeOf(asked, { data: [{ embedding }] }, "embeddings");

  it.each([[[0.1, -2, 3]], [[0]], ["AACAPw=="], ["AACAPwAAgD8AAIA/"]])("is %j", (embedding) => {
    expect(of(embedding)).toBe("ok");
  });

  it.each(
    [[], ["0.1"], [0.1, null], { 0: 1 }, "", "AACA", "notfound", "not base64!!", "====", null, 1].map(
      (one) => [one],
    ),
  )("is not %j", (embedding) => expect(of(embedding)).toBe("unexpected_response"));

  it("is neither a number that is too large to be one, nor in an empty list", () => {
    expect(causeOf(asked, '{"data":[{"embedding":[1e999]}]}', "embeddings")).toBe("unexpected_response");
    const words = "No vector of numbers: looked at /data/0/embedding.";
    expect(diagnosed(asked, { data: [] }, "embeddings").message).toBe(words);
  });

  it("is what a pointer names, also in a list", () => {
    const pointed: Asked = { ...asked, pointers: { vector: "/0/1" } };
    expect(causeOf(pointed, [[[], [0.5]]], "embeddings")).toBe("ok");
    expect(causeOf(pointed, { data: [{ embedding: [1] }] }, "embeddings")).toBe("unexpected_response");
  });
});

describe("an image", () => {
  const asked: Asked = { ...PLAIN, evidence: "media" };
  const URL_OF = "https://files.example/1.png";
  const PIXEL =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==";

  it.each([
    { data: [{ b64_json: PIXEL }] },
    { data: [{ url: URL_OF }] },
    { data: [{ url: `data:image/png;base64,${PIXEL}` }] },
    { data: [URL_OF] },
    { images: [{ url: URL_OF }] },
    { images: [{ image_url: { url: URL_OF } }] },
    { output: [URL_OF] },
    { output: { results: [{ url: URL_OF }] } },
    { code: 0, data: { task_result: { videos: [{ url: "https://files.example/1.mp4" }] } } },
    { content: { video_url: "https://files.example/1.mp4" } },
  ])("is in %j", (body) => expect(causeOf(asked, body, "image")).toBe("ok"));

  it.each([
    { data: [] },
    { data: [{ b64_json: "None" }] },
    { b64_json: "null" },
    { data: [{ url: "pending" }] },
    { data: [{ url: "/files/1.png" }] },
    { data: [{ revised_prompt: "https://files.example" }] },
  ])("is not in %j", (body) => expect(causeOf(asked, body, "image")).toBe("unexpected_response"));

  it("is what a pointer names: an address, or an image itself", () => {
    const pointed: Asked = { ...asked, pointers: { result: "/image" } };
    expect(causeOf(pointed, { image: PIXEL }, "image")).toBe("ok");
    expect(causeOf(pointed, { image: [URL_OF] }, "image")).toBe("ok");
    expect(causeOf(pointed, { image: "none" }, "image")).toBe("unexpected_response");
    const words = "No image, video or address of one: looked at /image.";
    expect(diagnosed(pointed, { data: [{ b64_json: PIXEL }] }, "image").message).toBe(words);
  });
});

describe("what is expected of an answer", () => {
  const at = (pointer: string, value: unknown): Asked => ({
    ...PLAIN,
    evidence: "nothing",
    expect: [{ pointer, value }],
  });
  const of = (plan: unknown, value: unknown) =>
    diagnosed(at("/data/plan", value), { code: 0, data: { plan } }, "console");

  it.each([
    ["pro", "pro"],
    [null, null],
    [0, 0],
    [
      { a: [1, { b: null }], c: "x" },
      { c: "x", a: [1, { b: null }] },
    ],
    [[], []],
  ])("%j is %j", (found, expected) => expect(of(found, expected).cause).toBe("ok"));

  it.each([
    ["free", "pro"],
    ["1", 1],
    [undefined, null],
    [null, undefined],
    [{ a: 1, b: 2 }, { a: 1 }],
    [[1, 2], [1]],
    [{}, []],
    [{}, { toString: undefined }],
  ])("%j is not %j, and neither is told", (found, expected) => {
    const words = "Unexpected value at /data/plan.";
    const unexpected = { cause: "unexpected_response", owner: "operator", message: words };
    expect(of(found, expected)).toMatchObject(unexpected);
  });

  it("may be asked of a list, and is no excuse for a failure", () => {
    const first = at("/0/id", "a");
    expect(causeOf(first, [{ id: "a" }], "console")).toBe("ok");
    expect(causeOf({ ...first, expect: [] }, [{ id: "a" }], "console")).toBe("unexpected_response");
    const expected = "business_error";
    expect(causeOf(at("/data/plan", "pro"), { code: 5000, data: { plan: "pro" } }, "console")).toBe(expected);
  });
});

it("what is no answer is diagnosed as ever, and tells nothing", () => {
  const notSent = { type: "not_sent", kind: "chat", reason: "secret_missing", secretName: "KEY" } as const;
  const expected = { diagnosis: { cause: "authentication", health: "blocked" }, told: NOTHING_TOLD };
  expect(examineCanary(notSent, PLAIN, CONTEXT)).toMatchObject(expected);
});
