/**
 * The real Ledger and the real tick, played in virtual time on real SQLite and KV: `POST /` with a Play. Only the
 * gateways are made up.
 */
import config from "#config";
import type { Batch, BeginRequest } from "../../../src/domain/tick.ts";
import { runTick } from "../../../src/probe/tick.ts";
import { PLAN_LIMITS } from "../../../src/config/plan-limits.ts";
import { composeWorker, type Env } from "../../../src/worker.ts";
import type { Play, Played } from "../play.ts";
import { countingKv, countStorage, type PlatformCounts } from "./platform-counts.ts";
import { PlayedClock } from "./played-clock.ts";
import { outcomeOf } from "./weather.ts";

/** Every receiver of alerts takes what it is sent; nothing else is fetched here. */
globalThis.fetch = async () => new Response(null);

const clock = new PlayedClock();
const worker = composeWorker({ configInput: config, clock });

export class Ledger extends worker.Ledger {
  readonly #counts: PlatformCounts;
  #nowMs = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    const counts: PlatformCounts = { rows: 0, parts: new Map(), kvWrites: 0, alarmMs: null };
    countStorage(ctx.storage, counts);
    super(ctx, { ...env, KV: countingKv(env.KV, counts) });
    this.#counts = counts;
  }

  async play({ weather, fromMs, stepMs, ticks }: Play): Promise<Played> {
    const played = { rows: [] as number[], kvWrites: [] as number[], probed: [] as number[] };
    let most: Played["most"] = {};
    // Each Ledger has its own time.
    clock.set(this.#nowMs);
    for (let tick = 0; tick < ticks; tick += 1) {
      const tickMs = fromMs + tick * stepMs;
      const before = { ...this.#counts };
      this.#counts.parts.clear();
      clock.set(Math.max(clock.now(), tickMs));
      played.probed.push(await this.#tick(weather, tickMs));
      await this.#wake(tickMs + stepMs);
      const rows = this.#counts.rows - before.rows;
      if (rows > Math.max(0, ...played.rows)) most = Object.fromEntries(this.#counts.parts);
      played.rows.push(rows);
      played.kvWrites.push(this.#counts.kvWrites - before.kvWrites);
    }
    this.#nowMs = clock.now();
    return { ...played, most };
  }

  async #tick(weather: Play["weather"], tickMs: number): Promise<number> {
    let probed = 0;
    const ports = {
      clock,
      ledger: {
        begin: (request: BeginRequest) => clock.holding(this.begin(request)),
        record: (batch: Batch) => clock.holding(this.record(batch).then(() => this.#delivered())),
      },
      canary: async () => ({ type: "not_sent_by_platform" }) as const,
      probe: async (monitorId: string) => {
        probed += 1;
        const outcome = outcomeOf(weather, indexOf(monitorId), clock.now());
        await clock.sleep(outcome.durationMs);
        return { type: "probed", outcome } as const;
      },
      hostOf: (gatewayId: string) => gatewayId,
      requestLimit: PLAN_LIMITS.paid.subrequests,
      heartbeat: null,
      random: () => 0.5,
      // What fails here is the bench.
      warn: (what: string, error?: unknown) => console.warn(what, error),
    };
    const watch = { isOver: false };
    const ticking = runTick({ tickMs, invocation: `i${tickMs}` }, ports).finally(() => {
      watch.isOver = true;
    });
    await clock.run(Promise.all([ticking, this.#watchAlarm(watch)]));
    return probed;
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
      clock.set(Math.max(clock.now(), alarmMs));
      await this.alarm?.();
      await this.#delivered();
    }
  }

  /** Nobody waits for messages: they are over when nothing is written any more. */
  async #delivered(): Promise<void> {
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

export default {
  fetch: async (request, env) => {
    const play = await request.json<Play>();
    return Response.json(await env.LEDGER.getByName(play.ledger).play(play));
  },
} satisfies ExportedHandler<BenchEnv>;
