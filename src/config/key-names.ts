/** The names of the keys that an answer of a gateway may hold: of all that it and its host are sent. Pure. */
import type { Config, GatewayConfig } from "./config.ts";
import { gatewaySecrets } from "./secret-names.ts";

/**
 * By gateway, each once and in one order. One service may be several gateways, each with keys of its own: what one was sent
 * the answer to another may repeat.
 */
export function keyNames(
  { gateways }: Pick<Config, "gateways">,
  hostOf: (gatewayId: string) => string,
): (gateway: GatewayConfig) => readonly string[] {
  let ofHosts: ReadonlyMap<string, readonly string[]> | null = null;
  return (gateway) => {
    // Whoever sends nothing pays nothing for it.
    ofHosts ??= namesByHost(gateways, hostOf);
    const ofHost = ofHosts.get(hostOf(gateway.id)) ?? [];
    return ofHost.length <= MOST_KEYS_OF_HOST ? ofHost : gatewaySecrets([gateway]);
  };
}

/** A redactor of so many keys takes a millisecond to build, and one of hundreds more than an invocation has. */
const MOST_KEYS_OF_HOST = 20;

function namesByHost(
  gateways: readonly GatewayConfig[],
  hostOf: (gatewayId: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const byHost = Map.groupBy(gateways, ({ id }) => hostOf(id));
  return new Map(Array.from(byHost, ([host, its]) => [host, gatewaySecrets(its)]));
}
