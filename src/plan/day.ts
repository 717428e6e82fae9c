/**
 * What a configuration uses on a day, all shards together, regions too: the usual day, and the tick and the day
 * that are worst. Pure.
 */
import type { Config } from "../config/config.ts";
import { shardParts } from "../config/placement.ts";
import { requestsForProbes } from "../config/plan-limits.ts";
import { OBJECT_GB, OPERATIONS_A_MESSAGE, type Quantity } from "./allowances.ts";
import { TICKS_A_DAY, fullestTick, isLate, loadOf, sum, type Load } from "./due.ts";
import { TICK_CPU, VIEW_CPU } from "./figures.ts";
import { ledgerDay, type DayOptions, type LedgerDay } from "./ledger-day.ts";

export type Day = ReturnType<typeof dayOf>;

export function dayOf(config: Config, options: DayOptions) {
  const shards = shardParts(config).map((own) => {
    const load = loadOf(own);
    // An outage of many gateways is counted where it is worst, not once a shard.
    const share = own.gateways.length / Math.max(1, config.gateways.length);
    const ledger = ledgerDay(own, load, { ...options, incidents: options.incidents * share });
    return { load, ledger, fullest: fullestOf(own) };
  });
  const ledgers = (of: (ledger: LedgerDay) => number): number => sum(shards, ({ ledger }) => of(ledger));
  const loads = (of: (load: Load) => number): number => sum(shards, ({ load }) => of(load));
  const probes = loads((of) => of.lists + of.canaries);
  const requests = loads((of) => of.requests);
  const vantages = loads((of) => of.vantages);
  const furtherLanes = loads((of) => of.furtherLanes);
  // Cron is the only shard's first lane.
  const messages = furtherLanes + (config.shards === 1 ? 0 : config.shards * TICKS_A_DAY);
  const fullest = worstOf(shards.map((shard) => shard.fullest));
  const monitors = sum(config.gateways, (gateway) => gateway.monitors.length);
  // Only shard 0 beats.
  const beats = config.heartbeat === null ? 0 : 1;
  const awakeSeconds = ledgers((of) => of.awakeSeconds) + loads((of) => of.vantageSeconds);
  const used: Readonly<Record<Quantity, number>> = {
    tickCpuMs: fullest.cpuMs,
    tickRequests: fullest.requests + beats,
    ledgerCpuMs: Math.max(...shards.map(({ ledger }) => ledger.longestCallMs)),
    workerRequests: TICKS_A_DAY + messages + options.views,
    cpuMs: cpuOf(messages, requests + vantages) + options.views * viewCpu(monitors),
    kvReads: options.views * config.shards,
    kvWrites: ledgers((of) => of.kvWrites),
    kvBytes: ledgers((of) => of.kvBytes),
    ledgerRequests: ledgers((of) => of.requests) + vantages,
    ledgerGbSeconds: awakeSeconds * OBJECT_GB,
    rowsRead: ledgers((of) => of.rowsRead),
    rowsWritten: ledgers((of) => of.rowsWritten),
    ledgerBytes: ledgers((of) => of.storedBytes),
    queueOperations: messages * OPERATIONS_A_MESSAGE,
  };
  return {
    /** By what the platform counts. */
    used,
    monitors,
    probes,
    /** More probes fall due than ticks take. */
    late: isLate(config),
    /** Requests to the outside. `worst`: every probe is repeated as often as it may be. */
    requests: {
      probes: requests,
      worstProbes: loads((of) =>
        Math.min(of.mostRequests, (TICKS_A_DAY + of.furtherLanes) * requestsForProbes(config)),
      ),
      heartbeats: beats * TICKS_A_DAY,
      messages: ledgers((of) => of.messages),
      vantages,
    },
    fullest,
  };
}

type Fullest = ReturnType<typeof fullestOf>;

function fullestOf(config: Config) {
  const { probes, vantages, requests, mostRequests, asked, mostAsked } = fullestTick(config);
  const room = requestsForProbes(config);
  return {
    probes,
    requests,
    cpuMs: tickCpu(asked),
    worstRequests: Math.min(mostRequests, room),
    worstCpuMs: tickCpu(Math.max(asked, Math.min(mostAsked, room + vantages))),
  };
}

/** Of each figure by itself: what sends most may be another shard than what may have to repeat most. */
function worstOf(fullest: readonly Fullest[]): Fullest {
  const most = (figure: keyof Fullest): number => Math.max(...fullest.map((tick) => tick[figure]));
  return {
    probes: most("probes"),
    requests: most("requests"),
    cpuMs: most("cpuMs"),
    worstRequests: most("worstRequests"),
    worstCpuMs: most("worstCpuMs"),
  };
}

/** To call a vantage point costs about what a request does. */
export function tickCpu(requests: number): number {
  return TICK_CPU.baseMs + requests * TICK_CPU.requestMs;
}

/** Nothing is remembered of it. */
export function viewCpu(monitors: number): number {
  return VIEW_CPU.baseMs + VIEW_CPU.monitorMs * monitors;
}

/** Each message is sent, and starts an invocation. */
function cpuOf(messages: number, asked: number): number {
  const invocations = TICKS_A_DAY + messages;
  return invocations * TICK_CPU.baseMs + messages * TICK_CPU.messageMs + asked * TICK_CPU.requestMs;
}
