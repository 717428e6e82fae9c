import { describe, expect, it } from "vitest";
import { keptDiagnosisSchema } from "../../src/domain/stored.ts";
import { diagnosisSchema } from "../../src/history/documents.ts";
import { advise, causeRow, completed, rowOf, turnOf } from "../../src/protocol/causes.ts";
import { diagnose } from "../../src/protocol/diagnose.ts";
import { type Cause, CAUSES, OWNERS } from "../../src/protocol/diagnosis.ts";
import type { NetworkFailure } from "../../src/protocol/observation.ts";
import { diagnosis } from "../fixtures/outcome.ts";
import { CONTEXT, diagnosed } from "./answers.ts";

describe("the table of causes", () => {
  // docs/causes.md, which is written by hand, has the newer ones too, and says what follows from each.
  it("begins with the causes of 0.2.0: answers promise them, and stored history names them by their place", () => {
    const published =
      "ok slow model_missing dns_failure connection_failed tls_failure timeout network_error edge_blocked wrong_url malformed_request authentication insufficient_balance quota_exceeded permission_denied not_found rate_limited service_misconfigured upstream_unavailable http_error business_error api_error unexpected_response task_pending task_failed task_stalled stream_error stream_dropped balance_low";
    expect(CAUSES.join(" ").slice(0, published.length)).toBe(published);
  });

  it("gives an unusual 4xx to the caller and an unusual 5xx to the operator", () => {
    const at = { layer: "http", businessCode: null, retryAllowed: false, key: null, via: null } as const;
    const [caller, operator] = [425, 501].map((httpStatus) => causeRow("http_error", { ...at, httpStatus }));
    expect(caller).toMatchObject({ owner: "caller", health: "blocked" });
    expect(operator).toMatchObject({ owner: "operator", health: "down" });
  });
});

const FAILURE: NetworkFailure = {
  type: "network_failure",
  kind: "models",
  stage: "unknown",
  status: null,
  headers: {},
  detail: "ECONNRESET",
};

describe("a network failure", () => {
  it.each([
    ["dns", "dns_failure", "network"],
    ["connect", "connection_failed", "operator"],
    ["tls", "tls_failure", "operator"],
    ["timeout", "timeout", "operator"],
    ["unknown", "network_error", "network"],
  ] as const)("of stage %s is %s", (stage, cause, owner) => {
    expect(diagnose({ ...FAILURE, stage }, CONTEXT)).toMatchObject({
      cause,
      owner,
      health: "down",
      layer: "network",
      ok: false,
      httpStatus: null,
      message: "ECONNRESET",
      retry: { allowed: false, afterSeconds: null, hint: null },
    });
  });

  it("after the headers keeps their status and id, and is the connection's", () => {
    const after = diagnose({ ...FAILURE, status: 200, headers: { "x-request-id": "req-1" } }, CONTEXT);
    expect(after).toMatchObject({ cause: "connection_failed", httpStatus: 200, requestId: "req-1" });
    const late = diagnose({ ...FAILURE, status: 503, stage: "timeout" }, CONTEXT);
    expect(late).toMatchObject({ cause: "timeout", httpStatus: 503, retry: { allowed: false } });
  });
});

describe("a request that was not sent", () => {
  it.each([
    ["secret_missing", "The secret ACME_KEY is not set. Set it to the complete API key."],
    ["secret_malformed", "The secret ACME_KEY cannot be sent in a header. Set it to the complete API key."],
  ] as const)("because of %s names the secret", (reason, advice) => {
    const found = diagnose({ type: "not_sent", kind: "models", reason, secretName: "ACME_KEY" }, CONTEXT);
    expect(found).toMatchObject({
      cause: "authentication",
      owner: "caller",
      health: "blocked",
      layer: null,
      httpStatus: null,
      advice,
    });
  });
});

const BALANCE = "https://github.com/gatepulse/gatepulse/blob/main/docs/causes.md#insufficient_balance";

it("a diagnosis names the address of its own cause", () => {
  const found = diagnosed(402, { error: { code: "insufficient_balance" } });
  expect([found.cause, found.docs]).toEqual(["insufficient_balance", BALANCE]);
});

it("the address follows from the cause: what is stored has none, and what was stored before gets it", () => {
  const told = completed(diagnosis("insufficient_balance", "blocked"), null);
  const stored = keptDiagnosisSchema().parse(told);
  expect(stored).toEqual(diagnosis("insufficient_balance", "blocked"));
  expect(stored).not.toHaveProperty("docs");
  expect(diagnosisSchema().parse(completed(stored, "them")).docs).toBe(BALANCE);
});

const SAME = { upstream: "upstream", network: "network", nobody: "nobody" } as const;

it.each([
  ["them", { caller: "us", operator: "operator", ...SAME }],
  ["us", { caller: "us", operator: "us", ...SAME }],
] as const)("of a gateway that is run by %s, each owner has its turn", (operator, turns) => {
  expect(Object.fromEntries(OWNERS.map((owner) => [owner, turnOf(owner, operator)]))).toEqual(turns);
  const found = completed(diagnosis("service_misconfigured", "down", { owner: "operator" }), operator);
  expect([found.owner, found.turn]).toEqual(["operator", turns.operator]);
});

const GENERAL = (cause: Cause) => ({ cause, owner: rowOf(cause).owner, advice: rowOf(cause).advice });
const ASK = "Send the report to the gateway's support and check its status page.";
const FIX = rowOf("service_misconfigured").advice;
const RELAYED = { cause: "authentication", owner: "operator", advice: "openai refused it." } as const;

it.each([
  ["them", { ...GENERAL("service_misconfigured"), requestId: "req_7" }, ASK],
  [
    "us",
    { ...GENERAL("service_misconfigured"), requestId: "req_7" },
    `${FIX} Find request req_7 in its log.`,
  ],
  ["us", GENERAL("service_misconfigured"), FIX],
  ["them", GENERAL("tls_failure"), "Ask the gateway's support to fix its certificate or TLS settings."],
  ["us", GENERAL("tls_failure"), rowOf("tls_failure").advice],
  ["them", RELAYED, `openai refused it. ${ASK}`],
  ["us", RELAYED, "openai refused it."],
  // What its operator should check is for nobody else.
  ["them", { ...RELAYED, advice: "openai refused it. Check that key." }, `openai refused it. ${ASK}`],
  [
    "us",
    { ...GENERAL("stream_dropped"), advice: `${rowOf("stream_dropped").advice} It was cut after 60 s.` },
    "Switch the channel, or wait. It was cut after 60 s.",
  ],
  ["them", GENERAL("upstream_unavailable"), rowOf("upstream_unavailable").advice],
  ["us", GENERAL("upstream_unavailable"), "Switch the channel, or wait."],
  ["us", GENERAL("insufficient_balance"), rowOf("insufficient_balance").advice],
  ["them", GENERAL("rate_limited"), rowOf("rate_limited").advice],
] as const)("of a gateway that is run by %s, %j is advised: %s", (operator, of, advice) => {
  expect(advise(of, operator)).toBe(advice);
});

it.each([
  ["one-api", "one_api_error", "do request failed"],
  ["new-api", "new_api_error", "No available channel for model m under group default (distributor)"],
  ["LiteLLM", "None", "No deployments available for selected model, Try again in 60 seconds. Passed model=m"],
  ["LiteLLM", null, "litellm.InternalServerError: InternalServerError: OpenAIException - Connection error."],
  ["Portkey", null, "Either x-portkey-config or x-portkey-provider header is required"],
  [
    "vLLM",
    "InternalServerError",
    "EngineCore encountered an issue. See stack trace (above) for the root cause.",
  ],
  ["Ollama", null, "llama runner process has terminated: exit status 2"],
  ["SGLang", null, "The request queue is full."],
  ["Kong", null, "failure to get a peer from the ring-balancer"],
  ["APISIX", null, "404 Route Not Found"],
])("who runs %s is told where to look, by an answer of %s: %s", (name, errorType, message) => {
  const shown = { errorType, message };
  const upstream = { ...GENERAL("upstream_unavailable"), ...shown };
  expect(advise(upstream, "us")).toMatch(new RegExp(`^Switch the channel, or wait\\. In ${name}, [^.]+\\.$`));
  expect(advise(upstream, "them")).toBe(upstream.advice);
  expect(advise({ ...GENERAL("service_misconfigured"), ...shown }, "us")).toContain(` In ${name}, `);
});

it("a published diagnosis without the address is not what was promised", () => {
  expect(diagnosisSchema().safeParse(diagnosis("ok", "up")).success).toBe(false);
});
