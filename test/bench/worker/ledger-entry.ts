/**
 * The real Ledger and the real tick, played in virtual time on real SQLite and KV: `POST /` with a Play. Only the
 * gateways are made up.
 */
import config from "#config";
import type { Batch, BeginRequest } from "../../../src/domain/tick.ts";
import { runTick } from "../../../src/probe/tick.ts";
import { PLAN_LIMITS } from "../../../src/config/plan-limits.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";
import type { Errand } from "../../../src/domain/canary.ts";
import { NO_FIGURES, type Probed } from "../../../src/domain/probe-outcome.ts";
import type { Play, Played, Rested } from "../play.ts";
import { countingKv, countStorage, type PlatformCounts } from "./platform-counts.ts";
import { IN_PROMISES, PlayedClock } from "../../fixtures/played-clock.ts";
import { outcomeOf } from "./weather.ts";

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
  readonly #calls = { ledgerRequests: 0, probeRequests: 0 };
  readonly #env: Env;
  #nowMs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    const counts: PlatformCounts = {
      rows: 0,
      rowsRead: 0,
      kvWrites: 0,
      kvBytes: new Map(),
      alarmMs: null,
    };
    countStorage(ctx.storage, counts);
    const counted = { ...env, KV: countingKv(env.KV, counts) };
    super(ctx, counted);
    this.#counts = counts;
    this.#env = counted;
  }

  /** What it costs to begin with what is stored, and how much that is. */
  #rest(): Rested {
    const before = this.#counts.rowsRead;
    Reflect.construct(worker.Ledger, [this.ctx, this.#env]);
    return {
      rowsRead: this.#counts.rowsRead - before,
      storedBytes: this.ctx.storage.sql.databaseSize,
      kvBytes: [...this.#counts.kvBytes.values()].reduce((sum, bytes) => sum + bytes, 0),
    };
  }

  async play({ weather, fromMs, stepMs, ticks }: Play): Promise<Played> {
    const played = { rows: [] as number[], kvWrites: [] as number[], probed: [] as number[] };
    const start = { ...this.#counts, ...this.#calls, messages };
    this.#counts.kvBytes.clear();
    // Each Ledger has its own time.
    clock.nowMs = this.#nowMs;
    for (let tick = 0; tick < ticks; tick += 1) {
      const tickMs = fromMs + tick * stepMs;
      const before = { ...this.#counts };
      clock.nowMs = Math.max(clock.nowMs, tickMs);
      played.probed.push(await this.#tick(weather, tickMs));
      await this.#wake(tickMs + stepMs);
      played.rows.push(this.#counts.rows - before.rows);
      played.kvWrites.push(this.#counts.kvWrites - before.kvWrites);
    }
    this.#nowMs = clock.now();
    const { rows, rowsRead, kvWrites } = this.#counts;
    const { ledgerRequests, probeRequests } = this.#calls;
    const used = {
      rowsWritten: rows - start.rows,
      rowsRead: rowsRead - start.rowsRead,
      kvWrites: kvWrites - start.kvWrites,
      ledgerRequests: ledgerRequests - start.ledgerRequests,
      probeRequests: probeRequests - start.probeRequests,
      messages: messages - start.messages,
    };
    return { ...played, used, rested: this.#rest() };
  }

  async #tick(weather: Play["weather"], tickMs: number): Promise<number> {
    let probed = 0;
    const ports = {
      clock,
      ledger: {
        begin: (request: BeginRequest) => {
          this.#calls.ledgerRequests += 1;
          return clock.holding(this.begin(request));
        },
        record: (batch: Batch) => {
          this.#calls.ledgerRequests += 1;
          return clock.holding(this.record(batch).then(() => this.#delivered()));
        },
      },
      canary: async ({ monitorId }: Errand): Promise<Probed> => {
        const findings = { type: "canary", figures: NO_FIGURES, balance: null, task: null } as const;
        probed += 1;
        return { ...(await this.#probe(weather, monitorId)), findings };
      },
      probe: async (monitorId: string): Promise<Probed> => {
        probed += 1;
        return this.#probe(weather, monitorId);
      },
      vantage: {
        regionsOf: () => [],
        probe: async () => ({ type: "not_sent_by_platform" }) as const,
      },
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
    return probed;
  }

  async #probe(weather: Play["weather"], monitorId: string): Promise<Extract<Probed, { type: "probed" }>> {
    const outcome = outcomeOf(weather, indexOf(monitorId), clock.now());
    await clock.sleep(outcome.durationMs);
    this.#calls.probeRequests += outcome.attempts.length;
    return { type: "probed", outcome };
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
      this.#calls.ledgerRequests += 1;
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
