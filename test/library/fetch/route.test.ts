/** Several gateways: which one is asked, when another one is, and what never leaves for where it does not belong. */
import type { RequestListener } from "node:http";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  createFetch,
  type FetchOptions,
  type GatewayError,
  type RouteOptions,
} from "../../../src/library/fetch/index.ts";
import { SIMULATOR_KEYS } from "../../../src/simulator/api.ts";
import { refusingUrl, RESET, serveInTurn, status } from "../../probe/small-server.ts";
import {
  CHAT,
  client,
  failureOf,
  gatewayOfFile,
  HEADERS,
  KEY,
  post,
  readAll,
  STREAMED_CHAT,
  until,
} from "./asking.ts";

const { simulator } = await gatewayOfFile();

const ORDERED = ["acme", "beta", "gamma"];
const named = (id: string) => ({ baseUrl: simulator.named(id), apiKey: SIMULATOR_KEYS.good });
const chat = `${simulator.named("acme")}/v1/chat/completions`;
const models = `${simulator.named("acme")}/v1/models`;
const askedGateways = () => simulator.requests.map(({ path }) => path.split("/")[2]);

const pageOf = (gateways: readonly string[], unavailable: readonly string[] = []) =>
  status(
    200,
    JSON.stringify({
      trustUntil: "2026-11-20T00:01:00.000Z",
      gateways: gateways.map((gateway) => ({ gateway, endpoint: "https://evil.example" })),
      unavailable: unavailable.map((gateway) => ({ gateway })),
    }),
  );

/** A client of three simulated gateways, and the page that orders them. */
async function routed(
  order: RequestListener = pageOf(ORDERED),
  { gateways, ...more }: Partial<RouteOptions> = {},
  options: FetchOptions = {},
) {
  const page = await serveInTurn(order);
  const known = gateways ?? Object.fromEntries(ORDERED.map((id) => [id, named(id)]));
  return { page, ...client({ ...options, route: { statusUrl: page.url, gateways: known, ...more } }) };
}

test("the best gateway of the page is asked, and the page once for as long as it may be trusted", async () => {
  const { fetch, page, clock } = await routed(pageOf(["gamma", "acme"], ["beta"]));
  for (const url of [chat, chat, `${simulator.named("beta")}/v1/chat/completions`]) await fetch(url, post());
  expect(askedGateways()).toEqual(["gamma", "gamma", "gamma"]);
  expect(page.seen.map(({ url }) => url)).toEqual(["/api/v1/route?model=sim-chat-small&protocol=chat"]);
  await clock.sleep(60_000);
  await Promise.all([fetch(chat, post()), fetch(chat, post()), fetch(chat, post())]);
  expect(page.seen).toHaveLength(2);
});

test.each([
  ["unauthorized_invalid", "authentication"],
  ["balance_402", "insufficient_balance"],
  ["quota_429", "quota_exceeded"],
  ["rate_limited_3600", "rate_limited"],
  ["chat_limited", "rate_limited"],
])("a POST that %s refuses goes to the next gateway at once", async (scenario, cause) => {
  simulator.play("acme", scenario);
  const told: unknown[] = [];
  const { fetch, clock } = await routed(
    pageOf(ORDERED),
    {},
    { onAttempt: ({ diagnosis }) => told.push(diagnosis?.cause) },
  );
  expect((await fetch(chat, post())).status).toBe(200);
  expect([askedGateways(), told, clock.waits]).toEqual([["acme", "beta"], [cause, undefined], []]);
  // Until the page is asked again, the others come first.
  await fetch(chat, post());
  expect(askedGateways()).toEqual(["acme", "beta", "beta"]);
});

test("a POST that never reached its gateway goes to the next one", async () => {
  const gateways = { acme: { baseUrl: await refusingUrl(), apiKey: KEY }, beta: named("beta") };
  const { fetch } = await routed(pageOf(ORDERED), { gateways });
  await fetch(`${gateways.acme.baseUrl}/v1/chat/completions`, post());
  expect(askedGateways()).toEqual(["beta"]);
});

test.each([
  ["chat_lost", "connection_failed", true],
  ["504", "upstream_unavailable", true],
  ["bad_request", "malformed_request", false],
])("a POST at %s is not sent to another gateway: %s", async (scenario, cause, mayHaveBeenAccepted) => {
  simulator.play("acme", scenario);
  const { fetch } = await routed();
  const error = await failureOf(fetch(chat, post()));
  expect(error).toMatchObject({ requests: 1, mayHaveBeenAccepted, diagnosis: { cause } });
  expect(error.attempts).toEqual([{ gateway: "acme", diagnosis: error.diagnosis }]);
  expect(askedGateways()).toEqual(["acme"]);
});

test.each(["GET", "POST"])(
  "what times out after a %s was taken is repeated elsewhere only for a GET",
  async (method) => {
    simulator.play("acme", "no_answer");
    const { fetch, clock } = await routed();
    const call = method === "GET" ? fetch(models) : fetch(chat, post());
    await until(() => simulator.requests.length === 1);
    clock.endLimits();
    if (method === "GET") expect((await call).status).toBe(200);
    else
      expect(await failureOf(call)).toMatchObject({
        requests: 1,
        mayHaveBeenAccepted: true,
        diagnosis: { cause: "timeout" },
      });
    expect(askedGateways()).toEqual(method === "GET" ? ["acme", "beta"] : ["acme"]);
  },
);

test("a POST whose answer failed after it had cost tokens is not sent to another gateway", async () => {
  const error = { code: "rate_limit_exceeded", message: "Slow down." };
  const body = { object: "response", status: "failed", error, usage: { input_tokens: 9, output_tokens: 70 } };
  const gateway = await serveInTurn(status(200, JSON.stringify(body)));
  const gateways = { acme: { baseUrl: gateway.url, apiKey: KEY }, beta: named("beta") };
  const { fetch } = await routed(pageOf(ORDERED), { gateways });
  const failure = await failureOf(fetch(`${gateway.url}/v1/responses`, post()));
  expect(failure).toMatchObject({
    requests: 1,
    mayHaveBeenAccepted: true,
    diagnosis: { cause: "api_error" },
  });
  expect(askedGateways()).toEqual([]);
});

test("a GET goes on from 503 without a wait, and waits only where nobody is left", async () => {
  for (const id of ORDERED) simulator.play(id, "503_always");
  const { fetch, clock } = await routed();
  const error = await failureOf(fetch(models));
  expect(askedGateways()).toEqual(["acme", "beta", "gamma", "gamma"]);
  expect(clock.waits).toEqual([4000]);
  expect(error.attempts.map(({ gateway, diagnosis }) => [gateway, diagnosis.cause])).toEqual(
    askedGateways().map((id) => [id, "upstream_unavailable"]),
  );
  expect(error.message).toContain("Tried: acme (upstream_unavailable), beta");
});

test("no other gateway of an account whose balance is used up is asked", async () => {
  simulator.play("acme", "balance_402");
  simulator.play("gamma", "unauthorized_invalid");
  const gateways = {
    acme: { ...named("acme"), account: "ours" },
    beta: { ...named("beta"), account: "ours" },
    gamma: named("gamma"),
  };
  const { fetch } = await routed(pageOf(ORDERED), { gateways });
  const error = await failureOf(fetch(chat, post()));
  expect(askedGateways()).toEqual(["acme", "gamma"]);
  expect(error.attempts.map(({ diagnosis }) => diagnosis.cause)).toEqual([
    "insufficient_balance",
    "authentication",
  ]);
});

test("what a provider refused its gateway was not accepted, and says nothing of our account", async () => {
  const message = "litellm.RateLimitError: OpenAIException - You exceeded your current quota";
  const quota = await serveInTurn(
    status(429, JSON.stringify({ error: { message, code: "insufficient_quota" } })),
  );
  const gateways = {
    acme: { baseUrl: quota.url, apiKey: KEY, account: "ours" },
    beta: { ...named("beta"), account: "ours" },
  };
  const { fetch } = await routed(pageOf(ORDERED), { gateways });
  expect((await fetch(`${quota.url}/v1/chat/completions`, post())).status).toBe(200);
  expect(askedGateways()).toEqual(["beta"]);
});

test("a gateway that asked for a wait comes after the others until the wait is over", async () => {
  simulator.play("acme", "rate_limited_30");
  const { fetch, clock } = await routed();
  await fetch(models);
  await fetch(models);
  await clock.sleep(30_000);
  await fetch(models);
  expect(askedGateways()).toEqual(["acme", "beta", "beta", "acme", "beta"]);
});

test("attempts are limited over all gateways, and the one whose wait ends first is waited for", async () => {
  const limited = async (after: string) =>
    serveInTurn(status(429, "", { "retry-after": after }), status(200, '{"data":[]}'));
  const [acme, beta] = [await limited("30"), await limited("5")];
  const gateways = { acme: { baseUrl: acme.url, apiKey: KEY }, beta: { baseUrl: beta.url, apiKey: KEY } };
  const { fetch, clock } = await routed(pageOf(ORDERED), { gateways }, { maxAttempts: 2 });
  expect(await failureOf(fetch(`${acme.url}/v1/models`))).toMatchObject({ requests: 2 });
  await fetch(`${acme.url}/v1/models`);
  expect([acme.seen.length, beta.seen.length, clock.waits]).toEqual([1, 2, [5000]]);
});

describe("where the page says nothing of use, the configured order holds", () => {
  const foreign = JSON.stringify({
    gateways: [
      { gateway: "evil", endpoint: "https://evil.example" },
      { gateway: "__proto__" },
      null,
      7,
      "acme",
    ],
    unavailable: { length: 3 },
    trustUntil: "9999-12-31T00:00:00.000Z",
  });
  test.each<[string, RequestListener]>([
    ["is private", status(401, '{"title":"This page is private"}')],
    ["fails", RESET],
    ["is no JSON", status(200, "<!doctype html><title>Hello</title>")],
    ["names others", status(200, foreign)],
    ["has no time", status(200, '{"trustUntil":{"toString":1,"valueOf":1}}')],
    ["is too long", status(200, `{"gateways":[{"gateway":"gamma"}],"x":"${"x".repeat(1024 * 1024)}"}`)],
    ["leads elsewhere", status(302, "", { location: `${simulator.named("gamma")}/v1/models` })],
  ])("as it %s", async (_, page) => {
    const { fetch } = await routed(page);
    await fetch(chat, post());
    expect(askedGateways()).toEqual(["acme"]);
  });

  test("as it hangs: then it is not asked again for a while", async () => {
    const { fetch, clock, page } = await routed(() => undefined);
    const call = fetch(chat, post());
    await until(() => page.seen.length === 1);
    clock.endLimits();
    await call;
    await fetch(chat, post());
    expect([askedGateways(), page.seen.length]).toEqual([["acme", "acme"], 1]);
  });

  test("a caller who gives up meanwhile hears his own reason", async () => {
    const { fetch, page } = await routed(() => undefined);
    const control = new AbortController();
    const call = fetch(chat, post(CHAT, { signal: control.signal }));
    await until(() => page.seen.length === 1);
    control.abort("enough");
    await expect(call).rejects.toBe("enough");
  });
});

const SECRET = "hushed-river-7788-otter";

test("a private page is asked with its token, which goes nowhere else, and no error shows a secret", async () => {
  const viewToken = "let-me-see-the-page-0123";
  const gateway = await serveInTurn(status(401, `{"error":{"message":"not ${viewToken}, not ${SECRET}"}}`));
  const gateways = { acme: { baseUrl: gateway.url, apiKey: KEY }, beta: named("beta") };
  simulator.play("beta", "unauthorized_invalid");
  const { fetch, page } = await routed(pageOf(["beta", "acme"]), { viewToken, gateways });
  const headers = { ...HEADERS, "helicone-auth": SECRET };
  const error = await failureOf(fetch(`${gateway.url}/v1/chat/completions`, post(CHAT, { headers })));
  expect(page.seen[0]?.headers.authorization).toBe(`Bearer ${viewToken}`);
  expect(gateway.seen[0]?.headers["helicone-auth"]).toBe(SECRET);
  expect(JSON.stringify([gateway.seen, error])).not.toContain(viewToken);
  expect(JSON.stringify(error)).not.toContain(SECRET);
});

test.each<[path: string, headers: Record<string, string>, header: string, value: string]>([
  ["/v1/chat/completions", { authorization: `Bearer ${SECRET}` }, "authorization", `Bearer ${KEY}`],
  ["/v1/messages?beta=true", { "x-api-key": SECRET }, "x-api-key", KEY],
  ["/v1/messages", {}, "x-api-key", KEY],
  [
    "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
    { "x-goog-api-key": SECRET },
    "x-goog-api-key",
    KEY,
  ],
  [`/v1beta/models/gemini-2.5-pro:generateContent?key=${SECRET}`, {}, "x-goog-api-key", KEY],
  ["/v1beta/models/%E0%A4:generateContent", {}, "x-goog-api-key", KEY],
  [
    "/v1/embeddings",
    { cookie: `session=${SECRET}`, "helicone-auth": SECRET },
    "authorization",
    `Bearer ${KEY}`,
  ],
])(
  "%s goes to another gateway with its own key, and with no other secret",
  async (path, headers, header, value) => {
    const other = await serveInTurn(status(200));
    const gateways = {
      beta: { baseUrl: `${other.url}/deep/`, apiKey: KEY },
      acme: { baseUrl: "http://127.0.0.1:9/x", apiKey: SECRET },
    };
    const { fetch } = await routed(pageOf(["beta", "acme"]), { gateways });
    const request = new Request(`http://127.0.0.1:9/x${path}`, { method: "POST", headers, body: CHAT });
    await fetch(request).catch(() => undefined);
    expect(other.seen).toMatchObject([{ method: "POST", body: CHAT, headers: { [header]: value } }]);
    expect(other.seen[0]?.url).toBe(`/deep${path.replace(/\?key=.*/u, "")}`);
    expect(JSON.stringify(other.seen)).not.toContain(SECRET);
  },
);

test("a request that is written for none of the gateways is sent as it is, and nowhere else", async () => {
  const { fetch, page } = await routed();
  const other = await serveInTurn(status(503));
  const error = await failureOf(fetch(`${other.url}/v1/chat/completions`, post()));
  expect(error.attempts).toMatchObject([{ gateway: null }]);
  expect(other.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect([page.seen, askedGateways()]).toEqual([[], []]);
});

test("a task, and what is changed without a model, stays with its gateway", async () => {
  simulator.play("acme", "503_always");
  const { fetch } = await routed(pageOf(["beta", "acme"]), {}, { maxAttempts: 1 });
  await failureOf(fetch(`${simulator.named("acme")}/v1/videos`, post('{"model":"m"}')));
  await failureOf(fetch(`${simulator.named("acme")}/v1/videos/video_1`));
  simulator.play("acme", "unauthorized_invalid");
  for (const method of ["POST", "DELETE"])
    await failureOf(fetch(`${simulator.named("acme")}/v1/files`, { method }));
  expect(new Set(askedGateways())).toEqual(new Set(["acme"]));
});

test("a stream that begins with a refusal goes on elsewhere", async () => {
  simulator.play("acme", "stream_refused_key");
  const { fetch } = await routed();
  const { text, error } = await readAll(await fetch(chat, post(STREAMED_CHAT)));
  expect([askedGateways(), text.includes("[DONE]"), error]).toEqual([["acme", "beta"], true, null]);
});

test.each(["stream_error_event", "stream_reset"])(
  "%s breaks a stream that was handed over, and nobody else is asked",
  async (scenario) => {
    simulator.play("acme", scenario);
    simulator.play("beta", scenario);
    const { fetch } = await routed(pageOf(["beta"]));
    const read = async () => {
      const { text, error } = await readAll(await fetch(chat, post(STREAMED_CHAT)));
      return { text, error: error as GatewayError };
    };
    const { text, error } = await read();
    expect(text).toContain("data: ");
    expect(error.attempts).toEqual([{ gateway: "beta", diagnosis: error.diagnosis }]);
    expect(askedGateways()).toEqual(["beta"]);
  },
);

test("the official client gets the answer of another gateway, or the error with all attempts", async () => {
  simulator.play("acme", "unauthorized_invalid");
  const { fetch } = await routed();
  const openai = new OpenAI({ apiKey: KEY, baseURL: `${simulator.named("acme")}/v1`, fetch });
  const ask = async () => openai.chat.completions.create(JSON.parse(CHAT));
  expect(await ask()).toMatchObject({ choices: [{}] });
  for (const id of ORDERED) simulator.play(id, "unauthorized_invalid");
  await expect(ask()).rejects.toMatchObject({
    status: 401,
    error: { attempts: [{ gateway: "beta" }, { gateway: "gamma" }, { gateway: "acme" }] },
  });
});

test.each<[Partial<RouteOptions>, RegExp]>([
  [{ statusUrl: "status.example" }, /route\.statusUrl must be an address/u],
  [{ gateways: { acme: { baseUrl: "https://u:p@h.example", apiKey: KEY } } }, /the baseUrl of acme must be/u],
  [
    { gateways: { acme: { baseUrl: "https://h.example/?key=1", apiKey: KEY } } },
    /the baseUrl of acme must be/u,
  ],
  [
    { gateways: { acme: { baseUrl: "https://h.example", apiKey: undefined as unknown as string } } },
    /must be strings/u,
  ],
])("options that cannot be meant are refused at once: %j", (route, words) => {
  expect(() => createFetch({ route: { statusUrl: "https://s.example", gateways: {}, ...route } })).toThrow(
    words,
  );
});
