/** What an answer means, as data: causes, owners, healths, the verdict. Pure data. */

/** Stored history names a cause by its place here: new ones go to the end, and none is ever taken out. */
export const CAUSES = [
  "ok",
  "slow",
  "model_missing",
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "timeout",
  "network_error",
  "edge_blocked",
  "wrong_url",
  "malformed_request",
  "authentication",
  "insufficient_balance",
  "quota_exceeded",
  "permission_denied",
  "not_found",
  "rate_limited",
  "service_misconfigured",
  "upstream_unavailable",
  "http_error",
  "business_error",
  "api_error",
  "unexpected_response",
  "task_pending",
  "task_failed",
  "task_stalled",
  "stream_error",
  "stream_dropped",
  "balance_low",
] as const;
export type Cause = (typeof CAUSES)[number];

export const LAYERS = ["network", "http", "business", "api", "body", "task", "stream"] as const;
/** Where the evidence was. */
export type Layer = (typeof LAYERS)[number];

export const OWNERS = ["caller", "operator", "upstream", "network", "nobody"] as const;
/** Who must act. */
export type Owner = (typeof OWNERS)[number];

/** Stored history names a health by its place here. */
export const HEALTHS = ["up", "degraded", "down", "blocked", "unknown"] as const;
/**
 * `blocked`: the monitor cannot see whether the gateway works, because its own key, balance, quota, permission,
 * request or address is at fault. `unknown`: no verdict. Neither is ever up or down.
 */
export type Health = (typeof HEALTHS)[number];

export interface Retry {
  /** By status and cause alone (spec 7.3); whether the request is safe to repeat is the caller's knowledge. */
  readonly allowed: boolean;
  /** Whole seconds that Retry-After asks for, 0 to 2147483647; null when it says nothing usable. */
  readonly afterSeconds: number | null;
  /** `error.retryable` as found; it never decides. */
  readonly hint: boolean | null;
}

/** A diagnosis as it is judged and stored: without what follows from its cause alone. */
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
  readonly taskState: string | null;
  /** The service's words, redacted, at most 300 characters; null if there were none. */
  readonly message: string | null;
  /** One or two sentences: what the owner should do. */
  readonly advice: string;
  /** The section of the specification that decided; null where the case is beyond it. */
  readonly rule: string | null;
  /** Other causes that the evidence cannot exclude. */
  readonly ambiguous: readonly Cause[];
}

export interface Diagnosis extends KeptDiagnosis {
  /** The address of what there is to know of the cause. */
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

/** Causes that are the caller's own matter under any status. */
export const OF_THE_CALLER: ReadonlySet<Cause> = new Set([
  "authentication",
  "insufficient_balance",
  "quota_exceeded",
]);

export const BUSINESS_CODES: ReadonlyMap<number, Cause> = new Map<number, Cause>([
  [2001, "malformed_request"],
  [2002, "not_found"],
  [4004, "not_found"],
  [5000, "business_error"],
  [5001, "business_error"],
  [5002, "business_error"],
]);
