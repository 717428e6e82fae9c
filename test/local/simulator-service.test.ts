import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { SIMULATOR_KEYS, loginToken } from "../../src/simulator/keys.ts";
import { Buckets, refuseOverLimit } from "../../src/simulator/keys.ts";
import { MODEL_IDS } from "../../src/simulator/models.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../src/simulator/simulator.ts";
import { askService, CHAT as chat, type ServiceRequest } from "./service-client.ts";

let simulator: Simulator;
const start = async (options: SimulatorOptions = {}) => {
  simulator = await startSimulator(options);
  onTestFinished(() => simulator.close());
};
beforeEach(() => start());

const ask = (path: string, { base = simulator.url, ...request }: ServiceRequest & { base?: string } = {}) =>
  askService(`${base}${path}`, request);

const statusesOf = async (path: string, count: number, request: ServiceRequest & { base?: string }) => {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push((await ask(path, request)).status);
  return seen;
};

describe("keys", () => {
  test.each([
    [null, 401, "missing_api_key"],
    ["sim-key-nobody", 401, "invalid_api_key"],
    [loginToken(), 401, "invalid_api_key"],
    [SIMULATOR_KEYS.revoked, 401, "api_key_revoked"],
    [SIMULATOR_KEYS.emptyBalance, 402, "insufficient_balance"],
    [SIMULATOR_KEYS.spentQuota, 429, "quota_exceeded"],
    [SIMULATOR_KEYS.wrongGroup, 403, "model_group_restricted"],
  ])("the key %s is answered with %i %s", async (key, status, code) => {
    const answer = await ask("/v1/models", { key });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test("a login token is a JWT", () => {
    const [head = ""] = loginToken().split(".");
    expect(Buffer.from(head, "base64url").toString()).toBe('{"alg":"HS256","typ":"JWT"}');
  });

  test.each([SIMULATOR_KEYS.good, SIMULATOR_KEYS.sibling, SIMULATOR_KEYS.otherUser, SIMULATOR_KEYS.oneModel])(
    "the key %s sees every model",
    async (key) => {
      const { json } = await ask("/v1/models", { key });
      expect(json.data.map((model: { id: string }) => model.id)).toEqual(MODEL_IDS);
    },
  );

  test("the messages route refuses in its own style", async () => {
    const answer = await ask("/v1/messages", { key: "sim-key-nobody", body: chat });
    const error = { type: "authentication_error", message: "The API key is not valid." };
    expect(answer.json).toEqual({ type: "error", error });
    expect(answer.headers.has("x-request-id")).toBe(false);
  });

  test("a key restricted to one model is refused another", async () => {
    const key = SIMULATOR_KEYS.oneModel;
    expect((await ask("/v1/chat/completions", { key, body: chat })).status).toBe(200);
    const other = await ask("/v1/chat/completions", { key, body: { ...chat, model: "sim-chat-large" } });
    expect([other.status, other.json.error.code]).toEqual([403, "model_not_allowed"]);
  });

  test("a small quota is three generations; listing costs nothing", async () => {
    const key = SIMULATOR_KEYS.smallQuota;
    const statuses = await statusesOf("/v1/chat/completions", 4, { key, body: chat });
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await ask("/v1/models", { key })).status).toBe(200);
  });
});

const IMAGE = { type: "image_url", image_url: { url: "ftp://x" } };

describe("generation", () => {
  test("a chat answers with a word and its cost", async () => {
    const { json } = await ask("/v1/chat/completions", { body: chat });
    expect(json.choices[0].message).toEqual({ role: "assistant", content: "pong" });
    expect(json.usage.total_tokens).toBe(6);
  });

  test("a streamed chat is role, content, end, usage and [DONE]", async () => {
    const answer = await ask("/v1/chat/completions", { body: { ...chat, stream: true } });
    expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const data = answer.text.split("\n\n").map((frame) => frame.replace("data: ", ""));
    expect(data.slice(-2)).toEqual(["[DONE]", ""]);
    const chunks = data.slice(0, -2).map((chunk) => JSON.parse(chunk));
    expect(chunks.map((chunk) => chunk.choices[0]?.delta ?? chunk.usage.total_tokens)).toEqual([
      { role: "assistant", content: "" },
      { content: "po" },
      { content: "ng" },
      {},
      6,
    ]);
  });

  test("a streamed message goes from message_start to message_stop", async () => {
    const answer = await ask("/v1/messages", { body: { ...chat, stream: true, max_tokens: 16 } });
    expect([...answer.text.matchAll(/^event: (.*)$/gm)].map((match) => match[1])).toEqual([
      "message_start",
      "content_block_start",
      "ping",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    for (const frame of answer.text.trim().split("\n\n")) {
      const [event, data] = frame.split("\n");
      expect(JSON.parse(data!.replace("data: ", "")).type).toBe(event!.replace("event: ", ""));
    }
  });

  test("a list may lack a model that works", async () => {
    const base = simulator.baseUrl("list_without_chat_model");
    const { json } = await ask("/v1/models", { base });
    expect(json.data.map((model: { id: string }) => model.id)).toEqual(MODEL_IDS.slice(1));
    expect((await ask("/v1/chat/completions", { base, body: chat })).status).toBe(200);
  });

  test("one chat in two may fail, whatever else is asked between", async () => {
    const base = simulator.baseUrl("chat_no_channel_then_good");
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push((await ask("/v1/chat/completions", { base, body: chat })).status);
      await ask("/v1/models", { base });
    }
    expect(statuses).toEqual([503, 200, 503, 200]);
  });

  test("a message, an embedding and an image hold what was asked for", async () => {
    const { json } = await ask("/v1/messages", { body: chat });
    expect(json.content).toEqual([{ type: "text", text: "pong" }]);
    const embedding = await ask("/v1/embeddings", { body: { model: "sim-embedding", input: "ping" } });
    expect(embedding.json.data[0].embedding).toEqual([0.6, -0.8, 0]);
    const image = await ask("/v1/images/generations", { body: { model: "sim-image", prompt: "a cat" } });
    const png = Buffer.from(image.json.data[0].b64_json, "base64");
    expect(png.subarray(1, 4).toString()).toBe("PNG");
  });

  test.each([
    ["/v1/chat/completions", "{", 400, "invalid_json"],
    ["/v1/chat/completions", [], 400, "invalid_json"],
    ["/v1/chat/completions", {}, 400, "missing_model"],
    ["/v1/chat/completions", { model: "acme/sim-chat-small" }, 404, "model_not_found"],
    ["/v1/embeddings", { model: "sim-chat-small", input: "ping" }, 400, "embedding_not_supported"],
    [
      "/v1/chat/completions",
      { ...chat, messages: [{ role: "user", content: [IMAGE] }] },
      400,
      "invalid_image_url",
    ],
  ])("%s refuses %j with %i %s", async (path, body, status, code) => {
    const answer = await ask(path, { body });
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  test("a wrong method is 405, and a path that is none a page", async () => {
    expect((await ask("/v1/models", { body: {} })).status).toBe(405);
    const lost = await ask("/v1/v1/models");
    expect([lost.status, lost.text.slice(0, 15)]).toEqual([404, "<!doctype html>"]);
  });
});

describe("the console", () => {
  test.each([
    ["/api/user/balance", undefined, 0],
    ["/api/tokens", undefined, 0],
    ["/api/tokens", { name: "new" }, 0],
    ["/api/tokens", {}, 2001],
    ["/api/models/none", undefined, 2002],
    ["/api/tokens/99", undefined, 4004],
    ["/api/tokens/1/key", undefined, 0],
    ["/api/tokens/2/key", undefined, 5001],
    ["/api/tokens/3/key", undefined, 5002],
  ])("%s with %j answers 200 with code %i", async (path, body, code) => {
    const answer = await ask(path, body === undefined ? {} : { body });
    expect([answer.status, answer.json.code]).toEqual([200, code]);
  });

  test("it takes a login token, which the model API does not", async () => {
    expect((await ask("/api/user/balance", { key: loginToken() })).json.data.balance).toBe(12.5);
    expect((await ask("/v1/models", { key: loginToken() })).status).toBe(401);
  });

  test.each([
    ["healthy", 12.5, 6_250_000],
    ["console_balance_low", 0.75, 375_000],
  ])("%s tells a balance of %d and a quota of %d", async (scenario, balance, quota) => {
    const base = simulator.baseUrl(scenario);
    expect((await ask("/api/user/balance", { base })).json.data.balance).toBe(balance);
    expect((await ask("/api/user/self", { base })).json.data.quota).toBe(quota);
  });

  test("without any key it answers 401 itself", async () => {
    expect((await ask("/api/user/balance", { key: null })).status).toBe(401);
  });
});

describe("limits", () => {
  const limit = { requests: 2, perSeconds: 10, tellsWhen: true };
  const statuses = async (keys: readonly string[]) => {
    const seen = [];
    for (const key of keys) seen.push((await ask("/v1/models", { key })).status);
    return seen;
  };
  const { good, sibling, otherUser } = SIMULATOR_KEYS;

  test("a key's limit is its own", async () => {
    await start({ limits: { key: limit }, nowMs: () => 0 });
    expect(await statuses([good, good, good, sibling])).toEqual([200, 200, 429, 200]);
  });

  test("a user's limit is shared by the user's keys", async () => {
    await start({ limits: { user: limit }, nowMs: () => 0 });
    expect(await statuses([good, good, sibling, otherUser])).toEqual([200, 200, 429, 200]);
  });

  test("an address's limit is shared by all who come from it, and answers in the simpler envelope", async () => {
    await start({ limits: { ip: limit }, nowMs: () => 0 });
    expect(await statuses([good, sibling, otherUser])).toEqual([200, 200, 429]);
    expect((await ask("/v1/models")).json).toEqual({ code: 429, message: "Too many requests." });
  });

  test("another address has a limit of its own", () => {
    const buckets = new Buckets();
    const statusFrom = (ip: string) =>
      refuseOverLimit(buckets, { ip: limit }, { ip, user: "alice", key: good }, 0)?.status ?? 200;
    expect(["::1", "::1", "::1", "::2"].map(statusFrom)).toEqual([200, 200, 429, 200]);
  });

  test("Retry-After says when the next token comes, and it comes", async () => {
    let nowMs = 0;
    await start({ limits: { key: limit }, nowMs: () => nowMs });
    await statuses([good, good]);
    nowMs = 1001;
    expect((await ask("/v1/models")).headers.get("retry-after")).toBe("4");
    nowMs = 4999;
    expect(await statuses([good])).toEqual([429]);
    nowMs = 5000;
    expect(await statuses([good, good])).toEqual([200, 429]);
  });

  test("limits can be named in the address, and can be silent", async () => {
    await start({ nowMs: () => 0 });
    const told = simulator.baseUrl("limit_key_1_30");
    const silent = simulator.baseUrl("silent_limit_user_1_30");
    for (const [base, retryAfter] of [
      [told, "30"],
      [silent, null],
    ] as const) {
      await ask("/v1/models", { base });
      const { status, headers } = await ask("/v1/models", { base });
      expect([status, headers.get("retry-after")]).toEqual([429, retryAfter]);
    }
  });
});
