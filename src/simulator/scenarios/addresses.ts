/** Failures below HTTP, each at an address of its own instead of a path. Pure data. */
import { type Row, type Place, type Scenario, expects, scenarios } from "../scenario.ts";
import { raw } from "../wire.ts";

const at = (place: Exclude<Place, "path">, says: string): Row => [place, says, raw(), { place }];

export const ADDRESSES: readonly Scenario[] = [
  ...scenarios(expects("connection_failed", null), [at("refused", "A port where nobody listens.")]),
  ...scenarios(expects("dns_failure", null), [at("unresolvable", "A host name that does not resolve.")]),
  ...scenarios(expects("tls_failure", null), [
    at("tls_garbage", "A TLS port that answers the handshake in plain HTTP."),
    at("tls_untrusted", "A TLS port whose certificate is its own, and for another name."),
  ]),
];
