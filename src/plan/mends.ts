/** What to change where the free plan is not enough, in words: what can be planned again with it was, and helps. Pure. */
import type { Config } from "../config/config.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import type { Quantity } from "./allowances.ts";
import { dayOf } from "./day.ts";
import { isLate, slower } from "./lateness.ts";
import { isLight } from "./light.ts";
import { QUIET_DAY } from "./ledger-day.ts";
import { freeVerdict } from "./verdict.ts";

/** Begins in lower case: it follows "mend:". */
export function mendOf(quantity: Quantity, config: Config): string {
  const { shards } = config;
  const paid = 'use plan: "paid"';
  switch (quantity) {
    case "tickCpuMs":
    case "tickRequests":
      return [...lighterTicks(config), paid].join("; or ");
    case "workerRequests":
    case "kvReads":
      return `${paid}: page views count too`;
    case "kvWrites":
    case "queueOperations":
      return shards === 1
        ? paid
        : `write fewer shards (each publishes by itself, and has its messages), or ${paid}`;
    case "rowsWritten":
    case "rowsRead":
    case "ledgerRequests":
    case "ledgerGbSeconds":
      return shards === 1 ? `raise every, or ${paid}` : `write fewer shards, raise every, or ${paid}`;
    case "ledgerCpuMs":
    case "ledgerBytes":
    case "kvBytes":
    case "cpuMs":
      return `name fewer monitors, raise every, or ${paid}`;
  }
}

/** Each alone is enough. */
function lighterTicks(config: Config): readonly string[] {
  return [fewerAtOnce, fewerRegions, dealt].flatMap((mend) => mend(config) ?? []);
}

function isEnough(config: Config): boolean {
  return freeVerdict(dayOf(config, QUIET_DAY)).holds;
}

/** As many as leave a quarter of the CPU to spare. */
function fewerAtOnce(config: Config): string | null {
  let [some, tooMany] = [0, config.maxProbesPerTick];
  while (tooMany - some > 1) {
    const middle = Math.floor((some + tooMany) / 2);
    if (isLight({ ...config, maxProbesPerTick: middle })) some = middle;
    else tooMany = middle;
  }
  if (some === 0) return null;
  const fewer = { ...config, maxProbesPerTick: some };
  const words = `write maxProbesPerTick: ${some}`;
  if (!isLate(fewer)) return isEnough(fewer) ? words : null;
  const raised = slower(fewer);
  return raised === null ? null : `${words} and ${raised}`;
}

function fewerRegions(config: Config): string | null {
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

function dealt(config: Config): string | null {
  for (let shards = config.shards + 1; shards <= PLAN_LIMITS.free.mostShards; shards += 1) {
    const more = { ...config, shards };
    if (isLight(more) && isEnough(more)) return `write shards: ${shards}`;
  }
  return null;
}
