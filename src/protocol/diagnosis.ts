/** What an answer means: the causes with what is said of each, owners, healths, the verdict. Pure data. */
import type { Relay } from "./gateway-marks.ts";

export const LAYERS = ["network", "http", "business", "api", "body", "task", "stream"] as const;
export type Layer = (typeof LAYERS)[number];

export const OWNERS = ["caller", "operator", "upstream", "network", "nobody"] as const;
export type Owner = (typeof OWNERS)[number];

/** Who runs the gateway: `us` is the reader of the diagnosis. */
export const OPERATORS = ["us", "them"] as const;
export type Operator = (typeof OPERATORS)[number];

/** Who sends requests with the key: others too, or the monitor alone. */
export const USERS = ["production", "monitor"] as const;
export type UsedBy = (typeof USERS)[number];

export const TURNS = ["us", "operator", "upstream", "network", "nobody"] as const;
/** Who acts, seen from the reader. */
export type Turn = (typeof TURNS)[number];

/** Stored history names a health by its place here. */
export const HEALTHS = ["up", "degraded", "down", "blocked", "unknown"] as const;
/** `blocked`: its own key, balance, request or address hides whether it works. `unknown`: no verdict. Neither is ever up or down. */
export type Health = (typeof HEALTHS)[number];

export interface CauseFacts {
  /** In English; `http/assets/zh.json` has it in Chinese, and the advice. */
  readonly name: string;
  readonly owner: Owner;
  readonly health: Health;
  /** Whether the answer itself was good. */
  readonly ok: boolean;
  readonly rule: string | null;
  /** For the person whom `owner` names; true for every case of the cause. */
  readonly advice: string;
}

/** Stored history names a cause by its place here: new ones go to the end, and none is ever taken out. */
export const CAUSE_TABLE = {
  ok: {
    name: "Healthy",
    owner: "nobody",
    health: "up",
    ok: true,
    rule: "7.4",
    advice: "Nothing to do. This proves that the request and its key work, not every model channel.",
  },
  slow: {
    name: "Too slow",
    owner: "operator",
    health: "degraded",
    ok: true,
    rule: null,
    advice: "The answer was good but too slow. Check the gateway's load.",
  },
  model_missing: {
    name: "An expected model is missing",
    owner: "operator",
    health: "degraded",
    ok: true,
    rule: "4.1",
    advice: "Restore the model, or remove it from the expected ones.",
  },
  dns_failure: {
    name: "DNS lookup failed",
    owner: "network",
    health: "down",
    ok: false,
    rule: "7.3",
    advice: "Check the DNS records of the host name and its resolver.",
  },
  connection_failed: {
    name: "The connection failed",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.3",
    advice: "Check that the server runs, can be reached, and speaks HTTP.",
  },
  tls_failure: {
    name: "The TLS connection failed",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.3",
    advice: "Check the certificate, its chain and its host name.",
  },
  timeout: {
    name: "The request timed out",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.4",
    advice: "The request may still have been accepted. If it creates something, check before you repeat it.",
  },
  network_error: {
    name: "The network failed",
    owner: "network",
    health: "down",
    ok: false,
    rule: "7.3",
    advice: "Check the route, the proxy and DNS from here.",
  },
  edge_blocked: {
    name: "A firewall or bot check blocked the monitor",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: null,
    advice:
      "A firewall or bot check refused this client. Ask for an exception for its address or user agent.",
  },
  wrong_url: {
    name: "No model API at this address",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "4.1",
    advice: "Check host, port, path and method. /v1 must be in the URL exactly once.",
  },
  malformed_request: {
    name: "The request was rejected as invalid",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Fix the request. If you send it again unchanged, it is refused again.",
  },
  authentication: {
    name: "The key was refused",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Check that you use the complete, current API key. Retrying does not help.",
  },
  insufficient_balance: {
    name: "The balance is used up",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Check the balance, quota and provider of the account. Waiting does not help.",
  },
  quota_exceeded: {
    name: "The key’s quota is used up",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Raise the quota of the key or plan, or wait until it resets.",
  },
  permission_denied: {
    name: "The key lacks permission",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Check which models the key may use, and the permissions of its group.",
  },
  not_found: {
    name: "Model, task or path not found",
    owner: "caller",
    health: "blocked",
    ok: false,
    rule: "7.1",
    advice: "Check the ids and the path, and whether this key has access.",
  },
  rate_limited: {
    name: "Too many requests",
    owner: "nobody",
    health: "degraded",
    ok: false,
    rule: "7.1",
    advice: "Send fewer requests for a while, then try again. Repeat only what is safe to repeat.",
  },
  service_misconfigured: {
    name: "Internal server error",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.1",
    advice: "The service returned HTTP 500. Find the request in its logs and fix the service or its channel.",
  },
  upstream_unavailable: {
    name: "The provider behind the gateway is unavailable",
    owner: "upstream",
    health: "down",
    ok: false,
    rule: "7.1",
    advice: "The gateway got no answer from the provider behind it. Wait, or switch to another gateway.",
  },
  http_error: {
    name: "Unexpected HTTP status",
    owner: "operator",
    health: "down",
    ok: false,
    rule: null,
    advice: "The status is unusual. Status and message say what was refused or is missing.",
  },
  business_error: {
    name: "A failure code in the answer",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.2",
    advice: "The answer says that it failed. Look up its code and the request in the logs.",
  },
  api_error: {
    name: "An error in the answer",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.4",
    advice: "The answer says that it failed. Look up the request in the logs.",
  },
  unexpected_response: {
    name: "Unexpected answer",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "7.4",
    advice:
      "The answer is empty, incomplete, too large or of the wrong shape. Check the service and any proxy.",
  },
  task_pending: {
    name: "The task is not finished",
    owner: "nobody",
    health: "unknown",
    ok: false,
    rule: "3",
    advice: "The task is not finished. Query it again later; do not create it again.",
  },
  task_failed: {
    name: "The task failed",
    owner: "operator",
    health: "down",
    ok: false,
    rule: "3",
    advice: "Querying the task again does not change this. Look up its id in the logs.",
  },
  task_stalled: {
    name: "The task did not finish in time",
    owner: "upstream",
    health: "down",
    ok: false,
    rule: "3",
    advice:
      "The task did not finish by its deadline. Look for it in the gateway's log, and do not create it again.",
  },
  stream_error: {
    name: "The stream carried an error",
    owner: "upstream",
    health: "down",
    ok: false,
    rule: "6",
    advice: "The stream failed after it had begun. What was received is incomplete.",
  },
  stream_dropped: {
    name: "The stream broke off",
    owner: "upstream",
    health: "down",
    ok: false,
    rule: "6",
    advice: "The stream ended without its end mark. What was received is incomplete.",
  },
  balance_low: {
    name: "The balance is low",
    owner: "caller",
    health: "degraded",
    ok: true,
    rule: null,
    advice: "Top up the account before requests are refused.",
  },
  model_substituted: {
    name: "The answer names another model",
    owner: "operator",
    health: "degraded",
    ok: true,
    rule: null,
    advice: "Check the gateway's routes, or extend accept.",
  },
  answers_differ: {
    name: "Fewer answers are right",
    owner: "operator",
    health: "degraded",
    ok: true,
    rule: null,
    advice: "Check which model and settings answer, and what has changed since then.",
  },
} as const satisfies Readonly<Record<string, CauseFacts>>;
export type Cause = keyof typeof CAUSE_TABLE;
export const CAUSES = Object.keys(CAUSE_TABLE) as readonly Cause[];

export const CAUSE_NAMES = Object.fromEntries(
  CAUSES.map((cause) => [cause, CAUSE_TABLE[cause].name]),
) as Readonly<Record<Cause, string>>;

/** Where it is the operator's turn: a provider refused the gateway itself, or a proxy in front cannot reach it. */
export const OPERATOR_CAUSE_NAMES = {
  authentication: "The gateway’s own key was refused",
  insufficient_balance: "The gateway’s own balance is used up",
  quota_exceeded: "The gateway’s own quota is used up",
  permission_denied: "The gateway’s own key lacks permission",
  upstream_unavailable: "The proxy in front cannot reach the gateway",
} satisfies Readonly<Partial<Record<Cause, string>>>;

/** With which statuses a cause may be retried (spec 7.3, rule 1). The others never may. */
export const RETRY_STATUSES: Readonly<Partial<Record<Cause, readonly number[]>>> = {
  rate_limited: [429],
  upstream_unavailable: [502, 503, 504],
};

/** With these every request with the same key is refused. They are the caller's own matter under any status. */
export const OF_THE_KEY: ReadonlySet<Cause> = new Set([
  "authentication",
  "insufficient_balance",
  "quota_exceeded",
]);

/** Waiting changes none of these: only a person does, who cares for the key. */
export const REFUSALS: ReadonlySet<Cause> = new Set([
  "authentication",
  "insufficient_balance",
  "quota_exceeded",
  "permission_denied",
]);

export interface Retry {
  /** By status and cause alone (spec 7.3); whether the request is safe to repeat is the caller's knowledge. */
  readonly allowed: boolean;
  /** Whole seconds that Retry-After asks for, 0 to 2147483647; null when it says nothing usable. */
  readonly afterSeconds: number | null;
  /** `error.retryable` as found; it never decides. */
  readonly hint: boolean | null;
}

/** A diagnosis as it is judged and stored: without what follows from its cause, and from who reads it. */
export interface KeptDiagnosis {
  readonly ok: boolean;
  readonly cause: Cause;
  /** Null when ok or when nothing was sent. */
  readonly layer: Layer | null;
  readonly owner: Owner;
  readonly health: Health;
  readonly retry: Retry;
  readonly httpStatus: number | null;
  readonly errorType: string | null;
  readonly errorCode: string | null;
  readonly businessCode: number | null;
  readonly requestId: string | null;
  readonly taskId: string | null;
  /** Of a failed generation, such as `chatcmpl-1` or `msg_1`; absent: its answer has none. */
  readonly completionId?: string | undefined;
  /** How far a failed stream got, such as `12 events (0.4–58.1 s)`; absent: no stream, or the message says so. */
  readonly streamed?: string | undefined;
  readonly taskState: string | null;
  /** The service's words, redacted, at most 300 characters; null if there were none. */
  readonly message: string | null;
  readonly advice: string;
  /** The section of the specification that decided; null where the case is beyond it. */
  readonly rule: string | null;
  readonly ambiguous: readonly Cause[];
  readonly relayed: Relay | null;
}

/** Whether only the person who cares for the caller's key can end it. */
export function isRefusal({ cause, relayed }: KeptDiagnosis): boolean {
  return REFUSALS.has(cause) && relayed === null;
}

export interface Diagnosis extends KeptDiagnosis {
  readonly turn: Turn;
  readonly docs: string;
}

export interface Verdict {
  readonly cause: Cause;
  readonly layer: Layer | null;
  readonly ambiguous: readonly Cause[];
  /** Words that take the place of those in the body; not yet redacted. */
  readonly message?: string | null;
}

export function verdict(cause: Cause, layer: Layer | null, ambiguous: readonly Cause[] = []): Verdict {
  return { cause, layer, ambiguous: [...new Set(ambiguous)].filter((other) => other !== cause) };
}

export const BUSINESS_CODES: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  [2001, "malformed_request"],
  [2002, "not_found"],
  [4004, "not_found"],
  [5000, "business_error"],
  [5001, "business_error"],
  [5002, "business_error"],
]);
