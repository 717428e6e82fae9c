/** What who is on call can do: a diagnosis advises who wrote the request. Pure. */
import type { Cause } from "../protocol/diagnosis.ts";
import { REQUEST_TIMEOUT_MS } from "../protocol/retry-delay.ts";
import type { AlertEvent } from "./alert-event.ts";
import type { Matter } from "./words.ts";

/** Where it is ours to mend. */
const OF_CALLER: Readonly<Partial<Record<Cause, string>>> = {
  edge_blocked: "Ask the gateway's support to let the monitor through.",
  wrong_url: "Check baseUrl in the configuration: host, port and path.",
  malformed_request: "Change what the monitor asks; the same request is refused again.",
  authentication: "Set the key's secret to a valid key; make a new one if this one is revoked or expired.",
  insufficient_balance: "Top up the account of the key: waiting does not help.",
  quota_exceeded: "Raise the quota of the key or plan, or wait for its reset.",
  permission_denied: "Give the key and its group the permission, or use another key.",
  not_found: "Check path and model, and what the key may see.",
  business_error: "Make a new key: this one was not kept.",
  balance_low: "Top up the account of the key before requests are refused, or lower warnBelow.",
};

const OF_CAUSE: Readonly<Partial<Record<Cause, string>>> = {
  slow: "Tell the gateway's support how slow it is, or raise slowerThan.",
  model_missing: "Ask the gateway's support for the model, or take it out of expect.",
  dns_failure: "See whether its name resolves elsewhere, and tell whoever keeps the name.",
  tls_failure: "Have the gateway's support mend its certificate or its TLS settings.",
  network_error: "See whether it is reached from elsewhere; else look at the network in between.",
  rate_limited: "Nothing, unless it lasts: then probe less often, or have the limit raised.",
};

/** One sentence; empty where there is none. */
export function adviceOf({ incident, diagnosis, report, canary }: AlertEvent, matter: Matter): string {
  const { cause, owner, sent, advice } = matter;
  // The monitoring's own network, and a secret that is not set: only the diagnosis names what to look at.
  if (incident?.gateway == null || cause === null || (cause === "authentication" && sent === false))
    return advice;
  if (owner === "caller") {
    const isRevoked = /revoked|expired/.test([diagnosis?.errorCode, diagnosis?.errorType].join(" "));
    if (cause === "authentication" && isRevoked) return "Make a new key, and set the key's secret to it.";
    return OF_CALLER[cause] ?? "See what the answer says, and change what the monitor asks.";
  }
  if (owner === "nobody") return OF_CAUSE[cause] ?? "Nothing: it passes by itself.";
  const waited = cause === "timeout" && diagnosis?.layer === "network";
  // Each canary has a time limit of its own.
  const within = canary === null ? `within ${REQUEST_TIMEOUT_MS / 1000} s` : "in time";
  const send = waited ? `No answer came ${within}: send` : "Send";
  const what = report === null ? "answer" : "report";
  return OF_CAUSE[cause] ?? `${send} the ${what} to the gateway's support and see its status page.`;
}
