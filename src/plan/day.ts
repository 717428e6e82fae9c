/**
 * What a configuration uses on a day, all shards together, regions too: the usual day, and the tick and the day
 * that are worst. Pure.
 */
import type { Config } from "../config/config.ts";
import { shardParts } from "../config/placement.ts";
import { CONNECTIONS_AT_ONCE, requestsForProbes } from "../config/plan-limits.ts";
import { OBJECT_GB, OPERATIONS_A_MESSAGE, type Quantity } from "./allowances.ts";
import { TICKS_A_DAY, dayOfTicks, fullestTick, isOverloaded, type TickLoad } from "./due.ts";
import { AWAKE, TICK_CPU, VIEW_CPU } from "./figures.ts";
import { ledgerDay, type DayOptions, type LedgerDay } from "./ledger-day.ts";

export interface VantageDay {
  /** Calls of their objects, and requests to gateways: one each. */
  readonly requests: number;
  readonly awakeSeconds: number;
}

/** @param shards what each shard has in its ticks. */
export function vantageDay(shards: readonly (readonly TickLoad[])[]): VantageDay {
  const ticks = shards.flat();
  return {
    requests: ticks.reduce((sum, { vantages }) => sum + vantages, 0),
    awakeSeconds: ticks.reduce((sum, tick) => sum + awakeMs(tick), 0) / 1000,
  };
}

/** Of all regions, in one tick of a shard. */
function awakeMs({ regions }: TickLoad): number {
  return [...regions.values()].reduce(
    (sum, { calls, inARow }) =>
      sum + Math.max(Math.ceil(calls / CONNECTIONS_AT_ONCE), inARow) * AWAKE.answerMs,
    0,
  );
}

export interface Day {
  /** By what the platform counts. */
  readonly used: Readonly<Record<Quantity, number>>;
  readonly monitors: number;
  readonly probes: number;
  /** More probes fall due than ticks take. */
  readonly late: boolean;
  /** Requests to the outside. `worst`: every probe is repeated as often as it may be. */
  readonly requests: {
    readonly probes: number;
    readonly worstProbes: number;
    readonly heartbeats: number;
    readonly messages: number;
    readonly vantages: number;
  };
  readonly fullest: {
    readonly probes: number;
    readonly requests: number;
    readonly cpuMs: number;
    readonly worstRequests: number;
    readonly worstCpuMs: number;
  };
}

/** Any midnight: of what divides the day, each is like the others. */
const MIDNIGHT_MS = Date.UTC(2026, 0, 1);

export function dayOf(config: Config, options: DayOptions): Day {
  const shards = shardParts(config).map((own) => {
    const ticks = dayOfTicks(own, MIDNIGHT_MS);
    // A storm is told where it is worst, not once a shard.
    const share = own.gateways.length / Math.max(1, config.gateways.length);
    const ledger = ledgerDay(own, ticks, { ...options, incidents: options.incidents * share });
    return { config: own, ticks, ledger, fullest: fullestOf(own) };
  });
  const vantage = vantageDay(shards.map((shard) => shard.ticks));
  const total = (of: (ledger: LedgerDay) => number): number =>
    shards.reduce((sum, { ledger }) => sum + of(ledger), 0);
  const ticks = shards.flatMap((shard) => shard.ticks);
  const probes = ticks.reduce((sum, { lists, canaries }) => sum + lists + canaries, 0);
  const asked = ticks.reduce((sum, { requests, vantages }) => sum + requests + vantages, 0);
  const fullest = worstOf(shards.map((shard) => shard.fullest));
  const monitors = config.gateways.reduce((sum, gateway) => sum + gateway.monitors.length, 0);
  return {
    used: {
      tickCpuMs: fullest.cpuMs,
      tickRequests: fullest.requests + beatsOf(config),
      ledgerCpuMs: Math.max(...shards.map(({ ledger }) => ledger.longestCallMs)),
      workerRequests: invocationsOf(config) + options.views,
      cpuMs: cpuOf(config, asked) + options.views * viewCpu(monitors),
      kvReads: options.views * config.shards,
      kvWrites: total(({ kvWrites }) => kvWrites),
      kvBytes: total(({ kvBytes }) => kvBytes),
      ledgerRequests: total(({ requests }) => requests) + vantage.requests,
      ledgerGbSeconds: (total(({ awakeSeconds }) => awakeSeconds) + vantage.awakeSeconds) * OBJECT_GB,
      rowsRead: total(({ rowsRead }) => rowsRead),
      rowsWritten: total(({ rowsWritten }) => rowsWritten),
      ledgerBytes: total(({ storedBytes }) => storedBytes),
      queueOperations: config.shards === 1 ? 0 : config.shards * TICKS_A_DAY * OPERATIONS_A_MESSAGE,
    },
    monitors,
    probes,
    late: shards.some((shard) => isOverloaded(shard.config)),
    requests: requestsOf(config, ticks, { messages: total((of) => of.messages), vantage }),
    fullest,
  };
}

type Fullest = Day["fullest"];

function fullestOf(config: Config): Fullest {
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
  const most = (of: (tick: Fullest) => number): number => Math.max(...fullest.map(of));
  return {
    probes: most(({ probes }) => probes),
    requests: most(({ requests }) => requests),
    cpuMs: most(({ cpuMs }) => cpuMs),
    worstRequests: most(({ worstRequests }) => worstRequests),
    worstCpuMs: most(({ worstCpuMs }) => worstCpuMs),
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

/** Only shard 0 beats. */
function beatsOf({ heartbeat }: Config): number {
  return heartbeat === null ? 0 : 1;
}

/** Cron, and with several shards a consumer each. */
function invocationsOf({ shards }: Config): number {
  return TICKS_A_DAY * (shards === 1 ? 1 : 1 + shards);
}

function cpuOf({ shards }: Config, asked: number): number {
  const messages = shards === 1 ? 0 : TICKS_A_DAY * (TICK_CPU.baseMs + shards * TICK_CPU.messageMs);
  return TICKS_A_DAY * shards * TICK_CPU.baseMs + asked * TICK_CPU.requestMs + messages;
}

function requestsOf(
  config: Config,
  ticks: readonly TickLoad[],
  { messages, vantage }: { readonly messages: number; readonly vantage: VantageDay },
): Day["requests"] {
  const room = requestsForProbes(config);
  return {
    probes: ticks.reduce((sum, { requests }) => sum + requests, 0),
    worstProbes: ticks.reduce((sum, { mostRequests }) => sum + Math.min(mostRequests, room), 0),
    heartbeats: beatsOf(config) * TICKS_A_DAY,
    messages,
    vantages: vantage.requests,
  };
}
