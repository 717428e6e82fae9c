/**
 * What one thing costs: the figures that a plan is made of. Pure data. CPU is that of workerd's process, on a machine of 2026 with
 * two shared cores: median, less what an empty call costs, between the machine alone and the same machine while others use it,
 * when all takes half as long again. `npm run bench -- --only invocations` measures it anew, and a limit there fails where a figure
 * of this file is no longer near what is measured; both are compared at the pace of `LIST_MS`.
 */

/** The pace of that machine: CPU of a bare loop in workerd that fetches and parses a list of 50 models, for each of 20. */
export const LIST_MS = 0.2;

/** Of one invocation of the Worker: rows "a tick of the Worker". Between two runs of one machine there may be a third. */
export const TICK_CPU = {
  /** Without any probe. */
  baseMs: 0.45,
  /** To ask a gateway once, to read what it answers and to judge it. */
  requestMs: 0.33,
  /** To send a message to a shard or a lane. A guess: workerd's queue runs in the same process, and its CPU cannot be separated. */
  messageMs: 0.2,
} as const;

/**
 * Of an overview that nothing is remembered of: rows "the overview". It is the dearest of what is looked at often: a status takes
 * 0.3 ms for 10 monitors, 0.6 ms for 100.
 */
export const VIEW_CPU = { baseMs: 1.6, monitorMs: 0.04 } as const;

/**
 * Of a call of the Ledger: rows "the Ledger". Ten seconds after the last one it is put out of memory: each tick begins with all
 * that it needs.
 */
export const LEDGER_CPU = {
  start: { baseMs: 6.5, monitorHourMs: 0.0075, sampleMs: 0.0009 },
  begin: { baseMs: 1.2, monitorMs: 0.028 },
  record: { baseMs: 1.2, probeMs: 0.06, monitorMs: 0.008 },
  publish: { baseMs: 3.8, monitorMs: 0.135, sampleMs: 0.00024 },
} as const;

/** How long the Ledger is awake at least, in milliseconds of the wall. Only the platform itself could measure it: generous guesses. */
export const AWAKE = {
  callMs: 100,
  kvWriteMs: 1000,
  messageMs: 2000,
  /** A vantage point waits for the gateway. */
  answerMs: 2000,
} as const;

/** Stored bytes; `test/local/plan-day.test.ts` holds them against what a day leaves behind. */
export const BYTES = {
  /** In KV, packed by gzip. */
  kv: { sample: 2, monitorHour: 60, rollup: 28, snapshotMonitor: 1000, snapshot: 2500 },
  /** In the Ledger's tables. */
  ledger: { database: 52_000, sample: 5.5, monitorHour: 120, rollup: 48, monitor: 1800 },
} as const;
