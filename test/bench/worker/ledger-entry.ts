/** The real Ledger and tick in virtual time, on real SQLite and KV: `POST /` with a Play. Only the gateways are made up. */
import config from "#config";
import type { Batch, BeginRequest } from "../../../src/domain/tick.ts";
import { runTick } from "../../../src/probe/tick.ts";
import { PLAN_LIMITS } from "../../../src/config/plan-limits.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";
import type { Errand } from "../../../src/domain/canary.ts";
import { NO_FIGURES, type Probed } from "../../../src/domain/probe-outcome.ts";
import { NO_REGIONS } from "../../fixtures/no-regions.ts";
import type { Play, Played } from "../play.ts";
import { IN_PROMISES, PlayedClock } from "../../fixtures/played-clock.ts";
import { outcomeOf } from "./weather.ts";

/** What the platform charges: rows that SQLite reads and writes (each alarm is one more), and writes to KV. */
interface PlatformCounts {
  rows: number;
  rowsRead: number;
  kvWrites: number;
  /** Calls of the object, and requests to gateways: counted by who makes them. */
  ledgerRequests: number;
  probeRequests: number;
  /** When the object asked to be woken; null: not at all. */
  alarmMs: number | null;
}

const NOTHING_YET = { rows: 0, rowsRead: 0, kvWrites: 0, ledgerRequests: 0, probeRequests: 0 };

/** From here on the storage counts, and sets no real alarm: time is virtual. */
function countStorage(storage: DurableObjectStorage, counts: PlatformCounts): void {
  const { sql } = storage;
  const counting = new Proxy(sql, {
    get: (target, name) => {
      if (name !== "exec") return Reflect.get(target, name) as unknown;
      return (query: string, ...values: SqlStorageValue[]) => {
        const cursor = target.exec(query, ...values);
        counts.rows += cursor.rowsWritten;
        // What is read is counted as it is read; everyone here reads all of it at once.
        return countedReads(cursor, counts);
      };
    },
  });
  Object.defineProperty(storage, "sql", { value: counting });
  Object.defineProperty(storage, "setAlarm", {
    value: async (atMs: number) => {
      counts.rows += 1;
      counts.alarmMs = atMs;
    },
  });
  Object.defineProperty(storage, "getAlarm", { value: async () => counts.alarmMs });
}

function countedReads<Row extends Record<string, SqlStorageValue>>(
  cursor: SqlStorageCursor<Row>,
  counts: PlatformCounts,
): SqlStorageCursor<Row> {
  let known = cursor.rowsRead;
  counts.rowsRead += known;
  return new Proxy(cursor, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]): unknown => {
        const answer: unknown = value.apply(target, given);
        counts.rowsRead += target.rowsRead - known;
        known = target.rowsRead;
        return answer;
      };
    },
  });
}

/** The namespace, counting; expiry is left out, as virtual time may lie in the real past. */
function countingKv(kv: KVNamespace, counts: PlatformCounts): KVNamespace {
  return new Proxy(kv, {
    get: (target, name) => {
      if (name !== "put") return Reflect.get(target, name) as unknown;
      return async (key: string, value: ArrayBuffer, { metadata }: KVNamespacePutOptions) => {
        counts.kvWrites += 1;
        await target.put(key, value, metadata === undefined ? {} : { metadata });
      };
    },
  });
}

/** Every receiver of alerts takes what it is sent; nothing else is fetched here. */
let messages = 0;
globalThis.fetch = async () => {
  messages += 1;
  return new Response(null);
};

const clock = new PlayedClock(IN_PROMISES);
const worker = composeWorker({ config, clock });

export class Ledger extends worker.Ledger {
  readonly #counts: PlatformCounts;
  readonly #env: Env;
  #nowMs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    const counts = { ...NOTHING_YET, alarmMs: null };
    countStorage(ctx.storage, counts);
    const counted = { ...env, KV: countingKv(env.KV, counts) };
    super(ctx, counted);
    this.#counts = counts;
    this.#env = counted;
  }

  async play({ weather, fromMs, stepMs, ticks }: Play): Promise<Played> {
    const counts = Object.assign(this.#counts, NOTHING_YET);
    messages = 0;
    const [rows, kvWrites]: [number[], number[]] = [[], []];
    // Each Ledger has its own time.
    clock.nowMs = this.#nowMs;
    for (let tick = 0; tick < ticks; tick += 1) {
      const tickMs = fromMs + tick * stepMs;
      const before = { ...counts };
      clock.nowMs = Math.max(clock.nowMs, tickMs);
      await this.#tick(weather, tickMs);
      await this.#wake(tickMs + stepMs);
      rows.push(counts.rows - before.rows);
      kvWrites.push(counts.kvWrites - before.kvWrites);
    }
    this.#nowMs = clock.now();
    const { rowsRead, ledgerRequests, probeRequests } = counts;
    // What it costs to begin with what is stored, and how much that is.
    Reflect.construct(worker.Ledger, [this.ctx, this.#env]);
    const rested = {
      rowsRead: counts.rowsRead - rowsRead,
      storedBytes: this.ctx.storage.sql.databaseSize,
    };
    return { rows, kvWrites, rowsRead, ledgerRequests, probeRequests, messages, rested };
  }

  async #tick(weather: Play["weather"], tickMs: number): Promise<void> {
    const probe = async (monitorId: string): Promise<Extract<Probed, { type: "probed" }>> => {
      const outcome = outcomeOf(weather, indexOf(monitorId), clock.now());
      await clock.sleep(outcome.durationMs);
      this.#counts.probeRequests += outcome.attempts.length;
      return { type: "probed", outcome };
    };
    const called = <Answer>(answering: Promise<Answer>): Promise<Answer> => {
      this.#counts.ledgerRequests += 1;
      return clock.holding(answering);
    };
    const ports = {
      clock,
      ledger: {
        begin: (request: BeginRequest) => called(this.begin(request)),
        record: (batch: Batch) => called(this.record(batch).then(() => this.#delivered())),
      },
      canary: async ({ monitorId }: Errand): Promise<Probed> => {
        const findings = { type: "canary", figures: NO_FIGURES, balance: null, task: null } as const;
        return { ...(await probe(monitorId)), findings };
      },
      probe,
      vantage: NO_REGIONS,
      readPage: async () => null,
      hostOf: (gatewayId: string) => gatewayId,
      startLanes: async () => undefined,
      requestLimit: PLAN_LIMITS.paid.subrequests,
      heartbeat: async () => null,
      random: () => 0.5,
      // What fails here is the bench.
      warn: (what: string, error?: unknown) => console.warn(what, error),
    };
    const watch = { isOver: false };
    const ticking = runTick({ tickMs, invocation: `i${tickMs}` }, ports).finally(() => {
      watch.isOver = true;
    });
    await clock.run(Promise.all([ticking, this.#watchAlarm(watch)]));
    clock.forget();
  }

  /** Alarms do not wait for the end of a tick. */
  async #watchAlarm(watch: { readonly isOver: boolean }): Promise<void> {
    while (!watch.isOver) {
      await clock.sleep(SECOND_MS);
      await clock.holding(this.#wake(clock.now() + 1));
    }
  }

  /** Fires the alarms that fall due before then. */
  async #wake(untilMs: number): Promise<void> {
    for (;;) {
      const { alarmMs } = this.#counts;
      if (alarmMs === null || alarmMs >= untilMs) return;
      this.#counts.alarmMs = null;
      clock.nowMs = Math.max(clock.nowMs, alarmMs);
      this.#counts.ledgerRequests += 1;
      await this.alarm?.();
      await this.#delivered();
    }
  }

  /** Nobody waits for messages: they are over when nothing is written any more. */
  async #delivered(): Promise<void> {
    if ((config.alerts ?? []).length === 0) return;
    for (let [quiet, rows] = [0, this.#counts.rows]; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      if (this.#counts.rows !== rows) [quiet, rows] = [0, this.#counts.rows];
    }
  }
}

const SECOND_MS = 1000;
const QUIET_TURNS = 5;

/** Gateways are named `g<index>`. */
function indexOf(monitorId: string): number {
  return Number(/^g(\d+)/.exec(monitorId)?.[1]);
}

interface BenchEnv extends Omit<Env, "LEDGER"> {
  readonly LEDGER: DurableObjectNamespace<Ledger>;
}

export class Vantage extends worker.Vantage {}

export default {
  fetch: async (request, env) => {
    const play = await request.json<Play>();
    return Response.json(await env.LEDGER.getByName(play.ledger).play(play));
  },
} satisfies ExportedHandler<BenchEnv>;
