/**
 * An example of each cause, as a gateway might answer: docs/causes.md shows them with their diagnoses, and a test sees that
 * each is diagnosed as what it is an example of. Pure data.
 */
import type { Cause } from "../protocol/diagnosis.ts";
import type { Kind, NetworkStage } from "../protocol/observation.ts";

export interface ExampleAnswer {
  /** Method and path. */
  readonly request: string;
  readonly kind: Kind;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type CauseExample =
  | { readonly type: "answer"; readonly answer: ExampleAnswer }
  /** No answer came. `detail`: the transport's words. */
  | {
      readonly type: "failure";
      readonly request: string;
      readonly stage: NetworkStage;
      readonly detail: string;
    }
  | {
      readonly type: "late";
      readonly answer: ExampleAnswer;
      readonly latencyMs: number;
      readonly slowerThanMs: number;
    }
  | { readonly type: "expecting"; readonly answer: ExampleAnswer; readonly expect: readonly string[] }
  /** `pointer`: to the balance. */
  | {
      readonly type: "balance";
      readonly answer: ExampleAnswer;
      readonly pointer: string;
      readonly warnBelow: number;
    }
  /** The last answer before the deadline of a task. */
  | { readonly type: "deadline"; readonly answer: ExampleAnswer };

const JSON_TYPE = { "content-type": "application/json" };

function list(status: number, body: string, headers: ExampleAnswer["headers"] = JSON_TYPE): ExampleAnswer {
  return { request: "GET /v1/models", kind: "models", status, headers, body };
}

function chat(status: number, body: string, headers: ExampleAnswer["headers"] = JSON_TYPE): ExampleAnswer {
  return { request: "POST /v1/chat/completions", kind: "chat", status, headers, body };
}

function task(body: string): ExampleAnswer {
  return { request: "GET /v1/videos/task_7b21", kind: "task", status: 200, headers: JSON_TYPE, body };
}

function account(body: string): ExampleAnswer {
  return { request: "GET /api/account", kind: "console", status: 200, headers: JSON_TYPE, body };
}

function stream(body: string): ExampleAnswer {
  const headers = { "content-type": "text/event-stream" };
  return { request: "POST /v1/chat/completions", kind: "stream", status: 200, headers, body };
}

function answered(answer: ExampleAnswer): CauseExample {
  return { type: "answer", answer };
}

function failed(stage: NetworkStage, detail: string): CauseExample {
  return { type: "failure", request: "GET /v1/models", stage, detail };
}

const TWO_MODELS = '{"object":"list","data":[{"id":"gpt-4o-mini"},{"id":"text-embedding-3-small"}]}';

export const CAUSE_EXAMPLES = {
  ok: answered(list(200, TWO_MODELS, { ...JSON_TYPE, "x-request-id": "req_01" })),
  slow: { type: "late", answer: list(200, TWO_MODELS), latencyMs: 7200, slowerThanMs: 5000 },
  model_missing: { type: "expecting", answer: list(200, TWO_MODELS), expect: ["gpt-4o"] },
  dns_failure: failed("dns", "getaddrinfo ENOTFOUND api.acme.example"),
  connection_failed: failed("connect", "connect ECONNREFUSED 192.0.2.7:443"),
  tls_failure: failed("tls", "certificate has expired"),
  timeout: failed("timeout", "no complete answer within 30 s"),
  network_error: failed("unknown", "fetch failed"),
  edge_blocked: answered(
    list(403, "error code: 1020", { "content-type": "text/plain", server: "cloudflare" }),
  ),
  wrong_url: answered(
    list(200, "<!doctype html><title>Acme console</title>", { "content-type": "text/html" }),
  ),
  malformed_request: answered(
    chat(
      400,
      '{"error":{"message":"you must provide a model","type":"invalid_request_error","code":"missing_model"}}',
    ),
  ),
  authentication: answered(
    list(
      401,
      '{"error":{"message":"the key was revoked","type":"authentication_error","code":"api_key_revoked"}}',
    ),
  ),
  insufficient_balance: answered(
    chat(
      402,
      '{"error":{"message":"the account has no credit left","type":"insufficient_quota","code":"insufficient_balance","request_id":"req_02"}}',
    ),
  ),
  quota_exceeded: answered(
    chat(
      429,
      '{"error":{"message":"the monetary quota of this key is used up","type":"insufficient_quota","code":"quota_exceeded"}}',
    ),
  ),
  permission_denied: answered(
    chat(
      403,
      '{"error":{"message":"this key may not use gpt-4o","type":"permission_error","code":"model_not_allowed"}}',
    ),
  ),
  not_found: answered(chat(404, '{"error":{"message":"there is no model gpt-5o","code":"model_not_found"}}')),
  rate_limited: answered(
    chat(429, '{"error":{"message":"60 requests a minute are allowed","code":"rate_limit_exceeded"}}', {
      ...JSON_TYPE,
      "retry-after": "20",
    }),
  ),
  service_misconfigured: answered(
    chat(500, '{"error":{"message":"no channel for this model","code":"video_config_error"}}'),
  ),
  upstream_unavailable: answered(
    chat(502, "<html><h1>502 Bad Gateway</h1></html>", { "content-type": "text/html" }),
  ),
  http_error: answered(chat(501, '{"error":{"message":"not implemented"}}')),
  business_error: answered(
    account('{"code":5000,"message":"the keys could not be listed","request_id":"req_03"}'),
  ),
  api_error: answered(chat(200, '{"error":{"message":"something went wrong"}}')),
  unexpected_response: answered(list(200, '{"object":"list","data":[{"id":"gpt-4o-mi')),
  task_pending: answered(task('{"id":"task_7b21","status":"queued"}')),
  task_failed: answered(
    task('{"id":"task_7b21","status":"FAILED","error":{"message":"the prompt was rejected"}}'),
  ),
  task_stalled: { type: "deadline", answer: task('{"id":"task_7b21","status":"RUNNING"}') },
  stream_error: answered(
    stream('data: {"choices":[{"delta":{"content":"Hel"}}]}\n\ndata: {"error":{"message":"overloaded"}}\n\n'),
  ),
  stream_dropped: answered(stream('data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n')),
  balance_low: {
    type: "balance",
    answer: account('{"code":0,"data":{"balance":4.2}}'),
    pointer: "/data/balance",
    warnBelow: 10,
  },
} as const satisfies Readonly<Record<Cause, CauseExample>>;
