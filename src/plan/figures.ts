/**
 * The figures that a plan is computed from. Pure data. First what Cloudflare's plans allow and cost, except for the limits that
 * configurations are checked against: read in 2026 from the page named at each figure (below https://developers.cloudflare.com).
 * Then what one thing costs. CPU is that of workerd's process, on a machine of 2026 with two shared cores: the median, less what
 * an empty call costs. It lies between the machine alone and the same machine in use by others, which takes half as long again.
 * `npm run bench -- --only invocations` measures it again and fails if a figure here is no longer near what is measured; both are
 * compared at the pace of `LIST_MS`.
 */
import { t } from "../config/spoken.ts";
import { PLAN_LIMITS } from "../config/plan-limits.ts";

const MILLION = 1_000_000;

/** What makes a quantity smaller, besides the paid plan. */
type Remedy = "probes" | "monitors" | "every" | "regions" | "lanes" | "shards" | "views";

/** A limit of one invocation, or of one call of an object, that has no price. */
function call(words: string, free: number, paid: number, remedies: readonly Remedy[]) {
  return { words, of: "call", free, paid, price: null, remedies } as const;
}

/** The free plan's day ends at 00:00 UTC; null: it counts none. The paid plan's price, in millionths of a dollar, is for what exceeds a month's. */
function daily(
  words: string,
  free: number | null,
  [included, microsAMillion]: readonly [number, number],
  remedies: readonly Remedy[],
) {
  return { words, of: "day", free, paid: null, price: { included, microsAMillion }, remedies } as const;
}

const FEWER_SERIES: readonly Remedy[] = ["monitors", "every"];
const LESS_WORK: readonly Remedy[] = ["every", "regions", "shards"];

export const ALLOWANCES = {
  // /workers/platform/limits: 10 ms of CPU an invocation; paid 30 s unless it is configured otherwise.
  tickCpuMs: call(t`CPU, busiest tick (ms)`, 10, 30_000, ["probes", "regions"]),
  // /workers/platform/limits: subrequests to the outside, an invocation.
  tickRequests: call(t`requests, busiest tick`, PLAN_LIMITS.free.subrequests, PLAN_LIMITS.paid.subrequests, [
    "probes",
    "regions",
  ]),
  // /durable-objects/platform/limits: 30 s of CPU a call, on each plan. (It also says that the limits of the plan apply.)
  ledgerCpuMs: call(t`CPU, longest Ledger call (ms)`, 30_000, 30_000, FEWER_SERIES),
  // /workers/platform/pricing: 100,000 a day; 10 million a month, then $0.30 a million.
  workerRequests: daily(t`Worker invocations`, 100_000, [10 * MILLION, 300_000], ["views"]),
  // /workers/platform/pricing: 30 million ms a month, then $0.02 a million.
  cpuMs: daily(t`Worker CPU (ms)`, null, [30 * MILLION, 20_000], FEWER_SERIES),
  // /kv/platform/pricing: 100,000 reads a day; 10 million a month, then $0.50 a million.
  kvReads: daily(t`KV reads`, 100_000, [10 * MILLION, 500_000], ["views"]),
  // /kv/platform/pricing: 1,000 writes a day; 1 million a month, then $5 a million.
  kvWrites: daily(t`KV writes`, 1000, [MILLION, 5_000_000], ["shards"]),
  // /durable-objects/platform/pricing: 100,000 a day; 1 million a month, then $0.15 a million. Calls and alarms.
  ledgerRequests: daily(t`Ledger requests`, 100_000, [MILLION, 150_000], LESS_WORK),
  // /durable-objects/platform/pricing: 13,000 GB-s a day; 400,000 a month, then $12.50 a million.
  ledgerGbSeconds: daily(t`Ledger duration (GB-s)`, 13_000, [400_000, 12_500_000], LESS_WORK),
  // /durable-objects/platform/pricing: 5 million a day; 25 billion a month, then $0.001 a million.
  rowsRead: daily(t`Ledger rows read`, 5 * MILLION, [25_000 * MILLION, 1000], LESS_WORK),
  // /durable-objects/platform/pricing: 100,000 a day; 50 million a month, then $1 a million. Deletes and alarms too.
  rowsWritten: daily(t`Ledger rows written`, 100_000, [50 * MILLION, MILLION], LESS_WORK),
  // /queues/platform/pricing: 10,000 a day; 1 million a month, then $0.40 a million.
  queueOperations: daily(t`queue operations`, 10_000, [MILLION, 400_000], ["lanes", "shards"]),
} satisfies Readonly<Record<string, unknown>>;

export type Quantity = keyof typeof ALLOWANCES;
export const QUANTITIES = Object.keys(ALLOWANCES) as readonly Quantity[];

/** /workers/platform/pricing: $5 a month for an account, whatever else runs in it. */
export const SUBSCRIPTION_MICROS = 5 * MILLION;

/** /queues/platform/pricing: a message is written, read and deleted. */
export const OPERATIONS_A_MESSAGE = 3;

/** /durable-objects/platform/pricing: the memory that is billed, however much is used. */
export const OBJECT_GB = 0.128;

/** The pace of that machine: CPU of a bare loop in workerd that fetches and parses a list of 50 models, for each of 20. */
export const LIST_MS = 0.2;

/** For one invocation of the Worker: rows "a tick of the Worker". Two runs on one machine may differ by a third. */
export const TICK_CPU = {
  baseMs: 0.45,
  /** To ask a gateway once, to read what it answers and to judge it. */
  requestMs: 0.33,
  /** To send a message to a shard or a lane. A guess: workerd's queue runs in the same process, and its CPU cannot be separated. */
  messageMs: 0.2,
} as const;

/** For one rendered for a request, with nothing in memory: it costs the most of what is viewed often (rows "the overview"). */
export const VIEW_CPU = { baseMs: 1.6, monitorMs: 0.04 } as const;

/** For a call of the Ledger: rows "the Ledger". It has left memory by the next tick, which begins by reading all that it needs. */
export const LEDGER_CPU = {
  start: { baseMs: 4.3, monitorHourMs: 0.005, sampleMs: 0.0006 },
  begin: { baseMs: 0.85, monitorMs: 0.024 },
  record: { baseMs: 0.9, probeMs: 0.06, monitorMs: 0.008 },
  publish: { baseMs: 3.3, monitorMs: 0.23, sampleMs: 0.00024 },
} as const;

/** How long the Ledger is awake, in milliseconds of wall time. Generous guesses: only the platform itself could measure it. */
export const AWAKE = {
  callMs: 100,
  kvWriteMs: 1000,
  messageMs: 2000,
  /** A vantage point waits for the gateway. */
  answerMs: 2000,
} as const;
