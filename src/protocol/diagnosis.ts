/** What an answer means: the causes with what is said of each, owners, healths, the verdict. Pure data. */
import WORDS from "./cause-words.json" with { type: "json" };
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
  readonly owner: Owner;
  readonly health: Health;
  /** Whether the answer itself was good. */
  readonly ok: boolean;
  readonly rule: string | null;
}

/** Stored history names a cause by its place here: new ones go to the end, and none is ever taken out. */
export const CAUSE_TABLE = {
  ok: { owner: "nobody", health: "up", ok: true, rule: "7.4" },
  slow: { owner: "operator", health: "degraded", ok: true, rule: null },
  model_missing: { owner: "operator", health: "degraded", ok: true, rule: "4.1" },
  dns_failure: { owner: "network", health: "down", ok: false, rule: "7.3" },
  connection_failed: { owner: "operator", health: "down", ok: false, rule: "7.3" },
  tls_failure: { owner: "operator", health: "down", ok: false, rule: "7.3" },
  timeout: { owner: "operator", health: "down", ok: false, rule: "7.4" },
  network_error: { owner: "network", health: "down", ok: false, rule: "7.3" },
  edge_blocked: { owner: "caller", health: "blocked", ok: false, rule: null },
  wrong_url: { owner: "caller", health: "blocked", ok: false, rule: "4.1" },
  malformed_request: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  authentication: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  insufficient_balance: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  quota_exceeded: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  permission_denied: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  not_found: { owner: "caller", health: "blocked", ok: false, rule: "7.1" },
  rate_limited: { owner: "nobody", health: "degraded", ok: false, rule: "7.1" },
  service_misconfigured: { owner: "operator", health: "down", ok: false, rule: "7.1" },
  upstream_unavailable: { owner: "upstream", health: "down", ok: false, rule: "7.1" },
  http_error: { owner: "operator", health: "down", ok: false, rule: null },
  business_error: { owner: "operator", health: "down", ok: false, rule: "7.2" },
  api_error: { owner: "operator", health: "down", ok: false, rule: "7.4" },
  unexpected_response: { owner: "operator", health: "down", ok: false, rule: "7.4" },
  task_pending: { owner: "nobody", health: "unknown", ok: false, rule: "3" },
  task_failed: { owner: "operator", health: "down", ok: false, rule: "3" },
  task_stalled: { owner: "upstream", health: "down", ok: false, rule: "3" },
  stream_error: { owner: "upstream", health: "down", ok: false, rule: "6" },
  stream_dropped: { owner: "upstream", health: "down", ok: false, rule: "6" },
  balance_low: { owner: "caller", health: "degraded", ok: true, rule: null },
  model_substituted: { owner: "operator", health: "degraded", ok: true, rule: null },
  answers_differ: { owner: "operator", health: "degraded", ok: true, rule: null },
} as const satisfies Readonly<Record<string, CauseFacts>>;
export type Cause = keyof typeof CAUSE_TABLE;
export const CAUSES = Object.keys(CAUSE_TABLE) as readonly Cause[];

/** In English; `http/assets/zh.json` has them in Chinese. */
export const CAUSE_NAMES: Readonly<Record<Cause, string>> = WORDS.names;

/** Where it is the operator's turn: a provider refused the gateway itself, or a proxy in front cannot reach it. */
export const OPERATOR_CAUSE_NAMES = WORDS.operatorNames satisfies Readonly<Partial<Record<Cause, string>>>;

/** For the person whom `owner` names; true for every case of the cause. */
export const CAUSE_ADVICE: Readonly<Record<Cause, string>> = WORDS.advice;

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
