/** How a tick calls vantage points. */
import type { Config } from "../config/config.ts";
import type { VantagePort } from "../probe/region-asker.ts";
import { vantageName } from "../probe/vantage-name.ts";
import type { Env } from "./env.ts";

/** An object is made where its first call wishes it to be, and stays there. */
export function vantagePort(
  { VANTAGE }: Pick<Env, "VANTAGE">,
  { gateways, shards }: Pick<Config, "gateways" | "shards">,
  shard: number,
): VantagePort {
  const regions = new Map(gateways.map((gateway) => [gateway.id, gateway.regions]));
  return {
    regionsOf: (gatewayId) => regions.get(gatewayId) ?? [],
    // A stub that has failed once stays broken: each call takes a new one.
    probe: async (region, errand) => {
      const name = vantageName(region, { shard, shards });
      return VANTAGE.getByName(name, { locationHint: region }).probe(errand);
    },
  };
}
