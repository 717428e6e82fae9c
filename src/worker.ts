/**
 * Puts the parts together: which ports a tick has, what the Ledger is built from, where a request goes. No logic of
 * its own. The configuration and the clock are arguments, so that tests compose the same Worker.
 */
import { type Env, ledgerOf, secretOf, tickIntervalOf, viewTokenOf } from "./compose/env.ts";
import { ledgerSettings } from "./compose/ledger-settings.ts";
import { LocalQueues } from "./compose/local-queues.ts";
import { standingOf } from "./compose/standing.ts";
import { consume, sendTicks } from "./compose/tick-messages.ts";
import { tickPorts } from "./compose/tick-ports.ts";
import { type FetchFrom, vantagePoint } from "./compose/vantage.ts";
import type { Config } from "./config/config.ts";
import { parseConfig } from "./config/load.ts";
import { handleRequest } from "./http/app.ts";
import { SnapshotMemory } from "./http/snapshot-memory.ts";
import { administerShards } from "./ledger/admin-shards.ts";
import { defineLedger, type LedgerClass } from "./ledger/ledger.ts";
import type { ShardTick } from "./domain/tick.ts";
import type { Clock } from "./probe/clock.ts";
import { runTick, type TickSummary } from "./probe/tick.ts";
import { defineVantage, type VantageClass } from "./probe/vantage.ts";
import { VERSION } from "./probe/version.ts";

export type { Env } from "./compose/env.ts";

export interface Composition {
  /** What the configuration file exports. */
  readonly configInput: unknown;
  readonly clock: Clock;
  /** Default: as the platform sends it. */
  readonly fetchFrom?: FetchFrom;
}

export interface ComposedWorker {
  readonly handler: Required<Pick<ExportedHandler<Env>, "fetch" | "scheduled" | "queue">>;
  readonly Ledger: LedgerClass<Env>;
  readonly Vantage: VantageClass<Env>;
}

/**
 * The configuration is read here, once an isolate and while it starts: an invocation of the free plan has no CPU time
 * to spare for it.
 * @throws with every fault: a Worker that cannot trust its configuration watches nothing.
 */
export function composeWorker({
  configInput,
  clock,
  fetchFrom = () => (url, init) => fetch(url, init),
}: Composition): ComposedWorker {
  const config = readConfig(configInput);
  const standing = standingOf(config, clock);
  const memory = new SnapshotMemory();
  const gatewayNames = new Map(config.gateways.map(({ id, name }) => [id, name]));
  return {
    handler: {
      fetch: (request, env) =>
        handleRequest(request, {
          kv: env.KV,
          memory,
          now: () => clock.now(),
          adminToken: secretOf(env, "ADMIN_TOKEN"),
          viewToken: viewTokenOf(env),
          administer: (order) =>
            administerShards(order, {
              count: config.shards,
              everUsed: async () => (await ledgerOf(env, 0).enrol(config.shards)).shards,
              ask: (shard, asked) => ledgerOf(env, shard).administer(asked),
            }),
          shards: config.shards,
          gatewayNames,
          version: VERSION,
        }),
      ...tickHandlers(config, clock, (env, { shard, tickMs }) =>
        runTick({ tickMs, invocation: crypto.randomUUID() }, tickPorts(env, shard, standing)),
      ),
    },
    Ledger: defineLedger((env: Env, shard) => ledgerSettings(env, shard, { config, clock })),
    Vantage: defineVantage((env: Env, region) =>
      vantagePoint(env, standing, { clock, fetch: fetchFrom(region) }),
    ),
  };
}

/** With one shard cron runs its tick; with several it sends each a message, and the queue's consumer runs them. */
function tickHandlers(
  { shards }: Config,
  clock: Clock,
  tick: (env: Env, of: ShardTick) => Promise<TickSummary>,
): Required<Pick<ExportedHandler<Env>, "scheduled" | "queue">> {
  const queues = new LocalQueues();
  return {
    scheduled: async (controller, env) => {
      const intervalMs = tickIntervalOf(env);
      const tickMs = Math.floor(controller.scheduledTime / intervalMs) * intervalMs;
      const ticks = Array.from({ length: shards }, (_, shard) => ({ shard, tickMs }));
      if (shards === 1) await tick(env, { shard: 0, tickMs });
      else if (env.TICK_LANES === undefined) await sendTicks(env, ticks, clock);
      else await queues.run(env, ticks);
    },
    queue: (batch, env) =>
      consume(batch, {
        shards,
        tickIntervalMs: tickIntervalOf(env),
        now: () => clock.now(),
        runTick: (message) => tick(env, message),
        noteLost: (lost) => ledgerOf(env, 0).noteLost(lost),
        over: (message) => queues.over(message),
      }),
  };
}

function readConfig(input: unknown): Config {
  const parsed = parseConfig(input);
  if (parsed.ok) return parsed.config;
  const faults = parsed.faults.map(({ path, problem, mend }) => `${path}: ${problem}; ${mend}`);
  throw new Error(`the configuration has faults:\n${faults.join("\n")}`);
}
