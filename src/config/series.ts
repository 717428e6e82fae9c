/**
 * Whether what a shard keeps of an hour fits into a row of its Ledger: the roll-up of each series, which is a monitor, or what one of
 * its regions saw of it. Pure.
 */
import type { Config, GatewayConfig, MonitorConfig } from "./config.ts";
import type { Fault } from "./faults.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { MOST_SHARDS, shardParts } from "./placement.ts";

/** A row may hold 2 MB; some of it is for monitors that left in the same hour. */
export const MOST_ROLLUP_BYTES = 1_800_000;

/** Of one roll-up at most, beside the id: of a list, and of what generates. */
const LIST_BYTES = 88;
const CANARY_BYTES = 170;

interface Load {
  readonly series: number;
  readonly bytes: number;
}

export function seriesFaults(config: Config): readonly Fault[] {
  const loads = loadsOf(config);
  // All together: most configurations need not be dealt for it.
  const fullest = isBearable(total([...loads.values()])) ? null : fullestOf(config, loads);
  if (fullest === null || isBearable(fullest)) return [];
  const problem = `is too few: one shard has ${fullest.series} series (each monitor, and each of its regions), more than a row of its history holds`;
  return [{ path: "shards", problem, mend: mendOf(config, loads) }];
}

/** At most, of an hour or day. */
export function rollupBytes(config: Config): number {
  return total([...loadsOf(config).values()]).bytes;
}

function mendOf(config: Config, loads: ReadonlyMap<string, Load>): string {
  for (let shards = config.shards + 1; shards <= MOST_SHARDS; shards += 1) {
    if (!isBearable(fullestOf({ ...config, shards }, loads))) continue;
    const isPaid = shards > PLAN_LIMITS[config.plan].mostShards;
    return `write shards: ${shards}${isPaid ? ' and plan: "paid"' : ""}`;
  }
  return "have fewer monitors, or fewer regions";
}

function fullestOf(config: Config, loads: ReadonlyMap<string, Load>): Load {
  const shards = shardParts(config).map(({ gateways }) =>
    total(gateways.flatMap(({ id }) => loads.get(id) ?? [])),
  );
  return shards.reduce((fullest, load) => (load.bytes > fullest.bytes ? load : fullest));
}

function loadsOf({ gateways }: Config): ReadonlyMap<string, Load> {
  return new Map(gateways.map((gateway) => [gateway.id, loadOf(gateway)]));
}

function loadOf({ monitors, regions }: GatewayConfig): Load {
  return total(monitors.flatMap((monitor) => seriesOf(monitor, regions)));
}

/** A canary is asked from one place. */
function seriesOf({ id, canary }: MonitorConfig, regions: readonly string[]): readonly Load[] {
  if (canary !== null) return [{ series: 1, bytes: id.length + CANARY_BYTES }];
  const ids = [id, ...regions.map((region) => `${id}@${region}`)];
  return ids.map(({ length }) => ({ series: 1, bytes: length + LIST_BYTES }));
}

function total(loads: readonly Load[]): Load {
  return loads.reduce((sum, load) => ({ series: sum.series + load.series, bytes: sum.bytes + load.bytes }), {
    series: 0,
    bytes: 0,
  });
}

function isBearable({ bytes }: Load): boolean {
  return bytes <= MOST_ROLLUP_BYTES;
}
