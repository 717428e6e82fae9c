/** Whether one Ledger carries more than it does well, and how many shards it takes. Pure. */
import type { Config } from "../config/config.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import { MOST_SHARDS, shardParts } from "../config/placement.ts";

/** `docs/scale.md` says why. */
const MOST_MONITORS_A_SHARD = 500;

export interface ShardAdvice {
  /** Of the shard that has most. */
  readonly monitors: number;
  /** So many are enough. */
  readonly shards: number;
}

/** Null: no shard carries too much, or it does for a gateway that cannot be dealt to several. */
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
): { readonly problem: string; readonly mend: string } {
  const whose = now === 1 ? "One Ledger" : "The Ledger of one shard";
  const problem = `${whose} carries ${monitors} monitors; with more than ${MOST_MONITORS_A_SHARD} its ticks take longer and longer.`;
  const isTooMany = shards > PLAN_LIMITS[plan].mostShards;
  return { problem, mend: `write shards: ${shards}${isTooMany ? ' and plan: "paid"' : ""}` };
}
