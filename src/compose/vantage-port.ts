/** How a tick calls vantage points. */
import type { Config } from "../config/config.ts";
import type { VantagePort } from "../probe/region-asker.ts";
import type { Env } from "./env.ts";

/** An object is made where its first call wishes it to be, and stays there. */
export function vantagePort({ VANTAGE }: Pick<Env, "VANTAGE">, { gateways }: Config): VantagePort {
  const regions = new Map(gateways.map((gateway) => [gateway.id, gateway.regions]));
  return {
    regionsOf: (gatewayId) => regions.get(gatewayId) ?? [],
    // A stub that has failed once stays broken: each call takes a new one.
    probe: async (region, monitorId) => VANTAGE.getByName(region, { locationHint: region }).probe(monitorId),
  };
}
