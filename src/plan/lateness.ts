/** Monitors that cannot be probed as often as is configured: how often they really are, and what helps, planned again with it. Pure. */
import type { Config } from "../config/config.ts";
import { formatDuration } from "../config/duration.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import { shardParts } from "../config/shard.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { dayOf } from "./day.ts";
import { averagePerTick, isOverloaded } from "./due.ts";
import { QUIET_DAY } from "./ledger-day.ts";
import { isLight } from "./light.ts";
import { freeVerdict } from "./verdict.ts";

export interface Lateness {
  /** In the shard that is latest: due in a tick on average, and what a tick takes. */
  readonly duePerTick: number;
  readonly takenPerTick: number;
  /** Each alone is enough. */
  readonly mends: readonly string[];
}

/** Null: all are on time. */
export function latenessOf(config: Config): Lateness | null {
  if (!isLate(config)) return null;
  const mends = [slower, fuller, dealt, paid].flatMap((mend) => mend(config) ?? []);
  return { duePerTick: mostPerTick(config), takenPerTick: config.maxProbesPerTick, mends };
}

export function latenessWords(
  { gateways, shards }: Config,
  { duePerTick, takenPerTick, mends }: Lateness,
): { readonly problem: string; readonly mend: string } {
  const times = duePerTick / takenPerTick;
  const everies = new Set(gateways.flatMap(({ monitors }) => monitors.map(({ everyMs }) => everyMs)));
  const [everyMs] = everies;
  const whose = shards === 1 ? "each monitor" : "each monitor there";
  const really =
    everies.size === 1 && everyMs !== undefined && inMinutes(everyMs * times) !== formatDuration(everyMs)
      ? `${whose} is probed about every ${inMinutes(everyMs * times)} instead of every ${formatDuration(everyMs)}`
      : `${whose} is probed ${rounded(times)} times less often than configured, on average`;
  const tick = shards === 1 ? "a tick" : "a tick of the shard that has most";
  return {
    problem: `${rounded(duePerTick)} probes fall due on average in ${tick}, which takes ${takenPerTick}: ${really}.`,
    mend: mends.length === 0 ? "name fewer monitors" : mends.join("; or "),
  };
}

export function isLate(config: Config): boolean {
  return shardParts(config).some(isOverloaded);
}

function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/** Nobody is late with it, and a free plan is enough. */
function helps(config: Config): boolean {
  return !isLate(config) && (config.plan === "paid" || freeVerdict(dayOf(config, QUIET_DAY)).holds);
}

/** Null: it does not help. */
function slower(config: Config): string | null {
  const times = Math.ceil(mostPerTick(config) / config.maxProbesPerTick);
  const raised = lessOften(config, times);
  const isTooLong = raised.gateways.some(({ monitors }) => monitors.some(({ everyMs }) => everyMs > DAY_MS));
  return !isTooLong && helps(raised) ? `raise every of all monitors ${times} times` : null;
}

export function lessOften(config: Config, times: number): Config {
  const gateways = config.gateways.map((gateway) => ({
    ...gateway,
    monitors: gateway.monitors.map((monitor) => ({ ...monitor, everyMs: monitor.everyMs * times })),
  }));
  return { ...config, gateways };
}

function fuller(config: Config): string | null {
  const maxProbesPerTick = Math.ceil(mostPerTick(config));
  const isPossible = maxProbesPerTick <= PLAN_LIMITS[config.plan].maxProbesPerTick;
  const more = { ...config, maxProbesPerTick };
  return isPossible && isLight(more) && helps(more) ? `write maxProbesPerTick: ${maxProbesPerTick}` : null;
}

function dealt(config: Config): string | null {
  for (let shards = config.shards + 1; shards <= PLAN_LIMITS[config.plan].mostShards; shards += 1) {
    const more = { ...config, shards };
    if (!isLate(more)) return isLight(more) && helps(more) ? `write shards: ${shards}` : null;
  }
  return null;
}

function paid(config: Config): string | null {
  if (config.plan === "paid") return null;
  const { defaultProbesPerTick } = PLAN_LIMITS.paid;
  const maxProbesPerTick = Math.max(config.maxProbesPerTick, defaultProbesPerTick);
  const richer: Config = { ...config, plan: "paid", maxProbesPerTick };
  const words = `use plan: "paid" with maxProbesPerTick: ${maxProbesPerTick}`;
  if (helps(richer)) return words;
  const more = fuller(richer);
  if (more !== null) return `use plan: "paid" and ${more}`;
  const shards = dealt(richer);
  return shards === null ? null : `${words}, and ${shards}`;
}

function inMinutes(ms: number): string {
  return formatDuration(Math.round(ms / MINUTE_MS) * MINUTE_MS);
}

function rounded(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US");
}
