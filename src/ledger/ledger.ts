/**
 * The Durable Object around the Ledger: remote calls, the alarm, and nothing else. It is awake for milliseconds a tick:
 * probes never run here.
 */
import { DurableObject } from "cloudflare:workers";
import type { AdminAnswer, AdminRequest } from "../domain/administration.ts";
import type { Batch, BeginAnswer, BeginRequest, ShardTick } from "../domain/tick.ts";
import { LedgerHost, type LedgerSettings } from "./host.ts";
import { ownShard } from "./own-shard.ts";
import type { LedgerRpc } from "./rpc.ts";

export type LedgerClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & LedgerRpc;

/** The class for one composition; `settingsOf` is called once a start of the object. */
export function defineLedger<Env>(settingsOf: (env: Env, shard: number) => LedgerSettings): LedgerClass<Env> {
  return class extends DurableObject<Env> implements LedgerRpc {
    readonly #host: LedgerHost;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#host = new LedgerHost(ctx.storage, settingsOf(env, ownShard(ctx.id.name, ctx.storage.sql)));
    }

    async begin(request: BeginRequest): Promise<BeginAnswer> {
      return this.#host.begin(request);
    }

    async record(batch: Batch): Promise<void> {
      await this.#host.record(batch);
    }

    async administer(request: AdminRequest): Promise<AdminAnswer> {
      return this.#host.administer(request);
    }

    async noteLost(lost: ShardTick): Promise<void> {
      await this.#host.noteLost(lost);
    }

    async missesTicks(): Promise<boolean> {
      return this.#host.missesTicks();
    }

    override async alarm(): Promise<void> {
      await this.#host.alarm();
    }
  };
}
