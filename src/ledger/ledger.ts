/** The Durable Object around the Ledger: remote calls and the alarm, nothing else. */
import { DurableObject } from "cloudflare:workers";
import type { Placement } from "../config/plan-limits.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
  SubscribeAnswer,
  SubscribeOrder,
} from "../domain/tick.ts";
import type { Subscription } from "../domain/stored.ts";
import type { LedgerStore, LedgerStored, RestoreStep } from "../history/store.ts";
import { type LedgerRpc, type LedgerSettings, shardOfName, warnOfLedger } from "./rpc.ts";
import { LedgerService } from "./service.ts";
import { backUp, storedIn, takeStep } from "./state/backup.ts";
import { UnreadableStore } from "./state/tables.ts";

export type LedgerClass<Env> = new (
  ctx: DurableObjectState,
  env: Env,
) => DurableObject<Env> & LedgerRpc & LedgerStore & { alarm(): Promise<void> };

/** The class for one composition. `settingsOf` is called at each start of the object. */
export function defineLedger<Env>(settingsOf: (env: Env, shard: number) => LedgerSettings): LedgerClass<Env> {
  return class extends DurableObject<Env> implements LedgerRpc, LedgerStore {
    readonly #open = () => opened(this.ctx, (shard) => settingsOf(this.env, shard));
    #opened = this.#open();

    get #service(): LedgerService {
      if (this.#opened instanceof LedgerService) return this.#opened;
      throw this.#opened;
    }

    async begin(request: BeginRequest): Promise<BeginAnswer> {
      return this.#service.begin(request);
    }

    async record(batch: Batch): Promise<void> {
      await this.#service.record(batch);
    }

    async administer(request: AdminRequest): Promise<AdminAnswer> {
      if (this.#opened instanceof LedgerService) return this.#opened.administer(request);
      return { ok: false, why: "conflict", detail: this.#opened.message };
    }

    async subscribe(subscription: Subscription, order: SubscribeOrder): Promise<SubscribeAnswer> {
      return this.#service.subscribe(subscription, order);
    }

    async noteLost(lost: ShardTick): Promise<void> {
      await this.#service.noteLost(lost);
    }

    async directory(): Promise<Placement> {
      return this.#service.directory();
    }

    async heldGateways(): Promise<readonly string[]> {
      return this.#service.heldGateways();
    }

    async stored(): Promise<LedgerStored> {
      return storedIn(this.ctx.storage.sql, this.#opened instanceof LedgerService ? null : this.#opened);
    }

    async backUp(): Promise<ReadableStream<Uint8Array>> {
      if (!(this.#opened instanceof LedgerService)) throw this.#opened;
      return backUp(this.ctx.storage.sql);
    }

    async restore(step: RestoreStep): Promise<string | null> {
      const { storage } = this.ctx;
      const abort = (): void => this.ctx.abort("a restore begins");
      const problem = await takeStep({ storage, abort }, step, this.#opened instanceof LedgerService);
      if (step.step === "end" && problem === null) this.#opened = this.#open();
      return problem;
    }

    /** If the data cannot be opened, the alarm must fail: the platform then repeats it. */
    override async alarm(): Promise<void> {
      await this.#service.alarm();
    }
  };
}

function opened(
  { storage, id }: DurableObjectState,
  settingsOf: (shard: number) => LedgerSettings,
): LedgerService | UnreadableStore {
  try {
    return new LedgerService(storage, settingsOf(shardOfName(id.name)));
  } catch (error) {
    if (!(error instanceof UnreadableStore)) throw error;
    // The caller sees the error too, but some callers must not log it.
    warnOfLedger(`${id.name ?? "it"} does nothing`, error);
    return error;
  }
}
