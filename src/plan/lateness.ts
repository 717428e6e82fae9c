/** Monitors that cannot be probed as often as is configured: how often they really are, and what helps, planned again with it. Pure. */
import type { Config } from "../config/config.ts";
import { formatDuration } from "../config/duration.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import { MINUTE_MS } from "../domain/calendar.ts";
import { type Change, dealt, isLate, type Judge, judgeOf, mostPerTick, raised } from "./changes.ts";
import type { DayOptions } from "./ledger-day.ts";
import { isLight } from "./light.ts";

export interface Lateness {
  /** In the shard that is latest: due in a tick on average, and what a tick takes. */
  readonly duePerTick: number;
  readonly takenPerTick: number;
  /** Each alone is enough. */
  readonly mends: readonly string[];
}

/** Null: all are on time. */
export function latenessOf(config: Config, options: DayOptions): Lateness | null {
  if (!isLate(config)) return null;
  const isEnough = judgeOf(config, options, null);
  const mends = [raised, fuller, dealt, paid].flatMap((change: Change) => change(config, isEnough) ?? []);
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

function fuller(config: Config, isEnough: Judge): string | null {
  const maxProbesPerTick = Math.ceil(mostPerTick(config));
  const isPossible = maxProbesPerTick <= PLAN_LIMITS[config.plan].maxProbesPerTick;
  const more = { ...config, maxProbesPerTick };
  return isPossible && isLight(more) && isEnough(more) ? `write maxProbesPerTick: ${maxProbesPerTick}` : null;
}

function paid(config: Config, isEnough: Judge): string | null {
  if (config.plan === "paid") return null;
  const { defaultProbesPerTick } = PLAN_LIMITS.paid;
  const maxProbesPerTick = Math.max(config.maxProbesPerTick, defaultProbesPerTick);
  const richer: Config = { ...config, plan: "paid", maxProbesPerTick };
  const words = `use plan: "paid" with maxProbesPerTick: ${maxProbesPerTick}`;
  if (isEnough(richer)) return words;
  const more = fuller(richer, isEnough);
  if (more !== null) return `use plan: "paid" and ${more}`;
  const shards = dealt(richer, isEnough);
  return shards === null ? null : `${words}, and ${shards}`;
}

function inMinutes(ms: number): string {
  return formatDuration(Math.round(ms / MINUTE_MS) * MINUTE_MS);
}

function rounded(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US");
}
