/** The names of the keys that an answer of a gateway may hold: of all that it and its host are sent. Pure. */
import type { Config } from "./config.ts";
import { gatewaySecrets } from "./secret-names.ts";

/**
 * By gateway, each once and in one order. One service may be several gateways, each with keys of its own: what one was sent
 * the answer to another may repeat.
 */
export function keyNames(
  { gateways }: Config,
  hostOf: (gatewayId: string) => string,
): (gatewayId: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const namesFor = (id: string): readonly string[] => {
    const ofHost = gatewaySecrets(gateways.filter((gateway) => hostOf(gateway.id) === hostOf(id)));
    return ofHost.length <= MOST_KEYS_OF_HOST
      ? ofHost
      : gatewaySecrets(gateways.filter((of) => of.id === id));
  };
  return (gatewayId) => {
    const names = known.get(gatewayId) ?? namesFor(gatewayId);
    known.set(gatewayId, names);
    return names;
  };
}

/** A redactor of so many keys takes a millisecond to build, and one of hundreds more than an invocation has. */
const MOST_KEYS_OF_HOST = 20;
