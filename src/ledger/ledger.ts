/**
 * The Durable Object around the Ledger: remote calls and the alarm, nothing else. It is awake for milliseconds in each tick,
 * because probes never run here.
 */
import { DurableObject } from "cloudflare:workers";
import type { Placement } from "../config/placement.ts";
import type {
  AdminAnswer,
  AdminRequest,
  Batch,
  BeginAnswer,
  BeginRequest,
  ShardTick,
} from "../domain/tick.ts";
import { type LedgerRpc, type LedgerSettings, shardOfName, warnOfLedger } from "./rpc.ts";
import { LedgerService } from "./service.ts";
import { UnreadableStore } from "./state/tables.ts";

export type LedgerClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & LedgerRpc;

/** The class for one composition. `settingsOf` is called at each start of the object. */
export function defineLedger<Env>(settingsOf: (env: Env, shard: number) => LedgerSettings): LedgerClass<Env> {
  return class extends DurableObject<Env> implements LedgerRpc {
    readonly #opened = opened(this.ctx, (shard) => settingsOf(this.env, shard));

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

    async noteLost(lost: ShardTick): Promise<void> {
      await this.#service.noteLost(lost);
    }

    async directory(): Promise<Placement> {
      return this.#service.directory();
    }

    async heldGateways(): Promise<readonly string[]> {
      return this.#service.heldGateways();
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
