/** What can be changed of a configuration so that its plan carries it and nobody is late. Pure. */
import type { Config } from "../config/config.ts";
import { formatDuration } from "../config/fields.ts";
import { MOST_SHARDS, shardParts } from "../config/placement.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { ALLOWANCES, type Quantity } from "./allowances.ts";
import { dayOf, tickCpu } from "./day.ts";
import { averagePerTick, fullestTick, isOverloaded } from "./due.ts";
import type { DayOptions } from "./ledger-day.ts";
import { freeVerdict } from "./verdict.ts";

const USUAL_SHARE = 3 / 4;

/** On the paid plan every tick is. */
function isLight(config: Config): boolean {
  if (config.plan === "paid") return true;
  const mostMs = ALLOWANCES.tickCpuMs.free * USUAL_SHARE;
  return shardParts(config)
    .map(fullestTick)
    .every(({ asked, requests }) => tickCpu(asked) <= mostMs && requests < ALLOWANCES.tickRequests.free);
}

/** Whether what came of a change is enough. */
export type Judge = (after: Config) => boolean;

/** Null: it is not enough by itself. */
export type Change = (config: Config, isEnough: Judge) => string | null;

/**
 * Enough is what makes nobody late and, on the free plan, nothing too much that was not so before, or not as much.
 * @param quantity what may be too much in no case; null: there is no such one.
 */
function judgeOf(config: Config, options: DayOptions, quantity: Quantity | null): Judge {
  const heldOf = (of: Config) => freeVerdict(dayOf(of, options)).held;
  let before: ReadonlyMap<Quantity, number> | null = null;
  return (after) => {
    if (isLate(after)) return false;
    if (after.plan === "paid") return true;
    before ??= new Map(heldOf(config).map((held) => [held.quantity, held.share]));
    const mostOf = (of: Quantity): number => (of === quantity ? 1 : Math.max(1, before?.get(of) ?? 0));
    return heldOf(after).every((held) => held.share <= mostOf(held.quantity));
  };
}

/** In some shard. */
function isLate(config: Config): boolean {
  return shardParts(config).some(isOverloaded);
}

/** Due in a tick on average, in the shard that has most. */
export function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/** The more seldom, the less of everything. */
function raised(config: Config, isEnough: Judge): string | null {
  const longestMs = Math.max(...config.gateways.flatMap(({ monitors }) => monitors.map((of) => of.everyMs)));
  const areEnough = (times: number): boolean => isEnough(lessOften(config, times));
  let [tooFew, enough] = [1, Math.floor(DAY_MS / longestMs)];
  if (enough <= tooFew || !areEnough(enough)) return null;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (areEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return `raise every of all monitors ${enough} times`;
}

function lessOften(config: Config, times: number): Config {
  const gateways = config.gateways.map((gateway) => ({
    ...gateway,
    monitors: gateway.monitors.map((monitor) => ({ ...monitor, everyMs: monitor.everyMs * times })),
  }));
  return { ...config, gateways };
}

function distributed(config: Config, isEnough: Judge): string | null {
  for (let shards = config.shards + 1; shards <= PLAN_LIMITS[config.plan].mostShards; shards += 1) {
    const more = { ...config, shards };
    if (isLight(more) && isEnough(more)) return `write shards: ${shards}`;
  }
  return null;
}

export interface Lateness {
  /** In the shard that is latest: due in a tick on average, and what a tick takes. */
  readonly duePerTick: number;
  readonly takenPerTick: number;
  /** Each alone is enough. */
  readonly fixes: readonly string[];
}

/** Null: all are on time. */
export function latenessOf(config: Config, options: DayOptions): Lateness | null {
  if (!isLate(config)) return null;
  const isEnough = judgeOf(config, options, null);
  const fixes = [raised, fuller, distributed, richer].flatMap(
    (change: Change) => change(config, isEnough) ?? [],
  );
  return { duePerTick: mostPerTick(config), takenPerTick: config.maxProbesPerTick, fixes };
}

export function latenessWords(
  { gateways, shards }: Config,
  { duePerTick, takenPerTick, fixes }: Lateness,
): { readonly problem: string; readonly fix: string } {
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
    fix: fixes.length === 0 ? "name fewer monitors" : fixes.join("; or "),
  };
}

function fuller(config: Config, isEnough: Judge): string | null {
  const maxProbesPerTick = Math.ceil(mostPerTick(config));
  const isPossible = maxProbesPerTick <= PLAN_LIMITS[config.plan].maxProbesPerTick;
  const more = { ...config, maxProbesPerTick };
  return isPossible && isLight(more) && isEnough(more) ? `write maxProbesPerTick: ${maxProbesPerTick}` : null;
}

function richer(config: Config, isEnough: Judge): string | null {
  if (config.plan === "paid") return null;
  const { defaultProbesPerTick } = PLAN_LIMITS.paid;
  const maxProbesPerTick = Math.max(config.maxProbesPerTick, defaultProbesPerTick);
  const onPaid: Config = { ...config, plan: "paid", maxProbesPerTick };
  const words = `use plan: "paid" with maxProbesPerTick: ${maxProbesPerTick}`;
  if (isEnough(onPaid)) return words;
  const more = fuller(onPaid, isEnough);
  if (more !== null) return `use plan: "paid" and ${more}`;
  const shards = distributed(onPaid, isEnough);
  return shards === null ? null : `${words}, and ${shards}`;
}

function inMinutes(ms: number): string {
  return formatDuration(Math.round(ms / MINUTE_MS) * MINUTE_MS);
}

function rounded(value: number): string {
  return (Math.round(value * 100) / 100).toLocaleString("en-US");
}

/** Begins in lower case: it follows "fix:". */
export function fixOf(quantity: Quantity, config: Config, options: DayOptions): string {
  const paid = 'use plan: "paid"';
  const isEnough = judgeOf(config, options, quantity);
  const fixes = (...changes: readonly Change[]): readonly string[] =>
    changes.flatMap((change) => change(config, isEnough) ?? []);
  switch (quantity) {
    case "tickCpuMs":
    case "tickRequests":
      return [...fixes(fewerAtOnce, fewerRegions, distributed), paid].join("; or ");
    case "workerRequests":
    case "kvReads":
      return `${paid}: page views count too`;
    case "kvWrites":
    case "queueOperations":
      return [...fixes(fewerShards), paid].join("; or ");
    case "rowsWritten":
    case "rowsRead":
    case "ledgerRequests":
    case "ledgerGbSeconds":
      return [...fixes(raised, fewerRegions, fewerShards), paid].join("; or ");
    case "ledgerCpuMs":
    case "ledgerBytes":
    case "kvBytes":
    case "cpuMs":
      return ["name fewer monitors", ...fixes(raised), paid].join("; or ");
  }
}

/** As many as leave a quarter of the CPU to spare. */
function fewerAtOnce(config: Config, isEnough: Judge): string | null {
  let [some, tooMany] = [0, config.maxProbesPerTick];
  while (tooMany - some > 1) {
    const middle = Math.floor((some + tooMany) / 2);
    if (isLight({ ...config, maxProbesPerTick: middle })) some = middle;
    else tooMany = middle;
  }
  if (some === 0) return null;
  const fewer = { ...config, maxProbesPerTick: some };
  const words = `write maxProbesPerTick: ${some}`;
  if (isEnough(fewer)) return words;
  const rest = raised(fewer, isEnough);
  return rest === null ? null : `${words} and ${rest}`;
}

function fewerRegions(config: Config, isEnough: Judge): string | null {
  const most = Math.max(0, ...config.gateways.map(({ regions }) => regions.length));
  for (let count = most - 1; count >= 0; count -= 1) {
    const gateways = config.gateways.map((gateway) => {
      return { ...gateway, regions: gateway.regions.slice(0, count) };
    });
    const fewer = { ...config, gateways };
    if (!isLight(fewer) || !isEnough(fewer)) continue;
    return count === 0 ? "name no regions" : `name no more than ${count} of the regions of a gateway`;
  }
  return null;
}

/** Each publishes by itself, and has its messages. */
function fewerShards(config: Config, isEnough: Judge): string | null {
  for (let shards = config.shards - 1; shards >= 1; shards -= 1)
    if (isEnough({ ...config, shards })) return `write shards: ${shards}`;
  return null;
}

/** `docs/scale.md` says why. */
const MOST_MONITORS_A_SHARD = 500;

export interface ShardAdvice {
  /** Of the shard that has most. */
  readonly monitors: number;
  /** So many are enough. */
  readonly shards: number;
}

/** Null: no shard carries too much, or it does for a gateway that cannot be distributed to several. */
export function shardAdvice(config: Config): ShardAdvice | null {
  const monitors = mostOfAShard(config);
  const bearable = Math.max(MOST_MONITORS_A_SHARD, ...config.gateways.map((of) => of.monitors.length));
  if (monitors <= bearable || config.shards === MOST_SHARDS) return null;
  return { monitors, shards: fewestShards(config, bearable) };
}

/** The hash deals unevenly: it takes more than all divided by what one bears. */
function fewestShards(config: Config, bearable: number): number {
  let shards = config.shards + 1;
  while (shards < MOST_SHARDS && mostOfAShard({ ...config, shards }) > bearable) shards += 1;
  return shards;
}

function mostOfAShard(config: Config): number {
  const counts = shardParts(config).map(({ gateways }) =>
    gateways.reduce((sum, { monitors }) => sum + monitors.length, 0),
  );
  return Math.max(...counts);
}

export function adviceWords(
  { monitors, shards }: ShardAdvice,
  { plan, shards: now }: Config,
): { readonly problem: string; readonly fix: string } {
  const whose = now === 1 ? "One Ledger" : "The Ledger of one shard";
  const problem = `${whose} carries ${monitors} monitors; with more than ${MOST_MONITORS_A_SHARD} its ticks take longer and longer.`;
  const isTooMany = shards > PLAN_LIMITS[plan].mostShards;
  return { problem, fix: `write shards: ${shards}${isTooMany ? ' and plan: "paid"' : ""}` };
}
