/**
 * The Durable Object around the Ledger's service: remote calls, the alarm, and nothing else. It is awake for
 * milliseconds a tick: probes never run here.
 */
import { DurableObject } from "cloudflare:workers";
import type { Config } from "../config/config.ts";
import type { Batch, BeginAnswer, BeginRequest } from "../domain/tick.ts";
import type { Identities } from "./begin.ts";
import { identify } from "./identities.ts";
import { LedgerService } from "./service.ts";

export interface LedgerSettings {
  readonly config: Config;
  readonly kv: KVNamespace;
  /** Name and version of what probes, for reports. */
  readonly client: string;
  readonly tickIntervalMs: number;
  /** As `LedgerWorld.run`. */
  readonly run: string | null;
  /** The value of a secret by its name; null when it is not set. */
  secret(name: string): string | null;
  now(): number;
}

/** What a tick may ask of the object. */
export interface LedgerRpc {
  begin(request: BeginRequest): Promise<BeginAnswer>;
  record(batch: Batch): Promise<void>;
}

export type LedgerClass<Env> = new (ctx: DurableObjectState, env: Env) => DurableObject<Env> & LedgerRpc;

/** The class for one composition; `settingsOf` is called once a start of the object. */
export function defineLedger<Env>(settingsOf: (env: Env) => LedgerSettings): LedgerClass<Env> {
  return class extends DurableObject<Env> implements LedgerRpc {
    readonly #settings: LedgerSettings;
    readonly #service: LedgerService;
    #identities: Identities | null = null;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      const settings = settingsOf(env);
      this.#settings = settings;
      this.#service = new LedgerService({
        sql: ctx.storage.sql,
        transaction: (write) => ctx.storage.transactionSync(write),
        kv: settings.kv,
        now: () => settings.now(),
        inTime,
        config: settings.config,
        client: settings.client,
        shard: 0,
        tickIntervalMs: settings.tickIntervalMs,
        run: settings.run,
        warn: (what, error) => warn(what, error),
      });
    }

    async begin(request: BeginRequest): Promise<BeginAnswer> {
      this.#identities ??= await identify(
        this.#settings.config,
        this.#service.salt(() => crypto.randomUUID()),
        (name) => this.#settings.secret(name),
      );
      return this.#service.begin(request, this.#identities);
    }

    async record(batch: Batch): Promise<void> {
      this.#service.record(batch);
      await this.#maintain();
    }

    override async alarm(): Promise<void> {
      await this.#maintain();
    }

    /** Never rejects: a failed alarm would be repeated a few times and then forgotten. */
    async #maintain(): Promise<void> {
      await this.#service.maintain();
      const wakeMs = this.#service.nextWakeMs();
      if (wakeMs === null) return;
      try {
        await this.ctx.storage.setAlarm(wakeMs);
      } catch (error) {
        warn("the alarm could not be set", error);
      }
    }
  };
}

const LONGEST_WRITE_MS = 10_000;

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the write took too long")), LONGEST_WRITE_MS);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** What fails here is the platform: no gateway has a word in it. */
function warn(what: string, error: unknown): void {
  const kind = error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : "unknown error";
  // oxlint-disable-next-line no-console -- the platform's log is where operators look
  console.warn(`ledger: ${what}`, kind);
}
