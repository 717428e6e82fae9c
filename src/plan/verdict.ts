/** Whether a plan carries a day, and the words for it. Pure. */
import { ALLOWANCES, QUANTITIES, SUBSCRIPTION_MICROS, type Quantity } from "./allowances.ts";
import type { Day } from "./day.ts";

export interface Held {
  readonly quantity: Quantity;
  readonly used: number;
  readonly allowed: number;
  /** Of what is allowed; over 1: it is not enough. */
  readonly share: number;
}

export interface FreeVerdict {
  /** Nothing passes it, and every monitor is on time. */
  readonly holds: boolean;
  /** All that the free plan counts, the tightest first. */
  readonly held: readonly Held[];
  /** What may pass it all the same. `worst_tick`: where everything is repeated, a tick needs more CPU. */
  readonly doubts: readonly Doubt[];
}

export interface Doubt {
  readonly type: "worst_tick";
  readonly cpuMs: number;
  readonly allowedMs: number;
}

export function freeVerdict(day: Day): FreeVerdict {
  const held = QUANTITIES.flatMap((quantity): readonly Held[] => {
    const { free: allowed } = ALLOWANCES[quantity];
    const used = day.used[quantity];
    return allowed === null ? [] : [{ quantity, used, allowed, share: used / allowed }];
  }).sort((a, b) => b.share - a.share);
  return { holds: !day.late && held.every(({ share }) => share <= 1), held, doubts: doubtsOf(day) };
}

function doubtsOf({ fullest: { cpuMs, worstCpuMs } }: Day): readonly Doubt[] {
  const allowedMs = ALLOWANCES.tickCpuMs.free;
  // Where the usual tick has too much already, nothing is in doubt.
  const isDoubted = cpuMs <= allowedMs && worstCpuMs > allowedMs;
  return isDoubted ? [{ type: "worst_tick", cpuMs: worstCpuMs, allowedMs }] : [];
}

export interface Charge {
  readonly quantity: Quantity;
  /** In a month; of what is stored, at a time. */
  readonly used: number;
  readonly included: number;
  readonly micros: number;
}

/** Millionths of a dollar for a month. */
export interface MonthlyPrice {
  readonly subscriptionMicros: number;
  /** Only of what goes beyond what is included. */
  readonly charges: readonly Charge[];
  readonly totalMicros: number;
}

const DAYS_A_MONTH = 30;
const MILLION = 1_000_000;

/** Beside what the paid plan includes in a month, or limits. In the order of the table of allowances. */
export function paidShares(day: Day): readonly Held[] {
  return QUANTITIES.flatMap((quantity): readonly Held[] => {
    const { price, paid } = ALLOWANCES[quantity];
    const allowed = price?.included ?? paid;
    const used = monthOf(quantity, day);
    return allowed === null ? [] : [{ quantity, used, allowed, share: used / allowed }];
  });
}

/** What is counted a day, of a month; all else as it is. */
function monthOf(quantity: Quantity, { used }: Day): number {
  return used[quantity] * (ALLOWANCES[quantity].of === "day" ? DAYS_A_MONTH : 1);
}

export function monthlyPrice(day: Day): MonthlyPrice {
  const charges = QUANTITIES.flatMap((quantity): readonly Charge[] => {
    const { price } = ALLOWANCES[quantity];
    if (price === null) return [];
    const used = monthOf(quantity, day);
    const beyond = Math.max(0, used - price.included);
    const micros = Math.round((beyond / MILLION) * price.microsAMillion);
    return beyond === 0 ? [] : [{ quantity, used, included: price.included, micros }];
  });
  const totalMicros = charges.reduce((sum, { micros }) => sum + micros, SUBSCRIPTION_MICROS);
  return { subscriptionMicros: SUBSCRIPTION_MICROS, charges, totalMicros };
}

export const QUANTITY_WORDS: Readonly<Record<Quantity, string>> = {
  tickCpuMs: "CPU of the fullest tick, ms",
  tickRequests: "requests of the fullest tick",
  ledgerCpuMs: "CPU of the Ledger's longest call, ms",
  workerRequests: "invocations of the Worker",
  cpuMs: "CPU of the Worker, ms",
  kvReads: "reads of KV",
  kvWrites: "writes to KV",
  kvBytes: "stored in KV, MB",
  ledgerRequests: "calls of the Ledger",
  ledgerGbSeconds: "the Ledger awake, GB-s",
  rowsRead: "rows that the Ledger reads",
  rowsWritten: "rows that the Ledger writes",
  ledgerBytes: "stored in the Ledger, MB",
  queueOperations: "operations of the queue",
};

/** A sentence. */
export function passedWords({ quantity, used, allowed }: Held): string {
  const per = ALLOWANCES[quantity].of === "day" ? " a day" : "";
  const [first = "", ...rest] = QUANTITY_WORDS[quantity];
  const most = inUnits(quantity, allowed);
  const few = inUnits(quantity, used);
  const needed = few === most ? `a little over ${few}` : few;
  return `${first.toUpperCase()}${rest.join("")}: ${needed} needed${per}, ${most} allowed.`;
}

const BYTES_A_MB = 1_000_000;

export function inUnits(quantity: Quantity, value: number): string {
  return grouped(quantity === "kvBytes" || quantity === "ledgerBytes" ? value / BYTES_A_MB : value);
}

export function dollars(micros: number): string {
  const figures = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return `$${(micros / 1_000_000).toLocaleString("en-US", figures)}`;
}

/** Few digits: it is a forecast. */
export function grouped(value: number): string {
  const digits = value < 10 && !Number.isInteger(value) ? 1 : 0;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
