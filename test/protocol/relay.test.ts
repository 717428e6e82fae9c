/** Who refused or failed: the gateway, a provider behind it, or a proxy before it. */
import { describe, expect, it } from "vitest";
import { diagnosed } from "./answers.ts";

const BAD_KEY =
  "Incorrect API key provided: sk-a. You can find your API key at https://platform.openai.com/account/api-keys.";
const NO_QUOTA = "You exceeded your current quota, please check your plan and billing details.";
const OPENAI_KEY = { error: { message: BAD_KEY, type: "invalid_request_error", code: "invalid_api_key" } };

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Gateway, status, body, headers, what it is, whose. */
const RELAYED: readonly (readonly [
  string,
  number,
  unknown,
  Record<string, string>,
  string,
  string | null,
])[] = [
  [
    "LiteLLM",
    401,
    error(`litellm.AuthenticationError: AuthenticationError: OpenAIException - ${BAD_KEY}`, { code: "401" }),
    {},
    "authentication",
    "openai",
  ],
  [
    "LiteLLM, whose code repeats the status",
    429,
    error(`litellm.RateLimitError: RateLimitError: OpenAIException - ${NO_QUOTA}`, {
      type: "insufficient_quota",
      code: "429",
    }),
    {},
    "quota_exceeded",
    "openai",
  ],
  [
    "LiteLLM with a line behind it",
    400,
    error(
      "litellm.BadRequestError: AnthropicException - Your credit balance is too low to access the Anthropic API.\nReceived Model Group=claude",
    ),
    {},
    "insufficient_balance",
    "anthropic",
  ],
  [
    "OpenRouter",
    402,
    error("Provider returned error", {
      code: 402,
      metadata: { raw: '{"msg":"insufficient balance"}', provider_name: "AtlasCloud" },
    }),
    {},
    "insufficient_balance",
    "atlascloud",
  ],
  [
    "new-api",
    401,
    error(BAD_KEY, { type: "upstream_error", code: "invalid_api_key" }),
    {},
    "authentication",
    "openai",
  ],
  [
    "new-api before OpenRouter",
    402,
    error('Insufficient credits ({"provider_name":"Google AI Studio"}) (request id: 20260101)', {
      type: "insufficient_credits",
    }),
    {},
    "insufficient_balance",
    "google ai studio",
  ],
  [
    "one-api",
    429,
    error(`${NO_QUOTA} (request id: 2026010112000000001)`, {
      type: "insufficient_quota",
      code: "insufficient_quota",
    }),
    {},
    "quota_exceeded",
    null,
  ],
  [
    "one-api before another one-api",
    401,
    error("无效的令牌 (request id: 20260101a) (request id: 20260101b)", { type: "one_api_error" }),
    {},
    "authentication",
    null,
  ],
  [
    "one-hub",
    401,
    error("Provider API error: Invalid token", { type: "invalid_request_error" }),
    {},
    "authentication",
    null,
  ],
  [
    "Portkey",
    401,
    { ...error(`openai error: ${BAD_KEY}`, { code: "invalid_api_key" }), provider: "openai" },
    {},
    "authentication",
    "openai",
  ],
  ["Kong", 401, OPENAI_KEY, { "x-kong-llm-model": "openai/gpt-4o" }, "authentication", "openai"],
  ["Apache APISIX", 401, OPENAI_KEY, { server: "APISIX/3.13.0" }, "authentication", "openai"],
  ["Cloudflare AI Gateway", 401, OPENAI_KEY, { "cf-aig-provider": "openai" }, "authentication", "openai"],
  [
    "Envoy AI Gateway",
    401,
    { type: "error", ...error("denied", { type: "AWSBedrockBackendError", code: "401" }) },
    {},
    "authentication",
    null,
  ],
  ["Envoy AI Gateway, passing on", 401, OPENAI_KEY, { server: "envoy" }, "authentication", "openai"],
  [
    "Helicone",
    429,
    error(NO_QUOTA, { type: "insufficient_quota" }),
    { "helicone-provider": "openai" },
    "quota_exceeded",
    "openai",
  ],
  [
    "Vercel AI Gateway",
    401,
    {
      ...error("invalid x-api-key"),
      providerMetadata: {
        gateway: { routing: { modelAttempts: [{ providerAttempts: [{ provider: "anthropic" }] }] } },
      },
    },
    {},
    "authentication",
    "anthropic",
  ],
  ["Higress", 401, OPENAI_KEY, { server: "istio-envoy", "req-cost-time": "12" }, "authentication", "openai"],
  ["GPT-Load", 401, { code: "UPSTREAM_ERROR", message: "Unauthorized" }, {}, "authentication", null],
  [
    "LobeHub",
    401,
    { errorType: "InvalidProviderAPIKey", body: { provider: "openai" } },
    {},
    "authentication",
    "openai",
  ],
  [
    "OpenCode Zen",
    401,
    error("Error from provider (Moonshot): Invalid Authentication"),
    {},
    "authentication",
    "moonshot",
  ],
  ["a gateway that says so", 401, { error: "Upstream authentication failed" }, {}, "authentication", null],
];

describe("a provider that refuses the gateway's own key", () => {
  it.each(RELAYED)("is told from the gateway: %s", (_name, status, body, headers, cause, provider) => {
    expect(diagnosed(status, body, { kind: "chat", headers })).toMatchObject({
      cause,
      owner: "operator",
      health: "down",
      retry: { allowed: false },
      relayed: { provider },
      advice: expect.stringMatching(
        new RegExp(`^${provider ?? "The provider"} refused the gateway's own key`, "i"),
      ),
    });
  });

  it.each([
    ["OpenAI", "OpenAI"],
    ["Xai", "xAI"],
    ["Acme", "acme"],
  ])("%s is written %s", (name, written) => {
    const body = error(`litellm.AuthenticationError: ${name}Exception - Incorrect API key`);
    expect(diagnosed(401, body, { kind: "chat" }).advice).toMatch(new RegExp(`^${written} refused `));
  });

  it("is told in a stream, too", () => {
    const frame = `data: ${JSON.stringify(error(NO_QUOTA, { type: "upstream_error", code: "insufficient_quota" }))}\n\n`;
    const found = diagnosed(200, frame, { kind: "stream", headers: { "content-type": "text/event-stream" } });
    expect(found).toMatchObject({ cause: "quota_exceeded", owner: "operator", relayed: { provider: null } });
  });
});

it.each([
  ["the provider itself", 401, OPENAI_KEY, { server: "cloudflare", "x-envoy-upstream-service-time": "3" }],
  [
    "Cohere, which answers as Envoy",
    401,
    { message: "Get a key at https://dashboard.cohere.com/api-keys." },
    { server: "envoy" },
  ],
  [
    "Alibaba Cloud, which answers as Higress",
    401,
    error("https://help.aliyun.com/x", { code: "invalid_api_key" }),
    { "req-cost-time": "2" },
  ],
  [
    "one-api",
    401,
    error("无效的令牌 (request id: 2026)", { type: "one_api_error" }),
    { "x-oneapi-request-id": "2026" },
  ],
  [
    "new-api",
    403,
    error("用户额度不足 (request id: 2026)", { type: "new_api_error", code: "insufficient_user_quota" }),
    {},
  ],
  [
    "LiteLLM",
    401,
    error("Authentication Error, Invalid proxy server token passed", { type: "auth_error" }),
    { "x-litellm-version": "1" },
  ],
  ["OpenRouter", 402, error("Insufficient credits", { code: 402, metadata: { provider_name: null } }), {}],
  [
    "Portkey",
    412,
    {
      ...error("Budget limit exceeded for the virtual key", { type: "usage_limit_exceeded" }),
      provider: "portkey",
    },
    {},
  ],
  ["Kong", 401, { message: "No API key found in request" }, { server: "kong/3.9.0" }],
  ["APISIX", 401, { message: "Invalid API key in request" }, { server: "APISIX/3.9.0" }],
  [
    "moderation at a provider",
    403,
    error("Your input was flagged", { code: 403, metadata: { provider_name: "OpenAI" } }),
    {},
  ],
])("a refusal of the caller's own key by %s stays the caller's", (_name, status, body, headers) => {
  const found = diagnosed(status, body, { kind: "chat", headers });
  expect(found).toMatchObject({ owner: "caller", health: "blocked", relayed: null });
});

it("a relayed rate limit is nobody's, and a relayed outage the provider's", () => {
  const limited = error(
    "litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached on tokens per min",
    { code: "429" },
  );
  expect(diagnosed(429, limited)).toMatchObject({
    cause: "rate_limited",
    owner: "nobody",
    retry: { allowed: true },
    relayed: null,
  });
  expect(diagnosed(503, error("overloaded", { type: "upstream_error" }))).toMatchObject({
    owner: "upstream",
    relayed: null,
  });
});

const page = (title: string, rest: string): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n${rest}</body>\r\n</html>\r\n`;

describe("the default page of a proxy", () => {
  it.each([
    ["nginx", 502, page("502 Bad Gateway", "<hr><center>nginx</center>\r\n"), {}],
    ["ingress-nginx", 504, page("504 Gateway Time-out", "<hr><center>nginx/1.27.1</center>\r\n"), {}],
    ["an AWS load balancer", 502, page("502 Bad Gateway", ""), { server: "awselb/2.0" }],
    [
      "HAProxy",
      502,
      "<html><body><h1>502 Bad Gateway</h1>\nThe server returned an invalid or incomplete response.\n</body></html>\n",
      {},
    ],
    [
      "HAProxy, out of servers",
      503,
      "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n",
      {},
    ],
    ["Caddy", 502, "", { server: "Caddy" }],
    ["Traefik", 502, "Bad Gateway", {}],
    ["Traefik, out of servers", 503, "no available server\n", {}],
    [
      "Envoy",
      503,
      "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
      { server: "envoy" },
    ],
    [
      "Apache",
      502,
      "<title>502 Proxy Error</title>\n<h1>Proxy Error</h1>\n<p>The proxy server received an invalid response from an upstream server.",
      {},
    ],
    ["Cloudflare", 502, '<span class="cf-error-code">502</span>', { server: "cloudflare" }],
    ["Cloudflare in text", 504, "error code: 504", { server: "cloudflare" }],
  ])("is the operator's turn, and may be retried: %s", (_name, status, body, headers) => {
    expect(diagnosed(status, body, { headers })).toMatchObject({
      cause: "upstream_unavailable",
      owner: "operator",
      health: "down",
      retry: { allowed: true },
      relayed: null,
      advice: expect.stringContaining("cannot reach the gateway: it is stopped, starting, or too slow"),
    });
  });

  it.each([
    ["the gateway's own JSON", 502, error("Bad Gateway")],
    ["a page of its own about its provider", 502, "<html><title>Our provider is down</title></html>"],
    ["an empty answer of nobody in particular", 503, ""],
  ])("is not %s", (_name, status, body) => {
    expect(diagnosed(status, body)).toMatchObject({ cause: "upstream_unavailable", owner: "upstream" });
  });
});

describe("an id of the request in text", () => {
  it.each([
    ["无效的令牌 (request id: 2026112012000000123abc)", "2026112012000000123abc"],
    ["Invalid token (tid: 202611201939084099)", "202611201939084099"],
    ["The server had an error. Please include the request ID req_8f2a7c in your message.", "req_8f2a7c"],
    ["Access denied (Service: Bedrock, Status Code: 403, Request ID: 0a1b2c3d-aaaa)", "0a1b2c3d-aaaa"],
    ["bad gateway, trace_id=7f3a9bcd01", "7f3a9bcd01"],
    ["Quota exceeded. RequestId: 4bf92f3577b3", "4bf92f3577b3"],
  ])("is taken where no field has one: %s", (message, requestId) => {
    expect(diagnosed(500, error(message)).requestId).toBe(requestId);
    expect(diagnosed(500, error(message), { headers: { "x-request-id": "first" } }).requestId).toBe("first");
  });

  it("is taken from a page", () => {
    const text = "<html><title>Blocked</title><p>Ray ID: <strong>9fa4e0000000dead</strong></p></html>";
    expect(diagnosed(403, text).requestId).toBe("9fa4e0000000dead");
  });

  it("is none where the words only speak of one", () => {
    expect(diagnosed(400, error("request id: missing")).requestId).toBeNull();
  });
});
