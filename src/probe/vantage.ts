/** The Durable Object around a vantage point: cron cannot choose where it runs, an object can. It has no state. */
import { DurableObject } from "cloudflare:workers";
import type { Probed } from "../domain/probe-outcome.ts";
import { regionNamed, type VantageErrand } from "./vantage-point.ts";

export interface VantageRpc {
  probe(errand: VantageErrand): Promise<Probed>;
}

export type VantageClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & VantageRpc;

/** The class for one composition; an object has the name that `vantageName` gave it. */
export function defineVantage<Env>(
  pointOf: (env: Env, region: string) => VantageRpc["probe"],
): VantageClass<Env> {
  return class extends DurableObject<Env> implements VantageRpc {
    readonly #probe = pointOf(this.env, regionNamed(this.ctx.id.name ?? ""));

    async probe(errand: VantageErrand): Promise<Probed> {
      return this.#probe(errand);
    }
  };
}
