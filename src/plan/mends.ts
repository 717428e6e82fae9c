/** What to change where the free plan is not enough, in words: what can be planned again with it was, and helps. Pure. */
import type { Config } from "../config/config.ts";
import type { Quantity } from "./allowances.ts";
import { type Change, dealt, type Judge, judgeOf, raised } from "./changes.ts";
import type { DayOptions } from "./ledger-day.ts";
import { isLight } from "./light.ts";

/** Begins in lower case: it follows "mend:". */
export function mendOf(quantity: Quantity, config: Config, options: DayOptions): string {
  const paid = 'use plan: "paid"';
  const isEnough = judgeOf(config, options, quantity);
  const mends = (...changes: readonly Change[]): readonly string[] =>
    changes.flatMap((change) => change(config, isEnough) ?? []);
  switch (quantity) {
    case "tickCpuMs":
    case "tickRequests":
      return [...mends(fewerAtOnce, fewerRegions, dealt), paid].join("; or ");
    case "workerRequests":
    case "kvReads":
      return `${paid}: page views count too`;
    case "kvWrites":
    case "queueOperations":
      return [...mends(fewerShards), paid].join("; or ");
    case "rowsWritten":
    case "rowsRead":
    case "ledgerRequests":
    case "ledgerGbSeconds":
      return [...mends(raised, fewerRegions, fewerShards), paid].join("; or ");
    case "ledgerCpuMs":
    case "ledgerBytes":
    case "kvBytes":
    case "cpuMs":
      return ["name fewer monitors", ...mends(raised), paid].join("; or ");
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
