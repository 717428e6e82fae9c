/** Who refused or failed: the gateway, a provider behind it, or a proxy before it. */
import { describe, expect, it } from "vitest";
import { readVectors, type Vector } from "../vectors/read-vectors.ts";
import { diagnosed } from "./answers.ts";

const NO_QUOTA = "You exceeded your current quota, please check your plan and billing details.";

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

/** Answers with the marks of gateways, providers and proxies; `src/protocol/gateway-marks.ts` has their sources. */
interface Marked extends Pick<Vector, "status" | "headers" | "body"> {
  /** Whose words these are. */
  readonly speaker: "gateway" | "provider" | "proxy";
  readonly by: string;
  readonly cause?: string;
  readonly provider?: string | null;
}

const of = (speaker: Marked["speaker"]) =>
  readVectors<Marked>("relayed-answers").filter((row) => row.speaker === speaker);
const judged = ({ status, body, headers }: Marked) => diagnosed(status, body, { kind: "chat", headers });

describe("a provider that refuses the gateway's own key", () => {
  it.each(of("provider"))("is told from the gateway: $by", ({ cause, provider, ...row }) => {
    expect(judged(row)).toMatchObject({
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

it.each(of("gateway"))("a refusal of the caller's own key by $by stays the caller's", (row) => {
  expect(judged(row)).toMatchObject({ owner: "caller", health: "blocked", relayed: null });
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

describe("the default page of a proxy", () => {
  it.each(of("proxy"))("is the operator's turn, and may be retried: $by", (row) => {
    expect(judged(row)).toMatchObject({
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
