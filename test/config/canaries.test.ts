import { expect, test } from "vitest";
import { canaryOf, LEAST, monitorsOf } from "./canaries.ts";
import { MODELS } from "./parsed.ts";

const READ = { accept: "application/json", authorization: "Bearer {key}" };
const POSTED = { ...READ, "content-type": "application/json" };
const PICTURE = "A grey circle on a white background.";
const WORDS = "Reply with the word pong.";
const PROMPT = [{ role: "user", content: WORDS }];
const GEMINI = {
  contents: [{ role: "user", parts: [{ text: WORDS }] }],
  generationConfig: { maxOutputTokens: 256 },
};

function bodyOf(written: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(canaryOf(written).request.body ?? "");
}

test("the least chat canary has every default", () => {
  expect(monitorsOf(LEAST.chat)).toEqual([
    {
      ...MODELS,
      id: "acme/chat-gpt-4o-mini",
      gatewayId: "acme",
      operator: "them",
      kind: "chat",
      model: "gpt-4o-mini",
      canary: {
        kind: "chat",
        request: {
          method: "POST",
          path: "/v1/chat/completions",
          headers: POSTED,
          body: JSON.stringify({ model: "gpt-4o-mini", messages: PROMPT, max_tokens: 256 }),
        },
        apiKey: "ACME_API_KEY",
        hasOwnKey: false,
        usedBy: null,
        evidence: "text",
        isStreamed: false,
        pointers: {},
        audit: null,
        expect: [],
        isGeneration: true,
        task: null,
        timeoutMs: 120_000,
        retry: false,
        perDay: 48,
        prices: null,
        maxCostMicros: null,
        warnBelow: null,
        accept: [],
        firstTokenSlowerThanMs: null,
        tokensPerSecondBelow: null,
      },
      everyMs: 1_800_000,
    },
  ]);
});

test.each([
  ["messages", "/v1/messages", { model: "claude-haiku-4-5", max_tokens: 256, messages: PROMPT }, "text"],
  ["responses", "/v1/responses", { model: "gpt-5-mini", input: WORDS, max_output_tokens: 256 }, "text"],
  ["gemini", "/v1beta/models/gemini-2.5-flash:generateContent", GEMINI, "text"],
  ["embeddings", "/v1/embeddings", { model: "text-embedding-3-small", input: "ping" }, "vector"],
  [
    "image",
    "/v1/images/generations",
    { model: "gpt-image-1", prompt: PICTURE, n: 1, size: "256x256" },
    "media",
  ],
  ["video", "/v1/videos", { model: "sora-2", prompt: PICTURE, seconds: "4" }, "media"],
] as const)("%s posts to %s and costs money", (kind, path, body, evidence) => {
  const canary = canaryOf(LEAST[kind]);
  expect(canary).toMatchObject({ isGeneration: true, perDay: 48, timeoutMs: 120_000, evidence });
  expect(canary.request).toMatchObject({ method: "POST", path });
  expect(bodyOf(LEAST[kind])).toEqual(body);
});

test.each(["console", "http"] as const)("%s looks without a body, and costs nothing", (kind) => {
  const { path } = { path: "/api/user/self", ...LEAST[kind] };
  expect(canaryOf(LEAST[kind])).toMatchObject({
    request: { method: "GET", path, headers: READ, body: null },
    evidence: "nothing",
    isGeneration: false,
    perDay: null,
    timeoutMs: 30_000,
    task: null,
  });
});

test("only images and videos may be tasks, with a deadline and a path of their own, in which the model is percent-encoded", () => {
  expect(canaryOf(LEAST.image).task).toEqual({ path: "/v1/images/generations/{id}", deadlineMs: 600_000 });
  expect(canaryOf(LEAST.video).task).toEqual({ path: "/v1/videos/{id}", deadlineMs: 1_800_000 });
  for (const kind of ["chat", "messages", "embeddings", "console", "http"] as const)
    expect(canaryOf(LEAST[kind]).task).toBeNull();
  const other = { path: "/v1/{model}/videos", taskPath: "/v1/{model}/tasks/{id}?full=1", deadline: "24h" };
  const { request, task } = canaryOf({ ...LEAST.video, model: "a:b.ü", ...other });
  expect(request.path).toBe("/v1/a%3Ab.%C3%BC/videos");
  expect(task).toEqual({ path: "/v1/a%3Ab.%C3%BC/tasks/{id}?full=1", deadlineMs: 86_400_000 });
});

test("a stream is asked for in the body and in the headers", () => {
  const chat = { ...LEAST.chat, stream: true };
  const request = { headers: { accept: "text/event-stream" } };
  expect(canaryOf(chat)).toMatchObject({ isStreamed: true, request });
  expect(bodyOf(chat)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  const usual = { model: "claude-haiku-4-5", max_tokens: 256, messages: PROMPT };
  expect(bodyOf({ ...LEAST.messages, stream: true })).toEqual({ ...usual, stream: true });
  expect(bodyOf({ ...LEAST.responses, stream: true })).toHaveProperty("stream", true);
});

test("gemini is asked for a stream by its path, and its key is in a header of its own", () => {
  const path = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse";
  expect(canaryOf({ ...LEAST.gemini, stream: true }).request.path).toBe(path);
  expect(bodyOf({ ...LEAST.gemini, stream: true })).toEqual(GEMINI);
  const { authorization: _, ...others } = POSTED;
  expect(canaryOf(LEAST.gemini).request.headers).toEqual({ ...others, "x-goog-api-key": "{key}" });
});

test("a body is laid over the usual one, and null takes away", () => {
  const own = { max_completion_tokens: 64, messages: [{ role: "user", content: "hi" }] };
  const body = { ...own, max_tokens: null };
  expect(bodyOf({ ...LEAST.chat, body })).toEqual({ model: "gpt-4o-mini", ...own });
  expect(bodyOf({ ...LEAST.chat, body: { model: null } })).not.toHaveProperty("model");
});

test.each([
  [LEAST.chat, { max_tokens: 64 }],
  [LEAST.chat, { max_tokens: null, max_completion_tokens: 64 }],
  [LEAST.messages, { max_tokens: 64 }],
  [LEAST.responses, { max_output_tokens: 64 }],
  [LEAST.gemini, { generationConfig: { maxOutputTokens: 64 } }],
] as const)("the most that a request of $kind costs is that of its limit of tokens", (least, body) => {
  const prices = { currency: "USD", output: 1 };
  expect(canaryOf({ ...least, prices }).prices?.mostMicros).toBe(256);
  expect(canaryOf({ ...least, prices, body }).prices?.mostMicros).toBe(64);
});

test("headers are laid over the usual ones, whatever their case, and null takes away", () => {
  const headers = { Authorization: null, "X-Api-Key": "{key}", "anthropic-version": "2024-01-01" };
  expect(canaryOf({ ...LEAST.messages, headers }).request.headers).toEqual({
    accept: "application/json",
    "anthropic-version": "2024-01-01",
    "content-type": "application/json",
    "x-api-key": "{key}",
  });
});

test("with a body http posts, as it is written, and counts as what costs money", () => {
  const canary = canaryOf({ ...LEAST.http, body: [1, null, { stream: true }] });
  expect(canary).toMatchObject({ isGeneration: true, perDay: 48 });
  const body = '[1,null,{"stream":true}]';
  expect(canary.request).toEqual({ method: "POST", path: "/api/status", headers: POSTED, body });
});

test("what http expects is a list of members and values", () => {
  const expected = { "/data/0/ok": true, "": null, "/a~1b": { c: [1] } };
  expect(canaryOf({ ...LEAST.http, expect: expected }).expect).toEqual([
    { pointer: "/data/0/ok", value: true },
    { pointer: "", value: null },
    { pointer: "/a~1b", value: { c: [1] } },
  ]);
});

test("a console's balance stands where it usually does, and can be elsewhere", () => {
  expect(canaryOf(LEAST.console).pointers).toEqual({ balance: "/data/quota" });
  const written = { ...LEAST.console, pointers: { balance: "/data/total" }, warnBelow: 2.5 };
  expect(canaryOf(written)).toMatchObject({ pointers: { balance: "/data/total" }, warnBelow: 2.5 });
});

test.each([
  [
    { input: 0.15, output: 0.6, request: 0.000_001 },
    { inputMicros: 150_000, outputMicros: 600_000, requestMicros: 1 },
  ],
  [{ request: 0.8 }, { inputMicros: 0, outputMicros: 0, requestMicros: 800_000 }],
])("prices are kept in millionths: %j", (prices, micros) => {
  const { prices: kept } = canaryOf({ ...LEAST.chat, prices: { currency: "CNY", ...prices } });
  expect(kept).toMatchObject({ currency: "CNY", ...micros });
});

test("caps, times, repetitions and the key can be set", () => {
  const written = {
    every: "2h",
    perDay: 12,
    timeout: "4m",
    retry: true,
    apiKey: "ACME_CHAT_KEY",
    usedBy: "production",
  };
  const [monitor] = monitorsOf({ ...LEAST.chat, ...written });
  expect(monitor).toMatchObject({
    everyMs: 7_200_000,
    canary: {
      perDay: 12,
      timeoutMs: 240_000,
      retry: true,
      apiKey: "ACME_CHAT_KEY",
      hasOwnKey: true,
      usedBy: "production",
    },
  });
  expect(canaryOf({ ...LEAST.chat, apiKey: "ACME_API_KEY" }).hasOwnKey).toBe(false);
  expect(canaryOf({ ...LEAST.console, perDay: 24 }).perDay).toBe(24);
});

const LONG = "a-very-long-model-name-2024-11-20-preview";
test.each([
  [LEAST.chat, "chat-gpt-4o-mini"],
  [{ kind: "chat", model: "GPT_4o.Mini" }, "chat-gpt-4o-mini"],
  [{ kind: "chat", model: "任务" }, "chat"],
  [{ kind: "embeddings", model: LONG }, "embeddings-a-very-long-model-name-2024-1"],
  [LEAST.http, "http"],
  [{ ...LEAST.chat, id: "talk" }, "talk"],
])("the id of %j is %s", (written, id) => {
  expect(monitorsOf(written).map((monitor) => monitor.id)).toEqual([`acme/${id}`]);
});
