/**
 * Whether a probe reached its gateway: what all gateways of a tick fail to do at once, the monitoring's own network has
 * failed to do. Pure.
 */
import type { Cause, KeptDiagnosis } from "../protocol/diagnosis.ts";

export const NETWORK_CAUSES: ReadonlySet<Cause> = new Set([
  "dns_failure",
  "connection_failed",
  "tls_failure",
  "timeout",
  "network_error",
]);

/**
 * `unreached` also where an edge answers for a gateway that it could not reach (520 to 526, 530); `reached` as soon as
 * the gateway's own headers came; `not_asked` where nothing was sent.
 */
export type Reach = "reached" | "unreached" | "not_asked";

export function reachOf({ cause, layer, httpStatus }: KeptDiagnosis): Reach {
  if (layer === null && httpStatus === null) return "not_asked";
  const headersCame = layer === "network" && httpStatus !== null;
  return NETWORK_CAUSES.has(cause) && !headersCame ? "unreached" : "reached";
}
