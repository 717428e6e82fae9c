/** Puts the parts together. The configuration and the clock are arguments, so that tests compose the same Worker. */
import {
  type Env,
  ledgerOf,
  loginLimitOf,
  readAsset,
  secretOf,
  tickIntervalOf,
  viewTokenOf,
} from "./compose/env.ts";
import {
  ledgerSettings,
  standingOf,
  tickPorts,
  vantageProbe,
  warnOfTick,
  type FetchFrom,
  type Standing,
} from "./compose/wiring.ts";
import { consume, sendTicks } from "./compose/tick-messages.ts";
import type { Config } from "./config/config.ts";
import { type Placement, shardsInUse } from "./config/plan-limits.ts";
import { handleRequest } from "./http/app.ts";
import { SnapshotMemory } from "./http/published.ts";
import { administerShards } from "./ledger/admin/admin-shards.ts";
import { defineLedger, type LedgerClass } from "./ledger/ledger.ts";
import type { LedgerSettings } from "./ledger/rpc.ts";
import type { Subscription } from "./domain/stored.ts";
import type { ShardTick, SubscribeAnswer } from "./domain/tick.ts";
import type { Clock } from "./probe/clock.ts";
import { runTick, type TickSummary } from "./probe/tick.ts";
import { defineVantage, type VantageClass } from "./probe/vantage.ts";
import { VERSION } from "./probe/version.ts";

export type { Env } from "./compose/env.ts";

export interface Composition {
  readonly config: Config;
  readonly clock: Clock;
  /** Default: as the platform sends it. */
  readonly fetchFrom?: FetchFrom;
  /** What the Ledger does differently here. */
  readonly ledger?: () => Pick<LedgerSettings, "run" | "pace" | "onEvent">;
}

export interface ComposedWorker {
  readonly handler: Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled" | "queue">>;
  readonly Ledger: LedgerClass<Env>;
  readonly Vantage: VantageClass<Env>;
}

export function composeWorker({
  config,
  clock,
  fetchFrom = () => (url, init) => fetch(url, init),
  ledger,
}: Composition): ComposedWorker {
  const standing = standingOf(config, clock);
  const memory = new SnapshotMemory();
  return {
    handler: {
      fetch: (request, env) =>
        handleRequest(request, {
          config,
          kv: env.KV,
          memory,
          now: () => clock.now(),
          adminToken: secretOf(env, "ADMIN_TOKEN"),
          mayTry: loginLimitOf(env),
          viewToken: viewTokenOf(env),
          asset: (name) => readAsset(env, name),
          administer: async (order) => {
            const placement = await placementOf(env);
            return administerShards(order, {
              count: shardsInUse(config, placement),
              shardOf: (gatewayId) => placement[gatewayId] ?? null,
              ask: (shard, asked) => ledgerOf(env, shard).administer(asked),
            });
          },
          subscribe: (subscription, isOn) => subscribeToAll(env, config, subscription, isOn),
          stores: {
            kv: env.KV,
            shards: async () => shardsInUse(config, await placementOf(env)),
            ledger: (shard) => ledgerOf(env, shard),
          },
          shards: config.shards,
          version: VERSION,
        }),
      ...tickHandlers(standing),
    },
    Ledger: defineLedger((env: Env, shard) => ({
      ...ledgerSettings(env, shard, { config, clock }),
      ...ledger?.(),
    })),
    Vantage: defineVantage((env: Env, region) =>
      vantageProbe(env, standing, { clock, fetch: fetchFrom(region) }),
    ),
  };
}

/** Cron runs the tick of the only shard. Those of several, and further lanes, are messages; without a queue it runs them too. */
function tickHandlers(standing: Standing): Required<Pick<ExportedHandler<Env>, "scheduled" | "queue">> {
  const { config, clock } = standing;
  const tick = (env: Env, of: ShardTick): Promise<TickSummary> => {
    const startLanes = (count: number): Promise<void> => {
      const lanes = Array.from({ length: count }, (_, index) => ({ ...of, lane: index + 1 }));
      return runAll(env, lanes).catch((error: unknown) => warnOfTick("a lane was not run", error));
    };
    const request = { tickMs: of.tickMs, lane: of.lane ?? 0, invocation: crypto.randomUUID() };
    return runTick(request, { ...tickPorts(env, of, standing), startLanes });
  };
  const runAll = async (env: Env, ticks: readonly ShardTick[]): Promise<void> => {
    if (env.TICKS !== undefined) return sendTicks(env.TICKS, ticks, clock);
    const ended = await Promise.allSettled(ticks.map((of) => tick(env, of)));
    for (const end of ended) if (end.status === "rejected") throw end.reason;
  };
  return {
    scheduled: async (controller, env) => {
      const intervalMs = tickIntervalOf(env);
      const tickMs = Math.floor(controller.scheduledTime / intervalMs) * intervalMs;
      const ticks = (shards: number): ShardTick[] =>
        Array.from({ length: shards }, (_, shard) => ({ shard, tickMs }));
      if (config.shards > 1) return runAll(env, ticks(shardsInUse(config, await placementOf(env))));
      const { shards } = await tick(env, { shard: 0, tickMs });
      // There were more, and gateways stay where they are.
      if (shards > 1) await runAll(env, ticks(shards).slice(1));
    },
    queue: (batch, env) =>
      // Only this Worker sends to its queue.
      consume(batch as MessageBatch<ShardTick>, {
        tickIntervalMs: tickIntervalOf(env),
        now: () => clock.now(),
        runTick: (message) => tick(env, message),
        noteLost: (lost) => ledgerOf(env, 0).noteLost(lost),
      }),
  };
}

/** Empty if the Ledger of shard 0 does not answer: then it answers nothing else either. */
async function placementOf(env: Env): Promise<Placement> {
  return ledgerOf(env, 0)
    .directory()
    .catch(() => ({}));
}

/** The shards one after the other: only the first asks the push service. */
async function subscribeToAll(env: Env, config: Config, subscription: Subscription, isOn: boolean) {
  const shards = shardsInUse(config, await placementOf(env));
  let answer: SubscribeAnswer = "done";
  for (let shard = 0; shard < shards && answer === "done"; shard += 1) {
    const order = isOn ? (shard === 0 ? "on" : "confirmed") : "off";
    answer = await ledgerOf(env, shard).subscribe(subscription, order);
  }
  return answer;
}
