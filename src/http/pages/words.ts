/**
 * The words in which pages tell healths, causes and owners. Pure.
 */
import type { Cause, Health, Owner } from "../../protocol/diagnosis.ts";

/** How a monitor or a gateway stands, as marks show it: of what was paused, or is worked on, neither up nor down is claimed. */
export type Shown = Health | "paused" | "maintenance";

export const HEALTH_WORDS: Readonly<Record<Health, string>> = {
  up: "Up",
  degraded: "Degraded",
  down: "Down",
  blocked: "Blocked",
  unknown: "Unknown",
};

export const SHOWN_WORDS: Readonly<Record<Shown, string>> = {
  ...HEALTH_WORDS,
  paused: "Paused",
  maintenance: "Maintenance",
};

export const OWNER_WORDS: Readonly<Record<Owner, string>> = {
  caller: "the owner of the monitor’s key",
  operator: "the gateway’s operator",
  upstream: "the provider behind the gateway",
  network: "whoever runs the network or the name",
  nobody: "nobody’s: it passes by itself",
};

export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  ok: "All is well",
  slow: "Slower than it should be",
  model_missing: "An expected model is not in the list",
  dns_failure: "The name does not resolve",
  connection_failed: "The connection failed",
  tls_failure: "The secure connection failed",
  timeout: "No complete answer in time",
  network_error: "A network failure",
  edge_blocked: "An edge page refused the monitor",
  wrong_url: "The address answers, but not as a gateway",
  malformed_request: "The request was refused as malformed",
  authentication: "The key was refused",
  insufficient_balance: "The balance is used up",
  quota_exceeded: "The key’s quota is used up",
  permission_denied: "The key lacks permission",
  not_found: "What was asked for was not found",
  rate_limited: "Too many requests for now",
  service_misconfigured: "The service is misconfigured",
  upstream_unavailable: "The provider behind the gateway is unavailable",
  http_error: "An HTTP failure",
  business_error: "A business failure inside a good HTTP answer",
  api_error: "An error inside a good HTTP answer",
  unexpected_response: "The answer is not what it should be",
  task_pending: "The task has not ended yet",
  task_failed: "The task failed",
  task_stalled: "The task did not end in time",
  stream_error: "The stream carried an error",
  stream_dropped: "The stream broke off",
};

/**
 * @param sent whether a request went out; null: not known.
 */
export function causeWords(cause: Cause, sent: boolean | null): string {
  return cause === "authentication" && sent === false ? "No usable key is set" : CAUSE_WORDS[cause];
}

/** `1 monitor`, `2 monitors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `99.82 %`; never rounded up to 100 %. */
export function percent(share: number | null): string {
  if (share === null) return "no data";
  // A product like 0.57 * 10,000 lies a hair below the number that it means.
  return `${Math.floor(Number((share * 10_000).toFixed(6))) / 100} %`;
}

export function milliseconds(value: number | null): string {
  return value === null ? "none" : `${Math.round(value)} ms`;
}
