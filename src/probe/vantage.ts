/**
 * The Durable Object around a vantage point. Cron cannot choose where it runs, an object can: the one exception to the rule
 * that probes run in the Worker. It has no state, and reads keys from its own environment.
 */
import { DurableObject } from "cloudflare:workers";
import type { Probed } from "../domain/probe-outcome.ts";
import { regionNamed, type VantageErrand, type VantagePoint } from "./vantage-point.ts";

/** What a tick may ask of the object. */
export interface VantageRpc {
  probe(errand: VantageErrand): Promise<Probed>;
}

export type VantageClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & VantageRpc;

/** The class for one composition; an object bears the name that `vantageName` gave it. */
export function defineVantage<Env>(pointOf: (env: Env, region: string) => VantagePoint): VantageClass<Env> {
  return class extends DurableObject<Env> implements VantageRpc {
    readonly #point: VantagePoint;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#point = pointOf(env, regionNamed(ctx.id.name ?? ""));
    }

    async probe(errand: VantageErrand): Promise<Probed> {
      return this.#point.probe(errand);
    }
  };
}
