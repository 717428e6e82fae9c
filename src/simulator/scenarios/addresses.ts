/** Failures below HTTP, each at an address of its own instead of a path. Pure data. */
import { type Place, type Scenario, expects, scenario } from "../scenario.ts";
import { raw } from "../wire.ts";

export const ADDRESSES: readonly Scenario[] = [
  address("refused", "A port where nobody listens.", "connection_failed"),
  address("unresolvable", "A host name that does not resolve.", "dns_failure"),
  address("tls_garbage", "A TLS port that answers the handshake in plain HTTP.", "tls_failure"),
  address("tls_untrusted", "A TLS port whose certificate is its own, and for another name.", "tls_failure"),
];

function address(
  place: Exclude<Place, "path">,
  says: string,
  cause: "connection_failed" | "dns_failure" | "tls_failure",
): Scenario {
  return scenario(place, says, raw(), expects(cause, null), { place });
}
