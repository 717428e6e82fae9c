/**
 * What Cloudflare's plans allow and what they cost: the one table of it, but for the limits that a configuration is held to.
 * Pure data, read in 2026 from the pages named beside each figure (below https://developers.cloudflare.com).
 */
import { PLAN_LIMITS } from "../config/plan-limits.ts";

/** What is counted. Of a day, unless its allowance says otherwise. */
export const QUANTITIES = [
  "tickCpuMs",
  "tickRequests",
  "ledgerCpuMs",
  "workerRequests",
  "cpuMs",
  "kvReads",
  "kvWrites",
  "kvBytes",
  "ledgerRequests",
  "ledgerGbSeconds",
  "rowsRead",
  "rowsWritten",
  "ledgerBytes",
  "queueOperations",
] as const;
export type Quantity = (typeof QUANTITIES)[number];

const MILLION = 1_000_000;
const BILLION = 1_000_000_000;

/** Of one invocation, or of one call of an object. It costs nothing by itself. */
function call(free: number, paid: number) {
  return { of: "call", free, paid, price: null } as const;
}

/**
 * The free plan's day ends at 00:00 UTC; null: it does not count it. The paid plan has a price beyond what it includes in a
 * month, in millionths of a dollar.
 */
function daily(free: number | null, included: number, microsAMillion: number) {
  return { of: "day", free, paid: null, price: { included, microsAMillion } } as const;
}

/** At a time. */
function stored(included: number, microsAMillion: number) {
  return { of: "stored", free: included, paid: null, price: { included, microsAMillion } } as const;
}

export const ALLOWANCES = {
  // /workers/platform/limits: 10 ms of CPU an invocation; paid 30 s unless it is configured otherwise.
  tickCpuMs: call(10, 30_000),
  // /workers/platform/limits: subrequests to the outside, an invocation.
  tickRequests: call(PLAN_LIMITS.free.subrequests, PLAN_LIMITS.paid.subrequests),
  // /durable-objects/platform/limits: 30 s of CPU a call, on each plan. (It says besides that the limits of the plan apply.)
  ledgerCpuMs: call(30_000, 30_000),
  // /workers/platform/pricing: 100,000 a day; 10 million a month, then $0.30 a million.
  workerRequests: daily(100_000, 10 * MILLION, 300_000),
  // /workers/platform/pricing: 30 million ms a month, then $0.02 a million.
  cpuMs: daily(null, 30 * MILLION, 20_000),
  // /kv/platform/pricing: 100,000 reads a day; 10 million a month, then $0.50 a million.
  kvReads: daily(100_000, 10 * MILLION, 500_000),
  // /kv/platform/pricing: 1,000 writes a day; 1 million a month, then $5 a million.
  kvWrites: daily(1000, MILLION, 5_000_000),
  // /kv/platform/pricing: 1 GB; then $0.50 a GB and month.
  kvBytes: stored(BILLION, 500),
  // /durable-objects/platform/pricing: 100,000 a day; 1 million a month, then $0.15 a million. Calls and alarms.
  ledgerRequests: daily(100_000, MILLION, 150_000),
  // /durable-objects/platform/pricing: 13,000 GB-s a day; 400,000 a month, then $12.50 a million.
  ledgerGbSeconds: daily(13_000, 400_000, 12_500_000),
  // /durable-objects/platform/pricing: 5 million a day; 25 billion a month, then $0.001 a million.
  rowsRead: daily(5 * MILLION, 25 * BILLION, 1000),
  // /durable-objects/platform/pricing: 100,000 a day; 50 million a month, then $1 a million. Deletes and alarms too.
  rowsWritten: daily(100_000, 50 * MILLION, MILLION),
  // /durable-objects/platform/pricing: 5 GB; then $0.20 a GB and month.
  ledgerBytes: stored(5 * BILLION, 200),
  // /queues/platform/pricing: 10,000 a day; 1 million a month, then $0.40 a million.
  queueOperations: daily(10_000, MILLION, 400_000),
} satisfies Readonly<Record<Quantity, unknown>>;

/** /workers/platform/pricing: $5 a month for an account, whatever else runs in it. */
export const SUBSCRIPTION_MICROS = 5 * MILLION;

/** /queues/platform/pricing: a message is written, read and deleted. */
export const OPERATIONS_A_MESSAGE = 3;

/** /durable-objects/platform/pricing: of the memory that is billed, whatever is used. */
export const OBJECT_GB = 0.128;
