/** CPU of the calls of a Ledger that is put out of memory between its ticks. Pure. */
import { LEDGER_CPU } from "./figures.ts";

/** A Ledger keeps them at hand. */
export const RECENT_HOURS = 28;
const HOURS_A_DAY = 24;

interface LedgerLoad {
  readonly monitors: number;
  /** Of a day. */
  readonly samples: number;
  /** Whose results one call brings. */
  readonly probes: number;
}

export interface CallCosts {
  readonly startMs: number;
  readonly beginMs: number;
  readonly recordMs: number;
  /** Beside recording. */
  readonly publishMs: number;
}

export function callCosts({ monitors, samples, probes }: LedgerLoad): CallCosts {
  const { start, begin, record, publish } = LEDGER_CPU;
  const hours = monitors * Math.min(RECENT_HOURS, samples / Math.max(1, monitors));
  const recent = (samples * RECENT_HOURS) / HOURS_A_DAY;
  return {
    startMs: start.baseMs + start.monitorHourMs * hours + start.sampleMs * recent,
    beginMs: begin.baseMs + begin.monitorMs * monitors,
    recordMs: record.baseMs + record.probeMs * probes + record.monitorMs * monitors,
    publishMs: publish.baseMs + publish.monitorMs * monitors + publish.sampleMs * samples,
  };
}

/** It begins with what it needs of the last day; then either it begins a tick, or it publishes one. */
export function longestCallMs(load: LedgerLoad): number {
  const { startMs, beginMs, recordMs, publishMs } = callCosts(load);
  return Math.max(startMs + beginMs, recordMs + publishMs);
}
