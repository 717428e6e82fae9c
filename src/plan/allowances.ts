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

/** Beyond what is included, in millionths of a dollar. */
interface Price {
  /** In a month; of what is stored, at a time. */
  readonly included: number;
  readonly microsAMillion: number;
}

export interface Allowance {
  /** `day`: ends at 00:00 UTC. `call`: of one invocation, or one call of an object. `stored`: at a time. */
  readonly of: "day" | "call" | "stored";
  /** Null: the free plan does not count it. */
  readonly free: number | null;
  /** Null: the paid plan does not limit it, but for what it costs. */
  readonly paid: number | null;
  /** Null: it costs nothing by itself. */
  readonly price: Price | null;
}

const MILLION = 1_000_000;
const BILLION = 1_000_000_000;

export const ALLOWANCES = {
  // /workers/platform/limits: 10 ms of CPU an invocation; paid 30 s unless it is configured otherwise.
  tickCpuMs: { of: "call", free: 10, paid: 30_000, price: null },
  // /workers/platform/limits: subrequests to the outside, an invocation.
  tickRequests: {
    of: "call",
    free: PLAN_LIMITS.free.subrequests,
    paid: PLAN_LIMITS.paid.subrequests,
    price: null,
  },
  // /durable-objects/platform/limits: 30 s of CPU a call, on each plan. (It says besides that the limits of the plan apply.)
  ledgerCpuMs: { of: "call", free: 30_000, paid: 30_000, price: null },
  // /workers/platform/pricing: 100,000 a day; 10 million a month, then $0.30 a million.
  workerRequests: {
    of: "day",
    free: 100_000,
    paid: null,
    price: { included: 10 * MILLION, microsAMillion: 300_000 },
  },
  // /workers/platform/pricing: 30 million ms a month, then $0.02 a million.
  cpuMs: { of: "day", free: null, paid: null, price: { included: 30 * MILLION, microsAMillion: 20_000 } },
  // /kv/platform/pricing: 100,000 reads a day; 10 million a month, then $0.50 a million.
  kvReads: {
    of: "day",
    free: 100_000,
    paid: null,
    price: { included: 10 * MILLION, microsAMillion: 500_000 },
  },
  // /kv/platform/pricing: 1,000 writes a day; 1 million a month, then $5 a million.
  kvWrites: { of: "day", free: 1000, paid: null, price: { included: MILLION, microsAMillion: 5_000_000 } },
  // /kv/platform/pricing: 1 GB; then $0.50 a GB and month.
  kvBytes: {
    of: "stored",
    free: BILLION,
    paid: null,
    price: { included: BILLION, microsAMillion: 500 },
  },
  // /durable-objects/platform/pricing: 100,000 a day; 1 million a month, then $0.15 a million. Calls and alarms.
  ledgerRequests: {
    of: "day",
    free: 100_000,
    paid: null,
    price: { included: MILLION, microsAMillion: 150_000 },
  },
  // /durable-objects/platform/pricing: 13,000 GB-s a day; 400,000 a month, then $12.50 a million.
  ledgerGbSeconds: {
    of: "day",
    free: 13_000,
    paid: null,
    price: { included: 400_000, microsAMillion: 12_500_000 },
  },
  // /durable-objects/platform/pricing: 5 million a day; 25 billion a month, then $0.001 a million.
  rowsRead: {
    of: "day",
    free: 5 * MILLION,
    paid: null,
    price: { included: 25 * BILLION, microsAMillion: 1000 },
  },
  // /durable-objects/platform/pricing: 100,000 a day; 50 million a month, then $1 a million. Deletes and alarms too.
  rowsWritten: {
    of: "day",
    free: 100_000,
    paid: null,
    price: { included: 50 * MILLION, microsAMillion: MILLION },
  },
  // /durable-objects/platform/pricing: 5 GB; then $0.20 a GB and month.
  ledgerBytes: {
    of: "stored",
    free: 5 * BILLION,
    paid: null,
    price: { included: 5 * BILLION, microsAMillion: 200 },
  },
  // /queues/platform/pricing: 10,000 a day; 1 million a month, then $0.40 a million.
  queueOperations: {
    of: "day",
    free: 10_000,
    paid: null,
    price: { included: MILLION, microsAMillion: 400_000 },
  },
} as const satisfies Readonly<Record<Quantity, Allowance>>;

/** /workers/platform/pricing: $5 a month for an account, whatever else runs in it. */
export const SUBSCRIPTION_MICROS = 5 * MILLION;

/** /queues/platform/pricing: a message is written, read and deleted. */
export const OPERATIONS_A_MESSAGE = 3;

/** /durable-objects/platform/pricing: of the memory that is billed, whatever is used. */
export const OBJECT_GB = 0.128;
