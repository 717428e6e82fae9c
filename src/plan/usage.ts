/** What a configuration uses on a day: the requests of its schedule, the work of each Ledger, and the fullest tick. Pure. */
import type { Config, MonitorConfig } from "../config/config.ts";
import { shardParts, CONNECTIONS_AT_ONCE, PAGES_A_TICK, publishingPace } from "../config/plan-limits.ts";
import { DAY_MS, MINUTE_MS } from "../domain/calendar.ts";
import { nextSlot } from "../domain/schedule.ts";
import { PAGE_EVERY_MS } from "../domain/upstream.ts";
import {
  AWAKE,
  LEDGER_CPU,
  OBJECT_GB,
  OPERATIONS_A_MESSAGE,
  TICK_CPU,
  VIEW_CPU,
  type Quantity,
} from "./figures.ts";

export type Day = ReturnType<typeof dayOf>;

export function dayOf(config: Config, options: DayOptions) {
  const shards = shardParts(config).map((own) => {
    const load = loadOf(own);
    // An outage of many gateways is counted where it is worst, not once a shard.
    const share = own.gateways.length / Math.max(1, config.gateways.length);
    const ledger = ledgerDay(own, load, { ...options, incidents: options.incidents * share });
    return { load, ledger, tick: fullestTick(own) };
  });
  const ledgers = (of: (ledger: LedgerDay) => number): number => sum(shards, ({ ledger }) => of(ledger));
  const loads = (of: (load: Load) => number): number => sum(shards, ({ load }) => of(load));
  const vantages = loads((of) => of.vantages);
  const pages = loads((of) => of.pages);
  const asked = pages + vantages + loads((of) => of.requests);
  // Cron is the only shard's first lane.
  const firstLanes = config.shards === 1 ? 0 : config.shards * TICKS_A_DAY;
  const messages = firstLanes + loads((of) => of.furtherLanes);
  const fullest = fullestOf(shards.map(({ tick }) => tick));
  const monitors = sum(config.gateways, (gateway) => gateway.monitors.length);
  const beats = config.heartbeat === null ? 0 : 1;
  const used: Readonly<Record<Quantity, number>> = {
    tickCpuMs: fullest.cpuMs,
    tickRequests: fullest.requests + beats,
    ledgerCpuMs: Math.max(...shards.map(({ ledger }) => ledger.longestCallMs)),
    workerRequests: TICKS_A_DAY + messages + options.views,
    cpuMs: cpuOf(messages, asked) + options.views * viewCpu(monitors),
    kvReads: options.views * config.shards,
    kvWrites: ledgers((of) => of.kvWrites),
    ledgerRequests: ledgers((of) => of.requests) + vantages,
    ledgerGbSeconds: (ledgers((of) => of.awakeSeconds) + loads((of) => of.vantageSeconds)) * OBJECT_GB,
    rowsRead: ledgers((of) => of.rowsRead),
    rowsWritten: ledgers((of) => of.rowsWritten),
    queueOperations: messages * OPERATIONS_A_MESSAGE,
  };
  return {
    used,
    monitors,
    probes: loads((of) => of.lists + of.canaries),
    late: isLate(config),
    requests: {
      probes: loads((of) => of.requests),
      pages,
      heartbeats: beats * TICKS_A_DAY,
      messages: ledgers((of) => of.messages),
      vantages,
    },
    fullest,
  };
}

/** Of each figure by itself: what sends most may be another shard than what calls most vantage points. */
function fullestOf(ticks: readonly Fullest[]) {
  return {
    probes: Math.max(...ticks.map(({ probes }) => probes)),
    requests: Math.max(...ticks.map(({ requests }) => requests)),
    cpuMs: tickCpu(Math.max(...ticks.map(({ asked }) => asked))),
  };
}

/** A call of a vantage point costs about as much as a request. */
export function tickCpu(requests: number): number {
  return TICK_CPU.baseMs + requests * TICK_CPU.requestMs;
}

export function viewCpu(monitors: number): number {
  return VIEW_CPU.baseMs + VIEW_CPU.monitorMs * monitors;
}

/** Each message is sent, and starts an invocation. */
function cpuOf(messages: number, asked: number): number {
  const invocations = TICKS_A_DAY + messages;
  return invocations * TICK_CPU.baseMs + messages * TICK_CPU.messageMs + asked * TICK_CPU.requestMs;
}

const TICK_MS = MINUTE_MS;
const TICKS_A_DAY = DAY_MS / TICK_MS;
/** Any midnight: of what divides the day, each is like the others. */
const MIDNIGHT_MS = Date.UTC(2026, 0, 1);

type Load = ReturnType<typeof loadOf>;

/** Where more falls due than ticks take, each monitor is asked less often by the same part. */
export function loadOf(config: Config) {
  const watched = watchedBy(config);
  const lists = watched.filter(({ monitor }) => monitor.canary === null);
  const canaries = watched.filter(({ monitor }) => monitor.canary !== null);
  const taken = Math.min(1, perTick(config) / averagePerTick(config));
  const total = (of: readonly Watched[], each: (one: Watched) => number): number =>
    Math.round(taken * sum(of, (one) => dayOfMonitor(one.monitor).times * each(one)));
  return {
    lists: total(lists, () => 1),
    canaries: total(canaries, () => 1),
    listTicks: dueByTick(lists).filter((due) => due > 0).length,
    canaryTicks: dueByTick(canaries).filter((due) => due > 0).length,
    furtherLanes: sum(dueByTick(watched), (due) => lanesFor(due, config) - 1),
    /** Calls of vantage points, which ask in place of the invocation, and how long they are awake. */
    vantages: total(lists, ({ regions }) => regions.length),
    vantageSeconds: taken * vantageSeconds(lists),
    pages: (pagesOf(config) * DAY_MS) / PAGE_EVERY_MS,
    /** Of the invocations themselves. */
    requests: total(watched, ({ requests }) => requests),
  };
}

function pagesOf({ gateways }: Config): number {
  return new Set(gateways.flatMap(({ upstream }) => upstream.map(({ status }) => status))).size;
}

type Watched = ReturnType<typeof watchedBy>[number];

function watchedBy({ gateways }: Config) {
  return gateways.flatMap(({ monitors, regions: named }) =>
    monitors.map((monitor) => {
      // Vantage points ask for a list in the invocation's place.
      const regions = monitor.canary === null ? named : [];
      return { monitor, regions, requests: regions.length === 0 ? 1 : 0 };
    }),
  );
}

/** A region asks for six lists at once, and for those of one gateway one after the other. */
function vantageSeconds(lists: readonly Watched[]): number {
  const regions = [...new Set(lists.flatMap((of) => of.regions))];
  return sum(regions, (region) => {
    const own = lists.filter((of) => of.regions.includes(region));
    const gateways = new Set(own.map(({ monitor }) => monitor.gatewayId)).size;
    const atOnce = Math.min(CONNECTIONS_AT_ONCE, gateways);
    return (sum(dueByTick(own), (due) => Math.ceil(due / atOnce)) * AWAKE.answerMs) / 1000;
  });
}

/** At least the first. Where gateways have many monitors the lanes are not all full. */
function lanesFor(due: number, { lanes, maxProbesPerTick }: Config): number {
  return Math.min(lanes, Math.max(1, Math.ceil(due / maxProbesPerTick)));
}

function perTick({ lanes, maxProbesPerTick }: Config): number {
  return lanes * maxProbesPerTick;
}

function dueByTick(watched: readonly Watched[]): readonly number[] {
  const due = Array.from({ length: TICKS_A_DAY }, () => 0);
  for (const { monitor } of watched) {
    const { firstMs, times } = dayOfMonitor(monitor);
    for (let index = 0; index < times; index += 1) {
      const tick = (firstMs + index * monitor.everyMs) / TICK_MS;
      due[tick] = (due[tick] ?? 0) + 1;
    }
  }
  return due;
}

/** When in a day it is due first, and how often: at most as often as it may be asked. */
function dayOfMonitor({ id, everyMs, canary }: MonitorConfig): {
  readonly firstMs: number;
  readonly times: number;
} {
  const firstMs = nextSlot({ monitorId: id, everyMs, tickMs: TICK_MS }, MIDNIGHT_MS - 1) - MIDNIGHT_MS;
  const times = Math.max(0, Math.ceil((DAY_MS - firstMs) / everyMs));
  return { firstMs, times: Math.min(times, canary?.perDay ?? times) };
}

/** Probes that fall due in a tick, on average of a day; questions about open tasks come on top. */
export function averagePerTick({ gateways }: Config): number {
  const monitors = gateways.flatMap((gateway) => gateway.monitors);
  const average = sum(monitors, ({ everyMs, canary }) =>
    Math.min(TICK_MS / everyMs, (canary?.perDay ?? TICKS_A_DAY) / TICKS_A_DAY),
  );
  // Two hundred tenths are twenty, not a little more.
  return Math.round(average * 1e9) / 1e9;
}

/** In some shard, ticks defer monitors all the time. */
export function isLate(config: Config): boolean {
  return mostPerTick(config) > perTick(config);
}

/** Due in a tick on average, in the shard that has most. */
export function mostPerTick(config: Config): number {
  return Math.max(...shardParts(config).map(averagePerTick));
}

/** Of each figure by itself the most that one tick may have. After a deploy, or a silence, all monitors are due at once. */
export function fullestTick(config: Config) {
  const watched = watchedBy(config);
  const pages = Math.min(pagesOf(config), PAGES_A_TICK);
  const most = (costOf: (of: Watched) => number): number => {
    const costs = watched.map(costOf).sort((a, b) => b - a);
    return sum(costs.slice(0, config.maxProbesPerTick), (cost) => cost);
  };
  return {
    probes: Math.min(watched.length, config.maxProbesPerTick),
    vantages: most(({ regions }) => regions.length),
    requests: pages + most(({ requests }) => requests),
    asked: pages + most(({ requests, regions }) => requests + regions.length),
  };
}

type Fullest = ReturnType<typeof fullestTick>;

function sum<Of>(values: readonly Of[], of: (value: Of) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

/** A Ledger keeps them at hand. */
const RECENT_HOURS = 28;
const HOURS_A_DAY = 24;

/** @param samples per day. @param probes whose results are in one call. */
export function callCosts(monitors: number, samples: number, probes: number) {
  const { start, begin, record, publish } = LEDGER_CPU;
  const hours = monitors * Math.min(RECENT_HOURS, samples / Math.max(1, monitors));
  const recent = (samples * RECENT_HOURS) / HOURS_A_DAY;
  return {
    startMs: start.baseMs + start.monitorHourMs * hours + start.sampleMs * recent,
    beginMs: begin.baseMs + begin.monitorMs * monitors,
    recordMs: record.baseMs + record.probeMs * probes + record.monitorMs * monitors,
    /** In addition to recording. */
    publishMs: publish.baseMs + publish.monitorMs * monitors + publish.sampleMs * samples,
  };
}

export const QUIET_DAY = {
  views: 0,
  /** Incidents that open and are resolved; their ticks are ticks like any other. */
  incidents: 0,
  /** How long history has been kept: after a year, everything that will be forgotten is being forgotten. */
  ageDays: 365,
};

export type DayOptions = Readonly<typeof QUIET_DAY>;

type LedgerDay = ReturnType<typeof ledgerDay>;

/** It is set to the time at which three ticks would be missing, and again when it fires. */
const ALARMS = TICKS_A_DAY / 3;

/** How long KV keeps a segment, and the Ledger what it computes from. */
const KEPT_DAYS = { hours: 14, days: 90, hourRollups: 2, rollups: 93 } as const;

/** One event when it begins and one when it ends. Each is stored, noted at most once for each message, and deleted. */
const EVENTS_AN_INCIDENT = 2;
const ROWS_AN_EVENT = 2;
/** It has a row of its own, which is deleted when a month contains it. */
const ROWS_AN_INCIDENT = 2;
/** It fails, it opens, it answers, it closes: each is published at once, and some of them are not in their turn. */
const EARLY_PUBLISHES_AN_INCIDENT = 1.5;

function ledgerDay(config: Config, load: Load, options: DayOptions) {
  const { ageDays } = options;
  const monitors = sum(config.gateways, (gateway) => gateway.monitors.length);
  const probes = load.lists + load.canaries;
  // What a vantage point saw is a sample of its own.
  const samples = probes + load.vantages;
  const incidents = monitors === 0 ? 0 : options.incidents;
  const history = historyOf(samples, ageDays);
  const messages = incidents * EVENTS_AN_INCIDENT * config.alerts.length;
  const publishes = DAY_MS / publishingPace(config).usualMs;
  const writes = tickRows(load, publishes) + load.pages;
  const alertRows =
    config.alerts.length === 0 ? 0 : EVENTS_AN_INCIDENT * (ROWS_AN_EVENT + config.alerts.length);
  const kvWrites = publishes + history.segments + incidents * EARLY_PUBLISHES_AN_INCIDENT;
  // One to begin and one with results; canaries report theirs by themselves.
  const calls = TICKS_A_DAY + load.furtherLanes;
  // Readings of status pages come in a batch of their own, at most one each, which writes the journal.
  const requests = 2 * calls + load.canaryTicks + load.pages + ALARMS;
  const costs = callCosts(monitors, samples, fullestTick(config).probes);
  const awakeMs =
    TICKS_A_DAY * Math.max(AWAKE.callMs, costs.startMs + costs.beginMs) +
    load.furtherLanes * Math.max(AWAKE.callMs, costs.beginMs) +
    (calls + load.canaryTicks + load.pages) * Math.max(AWAKE.callMs, costs.recordMs) +
    ALARMS * AWAKE.callMs +
    publishes * Math.max(AWAKE.kvWriteMs, costs.publishMs) +
    (kvWrites - publishes) * AWAKE.kvWriteMs +
    messages * AWAKE.messageMs;
  // Each row that is replaced is read, and the batch besides to see what fits into it.
  const reads = writes + load.listTicks + load.canaryTicks;
  return {
    requests,
    rowsWritten: writes + ALARMS + history.rowsWritten + incidents * (ROWS_AN_INCIDENT + alertRows),
    rowsRead: reads + history.rowsRead + TICKS_A_DAY * history.rowsToStart,
    kvWrites,
    messages,
    awakeSeconds: awakeMs / 1000,
    /** CPU: it reads what it needs of the last day; then it either begins a tick or publishes one. */
    longestCallMs: Math.max(costs.startMs + costs.beginMs, costs.recordMs + costs.publishMs),
  };
}

/** The journal with each tick and publish; journal, members and a batch with results; members with canaries that leave. */
function tickRows({ listTicks, canaryTicks, furtherLanes }: Load, publishes: number): number {
  return TICKS_A_DAY + publishes + 3 * listTicks + 4 * canaryTicks + 4 * furtherLanes;
}

/** Hours without a probe leave nothing behind. A segment has one part, but for thousands of monitors. */
function historyOf(samples: number, ageDays: number) {
  const hours = Math.min(HOURS_A_DAY, samples);
  const days = hours > 0 ? 1 : 0;
  const names = hours * Math.min(ageDays, KEPT_DAYS.hours) + days * Math.min(ageDays, KEPT_DAYS.days);
  const bodies = Math.ceil((hours / HOURS_A_DAY) * RECENT_HOURS);
  // At the end of a day, when it has most.
  const rollups = hours * KEPT_DAYS.hourRollups + days * Math.min(ageDays, KEPT_DAYS.rollups);
  return {
    segments: hours + days,
    rowsWritten: (hours + days) * ROWS_A_SEGMENT,
    rowsRead: hours * READS_AN_HOUR,
    rowsToStart: ROWS_OF_AN_EMPTY_START + names + 2 * bodies + rollups,
  };
}

/** From the mark that an hour is closed to what is forgotten after a year. */
const ROWS_A_SEGMENT = 10;
/** Documents, batches, and what SQLite looks up of its tables. */
const ROWS_OF_AN_EMPTY_START = 45;
const READS_AN_HOUR = 26;
