/** What the Ledger of a shard uses on a day. Pure. */
import type { Config } from "../config/config.ts";
import { publishingPace } from "../config/plan-limits.ts";
import { DAY_MS } from "../domain/calendar.ts";
import { TICKS_A_DAY, fullestTick, sum, type Load } from "./due.ts";
import { AWAKE, BYTES, LEDGER_CPU } from "./figures.ts";

/** A Ledger keeps them at hand. */
const RECENT_HOURS = 28;
const HOURS_A_DAY = 24;

interface LedgerLoad {
  readonly monitors: number;
  /** Of a day. */
  readonly samples: number;
  /** Whose results one call brings. */
  readonly probes: number;
}

export type CallCosts = ReturnType<typeof callCosts>;

export function callCosts({ monitors, samples, probes }: LedgerLoad) {
  const { start, begin, record, publish } = LEDGER_CPU;
  const hours = monitors * Math.min(RECENT_HOURS, samples / Math.max(1, monitors));
  const recent = (samples * RECENT_HOURS) / HOURS_A_DAY;
  return {
    startMs: start.baseMs + start.monitorHourMs * hours + start.sampleMs * recent,
    beginMs: begin.baseMs + begin.monitorMs * monitors,
    recordMs: record.baseMs + record.probeMs * probes + record.monitorMs * monitors,
    /** Beside recording. */
    publishMs: publish.baseMs + publish.monitorMs * monitors + publish.sampleMs * samples,
  };
}

/** It begins with what it needs of the last day; then either it begins a tick, or it publishes one. */
function longestCallMs({ startMs, beginMs, recordMs, publishMs }: CallCosts): number {
  return Math.max(startMs + beginMs, recordMs + publishMs);
}

export interface DayOptions {
  /** Requests for pages and documents. */
  readonly views: number;
  /** Incidents that open and are resolved; their ticks are ticks like any other. */
  readonly incidents: number;
  /** How long history has been kept. */
  readonly ageDays: number;
}

/** After a year all that is forgotten some time is being forgotten. */
export const QUIET_DAY: DayOptions = { views: 0, incidents: 0, ageDays: 365 };

export type LedgerDay = ReturnType<typeof ledgerDay>;

/** It is set to the time at which three ticks would be missing, and anew when it fires. */
const ALARMS = TICKS_A_DAY / 3;

/** How long KV keeps a segment, and the Ledger what it computes from. */
const KEPT_DAYS = { hours: 14, days: 90, monthDays: 730, rollups: 93 } as const;

/** That it began, and that it is over: an event each, with a row that the next one takes and one of all channels. */
const EVENTS_AN_INCIDENT = 2;
const ROWS_AN_EVENT = 2;
/** It is kept by itself, and deleted when a month has it. */
const ROWS_AN_INCIDENT = 2;
/** It fails, it opens, it answers, it closes: each is published at once, and some of them are not in their turn. */
const EARLY_PUBLISHES_AN_INCIDENT = 1.5;

export function ledgerDay(config: Config, load: Load, options: DayOptions) {
  const { ageDays } = options;
  const monitors = sum(config.gateways, (gateway) => gateway.monitors.length);
  const probes = load.lists + load.canaries;
  // What a vantage point saw is a sample of its own.
  const samples = probes + load.vantages;
  const incidents = monitors === 0 ? 0 : options.incidents;
  const history = historyOf(samples, ageDays);
  const messages = incidents * EVENTS_AN_INCIDENT * config.alerts.length;
  const publishes = DAY_MS / publishingPace(config).usualMs;
  const writes = tickRows(load, publishes);
  const alertRows = config.alerts.length === 0 ? 0 : EVENTS_AN_INCIDENT * ROWS_AN_EVENT;
  const kvWrites = publishes + history.segments + incidents * EARLY_PUBLISHES_AN_INCIDENT;
  // One to begin and one with results; canaries report theirs by themselves.
  const calls = TICKS_A_DAY + load.furtherLanes;
  const requests = 2 * calls + load.canaryTicks + ALARMS;
  const costs = callCosts({ monitors, samples, probes: fullestTick(config).probes });
  const awakeMs =
    TICKS_A_DAY * Math.max(AWAKE.callMs, costs.startMs + costs.beginMs) +
    load.furtherLanes * Math.max(AWAKE.callMs, costs.beginMs) +
    (calls + load.canaryTicks) * Math.max(AWAKE.callMs, costs.recordMs) +
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
    /** To the receivers of alerts. */
    messages,
    awakeSeconds: awakeMs / 1000,
    storedBytes: storedBytes(monitors, samples, ageDays),
    kvBytes: kvBytes(monitors, samples, ageDays),
    /** CPU. */
    longestCallMs: longestCallMs(costs),
  };
}

/**
 * The journal with each tick; journal, members and a batch with results; members with canaries that leave. A publish is
 * noted with results where there are any.
 */
function tickRows({ listTicks, canaryTicks, furtherLanes }: Load, publishes: number): number {
  const withoutResults = (TICKS_A_DAY - listTicks) / TICKS_A_DAY;
  const lanes = 4 * furtherLanes;
  return TICKS_A_DAY + 3 * listTicks + 4 * canaryTicks + lanes + withoutResults * publishes;
}

/** Hours without a probe leave nothing behind. A segment has one part, but for thousands of monitors. */
function historyOf(samples: number, ageDays: number) {
  const hours = Math.min(HOURS_A_DAY, samples);
  const days = hours > 0 ? 1 : 0;
  const names = hours * Math.min(ageDays, KEPT_DAYS.hours) + days * Math.min(ageDays, KEPT_DAYS.days);
  const bodies = Math.ceil((hours / HOURS_A_DAY) * RECENT_HOURS);
  // At the end of a day, when it has most.
  const rollups = hours + days * Math.min(ageDays, KEPT_DAYS.rollups);
  return {
    /** Written to KV. */
    segments: hours + days,
    rowsWritten: (hours + days) * ROWS_A_SEGMENT,
    rowsRead: hours * READS_AN_HOUR,
    rowsToStart: ROWS_OF_AN_EMPTY_START + names + 2 * bodies + rollups,
  };
}

/** From the mark that an hour is closed to what is forgotten after a year. */
const ROWS_A_SEGMENT = 10;
/** Documents, batches, and what SQLite looks up of its tables. */
const ROWS_OF_AN_EMPTY_START = 70;
const READS_AN_HOUR = 26;

function storedBytes(monitors: number, samples: number, ageDays: number): number {
  const { database, sample, monitorHour, rollup, monitor } = BYTES.ledger;
  const recent = (samples * RECENT_HOURS) / HOURS_A_DAY;
  const rollups = monitors * (HOURS_A_DAY + Math.min(ageDays, KEPT_DAYS.rollups));
  return database + recent * sample + monitors * (RECENT_HOURS * monitorHour + monitor) + rollups * rollup;
}

function kvBytes(monitors: number, samples: number, ageDays: number): number {
  const { sample, monitorHour, rollup, snapshotMonitor, snapshot } = BYTES.kv;
  const hourDays = Math.min(ageDays, KEPT_DAYS.hours);
  const hours = hourDays * (samples * sample + monitors * HOURS_A_DAY * monitorHour);
  const days = Math.min(ageDays, KEPT_DAYS.days) * monitors * HOURS_A_DAY * rollup;
  const months = Math.min(ageDays, KEPT_DAYS.monthDays) * monitors * rollup;
  return hours + days + months + snapshot + monitors * snapshotMonitor;
}
