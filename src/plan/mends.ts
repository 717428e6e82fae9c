/** What to change where the free plan is not enough, in words: what can be planned again with it was, and helps. Pure. */
import type { Config } from "../config/config.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";
import type { Quantity } from "./allowances.ts";
import { dayOf } from "./day.ts";
import { isLate, lessOften } from "./lateness.ts";
import type { DayOptions } from "./ledger-day.ts";
import { isLight } from "./light.ts";
import { freeVerdict } from "./verdict.ts";

/** Begins in lower case: it follows "mend:". */
export function mendOf(quantity: Quantity, config: Config, options: DayOptions): string {
  const paid = 'use plan: "paid"';
  const isMended = mending(quantity, config, options);
  const mends = (...of: readonly Mend[]): readonly string[] =>
    of.flatMap((mend) => mend(config, isMended) ?? []);
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

/** Each alone is enough; null: it is not. */
type Mend = (config: Config, isMended: (after: Config) => boolean) => string | null;

/** With it the free plan allows as much of that, of nothing else less than now, and nobody is late. */
function mending(quantity: Quantity, config: Config, options: DayOptions): (after: Config) => boolean {
  const sharesOf = (of: Config) => freeVerdict(dayOf(of, options)).held;
  const before = new Map(sharesOf(config).map((held) => [held.quantity, held.share]));
  return (after) => {
    const isHeld = sharesOf(after).every(
      ({ quantity: of, share }) => share <= 1 || (of !== quantity && share <= (before.get(of) ?? 0)),
    );
    return isHeld && !isLate(after);
  };
}

/** As many as leave a quarter of the CPU to spare. */
function fewerAtOnce(config: Config, isMended: (after: Config) => boolean): string | null {
  let [some, tooMany] = [0, config.maxProbesPerTick];
  while (tooMany - some > 1) {
    const middle = Math.floor((some + tooMany) / 2);
    if (isLight({ ...config, maxProbesPerTick: middle })) some = middle;
    else tooMany = middle;
  }
  if (some === 0) return null;
  const fewer = { ...config, maxProbesPerTick: some };
  const words = `write maxProbesPerTick: ${some}`;
  if (isMended(fewer)) return words;
  const rest = raised(fewer, isMended);
  return rest === null ? null : `${words} and ${rest}`;
}

/** The more seldom, the less of everything. */
function raised(config: Config, isMended: (after: Config) => boolean): string | null {
  const longestMs = Math.max(...config.gateways.flatMap(({ monitors }) => monitors.map((of) => of.everyMs)));
  const isEnough = (times: number): boolean => isMended(lessOften(config, times));
  let [tooFew, enough] = [1, Math.floor(DAY_MS / longestMs)];
  if (enough <= tooFew || !isEnough(enough)) return null;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return `raise every of all monitors ${enough} times`;
}

function fewerRegions(config: Config, isMended: (after: Config) => boolean): string | null {
  const most = Math.max(0, ...config.gateways.map(({ regions }) => regions.length));
  for (let count = most - 1; count >= 0; count -= 1) {
    const gateways = config.gateways.map((gateway) => {
      return { ...gateway, regions: gateway.regions.slice(0, count) };
    });
    const fewer = { ...config, gateways };
    if (!isLight(fewer) || !isMended(fewer)) continue;
    return count === 0 ? "name no regions" : `name no more than ${count} of the regions of a gateway`;
  }
  return null;
}

function dealt(config: Config, isMended: (after: Config) => boolean): string | null {
  for (let shards = config.shards + 1; shards <= PLAN_LIMITS.free.mostShards; shards += 1) {
    const more = { ...config, shards };
    if (isLight(more) && isMended(more)) return `write shards: ${shards}`;
  }
  return null;
}

/** Each publishes by itself, and has its messages. */
function fewerShards(config: Config, isMended: (after: Config) => boolean): string | null {
  for (let shards = config.shards - 1; shards >= 1; shards -= 1)
    if (isMended({ ...config, shards })) return `write shards: ${shards}`;
  return null;
}
