/** How a tick calls vantage points. */
import * as z from "zod/mini";
import { listedModelsSchema } from "../domain/canary.ts";
import type { Probed } from "../domain/probe-outcome.ts";
import { outcomeSchema } from "../domain/stored.ts";
import { vantageName, type VantagePort } from "../probe/vantage-point.ts";
import type { Env } from "./env.ts";

/**
 * An object is made where its first call wishes it to be, and stays there. It may be of another version: what this one does
 * not understand is no answer.
 */
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
      const answer = await VANTAGE.getByName(name, { locationHint: region }).probe(errand);
      return probedListSchema.parse(answer);
    },
  };
}

/** Of a list, as another isolate tells it, which may run another version of this code. */
const probedListSchema: z.ZodMiniType<Probed> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({
      type: z.literal("probed"),
      outcome: outcomeSchema,
      findings: z.exactOptional(z.extend(listedModelsSchema, { type: z.literal("list") })),
    }),
    z.object({ type: z.literal("not_sent_by_platform") }),
  ]),
);
