/**
 * What one thing costs: the figures that a plan is made of. Pure data. CPU is that of workerd's process, on a machine of 2026 with
 * two shared cores (median, less what an empty call costs): `npm run bench -- --only invocations` prints it anew.
 */

/** Of one invocation of the Worker. */
export const TICK_CPU = {
  /** Without any probe. */
  baseMs: 0.6,
  /** To ask a gateway once, to read what it answers and to judge it. */
  requestMs: 0.25,
  /** To send a shard its message. */
  messageMs: 0.2,
} as const;

/** Of a page that nothing is remembered of, with all of its monitors on it: the bench holds 100 of them under 10 ms. */
export const VIEW_CPU = { baseMs: 2, monitorMs: 0.05 } as const;

/** Of a call of the Ledger. Ten seconds after the last one it is put out of memory: each tick begins with all that it needs. */
export const LEDGER_CPU = {
  start: { baseMs: 4, monitorHourMs: 0.0115, sampleMs: 0.0009 },
  begin: { baseMs: 0.6, monitorMs: 0.017 },
  record: { baseMs: 1, probeMs: 0.03 },
  publish: { baseMs: 2, monitorMs: 0.36, sampleMs: 0.0005 },
} as const;

/** How long the Ledger is awake, in milliseconds of the wall. No machine but the platform's own could tell: generous guesses. */
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
  ledger: { database: 52_000, sample: 5.5, monitorHour: 170, rollup: 48, monitor: 1800 },
} as const;
