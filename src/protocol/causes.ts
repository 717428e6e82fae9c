/** Each cause with what follows from it: owner, health, retry, evidence, and where it is explained. Pure. */
import type { Cause, Diagnosis, Health, KeptDiagnosis, Layer, Owner } from "./diagnosis.ts";

interface CauseFacts {
  readonly owner: Owner;
  readonly health: Health;
  /** Whether the answer itself was good. */
  readonly ok: boolean;
  /** The section of the specification; null where the cause is beyond it. */
  readonly rule: string | null;
}

export interface CauseRow extends CauseFacts {
  readonly cause: Cause;
  readonly advice: string;
}

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
} as const satisfies Readonly<Record<Cause, CauseFacts>>;

/** For the person whom `owner` names; true for every case of the cause. */
export const CAUSE_ADVICE = {
  ok: "Nothing to do. The answer proves this request and its key, not every model channel.",
  slow: "The answer was good but later than the limit set for it. Look at the load of the gateway.",
  model_missing: "The list lacks a model that is expected. Restore it, or take it out of the expectation.",
  dns_failure: "The host name does not resolve. Check its spelling and its DNS records.",
  connection_failed:
    "The connection failed, broke off, or brought what is not readable as HTTP. Check that the server runs and can be reached.",
  tls_failure: "No secure connection came about. Check the certificate, its chain and its host name.",
  timeout:
    "No complete answer came in time. A request that creates something may still have been accepted: look before repeating it.",
  network_error:
    "The network failed before an answer came. Check the route, the proxy and the name from this place.",
  edge_blocked:
    "A protection in front of the gateway refused this client. Ask for an exception for its address or agent.",
  wrong_url:
    "This does not look like the API. Check host, port, path, method, and that /v1 is there exactly once.",
  malformed_request: "Change the request; sent again unchanged, it will be refused again.",
  authentication:
    "The credentials were not accepted. Check that the complete, current API key is used; do not keep retrying.",
  insufficient_balance: "Check balance, quota and provider of the account. Waiting does not resolve it.",
  quota_exceeded:
    "A quota of the key or plan is used up. Raise it, or wait for its reset; backing off does not help.",
  permission_denied:
    "Access was refused. Check the model restrictions of the key and the permissions of its group.",
  not_found:
    "What was asked for does not exist or is not available to this key. Check the ids, the path and the access.",
  rate_limited: "Send less for a while, then try again. Repeat only what is safe to repeat.",
  service_misconfigured:
    "The service failed within itself. Look up the request in its logs and fix the service or its channel.",
  upstream_unavailable:
    "The gateway could not get an answer from behind it. Repeat a few times only if that is safe.",
  http_error:
    "The server answered with an unusual status. The status and the message say what it refused or lacks.",
  business_error:
    "The service reported a failure under a good HTTP status. Look up its code and the request in the logs.",
  api_error: "The answer carries an error under a good HTTP status. Look up the request in the logs.",
  unexpected_response:
    "The answer is empty, incomplete, too large or not of the agreed shape. Check the service and any proxy.",
  task_pending: "The task was accepted and is not finished. Query it again later; do not create it again.",
  task_failed:
    "The task ended without a result, and querying it again does not change that. Look up its id in the logs.",
  task_stalled:
    "The task reached no final state by its deadline. Look for it behind the gateway; do not create it again.",
  stream_error:
    "An error came inside the stream after it had begun. What was received is not a complete result.",
  stream_dropped: "The stream ended without its end mark. What was received is not a complete result.",
  balance_low: "The balance is below the limit set for it. Top it up before requests are refused.",
} as const satisfies Readonly<Record<Cause, string>>;

/** The row of a cause where nothing varies it. */
export function rowOf(cause: Cause): CauseRow {
  const { ok, owner, health, rule } = CAUSE_TABLE[cause];
  return { ok, cause, owner, health, advice: CAUSE_ADVICE[cause], rule };
}

export interface CauseCircumstance {
  readonly layer: Layer | null;
  readonly httpStatus: number | null;
  readonly businessCode: number | null;
  readonly retryAllowed: boolean;
  readonly key: "jwt" | null;
}

/** The row of a cause, fitted to where the evidence was found. */
export function causeRow(cause: Cause, circumstance: CauseCircumstance): CauseRow {
  const row = rowOf(cause);
  const status = circumstance.httpStatus ?? 0;
  // Beyond 4xx, also where no final status may be (1xx, 0, 600 and more), the server does what it must not.
  if (cause === "http_error" && status >= 400 && status < 500) {
    return { ...row, owner: "caller", health: "blocked" };
  }
  if (cause === "business_error" && circumstance.businessCode === KEY_NOT_KEPT) {
    return {
      ...row,
      owner: "caller",
      health: "blocked",
      advice: "The full key was not kept and cannot be recovered. Create the key again.",
    };
  }
  return { ...row, rule: ruleOf(cause, row, circumstance), advice: adviceOf(cause, row, circumstance) };
}

/** The full key was not stored when it was created (spec 7.2). */
const KEY_NOT_KEPT = 5002;

/** Statuses and errors that the specification does not list keep their cause and lose its section. */
function ruleOf(cause: Cause, row: CauseRow, circumstance: CauseCircumstance): string | null {
  if (circumstance.layer === "business") return "7.2";
  if (circumstance.layer === "api") return "7.4";
  const status = circumstance.httpStatus ?? 0;
  if (circumstance.layer === "http" && status >= 520) return null;
  if (circumstance.layer === "http" && cause === "malformed_request" && status !== 400) return null;
  return row.rule;
}

function adviceOf(cause: Cause, row: CauseRow, circumstance: CauseCircumstance): string {
  if (cause === "authentication" && circumstance.key === "jwt") {
    return "The key is shaped like a login token, and a login token is no API key. Use an API key.";
  }
  if (cause === "upstream_unavailable" && !circumstance.retryAllowed) {
    return "What lies behind the gateway failed or is overloaded. Do not repeat at once; look up the request in the logs.";
  }
  if (cause === "rate_limited" && !circumstance.retryAllowed) {
    return "Send less, and less at once. Under this status the request is not to be repeated automatically.";
  }
  return row.advice;
}

export const CAUSES_DOCUMENT = "https://github.com/gatepulse/gatepulse/blob/main/docs/causes.md";

export function causeDocs(cause: Cause): string {
  return `${CAUSES_DOCUMENT}#${cause}`;
}

export function withDocs(diagnosis: KeptDiagnosis): Diagnosis {
  return { ...diagnosis, docs: causeDocs(diagnosis.cause) };
}
