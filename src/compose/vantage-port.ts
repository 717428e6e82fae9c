/** How a tick calls vantage points. */
import type { VantagePort } from "../probe/region-asker.ts";
import { vantageName } from "../probe/vantage-name.ts";
import type { Env } from "./env.ts";

/** An object is made where its first call wishes it to be, and stays there. */
export function vantagePort(
  { VANTAGE }: Pick<Env, "VANTAGE">,
  regionsOf: VantagePort["regionsOf"],
  place: { readonly shard: number; readonly shards: number },
): VantagePort {
  return {
    regionsOf,
    // A stub that has failed once stays broken: each call takes a new one.
    probe: async (region, errand) => {
      const name = vantageName(region, place);
      return VANTAGE.getByName(name, { locationHint: region }).probe(errand);
    },
  };
}
